"""Parts that pages are made of."""

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from arena_desktop.errors import ArenaError
from arena_desktop.ui import text
from arena_desktop.ui.binder import Binder
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.widgets.controls import Dropdown, Slider
from arena_desktop.ui.widgets.rail import RailButton
from tests.gui.conftest import Recorder


@dataclass(frozen=True)
class View:
    a: int = 0
    b: int = 0


def test_a_part_is_drawn_first_and_then_only_when_its_fields_change() -> None:
    drawn: list[str] = []
    binder: Binder[View] = Binder()
    binder.bind(lambda v: v.a, lambda v: drawn.append(f"a{v.a}"))
    binder.bind(lambda v: (v.a, v.b), lambda v: drawn.append(f"ab{v.a}{v.b}"))
    for view in (View(), View(), View(b=1), View(a=1, b=1), View(a=1, b=1)):
        binder.show(view)
    assert drawn == ["a0", "ab00", "ab01", "a1", "ab11"]


def test_a_wheel_that_scrolls_a_page_changes_nothing_on_its_way(window: MainWindow, recorder: Recorder) -> None:
    window.show_page("settingsPage")
    for widget in (*window.findChildren(Dropdown), *window.findChildren(Slider)):
        for steps in (120, -120):
            wheel = QWheelEvent(
                QPointF(5, 5),
                QPointF(widget.mapToGlobal(QPoint(5, 5))),
                QPoint(),
                QPoint(0, steps),
                Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            )
            QApplication.sendEvent(widget, wheel)
    assert recorder.asked() == []


def test_pages_are_changed_by_toggling_as_assistive_technology_does(window: MainWindow) -> None:
    rail = {button.text(): button for button in window.findChildren(RailButton)}
    rail["Models"].toggle()
    assert window.shell.models.isVisible()
    assert not rail["Listen"].isChecked()
    rail["Models"].toggle()  # the page shown can't be switched off
    assert window.shell.models.isVisible()
    assert rail["Models"].isChecked()


def test_an_expected_fault_is_shown_until_it_is_closed(window: MainWindow) -> None:
    window.show_error(ArenaError("The disk is full.", "Make room, then vote again."))
    banner = window.findChild(QWidget, "banner")
    assert banner is not None
    assert banner.isVisible()
    close = next(b for b in banner.findChildren(QPushButton) if b.accessibleName() == "Close this message")
    close.click()
    assert not banner.isVisible()


def test_the_window_opens_with_the_focus_on_the_page_and_on_no_button(window: MainWindow) -> None:
    assert QApplication.focusWidget() is window.shell.listen


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (text.number(None), "–"),
        (text.number(-12.4), "−12"),
        (text.number(1012.36, 1), "1012.4"),
        (text.signed(12.36, 1), "+12.4"),
        (text.signed(-0.04, 1), "±0.0"),
        (text.signed(-3), "−3"),
        (text.percent(0.999), "99 %"),
        (text.percent(1.0), "100 %"),
        (text.percent(0.29), "29 %"),
        (text.decibels(-0.2), "0 dB"),
        (text.decibels(6), "+6 dB"),
        (text.span(2, 4), "2–4"),
        (text.span(3, 3), "3"),
        (text.span(None, None), "–"),
        (text.counted(1, "vote"), "1 vote"),
        (text.counted(0, "vote"), "0 votes"),
    ],
)
def test_numbers_are_written_for_people(shown: str, words: str) -> None:
    assert shown == words
