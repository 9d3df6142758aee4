"""Parts that pages are made of."""

from dataclasses import dataclass, replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QHelpEvent, QTextDocument, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QInputDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from arena_desktop.domain.settings import Settings
from arena_desktop.errors import ArenaError
from arena_desktop.store.listeners import LONGEST_NAME
from arena_desktop.store.located import Fault
from arena_desktop.store.roster_file import RosterError
from arena_desktop.ui import text
from arena_desktop.ui.binder import Binder
from arena_desktop.ui.fault_list import line_of
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words
from arena_desktop.ui.widgets.controls import Dropdown, Slider
from arena_desktop.ui.widgets.rail import RailButton
from tests.gui.conftest import FakeServices, Recorder
from tests.helpers import sample_views as sample


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


def test_words_of_others_are_no_markup_in_a_tool_tip(window: MainWindow) -> None:
    name = "<img src='file:///x.png'> & <b>Loud</b>\nVoice"
    lines = (replace(sample.SET_LINES[0], prompt=name, a=name, b="Plain"),)
    assert sample.SET.reveal is not None
    window.show_listen(replace(sample.SET, reveal=replace(sample.SET.reveal, set_lines=lines)))
    table = window.findChild(QTableWidget, "revealedSet")
    assert table is not None
    cells = [table.item(0, column) for column in (1, 2, 3)]
    for cell, words in zip(cells, (" ".join(name.split()), name, "Plain"), strict=True):
        assert cell is not None
        seen = QTextDocument()
        tip = cell.toolTip()
        seen.setHtml(tip)
        assert seen.toPlainText() == words


@pytest.mark.qt_log_ignore("This plugin does not support raise")  # a tool tip is a window of its own
def test_a_title_that_is_cut_is_whole_in_the_tool_tip(theme: Theme, qtbot: QtBot) -> None:
    field = Dropdown("Arena", theme)
    qtbot.addWidget(field)
    field.setToolTip("Which models meet")
    field.resize(120, 30)
    field.show()

    def tip() -> str:
        QToolTip.hideText()
        QApplication.sendEvent(field, QHelpEvent(QEvent.Type.ToolTip, QPoint(5, 5), field.mapToGlobal(QPoint(5, 5))))
        return QToolTip.text()

    title = "Voices of the whole laboratory, second floor"
    field.show_choices([("a", "Short"), ("b", title)], "a")
    assert tip() == "Which models meet"
    field.choose("b")
    assert tip() == f"{title}\nWhich models meet"


def test_an_expected_fault_is_shown_until_it_is_closed(window: MainWindow) -> None:
    window.show_error(ArenaError("The disk is full.", "Make room, then vote again."))
    banner = window.findChild(QWidget, "banner")
    assert banner is not None
    assert banner.isVisible()
    close = next(b for b in banner.findChildren(QPushButton) if b.accessibleName() == "Close this message")
    close.click()
    assert not banner.isVisible()


def test_a_start_that_failed_is_said_on_the_page_and_fault_by_fault_in_the_banner(theme: Theme, qtbot: QtBot) -> None:
    window = MainWindow(Settings())
    qtbot.addWidget(window)
    window.build(theme)
    window.show()
    faults = tuple(Fault("/data/models.yaml", n, f"part {n} is odd", "write it so") for n in (3, 7))
    window.show_failed_start(RosterError(faults))
    banner = window.findChild(QWidget, "banner")
    assert banner is not None
    words = [label.text() for label in banner.findChildren(QLabel) if label.text()]
    assert words == [
        "2 faults in /data/models.yaml",
        "Line 3: part 3 is odd; write it so.\nLine 7: part 7 is odd; write it so.",
    ]
    prompt = window.findChild(QLabel, "promptText")
    assert prompt is not None
    assert prompt.text() == "The arena could not start.\nMend this, then try again."


def test_many_faults_leave_room_for_the_page() -> None:
    many = tuple(Fault(f"{n % 2}.yaml", n, "odd") for n in range(200))
    line = line_of(RosterError(many))
    assert line.text == "200 faults in 0.yaml, 1.yaml"
    assert len(line.remedy.splitlines()) == 7
    assert "doctor" in line.remedy.splitlines()[-1]


def test_an_error_later_leaves_the_battle_on_the_page(window: MainWindow) -> None:
    window.show_error(ArenaError("The disk is full."))
    prompt = window.findChild(QLabel, "promptText")
    assert prompt is not None
    assert prompt.text() == sample.READY.prompt_text


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_listeners_name_is_no_longer_than_may_be_kept(theme: Theme, qtbot: QtBot, recorder: Recorder) -> None:
    window = MainWindow(Settings())
    qtbot.addWidget(window)
    window.build(theme)
    window.attach(FakeServices(recorder))
    window.show()

    def type_name() -> None:
        dialog = window.findChild(QInputDialog)
        assert dialog is not None
        field = dialog.findChild(QLineEdit)
        assert isinstance(field, QLineEdit)
        QTest.keyClicks(field, "x" * 80)
        dialog.accept()

    QTimer.singleShot(50, type_name)
    add = window.findChild(QPushButton, "addListener")
    assert add is not None
    add.click()
    assert recorder.asked() == [("add_listener", "x" * LONGEST_NAME)]
    window.detach()


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
        (text.percent(0.999), "> 99 %"),
        (text.percent(0.001), "< 1 %"),
        (text.percent(1.0), "100 %"),
        (text.percent(0.0), "0 %"),
        (text.percent(0.29), "29 %"),
        (text.percent(17 / 39), "44 %"),
        (text.percent(22 / 39), "56 %"),
        (text.percent(0.125), "13 %"),
        (text.percent(0.994), "99 %"),
        (text.percent(None), "–"),
        (text.percent_span(0.812, 0.949), "81–95 %"),
        (text.percent_span(0.966, 0.972), "96.6–97.2 %"),
        (text.percent_span(0.3, 0.997), "30.0–99.7 %"),
        (text.percent_span(0.998, 1.0), "99.8–100 %"),
        (text.percent_span(0.999, 0.99999), "99.9 %"),
        (text.percent_span(0.0, 0.0002), "0–0.1 %"),
        (text.percent_span(0.5, 0.5), "50 %"),
        (text.chance(0.0), "< 1 %"),
        (text.chance(1.0), "> 99 %"),
        (text.chance(0.366), "37 %"),
        (text.count(12_345), "12,345"),
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


def test_what_no_line_can_be_broken_in_ends_with_dots_and_as_late_as_it_may(theme: Theme, qtbot: QtBot) -> None:
    name = "N" * 200
    words = Words(f"You prefer {name} to a/short-one", theme, wrap=True)
    qtbot.addWidget(words)
    assert name in words.text()
    words.resize(300, 100)
    words.show()
    narrow = words.text()
    assert narrow.startswith("You prefer NNN")
    assert narrow.endswith("N… to a/short-one")
    words.resize(600, 100)
    assert len(narrow) < len(words.text()) < 200
    words.say("A path/that-is/broken-at-its-slashes/and-hyphens/however-long-it-may-be/" * 3)
    assert "…" not in words.text()
    words.say(name)
    words.resize(5000, 100)
    assert words.text() == name


def test_words_begin_at_the_left_whatever_way_they_are_read(theme: Theme, qtbot: QtBot) -> None:
    words = Words("نموذج", theme, wrap=True)
    qtbot.addWidget(words)
    words.resize(300, 40)
    words.show()
    picture = words.grab().toImage()
    ground = picture.pixelColor(299, 0)
    inked = [x for x in range(300) if any(picture.pixelColor(x, y) != ground for y in range(40))]
    assert inked
    assert max(inked) < 150
