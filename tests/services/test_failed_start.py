"""A start that fails leaves nothing open, and the next one in the same program goes through."""

import logging
import threading
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from arena_desktop.errors import ArenaError
from arena_desktop.paths import app_paths
from arena_desktop.services.views import Phase
from tests.engines.conftest import wait_for
from tests.helpers.driver import ROSTER, Driver, write_roster


def bad_roster(folder: Path) -> Path:
    return folder / "quick.yaml"


def bad_policy(folder: Path) -> Path:
    file = app_paths(folder / "data").policy
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def no_log(folder: Path) -> Path:
    """A database that is none."""
    file = app_paths(folder / "data").database
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def open_things() -> tuple[set[str], int, int]:
    """Threads, children, and who writes a log."""
    threads = {thread.name for thread in threading.enumerate()}
    return threads, len(psutil.Process().children()), len(logging.getLogger("arena_desktop").handlers)


@pytest.mark.parametrize("spoilt", [bad_roster, bad_policy, no_log])
def test_what_was_mended_is_tried_again_in_the_same_program(tmp_path: Path, spoilt: Callable[[Path], Path]) -> None:
    roster = write_roster(tmp_path)
    file = spoilt(tmp_path)
    file.unlink(missing_ok=True)
    if spoilt is no_log:
        file.mkdir()
    else:
        file.write_text("schema: 1\nmodels: [}", encoding="utf-8")
    before = open_things()
    for _ in range(2):
        with pytest.raises(ArenaError):
            Driver(tmp_path / "data", roster)
        wait_for(lambda: open_things() == before, "all that was opened is closed")
    if spoilt is no_log:
        file.rmdir()
    else:
        file.unlink()
    roster.write_text(ROSTER, encoding="utf-8")
    driver = Driver(tmp_path / "data", roster)
    driver.until(lambda: driver.view.phase is Phase.READY, "a battle")
    driver.close()
    assert driver.notes == []
