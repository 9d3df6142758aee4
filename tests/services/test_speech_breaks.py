"""The speech child is killed while the arena runs: battles go on, the failure is counted, nobody is named."""

import contextlib
from pathlib import Path

import psutil

from arena_desktop.domain.votes import Vote
from arena_desktop.services.views import Phase
from tests.helpers.driver import Driver


def test_killing_the_speech_child_again_and_again_stops_no_battle(tmp_path: Path) -> None:
    driver = Driver(tmp_path / "data")
    try:
        for number in range(1, 5):
            for child in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.NoSuchProcess):
                    if "worker" in " ".join(child.cmdline()):
                        child.kill()
            driver.until(lambda: driver.view.can_vote, "a battle, heard")
            driver.services.listen.vote(Vote.TIE)
            driver.until(lambda: driver.view.phase is Phase.REVEALED, "the vote")
            assert driver.view.votes_cast == number
            driver.services.listen.next()
    finally:
        driver.close()
    assert not psutil.Process().children(recursive=True)
