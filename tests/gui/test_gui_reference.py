"""The Reference button: there for clones alone, moves nothing, and says why where there is nothing to be heard."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from arena_desktop.ui.main_window import MainWindow
from tests.gui.conftest import Recorder
from tests.helpers import sample_views as sample

ELSEWHERE = ("playA", "playB", "pause", "voteA", "voteB", "voteTie", "voteBothBad", "next", "skip", "undo")


def button(window: MainWindow) -> QPushButton:
    found = window.findChild(QPushButton, "reference")
    assert found is not None
    return found


def places(window: MainWindow) -> dict[str, tuple[int, int, int, int]]:
    for _ in range(5):  # what one layout changes the next one takes up
        QApplication.processEvents()
    found = {}
    for name in ELSEWHERE:
        widget = window.findChild(QWidget, name)
        assert widget is not None, name
        corner = widget.mapTo(window, widget.rect().topLeft())
        found[name] = (corner.x(), corner.y(), widget.width(), widget.height())
    return found


@pytest.mark.parametrize("size", [(1080, 760), (640, 900), (420, 900)])
def test_nothing_moves_for_it(window: MainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    status = sample.READY.status
    window.show_listen(replace(sample.READY, question=sample.CLONES.question, status=status))
    without = places(window)
    assert not button(window).isVisible()
    window.show_listen(replace(sample.CLONES, status=status))
    assert button(window).isVisible()
    assert places(window) == without
    wide = button(window).width()
    window.show_listen(replace(sample.NO_REFERENCE, status=status))
    assert places(window) == without
    assert button(window).width() == wide


def test_it_is_pressed_by_mouse_tab_and_enter(window: MainWindow, recorder: Recorder) -> None:
    window.show_listen(sample.CLONES)
    recorder.calls.clear()
    QTest.mouseClick(button(window), Qt.MouseButton.LeftButton)
    button(window).setFocus()
    QTest.keyClick(button(window), Qt.Key.Key_Return)
    assert recorder.asked() == [("play_reference",)] * 2


def test_it_says_what_it_is_and_what_it_does(window: MainWindow) -> None:
    window.show_listen(sample.CLONES)
    assert button(window).accessibleName() == "Reference"
    assert button(window).accessibleDescription().startswith("Playing. Press R to play the clip that both voices clone")
    assert button(window).toolTip() == "Play the clip that both voices clone  (R)"
    window.show_listen(sample.NO_REFERENCE)
    assert (button(window).accessibleName(), button(window).isEnabled()) == ("No reference", True)
    assert button(window).accessibleDescription() == sample.NO_REFERENCE.reference.why
    assert sample.NO_REFERENCE.reference.why in button(window).toolTip()


def test_the_focus_does_not_stay_on_a_button_that_is_gone(window: MainWindow) -> None:
    window.show_listen(sample.CLONES)
    button(window).setFocus()
    window.show_listen(sample.READY)
    focused = QApplication.focusWidget()
    assert focused is not None
    assert focused.isVisible()
    assert not isinstance(focused, QPushButton)
