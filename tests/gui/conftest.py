"""A window whose pages forward to a recorder, on the platform that QT_QPA_PLATFORM names (else offscreen)."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from arena_desktop.domain.settings import Settings
from arena_desktop.ui.exchange.frame import ExchangeDialog
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.pages.history import HistoryPage
from arena_desktop.ui.theme import Theme
from tests.helpers import sample_exchange
from tests.helpers import sample_views as sample

FILES = ["/media/usb/a log.jsonl", "/media/usb/old.json"]
"""What is chosen to be imported."""


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    """The platform of the environment: this folder passes offscreen and on a real X screen."""
    return ["arena-desktop-tests", "-platform", os.environ.get("QT_QPA_PLATFORM", "offscreen")]


@dataclass
class Recorder:
    """Takes every verb of every page, and remembers it."""

    calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)
    on: Callable[[str], None] | None = None

    def __getattr__(self, verb: str) -> Callable[..., None]:
        if verb.startswith("_"):
            raise AttributeError(verb)

        def take(*arguments: Any, **named: Any) -> None:
            self.calls.append((verb, arguments, named))
            if self.on is not None:
                self.on(verb)

        return take

    def asked(self, *, but: tuple[str, ...] = ("poll", "painted")) -> list[tuple[Any, ...]]:
        """The verbs with their arguments, without those that come by themselves."""
        return [(verb, *arguments) for verb, arguments, _ in self.calls if verb not in but]

    def times(self, verb: str) -> int:
        """How often ``verb`` was asked."""
        return sum(call[0] == verb for call in self.calls)


@dataclass
class FakeServices:
    """All pages' verbs go to one recorder."""

    recorder: Recorder
    closed: int = 0

    @property
    def listen(self) -> Recorder:
        return self.recorder

    board = history = exchange = models = downloads = settings = listen

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    before = qapp.font()
    theme = Theme(qapp, "light")
    yield theme
    shiboken6.delete(theme)
    qapp.setStyleSheet("")
    qapp.setFont(before)


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def answers() -> dict[str, Any]:
    """What the dialogs of the system answer."""
    return {"name": "", "file": "", "path": "", "files": [], "folder": ""}


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, recorder: Recorder, answers: dict[str, Any]) -> Iterator[MainWindow]:
    """Shown, active, attached, with a battle whose gate is still closed."""
    window = MainWindow(
        Settings(),
        ask_name=lambda: answers["name"],
        ask_file=lambda: answers["file"],
        ask_path=lambda name, kinds: answers["path"],
        ask_files=lambda: answers["files"],
        ask_folder=lambda: answers["folder"],
    )
    window.build(theme)
    window.attach(FakeServices(recorder))
    window.show_listen(sample.READY)
    window.show_board(sample.BOARD)
    window.show_models(sample.MODELS)
    window.show_devices(sample.DEVICES)
    window.resize(1080, 760)
    with qtbot.waitExposed(window):
        window.show()
    with qtbot.waitActive(window):
        window.activateWindow()
    recorder.calls.clear()
    yield window
    window.detach()
    window.close()
    shiboken6.delete(window)


@pytest.fixture
def open_dialog(
    window: MainWindow, recorder: Recorder, answers: dict[str, Any], qtbot: QtBot
) -> Callable[[Qt.Key], ExchangeDialog]:
    """Opens a dialog from the History page by its key."""
    window.show_page("historyPage")
    window.show_history(sample_exchange.HISTORY)
    window.show_exchange(sample_exchange.IDLE)
    answers["files"] = list(FILES)
    recorder.calls.clear()

    def press(key: Qt.Key) -> ExchangeDialog:
        with qtbot.waitActive(window):
            window.activateWindow()
        QTest.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
        dialog = window.shell.exchange.dialog
        assert dialog is not None
        assert dialog.isVisible()
        return dialog

    return press


@pytest.fixture
def page(window: MainWindow, recorder: Recorder) -> HistoryPage:
    """Shown, with 200 of 3,412 votes."""
    window.show_page("historyPage")
    window.show_history(sample_exchange.HISTORY)
    recorder.calls.clear()
    return window.shell.history
