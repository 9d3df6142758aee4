"""Before the vote nothing tells the two sides apart: not the window, not the processes, their files or the log."""

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from arena_desktop.app import Composition
from arena_desktop.domain.votes import Vote
from arena_desktop.paths import app_paths
from arena_desktop.services.views import Phase
from arena_desktop.ui.main_window import MainWindow
from tests.helpers.blind_walk import visible_texts
from tests.helpers.driver import NAMES, write_roster
from tests.helpers.room import Room, open_room
from tests.helpers.sound_server import SoundServer, sound_server

__all__ = ["sound_server"]


@pytest.fixture
def room(qtbot: QtBot, sound_server: SoundServer, tmp_path: Path) -> Iterator[Room]:
    with open_room(Composition(app_paths(tmp_path / "data"), roster_file=write_roster(tmp_path))) as room:
        yield room


def identities(texts: list[str]) -> list[str]:
    return [text for text in texts if any(name.casefold() in text.casefold() for name in NAMES)]


@pytest.mark.timeout(300)
def test_an_open_battle_gives_nothing_away(room: Room, qtbot: QtBot) -> None:
    log = room.folder / "logs" / "arena-desktop.log"
    # The list of sound devices comes once, some time after the start, and has nothing to do with battles.
    qtbot.waitUntil(lambda: room.view.phase is Phase.READY and room.window.devices_known, timeout=60_000)
    logged_before = log.read_text("utf-8") if log.exists() else ""
    room.window.show_page("modelsPage")  # its cards are made when it is first seen
    models = room.window.shell.models
    qtbot.waitUntil(lambda: {"Alder", "Birch", "Cedar"} <= set(visible_texts(models)), timeout=10_000)
    room.window.show_page("listenPage")
    pages_before = _other_pages(room.window)
    for _ in range(5):
        qtbot.wait(200)
        assert not identities(visible_texts(room.window.shell.listen))
        assert not identities([room.window.windowTitle(), room.window.windowIconText(), room.window.accessibleName()])
        _look_at_processes(room.folder)
    qtbot.waitUntil(lambda: room.view.can_vote, timeout=60_000)
    assert not identities(visible_texts(room.window.shell.listen))
    assert _other_pages(room.window) == pages_before, "another page changed while the battle was open"
    assert (log.read_text("utf-8") if log.exists() else "") == logged_before
    assert not identities([repr(view) for view in room.window.views])

    room.services.listen.vote(Vote.A)
    qtbot.waitUntil(lambda: room.view.phase is Phase.REVEALED, timeout=10_000)
    assert identities(visible_texts(room.window.shell.listen)), "the reveal names nobody: the walk sees nothing"


def _other_pages(window: MainWindow) -> list[list[str]]:
    return [visible_texts(page) for page in (window.shell.leaderboard, window.shell.models, window.shell.settings)]


def _look_at_processes(folder: Path) -> None:
    own = psutil.Process()
    for process in [own, *own.children(recursive=True)]:
        try:
            assert not identities(process.cmdline()), process.cmdline()
            files = [file.path for file in process.open_files()]
        except psutil.NoSuchProcess:
            continue
        # The speech child may have the files of any loaded model open; what lies in the data directory has neutral
        # names.
        assert not identities([path for path in files if path.startswith(str(folder))]), files
