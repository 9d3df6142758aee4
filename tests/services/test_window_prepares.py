"""The window's services prepare battles by real voices, keep them for the next start, and stand still while one is
open.
"""

from pathlib import Path

import pytest

from arena_desktop.domain.votes import Vote
from arena_desktop.services.views import Phase
from tests.helpers.driver import NAMES, Driver

FEW = 4


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena_desktop.services.preparing.BATTLES", FEW)


def play(driver: Driver, battle: int) -> None:
    driver.until(lambda: driver.view.phase is Phase.READY and driver.view.battle == battle, f"battle {battle}")
    driver.until(lambda: driver.view.can_vote, "the gate")
    driver.services.listen.vote(Vote.A)
    driver.until(lambda: driver.view.phase is Phase.REVEALED, "the reveal")
    driver.services.listen.next()


def test_battles_are_prepared_beside_the_voting_and_wait_for_the_next_start(tmp_path: Path, few: None) -> None:
    driver = Driver(tmp_path)
    try:
        driver.until(lambda: driver.view.phase is Phase.READY, "a battle")
        driver.services.listen.prepare()
        told = len(driver.preparing_views)
        driver.until(lambda: driver.view.can_vote, "the gate")
        assert len(driver.preparing_views) == told, "nothing changes while a battle is open"
        driver.services.listen.vote(Vote.B)
        driver.until(lambda: driver.view.phase is Phase.REVEALED, "the reveal")
        driver.until(lambda: f"{FEW} battles are prepared" in driver.preparing_views[-1].line.text, "the preparation")
        words = " ".join(view.line.text + view.offer for view in driver.preparing_views)
        assert not any(name in words for name in NAMES)
    finally:
        driver.close()
    again = Driver(tmp_path)
    try:
        again.until(lambda: again.view.phase is Phase.READY, "a battle at the next start")
        for battle in range(1, FEW - 1):
            again.until(lambda battle=battle: again.view.battle == battle, "the next battle")  # type: ignore[misc]
            assert again.clips_spoken() == 0
            play(again, battle)
    finally:
        again.close()
