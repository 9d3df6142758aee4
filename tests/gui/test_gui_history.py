"""The History page: every vote, filtered, heard again, taken back, by mouse and by keyboard alone."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.domain.votes import Side
from arena_desktop.services.exchange_views import HistoryFilter, HistoryView
from arena_desktop.services.views import Choice, Line, Tone
from arena_desktop.ui.days import local_minute
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.models.history_table import COLUMNS, HistoryTable
from arena_desktop.ui.pages.history import HistoryPage
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.retract_dialog import RetractDialog
from tests.gui.conftest import Recorder
from tests.helpers import sample_exchange as sample
from tests.helpers.blind_walk import visible_texts
from tests.helpers.hands import child, pick


def label(page: QWidget, name: str) -> str:
    return str(child(page, QLabel, name).text())


def column(title: str) -> int:
    return next(n for n, one in enumerate(COLUMNS) if one.title == title)


def shown(page: HistoryPage, title: str) -> list[str]:
    rows = page.list.rows
    return [str(rows.index(row, column(title)).data()) for row in range(rows.rowCount())]


# --- what is shown -----------------------------------------------------------------------------------------------


def test_it_is_built_when_it_is_first_looked_at(window: MainWindow, recorder: Recorder) -> None:
    assert window.findChild(QWidget, "historyPage") is None
    QTest.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert window.shell.history.isVisible()
    assert recorder.times("open") == 1
    QTest.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert not window.shell.history.isVisible()
    assert recorder.times("leave") == 1


def test_a_vote_is_told_in_full(page: HistoryPage) -> None:
    row = sample.vote_row(0, at="2026-11-21T12:00:00.000000Z")
    page.show_view(replace(sample.HISTORY, rows=(row,), found=1, total=1))
    assert shown(page, "When") == [local_minute(row.at)]
    assert shown(page, "Sample A") == [row.a]
    assert shown(page, "Vote") == ["A is better"]
    assert shown(page, "Arena") == ["English"], "the arena's title, not its id"
    page.list.table.selectRow(0)
    assert label(page, "historyVote") == f"{row.a} (A) against {row.b} (B): A is better"
    said = visible_texts(page.details)
    assert any(row.prompt in words for words in said)
    assert any(row.listener in words and "English" in words for words in said)


def test_a_vote_that_does_not_count_says_why(page: HistoryPage) -> None:
    assert "taken back: mistake" in shown(page, "Counts")
    assert "not counted: silent" in shown(page, "Counts")
    muted = page.list.rows.index(3, 0).data(Qt.ItemDataRole.ForegroundRole)
    assert muted is not None
    assert page.list.rows.index(0, 0).data(Qt.ItemDataRole.ForegroundRole) is None


@pytest.mark.parametrize(
    ("view", "words", "can_clear"),
    [
        (HistoryView(), "No votes yet", False),
        (HistoryView(loading=True), "Looking through the votes…", False),
        (sample.HISTORY_NONE_FITS, "Nothing fits this filter", True),
        (HistoryView(held_back=3), "No votes yet", False),
    ],
)
def test_where_there_is_nothing_it_says_why(page: HistoryPage, view: HistoryView, words: str, can_clear: bool) -> None:
    page.show_view(view)
    assert label(page, "historyEmpty") == words
    assert child(page, QPushButton, "historyAll").isVisible() == can_clear
    assert not page.list.table.isVisible()
    page.show_view(sample.HISTORY)
    assert page.list.table.isVisible()


@pytest.mark.parametrize(
    ("held", "words"), [(1, "1 vote of the set under way is"), (7, "7 votes of the set under way are")]
)
def test_votes_held_back_are_told(page: HistoryPage, held: int, words: str) -> None:
    page.show_view(replace(sample.HISTORY, held_back=held))
    assert f"{words} held back until its names are told." in label(page, "historyCount")


def test_the_count_says_how_many_fit(page: HistoryPage) -> None:
    assert label(page, "historyCount") == "3,412 votes."
    page.show_view(replace(sample.HISTORY, filter=HistoryFilter(vote="a"), found=14))
    assert label(page, "historyCount") == "14 of 3,412 votes fit the filter."


def test_a_fault_is_said_with_its_remedy(page: HistoryPage) -> None:
    page.show_view(replace(sample.HISTORY, status=Line("The log is locked.", Tone.ERROR, "Close the other program.")))
    assert label(page, "historyStatus") == "The log is locked. Close the other program."


def test_the_shared_folder_is_told_in_the_head(page: HistoryPage, window: MainWindow) -> None:
    window.show_exchange(sample.IDLE)
    assert label(page, "syncLine") == sample.SYNC.line.text
    window.show_exchange(sample.SYNCING)
    assert label(page, "syncLine") == "Synchronising with the shared folder…"


# --- the table ---------------------------------------------------------------------------------------------------


def test_the_table_keeps_qts_rules_and_its_rows(theme: Theme) -> None:
    table = HistoryTable(theme)
    tester = QAbstractItemModelTester(table, QAbstractItemModelTester.FailureReportingMode.Fatal)
    first, more, newer = sample.votes(200, 5), sample.votes(400, 5), sample.votes(405)
    other = tuple(replace(row, state="taken back: undo") for row in newer)
    for rows in (first, more, newer, other, other[:100], (), other[50:60], newer[:3]):
        table.show_rows(rows)
        assert [table.row(place) for place in range(table.rowCount())] == list(rows)
    tester.deleteLater()


def test_more_votes_and_new_ones_leave_a_reader_where_they_are(page: HistoryPage) -> None:
    rows = sample.votes(400, 10)
    page.show_view(replace(sample.HISTORY, rows=rows[:200]))
    page.list.table.selectRow(20)
    resets: list[None] = []
    page.list.rows.modelReset.connect(lambda: resets.append(None))
    page.show_view(replace(sample.HISTORY, rows=rows))
    page.show_view(replace(sample.HISTORY, rows=sample.votes(410)))
    assert not resets
    assert page.list.current == sample.vote_row(30)
    page.show_view(replace(sample.HISTORY, rows=rows[5:60]))
    assert page.list.current == sample.vote_row(30), "still chosen where it is still listed"


def test_more_is_asked_for_near_the_end_and_once(page: HistoryPage, recorder: Recorder, qtbot: QtBot) -> None:
    bar = page.list.table.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    assert recorder.times("more") == 0
    bar.setValue(bar.maximum())
    bar.setValue(bar.maximum() - 1)
    bar.setValue(bar.maximum())
    assert recorder.times("more") == 1
    page.show_view(replace(sample.HISTORY, loading=True))
    bar.setValue(bar.maximum() - 2)
    assert recorder.times("more") == 1
    page.show_view(replace(sample.HISTORY, rows=sample.votes(400)))
    qtbot.wait(1)
    bar.setValue(bar.maximum())
    assert recorder.times("more") == 2
    page.show_view(replace(sample.HISTORY, rows=sample.votes(400), found=400))
    bar.setValue(0)
    bar.setValue(bar.maximum())
    assert recorder.times("more") == 2, "all of them are there"


def test_a_page_that_the_rows_do_not_fill_asks_for_more_at_once(page: HistoryPage, recorder: Recorder) -> None:
    page.show_view(replace(sample.HISTORY, rows=sample.votes(3)))
    assert recorder.times("more") == 1


def test_a_hundred_thousand_votes(page: HistoryPage) -> None:
    rows = sample.votes(200)
    many = tuple(replace(rows[n % 200], id=str(n)) for n in range(100_000))
    page.show_view(replace(sample.HISTORY, rows=many[:99_800], found=100_000, total=100_000))
    page.list.table.selectRow(99_000)
    page.show_view(replace(sample.HISTORY, rows=many, found=100_000, total=100_000))
    assert page.list.rows.rowCount() == 100_000
    assert page.list.current == many[99_000]
    assert not page.grab().isNull()


# --- hearing again -----------------------------------------------------------------------------------------------


def test_keys_play_the_chosen_vote_and_stop_it(page: HistoryPage, window: MainWindow, recorder: Recorder) -> None:
    table = page.list.table
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_A)
    assert recorder.asked() == [], "nothing is chosen"
    table.selectRow(1)
    row = sample.vote_row(1)
    QTest.keyClick(table, Qt.Key.Key_A)
    QTest.keyClick(table, Qt.Key.Key_B)
    assert recorder.asked() == [("listen", row.id, Side.A), ("listen", row.id, Side.B)]
    page.show_view(replace(sample.HISTORY, playing=row.id, side="b"))
    assert child(page, QPushButton, "historyPlayB").text() == "Playing B"
    QTest.keyClick(table, Qt.Key.Key_Space)
    QTest.keyClick(table, Qt.Key.Key_Escape)
    assert recorder.times("stop") == 2
    page.show_view(sample.HISTORY)
    assert child(page, QPushButton, "historyPlayB").text() == "Play B"


def test_the_buttons_do_what_the_keys_do(page: HistoryPage, recorder: Recorder) -> None:
    page.list.table.selectRow(1)
    row = sample.vote_row(1)
    for name in ("historyPlayA", "historyPlayB"):
        child(page, QPushButton, name).click()
    page.show_view(replace(sample.HISTORY, playing=row.id, side="a"))
    child(page, QPushButton, "historyStop").click()
    assert recorder.asked() == [("listen", row.id, Side.A), ("listen", row.id, Side.B), ("stop",)]


@pytest.mark.parametrize(
    ("station", "words"),
    [
        ("this machine", "its clips are no longer kept on this machine."),
        ("9f31c2aa", "its clips are not on this machine."),
    ],
)
def test_clips_that_are_gone_are_said_in_words(page: HistoryPage, recorder: Recorder, station: str, words: str) -> None:
    page.show_view(replace(sample.HISTORY, rows=(sample.vote_row(0, can_listen=False, station=station),)))
    page.list.table.selectRow(0)
    assert words in label(page, "historyWhyNot")
    assert not child(page, QPushButton, "historyPlayA").isEnabled()
    recorder.calls.clear()
    QTest.keyClick(page.list.table, Qt.Key.Key_A)
    assert recorder.times("listen") == 0


# --- taking back -------------------------------------------------------------------------------------------------


def retract_dialog(page: HistoryPage) -> RetractDialog:
    dialogs = [one for one in page.findChildren(RetractDialog) if one.isVisible()]
    assert len(dialogs) == 1
    return dialogs[0]


def test_a_vote_is_taken_back_with_reason_and_note_by_keyboard(
    page: HistoryPage, recorder: Recorder, qtbot: QtBot
) -> None:
    page.list.table.selectRow(1)
    page.list.table.setFocus()
    QTest.keyClick(page.list.table, Qt.Key.Key_Delete)
    dialog = retract_dialog(page)
    said = " ".join(visible_texts(dialog))
    assert "This is final" in said
    assert sample.vote_row(1).a in said
    pick(dialog, "retractReason", "technical")
    note = child(dialog, QLineEdit, "retractNote")
    QTest.keyClicks(note, " the headset fell off ")
    QTest.keyClick(note, Qt.Key.Key_Return)
    assert recorder.asked() == [("retract", sample.vote_row(1).id, "technical", "the headset fell off")]
    qtbot.waitUntil(lambda: not page.findChildren(RetractDialog), timeout=2000)


def test_esc_keeps_the_vote(page: HistoryPage, recorder: Recorder, qtbot: QtBot) -> None:
    page.list.table.selectRow(1)
    child(page, QPushButton, "historyRetract").click()
    QTest.keyClick(retract_dialog(page), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not page.findChildren(RetractDialog), timeout=2000)
    assert recorder.asked() == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"state": "taken back: undo"}, "It was taken back, which is final."),
        ({"state": ""}, "Only who cast it, or the machine that it was cast on, can take it back."),
    ],
)
def test_what_cannot_be_taken_back_says_why(page: HistoryPage, changes: dict[str, str], words: str) -> None:
    page.show_view(replace(sample.HISTORY, rows=(sample.vote_row(1, can_retract=False, **changes),)))
    page.list.table.selectRow(0)
    assert words in label(page, "historyWhyNot")
    assert not child(page, QPushButton, "historyRetract").isEnabled()
    QTest.keyClick(page.list.table, Qt.Key.Key_Delete)
    assert not page.findChildren(RetractDialog)


# --- by keyboard, blind, at every size -----------------------------------------------------------------------------


def test_every_control_is_reached_by_tab_and_says_its_key(page: HistoryPage) -> None:
    page.list.table.selectRow(1)
    tips = {
        "historyPlayA": "(A)",
        "historyPlayB": "(B)",
        "historyStop": "(Space or Esc)",
        "historyRetract": "(Delete)",
        "historyImport": "(Ctrl+I)",
        "historyExport": "(Ctrl+E)",
        "historySync": "(Ctrl+Y)",
        "historySearch": "(Ctrl+F)",
    }
    for name, key in tips.items():
        assert key in child(page, QWidget, name).toolTip(), name
    child(page, QPushButton, "historyImport").setFocus()
    order = []
    for _ in range(40):
        focused = QApplication.focusWidget()
        assert focused is not None
        order.append(focused.objectName())
        QTest.keyClick(focused, Qt.Key.Key_Tab)
        if QApplication.focusWidget() is child(page, QPushButton, "historyRetract"):
            break
    wanted = ["historyImport", "historyExport", "historySync", "historySearch", "historyModel", "historyOther"]
    wanted += ["historyArena", "historyListener", "historyVote", "historyCategory", "historyOnly", "historyTime"]
    assert [name for name in order if name in wanted] == wanted
    assert order.index("historyTable") > order.index("historyTime")
    assert order.index("historyPlayA") > order.index("historyTable")


def test_ctrl_f_goes_to_the_search(page: HistoryPage) -> None:
    page.list.table.setFocus()
    QTest.keyClick(page.list.table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert child(page, QLineEdit, "historySearch").hasFocus()


def test_its_keys_mean_nothing_on_other_pages(page: HistoryPage, window: MainWindow, recorder: Recorder) -> None:
    page.list.table.selectRow(1)
    window.show_page("leaderboardPage")
    recorder.calls.clear()
    for key in (Qt.Key.Key_A, Qt.Key.Key_B, Qt.Key.Key_Delete):
        QTest.keyClick(window, key)
    assert recorder.times("listen") == 0
    window.show_page("listenPage")
    QTest.keyClick(window, Qt.Key.Key_A)
    assert recorder.times("play") == 1
    assert recorder.times("listen") == 0


def test_it_changes_by_nothing_but_its_own_views(page: HistoryPage, window: MainWindow) -> None:
    """While a battle is open its service is still, so the page is: whatever the other pages are given."""
    from tests.helpers import sample_views as views

    page.list.table.selectRow(1)
    before = visible_texts(page)
    assert any("Kokoro" in words for words in before), "the walk sees the names on the page"
    for view in (views.READY, views.OPEN, views.REVEALED, views.READY):
        window.show_listen(view)
        window.show_board(views.BOARD)
        window.show_models(views.MODELS)
    assert visible_texts(page) == before


def test_marks_that_turn_the_direction_of_text_are_taken_out(page: HistoryPage) -> None:
    odd = sample.vote_row(1, a="\u202eevil\u202c", prompt="two\nlines \u2066turned", listener="\u202ewho")
    page.show_view(replace(sample.HISTORY, rows=(odd,), models=(Choice("x", "\u202emodel"),)))
    page.list.table.selectRow(0)
    assert not [words for words in visible_texts(page) if any(mark in words for mark in "\u202a\u202e\u2066")]
    assert shown(page, "Sentence") == ["two lines turned"]


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("view", [sample.HISTORY_LONG, sample.HISTORY_FILTERED, sample.HISTORY_NONE_FITS])
def test_no_words_are_cut(
    page: HistoryPage, window: MainWindow, theme: Theme, qtbot: QtBot, scale: float, view: HistoryView
) -> None:
    from tests.gui.test_gui_look import cut, settle

    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * scale)
    theme.set_base_font(font)
    window.resize(900, 640)
    page.show_view(view)
    page.list.table.selectRow(0)
    window.show_exchange(sample.IDLE)
    settle(qtbot)
    assert not cut(window)


# --- from the matrix of pairs --------------------------------------------------------------------------------------


def test_a_cell_of_the_matrix_opens_the_votes_of_its_pair(window: MainWindow, recorder: Recorder) -> None:
    from tests.helpers import sample_lenses as lenses

    window.show_page("leaderboardPage")
    child(window, QPushButton, "lensPairs").click()
    view = lenses.pairs()
    window.show_lens(view)
    matrix = _matrix(window)
    models = view.models
    row, col = next(
        (r, c) for r, cells in enumerate(view.cells) for c, cell in enumerate(cells) if cell is not None and cell.games
    )
    recorder.calls.clear()
    matrix.setCurrentIndex(matrix.model().index(row, col))
    matrix.setFocus()
    QTest.keyClick(matrix, Qt.Key.Key_Return)
    assert window.shell.history.isVisible()
    chosen = [call[1] for call in recorder.asked() if call[0] == "choose"]
    assert [(one.model, one.other) for one in chosen] == [(models[row].repo_id, models[col].repo_id)]
    assert chosen[0].arena != ""


def test_a_pair_that_never_met_opens_nothing(window: MainWindow) -> None:
    from tests.helpers import sample_lenses as lenses

    window.show_page("leaderboardPage")
    child(window, QPushButton, "lensPairs").click()
    view = lenses.pairs()
    window.show_lens(view)
    matrix = _matrix(window)
    matrix.setCurrentIndex(matrix.model().index(0, 0))
    matrix.setFocus()
    QTest.keyClick(matrix, Qt.Key.Key_Return)
    assert window.shell.leaderboard.isVisible()


def _matrix(window: MainWindow) -> Any:
    from arena_desktop.ui.lenses.pairs import PairsPanel

    panel = window.findChild(PairsPanel)
    assert panel is not None
    return panel.matrix
