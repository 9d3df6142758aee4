"""An old vote's clips are heard again: the battle lends its player and starts over afterwards."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_desktop.domain.votes import Side, Vote
from arena_desktop.services.exchange_views import HistoryView
from arena_desktop.services.views import Phase
from tests.helpers.driver import Driver


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[Driver]:
    driver = Driver(tmp_path)
    yield driver
    driver.close()


def history(driver: Driver) -> HistoryView:
    driver.until(lambda: driver.history_views and not driver.history_views[-1].loading, "the list of votes")
    return driver.history_views[-1]


def cast(driver: Driver) -> None:
    driver.until(lambda: driver.view.can_vote, "both heard")
    driver.services.listen.vote(Vote.A)
    driver.until(lambda: driver.view.phase is Phase.REVEALED, "the reveal")


def go_on(driver: Driver) -> None:
    driver.services.listen.next()
    driver.until(lambda: driver.view.phase is Phase.READY, "the next battle")


def test_the_very_clips_are_heard_and_the_open_battle_starts_over(driver: Driver) -> None:
    cast(driver)
    go_on(driver)
    driver.until(lambda: driver.view.can_vote, "both heard")
    driver.services.history.open()
    (row,) = history(driver).rows
    assert row.can_listen
    driver.services.history.listen(row.id, Side.B)
    playing = (row.id, "b")
    driver.until(lambda: (driver.history_views[-1].playing, driver.history_views[-1].side) == playing, "the old clip")
    driver.until(lambda: driver.history_views[-1].playing == "", "its end")
    driver.until(lambda: not driver.view.can_vote, "the battle to start over")
    assert driver.view.phase is Phase.READY
    assert driver.view.status.text.startswith("You heard other clips meanwhile, so this battle starts over")
    driver.services.listen.play(Side.A)
    driver.until(lambda: driver.view.heard_a > 0.95, "A")
    driver.services.listen.play(Side.B)
    cast(driver)
    assert len(history(driver).rows) >= 1


def test_leaving_the_page_ends_what_is_played(driver: Driver) -> None:
    cast(driver)
    driver.services.history.open()
    (row,) = history(driver).rows
    driver.services.history.listen(row.id, Side.A)
    driver.until(lambda: driver.history_views[-1].playing == "", "the end of it")
    driver.until(lambda: driver.view.position == 0.0, "the last battle's clips")
    driver.services.listen.play(Side.B)  # after the reveal both can be heard again
    driver.until(lambda: driver.view.side is Side.B and driver.view.position == 1.0, "B of the last battle")
    driver.services.history.listen(row.id, Side.A)
    driver.services.history.leave()
    for _ in range(50):
        driver.turn()
    assert driver.history_views[-1].playing == ""
    assert driver.view.side is Side.B


def test_clips_that_were_evicted_are_said_to_be_gone(driver: Driver) -> None:
    cast(driver)
    driver.services.history.open()
    (row,) = history(driver).rows
    for path in driver.folder.glob("cache/clips/*/*.*"):
        path.unlink()
    driver.services.history.listen(row.id, Side.A)
    driver.until(lambda: driver.history_views[-1].status.text, "words")
    assert "no longer on this machine" in driver.history_views[-1].status.text
    assert driver.history_views[-1].playing == ""


def test_a_vote_taken_back_on_the_page_is_taken_back_everywhere(driver: Driver) -> None:
    cast(driver)
    driver.services.history.open()
    (row,) = history(driver).rows
    driver.services.history.retract(row.id, "mistake", "")
    driver.until(lambda: driver.history_views[-1].rows[0].state == "taken back: mistake", "the row")
    reveal = driver.view.reveal
    assert reveal is not None
    assert reveal.taken_back
    assert not driver.view.can_undo
    driver.until(lambda: driver.boards and driver.boards[-1].votes == 0, "the board")
