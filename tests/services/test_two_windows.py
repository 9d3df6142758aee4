"""Two windows on one data directory: the second says so."""

from pathlib import Path

from arena_desktop.window_services import TWO_WINDOWS
from tests.helpers.driver import Driver


def notes_of(driver: Driver) -> list[str]:
    driver.until(lambda: driver.listen_views, "a first view")
    return [note for note in driver.notes if TWO_WINDOWS in note]


def test_a_second_window_is_told_of_the_first_and_one_after_it_is_not(tmp_path: Path) -> None:
    first = Driver(tmp_path / "data")
    try:
        assert notes_of(first) == []
        second = Driver(tmp_path / "data")
        try:
            assert len(notes_of(second)) == 1
        finally:
            second.close()
    finally:
        first.close()
    third = Driver(tmp_path / "data")
    try:
        assert notes_of(third) == []
    finally:
        third.close()
