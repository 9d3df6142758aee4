"""One run of the window: painted before anything is built, attached when it is, taken down in order."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from arena_desktop.domain.settings import Settings
from arena_desktop.errors import ArenaError
from arena_desktop.paths import app_paths
from arena_desktop.services.actions import Screen, Services
from arena_desktop.ui.bridge import Bridge
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.session import Session
from tests.gui.conftest import FakeServices, Recorder
from tests.helpers import sample_views as sample

Post = Callable[[Callable[[], None]], None]

CHILD = """
import json, sys, threading
from types import SimpleNamespace
from arena_desktop.domain.settings import Settings
from arena_desktop.paths import app_paths
from arena_desktop.ui.run import run_window
from pathlib import Path

def tell(event, **more):
    main = threading.current_thread() is threading.main_thread()
    print(json.dumps({"event": event, "main": main, **more}), flush=True)

class Verbs:
    def __getattr__(self, name):
        return lambda *a, **k: None

def start(screen, post):
    tell("start")
    verbs = Verbs()
    post(lambda: tell("posted"))
    pages = dict.fromkeys(("listen", "board", "history", "exchange", "models", "settings"), verbs)
    return SimpleNamespace(**pages, close=lambda: tell("close"))

status = run_window(
    app_paths(Path(sys.argv[1])), start, Settings(),
    on_first_paint=lambda: tell("first_paint", modules=sorted(sys.modules)),
    on_quit=lambda: tell("quit"),
)
tell("end", status=status)
sys.exit(status)
"""


def child(tmp_path: Path, **environment: str) -> "subprocess.Popen[str]":
    inherited = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path)],
        env={**inherited, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def events(tmp_path: Path) -> list[dict[str, Any]]:
    """What a window tells from its opening to its end, which SIGTERM asks for once the services are attached."""
    with child(tmp_path, QT_QPA_PLATFORM="offscreen") as process:
        assert process.stdout is not None
        told = []
        for line in process.stdout:
            told.append(json.loads(line))
            if told[-1]["event"] == "posted":
                process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    return told


def test_painted_first_then_built_off_the_windows_thread_then_closed_in_order(events: list[dict[str, Any]]) -> None:
    assert [(e["event"], e["main"]) for e in events] == [
        ("first_paint", True),
        ("start", False),
        ("posted", True),
        ("close", True),
        ("quit", True),
        ("end", True),
    ]
    loaded = {name.split(".")[0] for name in events[0]["modules"]}
    heavy = {"numpy", "yaml", "sqlite3", "torch", "transformers", "scipy", "onnxruntime", "sounddevice", "soundfile"}
    assert not loaded & (heavy | {"soxr", "orjson", "zstandard", "pyqtgraph"})
    ours = {name for name in events[0]["modules"] if name.startswith("arena_desktop.")}
    rooms = {name.split(".")[1] for name in ours}
    assert rooms == {"domain", "errors", "paths", "ui"}


@pytest.mark.parametrize("environment", [{}, {"DISPLAY": ":987"}, {"DISPLAY": "no-such-host.invalid:0"}])
def test_without_a_display_one_line_says_what_to_do(tmp_path: Path, environment: dict[str, str]) -> None:
    with child(tmp_path, **environment) as process:
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "start" not in output.replace('"status"', "")
    assert len(errors.splitlines()) == 1
    assert "display" in errors
    assert "xvfb-run" in errors


class InProcess:
    """A session in this process; ``then`` runs on the window's thread when the services are there (or failed)."""

    def __init__(
        self, tmp_path: Path, start: Callable[[Screen, Post], Services], then: Callable[[MainWindow], None]
    ) -> None:
        self.order: list[str] = []
        self.session = Session(
            app_paths(tmp_path),
            start,
            Settings(),
            lambda: self.order.append("painted"),
            lambda: self.order.append("quit"),
        )
        self._then = then

    def run(self) -> int:
        window = next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))
        self._timer = QTimer()
        self._timer.timeout.connect(lambda: self._look(window))
        self._timer.start(10)
        try:
            return self.session.run()
        finally:
            self._timer.stop()

    def _look(self, window: MainWindow) -> None:
        built = window.centralWidget() is not None
        if built and window.isVisible() and threading.active_count() == threads_of_tests():
            self._then(window)


def threads_of_tests() -> int:
    return sum(1 for thread in threading.enumerate() if thread.name != "start-services")


@pytest.fixture
def clean_look(qapp: QApplication) -> Iterator[None]:
    font = qapp.font()
    yield
    qapp.setStyleSheet("")
    qapp.setFont(font)


@pytest.mark.usefixtures("clean_look")
def test_views_posted_before_the_services_are_attached_are_drawn_and_told_painted(qtbot: QtBot, tmp_path: Path) -> None:
    recorder = Recorder()
    services = FakeServices(recorder)

    def start(screen: Screen, post: Post) -> Services:
        post(lambda: screen.show_listen(sample.READY))
        return services

    def then(window: MainWindow) -> None:
        if recorder.times("painted"):
            assert window.shell.listen.view == sample.READY
            window.close()

    run = InProcess(tmp_path, start, then)
    assert run.run() == 0
    assert [call[1] for call in recorder.calls if call[0] == "painted"] == [(sample.READY,)]
    assert services.closed == 1
    assert run.order == ["painted", "quit"]


@pytest.mark.usefixtures("clean_look")
def test_an_expected_fault_while_starting_becomes_a_banner(qtbot: QtBot, tmp_path: Path) -> None:
    shown: list[str] = []

    def start(screen: Screen, post: Post) -> Services:
        raise ArenaError("The vote log is from a newer program.", "Install the newest version.")

    def then(window: MainWindow) -> None:
        if window.shell.banner.isVisible():
            shown.extend(label.text() for label in window.shell.banner.findChildren(QLabel) if label.text())
            window.close()

    assert InProcess(tmp_path, start, then).run() == 0
    assert shown == ["The vote log is from a newer program.", "Install the newest version."]


@pytest.mark.usefixtures("clean_look")
def test_a_start_that_failed_can_be_tried_again_without_the_mouse(qtbot: QtBot, tmp_path: Path) -> None:
    recorder = Recorder()
    services = FakeServices(recorder)
    starts: list[bool] = []
    pages: list[bool] = []

    def start(screen: Screen, post: Post) -> Services:
        starts.append(True)
        if len(starts) < 3:
            raise ArenaError("Line 3 of the roster is odd.", "Write it so.")
        post(lambda: screen.show_listen(sample.READY))
        return services

    def then(window: MainWindow) -> None:
        shell = window.shell
        if shell.banner.isVisible():
            shell.show_page("historyPage")
            pages.append(shell.history.isEnabled() or shell.models.isEnabled() or shell.leaderboard.isEnabled())
            assert "could not start" in " ".join(label.text() for label in shell.history.findChildren(QLabel))
            again = shell.banner.findChild(QPushButton, "offered")
            assert again is not None
            assert again.isVisible()
            again.setFocus()
            QTest.keyClick(again, Qt.Key.Key_Return)
            assert not shell.banner.isVisible()
        elif recorder.times("painted") or shell.listen.view == sample.READY:
            pages.append(shell.history.isEnabled() and shell.models.isEnabled() and shell.leaderboard.isEnabled())
            window.close()

    assert InProcess(tmp_path, start, then).run() == 0
    assert (len(starts), pages, services.closed) == (3, [False, False, True], 1)


@pytest.mark.usefixtures("clean_look")
def test_a_bug_becomes_one_dialog_without_the_exceptions_own_words(
    qtbot: QtBot, tmp_path: Path, expect_log: Callable[..., None]
) -> None:
    expect_log("A fault in the program", logger="arena_desktop.ui.session")
    reports: list[str] = []

    def start(screen: Screen, post: Post) -> Services:
        for _ in range(5):
            post(fail)
        raise KeyError("hexgrad/Kokoro-82M")

    def fail() -> None:
        raise KeyError("hexgrad/Kokoro-82M")

    def then(window: MainWindow) -> None:
        dialogs = [d for d in window.findChildren(QDialog) if d.isVisible()]
        if dialogs:
            (dialog,) = dialogs
            details = dialog.findChild(QPlainTextEdit)
            assert details is not None
            next(b for b in dialog.findChildren(QPushButton) if b.text() == "Copy the report").click()
            reports.append(QApplication.clipboard().text())
            assert details.toPlainText() == reports[-1]
            dialog.accept()
            window.close()

    hook = sys.excepthook
    assert InProcess(tmp_path, start, then).run() == 0
    assert sys.excepthook is hook
    assert "KeyError" in reports[0]
    assert "test_gui_session.py" in reports[0]
    assert "Kokoro" not in reports[0]


@pytest.mark.usefixtures("clean_look")
def test_closing_while_services_still_start_waits_for_them_and_closes_them(qtbot: QtBot, tmp_path: Path) -> None:
    recorder = Recorder()
    services = FakeServices(recorder)
    gate = threading.Event()

    def start(screen: Screen, post: Post) -> Services:
        post(asked_to_close)
        gate.wait(20)
        time.sleep(0.05)
        post(lambda: screen.show_listen(sample.READY))  # comes too late: nobody listens any more
        return services

    run = InProcess(tmp_path, start, lambda window: None)
    window = next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))
    window.closing.connect(gate.set)

    def asked_to_close() -> None:
        window.close()

    assert run.run() == 0
    assert services.closed == 1
    assert recorder.times("painted") == 0


def test_the_bridge_delivers_in_order_on_the_windows_thread_and_is_deaf_after_close(qtbot: QtBot) -> None:
    bridge = Bridge()
    seen: list[tuple[int, bool]] = []
    main = threading.main_thread()

    def post(n: int) -> None:
        bridge.post(lambda: seen.append((n, threading.current_thread() is main)))

    def post_all() -> None:
        for n in range(200):
            post(n)

    worker = threading.Thread(target=post_all)
    worker.start()
    worker.join()
    assert seen == []
    qtbot.waitUntil(lambda: len(seen) == 200)
    assert seen == [(n, True) for n in range(200)]
    post(200)
    bridge.close()
    post(201)
    qtbot.wait(20)
    assert len(seen) == 200


def test_a_failing_job_does_not_stop_the_ones_after_it(qtbot: QtBot) -> None:
    bridge = Bridge()
    seen: list[int] = []

    def fail() -> None:
        raise RuntimeError("meant")

    with qtbot.captureExceptions() as caught:
        bridge.post(fail)
        bridge.post(lambda: seen.append(1))
        qtbot.waitUntil(lambda: seen == [1])
    assert [str(one[1]) for one in caught] == ["meant"]
