"""A vote that doesn't wait for a long log is told afterwards where Live Elo stands with it."""

from pathlib import Path

from arena_desktop.domain.votes import Vote
from arena_desktop.paths import app_paths
from arena_desktop.ratings.simulate import simulate
from arena_desktop.services.views import Phase
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.driver import Driver
from tests.helpers.simulated_logs import fill


def test_live_elo_follows_once_the_log_has_been_read(tmp_path: Path) -> None:
    driver = Driver(tmp_path)
    try:
        driver.until(lambda: driver.view.can_vote, "both heard")
        panel = simulate(("test/hibari", "test/pico-us", "test/pico-gb"), 600, listeners=3, seed=5)
        with VoteLog.open(app_paths(tmp_path).database) as other:
            fill(other, panel)
        driver.services.listen.vote(Vote.A)
        driver.until(lambda: driver.view.phase is Phase.REVEALED, "the reveal")
        follows = next(view.reveal for view in driver.listen_views if view.reveal is not None)
        assert follows.a.follows
        assert follows.a.after is None
        driver.until(lambda: driver.view.reveal is not None and not driver.view.reveal.a.follows, "Live Elo")
        driver.until(lambda: driver.boards and driver.boards[-1].votes > 0, "the board")
        elo = {row.repo_id: row.elo for row in driver.boards[-1].rows}
        reveal = driver.view.reveal
        assert reveal is not None
        for model in (reveal.a, reveal.b):
            assert (model.before, model.after) == (None, elo[model.repo_id])
    finally:
        driver.close()
