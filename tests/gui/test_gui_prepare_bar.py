"""Preparing many battles, on the Listen page: pressed, told, stopped, and nothing around it moves."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.services.views import Line, PreparingView, Tone
from arena_desktop.ui.main_window import MainWindow
from tests.gui.conftest import Recorder
from tests.helpers import sample_views as sample

DONE = PreparingView(line=Line("50 battles are prepared."))


def find(window: MainWindow, name: str, kind: type[Any] = QWidget) -> Any:
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def test_the_button_says_what_it_costs_and_asks_for_it(window: MainWindow, recorder: Recorder) -> None:
    button = find(window, "prepare", QPushButton)
    assert not button.isEnabled(), "before anything is known"
    window.show_preparing(sample.OFFERED)
    assert button.text() == button.accessibleName() == "Prepare 50 battles (about 6 min)"
    QTest.mouseDClick(button, Qt.MouseButton.LeftButton)
    button.click()
    assert ("stop_preparing",) not in recorder.asked()
    assert recorder.asked()[-1] == ("prepare",)


def test_how_far_it_is_stands_there_and_stop_asks_for_the_end(window: MainWindow, recorder: Recorder) -> None:
    stop = find(window, "stopPreparing", QPushButton)
    assert not stop.isVisible()
    window.show_preparing(sample.PREPARING_MANY)
    bar = find(window, "listenPage").findChild(QProgressBar)
    assert (bar.isVisible(), bar.value()) == (True, 340)
    assert find(window, "preparing").text() == "Preparing battles: 34 of 100 clips, about 4 min left."
    assert not find(window, "prepare", QPushButton).isEnabled()
    stop.click()
    assert recorder.asked() == [("stop_preparing",)]
    window.show_preparing(DONE)
    assert not bar.isVisible()
    assert not stop.isVisible()


def test_a_warning_looks_like_one(window: MainWindow) -> None:
    window.show_preparing(PreparingView(line=Line("The disk is full.", Tone.WARNING)))
    assert find(window, "preparing").property("tone") == "warning"


def test_nothing_moves_when_it_begins(window: MainWindow, qtbot: QtBot) -> None:
    names = ("playA", "voteBothBad", "next", "prepare", "status")
    window.show_preparing(sample.OFFERED)
    qtbot.wait(1)

    def places() -> list[object]:
        return [(find(window, name).mapToGlobal(find(window, name).rect().topLeft())) for name in names]

    before = places()
    for view in (sample.PREPARING_MANY, DONE, PreparingView()):
        window.show_preparing(view)
        qtbot.wait(1)
        assert places() == before


def test_enter_on_the_button_prepares_and_the_focus_never_falls_on_another(
    window: MainWindow, recorder: Recorder
) -> None:
    window.show_listen(sample.REVEALED)
    window.show_preparing(sample.OFFERED)
    button = find(window, "prepare", QPushButton)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(button, Qt.Key.Key_Return)
    assert recorder.asked() == [("prepare",)]
    window.show_preparing(sample.PREPARING_MANY)
    assert find(window, "listenPage").hasFocus()
    stop = find(window, "stopPreparing", QPushButton)
    stop.setFocus(Qt.FocusReason.TabFocusReason)
    window.show_preparing(DONE)
    assert find(window, "listenPage").hasFocus()


def test_in_a_low_window_the_offer_gives_way_and_what_goes_on_stays(window: MainWindow) -> None:
    button = find(window, "prepare", QPushButton)
    window.show_preparing(sample.OFFERED)
    window.resize(1000, 640)
    assert not button.isVisible()
    window.show_preparing(sample.PREPARING_MANY)
    assert button.isVisible()
    window.show_preparing(sample.OFFERED)
    assert not button.isVisible()
    window.resize(1000, 800)
    assert button.isVisible()
