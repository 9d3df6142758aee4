"""The History page by keyboard: where the focus is after a jump, and what is said for how long."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QStyledItemDelegate, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from arena_desktop.services.exchange_views import HistoryFilter, HistoryView
from arena_desktop.services.views import Line
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.models.history_table import COLUMNS, NAMES, SPARE
from arena_desktop.ui.pages.history import HistoryPage
from arena_desktop.ui.theme import Theme
from tests.gui.conftest import Recorder
from tests.gui.test_gui_look import settle
from tests.helpers import sample_exchange as sample
from tests.helpers.hands import child, pick

CTRL = Qt.KeyboardModifier.ControlModifier


def press_key(key: Qt.Key) -> None:
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key)


@pytest.mark.parametrize("late", [False, True])
def test_the_arrows_work_at_once(window: MainWindow, late: bool) -> None:
    QTest.keyClick(window, Qt.Key.Key_3, CTRL)
    page = window.shell.history
    if late:
        window.show_history(HistoryView(loading=True))
    window.show_history(sample.HISTORY)
    assert page.list.table.hasFocus()
    assert page.list.current == sample.HISTORY.rows[0]
    press_key(Qt.Key.Key_Down)
    assert page.list.current == sample.HISTORY.rows[1]
    window.show_page("listenPage")
    QTest.keyClick(window, Qt.Key.Key_3, CTRL)
    assert page.list.table.hasFocus()
    assert page.list.current == sample.HISTORY.rows[1], "it is where it was left"


def test_where_nothing_is_listed_the_search_has_the_focus(window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_3, CTRL)
    window.show_history(sample.HISTORY_NONE_FITS)
    assert window.shell.history.filters.search.hasFocus()


def test_votes_that_come_take_the_focus_from_nobody(page: HistoryPage) -> None:
    page.filters.search.setFocus()
    page.show_view(replace(sample.HISTORY, rows=sample.votes(100)))
    assert page.filters.search.hasFocus()


def test_after_the_jump_from_the_matrix_the_first_meeting_is_chosen(
    page: HistoryPage, window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(900, 640)
    page.list.table.selectRow(150)
    page.filters.search.setFocus()
    wish = HistoryFilter(arena="english", model="one", other="two")
    page.list_meetings("english", "one", "two")
    page.show_view(replace(sample.HISTORY, filter=wish, loading=True))
    page.show_view(replace(sample.HISTORY, filter=wish, rows=sample.votes(60, 500), found=60))
    settle(qtbot)
    table = page.list.table
    assert table.hasFocus()
    assert page.list.current == sample.vote_row(500)
    row = table.visualRect(table.model().index(0, 0))
    assert table.viewport().rect().contains(row.topLeft())
    assert page.rect().contains(table.viewport().mapTo(page, row.bottomLeft()))
    press_key(Qt.Key.Key_Down)
    page.show_view(replace(sample.HISTORY, filter=wish, rows=sample.votes(61, 499), found=61))
    assert page.list.current == sample.vote_row(501), "only the jump moves"


@pytest.mark.parametrize("how", ["row", "filter", "leave"])
def test_what_was_done_with_a_vote_is_not_said_beside_another(page: HistoryPage, window: MainWindow, how: str) -> None:
    done = "The vote was taken back; no rating counts it any more."
    page.list.table.selectRow(0)
    taken = replace(sample.HISTORY.rows[0], state="taken back: mistake")
    after = replace(sample.HISTORY, rows=(taken, *sample.HISTORY.rows[1:]), status=Line(done))
    page.show_view(after)
    assert child(page, QLabel, "historyStatus").text() == done
    if how == "row":
        page.list.table.setFocus()
        press_key(Qt.Key.Key_Down)
    elif how == "filter":
        pick(page, "historyVote", "a")
    else:
        window.show_page("listenPage")
        window.show_page("historyPage")
    page.show_view(replace(after, playing=after.rows[1].id))
    assert child(page, QLabel, "historyStatus").text() == ""
    page.show_view(replace(after, status=Line(done)))
    assert child(page, QLabel, "historyStatus").text() == done, "the next one is told again"


def test_a_vote_taken_back_stays_muted_while_it_is_chosen(page: HistoryPage, theme: Theme) -> None:
    table = page.list.table
    table.selectRow(3)
    option = QStyleOptionViewItem()
    index = table.model().index(3, 0)
    delegate = table.itemDelegate()
    assert isinstance(delegate, QStyledItemDelegate)
    delegate.initStyleOption(option, index)
    assert option.palette.highlightedText().color() == QColor(theme.tokens.muted)


@pytest.mark.parametrize("wide", [900, 1116, 1280, 1920])
def test_columns_are_as_wide_as_their_words(page: HistoryPage, window: MainWindow, qtbot: QtBot, wide: int) -> None:
    window.resize(wide, 800)
    settle(qtbot)
    table = page.list.table
    assert table.horizontalScrollBar().maximum() == 0
    metrics = table.fontMetrics()
    for place, column in enumerate(COLUMNS):
        assert not table.isColumnHidden(place) or place in SPARE
        if column.most and not table.isColumnHidden(place):
            words = {str(table.model().index(row, place).data()) for row in range(table.model().rowCount())}
            need = max(metrics.horizontalAdvance(one) for one in words)
            assert table.columnWidth(place) >= need + 6 or (wide < 1200 and place in NAMES), column.title
    assert table.isColumnHidden(SPARE[0]) == (wide < 1900)
    assert not table.isColumnHidden(SPARE[-1]) or wide < 1000, "who voted is seen"


def test_a_button_is_cool_again_once_its_dialog_is_open(page: HistoryPage, qtbot: QtBot) -> None:
    button = child(page, QPushButton, "historyExport")
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)  # the pointer clicked it, and the dialog opens above it
    button.click()
    qtbot.waitUntil(lambda: not button.underMouse(), timeout=3000)


def test_the_tab_key_goes_from_the_tab_that_was_chosen_into_its_lens(window: MainWindow, recorder: Recorder) -> None:
    window.show_page("leaderboardPage")
    board = window.shell.leaderboard
    tabs = board.findChildren(type(child(board, QPushButton, board._lenses.current)))
    tabs[0].setFocus()
    press_key(Qt.Key.Key_Tab)
    assert tabs[1].hasFocus(), "all of them are reached"
    press_key(Qt.Key.Key_Right)
    press_key(Qt.Key.Key_Left)
    press_key(Qt.Key.Key_Left)
    assert board._lenses.current == tabs[0].objectName()
    press_key(Qt.Key.Key_Tab)
    focused = QApplication.focusWidget()
    assert focused is not None
    assert board._ranking.isAncestorOf(focused)
