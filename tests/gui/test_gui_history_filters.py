"""The filters of the History page: what each asks for, typing, days, and a window that is too narrow for them."""

from dataclasses import replace
from datetime import date

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from arena_desktop.services.exchange_views import HistoryFilter
from arena_desktop.ui.days import SPANS, Span, day_start, days_between, span_of
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.pages.history import HistoryPage
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.controls import Dropdown
from arena_desktop.ui.widgets.day_span import DayField
from tests.gui.conftest import Recorder
from tests.helpers import sample_exchange as sample
from tests.helpers.hands import child, pick

# --- filters -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "key", "wanted"),
    [
        ("historyModel", "facebook/mms-tts-eng", HistoryFilter(model="facebook/mms-tts-eng")),
        ("historyOther", "facebook/mms-tts-eng", HistoryFilter(other="facebook/mms-tts-eng")),
        ("historyArena", "cloned", HistoryFilter(arena="cloned")),
        ("historyListener", "l-2", HistoryFilter(listener="l-2")),
        ("historyVote", "both_bad", HistoryFilter(vote="both_bad")),
        ("historyCategory", "numbers", HistoryFilter(category="numbers")),
        ("historyOnly", "counts", HistoryFilter(only="counts")),
        ("historyOnly", "taken back", HistoryFilter(only="taken back")),
        ("historyOnly", "not counted", HistoryFilter(only="not counted")),
    ],
)
def test_each_filter_asks_for_what_it_says(
    page: HistoryPage, recorder: Recorder, name: str, key: str, wanted: HistoryFilter
) -> None:
    pick(page.filters, name, key)
    assert recorder.asked() == [("choose", wanted)]


def test_filters_add_up_and_are_cleared_together(page: HistoryPage, recorder: Recorder) -> None:
    pick(page.filters, "historyArena", "english")
    pick(page.filters, "historyVote", "tie")
    wanted = HistoryFilter(arena="english", vote="tie")
    assert recorder.asked()[-1] == ("choose", wanted)
    page.show_view(replace(sample.HISTORY, filter=wanted))
    child(page, QPushButton, "historyClear").click()
    assert recorder.asked()[-1] == ("choose", HistoryFilter())
    page.show_view(sample.HISTORY)
    assert not child(page, QPushButton, "historyClear").isVisible()


def test_typing_asks_once_the_hands_rest(page: HistoryPage, recorder: Recorder, qtbot: QtBot) -> None:
    search = child(page, QLineEdit, "historySearch")
    search.setFocus()
    QTest.keyClicks(search, "a fox ")
    assert recorder.asked() == [], "A and Space are letters here, and nothing is asked while typing goes on"
    qtbot.waitUntil(lambda: recorder.times("choose") == 1, timeout=3000)
    assert recorder.asked() == [("choose", HistoryFilter(text="a fox"))]
    QTest.keyClicks(search, "es")
    page.show_view(replace(sample.HISTORY, filter=HistoryFilter(text="a fox")))
    assert search.text() == "a fox es", "an answer must not take away what is being typed"
    QTest.keyClick(search, Qt.Key.Key_Return)
    assert recorder.asked()[-1] == ("choose", HistoryFilter(text="a fox es"))


def test_a_time_is_whole_days_of_this_machine(page: HistoryPage, recorder: Recorder) -> None:
    pick(page.filters, "historyTime", "6")
    (_, asked), *_ = recorder.asked()
    assert asked.until == ""
    assert asked.since == span_of("6", _today()).since
    pick(page.filters, "historyTime", "between")
    first, last = (child(page, DayField, f"historyTime{end}") for end in ("First", "Last"))
    assert first.isVisible()
    first.setDate(QDate(2026, 3, 1))
    last.setDate(QDate(2026, 3, 31))
    asked = recorder.asked()[-1][1]
    assert (asked.since, asked.until) == (day_start(date(2026, 3, 1)), day_start(date(2026, 4, 1)))
    page.show_view(replace(sample.HISTORY, filter=asked))
    assert (first.day, last.day) == (date(2026, 3, 1), date(2026, 3, 31))


def test_days_in_either_order_are_the_same_span() -> None:
    one, other = date(2026, 3, 1), date(2026, 3, 31)
    assert days_between(one, other) == days_between(other, one)
    assert span_of("", one) == Span()
    assert [key for key, _ in SPANS if key and key != "between"] == ["0", "6", "29", "364"]


def test_a_model_that_no_vote_has_can_still_be_the_filter(page: HistoryPage) -> None:
    page.show_view(replace(sample.HISTORY, filter=HistoryFilter(model="new/model")))
    assert child(page, Dropdown, "historyModel").currentText() == "new/model"


def test_a_narrow_window_keeps_the_rest_of_the_filters_behind_a_button(
    page: HistoryPage, window: MainWindow, theme: Theme, recorder: Recorder, qtbot: QtBot
) -> None:
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * 2)
    theme.set_base_font(font)
    window.resize(900, 640)
    qtbot.wait(20)
    page.show_view(replace(sample.HISTORY, filter=HistoryFilter(vote="a")))
    more = child(page, QPushButton, "historyMoreFilters")
    assert more.isVisible()
    assert more.text() == "More filters (1)"
    assert not child(page, Dropdown, "historyVote").isVisible()
    more.click()
    assert child(page, Dropdown, "historyVote").isVisible()
    assert more.text() == "Fewer filters"


def _today() -> date:
    shown_today = QDate.currentDate()
    return date(shown_today.year(), shown_today.month(), shown_today.day())
