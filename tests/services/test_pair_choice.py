"""What the votes say reaches whoever plans battles: from what is shown, and uniform where nothing is known."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from arena_desktop.domain.roster import ArenaSpec, ModelSpec
from arena_desktop.ratings import NotConverged
from arena_desktop.ratings.bradley_terry import fit_table, information
from arena_desktop.ratings.pair_table import pair_table
from arena_desktop.ratings.pairing import PairKnowledge
from arena_desktop.ratings.panel import SimulatedPanel
from arena_desktop.ratings.simulate import simulate
from arena_desktop.ratings.standings import Standings
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board import Board
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.pair_choice import PairNews, chances_of, pair_knowledge
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.simulated_logs import fill, panel_roster
from tests.helpers.vote_logs import open_log

POINTS = 173.71779276130073


@pytest.fixture
def log(tmp_path: Path) -> Iterator[VoteLog]:
    with open_log(tmp_path) as log:
        yield log


def test_a_filled_log_holds_the_panel(log: VoteLog) -> None:
    panel = simulate(4, 300, listeners=7, policy="rank-gain", seed=2)
    fill(log, panel)
    table = Board(panel_roster(panel), log).votes("english").table
    assert np.array_equal(table.score, panel.score)
    assert np.array_equal(table.at, panel.at)
    assert np.array_equal(table.reveals_before, panel.reveals_before)
    assert set(table.policies) == {"rank-gain"}
    records = list(log.records())
    assert records[0]["policy"]["probability"] == f"{panel.probability[0]:.8e}"


def test_what_is_known_are_the_boards_ratings_and_the_fits_own_errors(log: VoteLog) -> None:
    panel = simulate(5, 200, listeners=1, seed=3)
    fill(log, panel)
    known = pair_knowledge(Board(panel_roster(panel), log).votes("english"))
    table = pair_table(5, panel.a, panel.b, np.ones(200), panel.score)
    prior = np.full(5, 1000.0)
    fit = fit_table(table, prior)
    assert known.models == panel.models
    assert known.rating == pytest.approx(fit)
    inverse = np.linalg.inv(information(table, fit, prior, 4.0))
    variance = np.diag(inverse)[:, None] + np.diag(inverse)[None, :] - 2 * inverse
    assert np.square(known.error / POINTS) == pytest.approx(variance, abs=1e-12)
    assert known.games.sum() == 400


def test_listeners_with_tastes_make_it_less_sure(log: VoteLog) -> None:
    panel = simulate(5, 2_000, listeners=10, taste_sd=150.0, seed=4)
    fill(log, panel)
    votes = Board(panel_roster(panel), log).votes("english")
    known, standings = pair_knowledge(votes), votes.standings
    assert standings.general
    assert standings.doubt is not None
    off = ~np.eye(5, dtype=bool)
    assert np.all(known.error[off] >= standings.doubt.difference[off] - 1e-9)


def test_an_arena_without_votes_plays_all_pairs_alike(log: VoteLog) -> None:
    panel = simulate(4, 0)
    known = pair_knowledge(Board(panel_roster(panel), log).votes("english"))
    models = [ModelSpec(name, name) for name in panel.models]
    policy, chances = chances_of("rank-gain", known, models, "p")
    assert policy == "rank-gain"
    assert chances == pytest.approx([1 / 6] * 6)


def test_where_nothing_is_known_the_vote_says_uniform() -> None:
    models = [ModelSpec("x/a", "a"), ModelSpec("x/b", "b"), ModelSpec("x/new", "new")]
    policy, chances = chances_of("rank-gain", None, models, "p")
    assert policy == "uniform"
    assert chances == pytest.approx([1 / 3] * 3)
    nobody = PairKnowledge(("x/a", "x/b"), np.full(2, 1000.0), np.ones((2, 2)), np.zeros((2, 2)))
    assert chances_of("rank-gain", nobody, models, "p")[0] == "uniform"
    assert chances_of("rank-gain", nobody, models[:2], "p")[0] == "rank-gain"


class Unrated(ArenaVotes):
    """Votes that no fit can rate."""

    @property
    def standings(self) -> Standings:
        raise NotConverged("The fit did not reach its optimum.")


class Boards:
    """The board of a panel; ``fails`` makes its votes unfit to be rated."""

    def __init__(self, panel: SimulatedPanel) -> None:
        models = tuple(ModelSpec(name, name) for name in panel.models)
        arena, size = ArenaSpec("english", panel.models), len(models)
        self._made = (arena, models, panel.table(), np.full(size, 1000.0), np.full(size, 1000.0), (), dict[str, int]())
        self.fails = False

    def votes(self, arena: str) -> ArenaVotes:
        return Unrated(*self._made) if self.fails else ArenaVotes(*self._made)


def test_news_come_home_and_a_failed_fit_leaves_pairs_uniform(expect_log: Callable[..., None]) -> None:
    boards = Boards(simulate(3, 50, seed=1))
    inbox, told = Inbox(), list[PairKnowledge | None]()
    store = JobThread(inbox, "store")
    try:
        news = PairNews(store, boards, lambda arena, known: told.append(known) if arena == "english" else None)
        news.tell("english")
        store.run(lambda: None)
        assert told == [], "it is delivered on the services' thread"
        inbox.drain()
        assert told[0] is not None
        assert told[0].games.sum() == 100
        expect_log("drawn evenly", logger="arena_desktop.services")
        boards.fails = True
        news.tell("english")
        store.run(lambda: None)
        inbox.drain()
        assert told[1:] == [None]
    finally:
        store.close()


def test_votes_held_back_say_nothing(log: VoteLog) -> None:
    panel = simulate(3, 40, seed=1)
    fill(log, panel)
    board = Board(panel_roster(panel), log)
    ids = [record["id"] for record in log.records()]
    board.hold_back(frozenset(ids[30:]))
    known = pair_knowledge(board.votes("english"))
    assert known.games.sum() == 60
