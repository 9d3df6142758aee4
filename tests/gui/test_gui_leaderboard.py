"""The leaderboard: sortable, live, and honest about what is not known."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from arena_desktop.domain.settings import Settings
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.models.leaderboard_table import COLUMNS, SORT_ROLE, BoardSorter, LeaderboardTable
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words
from arena_desktop.ui.widgets.export_choice import ExportChoice
from arena_desktop.ui.widgets.notice import Notice
from arena_desktop.ui.widgets.ranking_table import ColumnChoice
from tests.gui.conftest import Recorder
from tests.helpers import sample_views as sample


def column(title: str) -> int:
    return next(n for n, one in enumerate(COLUMNS) if one.title == title)


def shown(window: MainWindow, title: str) -> list[str]:
    model = window.shell.leaderboard.table.model()
    return [str(model.index(row, column(title)).data()) for row in range(model.rowCount())]


def test_the_best_is_first_and_who_has_not_played_is_last_with_dashes(window: MainWindow) -> None:
    assert shown(window, "Model")[0] == "Kokoro, Heart"
    assert shown(window, "Model")[-1] == "eSpeak NG"
    assert shown(window, "Rank")[:2] == ["1–2", "1–3"]
    for title in ("Rank", "Rating", "95 % interval", "Acceptable"):
        assert shown(window, title)[-1] == "–"
    assert shown(window, "Live Elo")[-1] == "1008"


@pytest.mark.parametrize("order", [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder])
def test_each_column_sorts_both_ways_with_the_unknown_last(order: Qt.SortOrder) -> None:
    table = LeaderboardTable()
    sorter = BoardSorter(table)
    table.show_rows(sample.BOARD.rows)
    for section, one in enumerate(COLUMNS):
        sorter.sort(section, order)
        keys = [sorter.index(row, section).data(SORT_ROLE) for row in range(sorter.rowCount())]
        known = [key for key in keys if key is not None]
        assert keys == known + [None] * (len(keys) - len(known)), one.title
        assert known == sorted(known, reverse=order is Qt.SortOrder.DescendingOrder), one.title


def test_sorting_selection_and_order_survive_a_vote(window: MainWindow) -> None:
    table = window.shell.leaderboard.table
    table.sortByColumn(column("Battles"), Qt.SortOrder.DescendingOrder)
    model = table.model()
    table.selectRow(3)
    chosen = model.index(3, 1).data()
    rows = list(sample.BOARD.rows)
    place = next(n for n, row in enumerate(rows) if row.name == chosen)
    rows[place] = replace(rows[place], battles=500, rating=1200.0, wins=250)
    window.show_board(replace(sample.BOARD, rows=tuple(rows), votes=600))
    assert shown(window, "Model")[0] == chosen
    selected = table.selectionModel().selectedRows(1)
    assert [index.data() for index in selected] == [chosen]
    assert table.horizontalHeader().sortIndicatorSection() == column("Battles")


def test_models_come_and_go_without_losing_the_selection(window: MainWindow) -> None:
    table = window.shell.leaderboard.table
    table.selectRow(1)
    new = sample.row("new/model", "Newcomer", 1, 10, 1300.0)
    window.show_board(replace(sample.BOARD, rows=(*sample.BOARD.rows[1:], new)))
    assert shown(window, "Model")[0] == "Newcomer"
    assert "Kokoro, Heart" not in shown(window, "Model")
    assert [index.data() for index in table.selectionModel().selectedRows(1)] == ["Kokoro, Emma"]


def test_the_models_keep_qts_rules(qtbot: Any) -> None:
    table = LeaderboardTable()
    sorter = BoardSorter(table)
    testers = [
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        for model in (table, sorter)
    ]
    for rows in (sample.BOARD.rows, sample.BOARD.rows[2:5], (), sample.BOARD.rows[::-1]):
        table.show_rows(rows)
        assert sorter.rowCount() == len(rows)
    assert len(testers) == 2


def test_an_update_without_news_tells_the_table_nothing(qtbot: Any) -> None:
    table = LeaderboardTable()
    table.show_rows(sample.BOARD.rows)
    told: list[Any] = []
    table.dataChanged.connect(lambda *_: told.append(1))
    table.layoutChanged.connect(lambda *_: told.append(1))
    table.show_rows(sample.BOARD.rows)
    assert told == []
    table.show_rows((replace(sample.BOARD.rows[0], wins=99), *sample.BOARD.rows[1:]))
    assert told == [1]


def test_every_column_explains_itself(window: MainWindow) -> None:
    model = window.shell.leaderboard.table.model()
    for section in range(model.columnCount()):
        tip = model.headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        assert isinstance(tip, str)
        assert len(tip) > 10
        assert tip.endswith(".")


def test_arena_and_order_are_chosen_without_a_mouse(window: MainWindow, recorder: Recorder) -> None:
    window.show_page("leaderboardPage")
    arena = window.findChild(QComboBox, "boardArena")
    order = window.findChild(QComboBox, "boardOrder")
    assert arena is not None
    assert order is not None
    arena.activated.emit(arena.findData("german"))
    assert recorder.asked() == [("look", None), ("show_arena", "german")]
    order.activated.emit(order.findText("Model"))
    assert shown(window, "Model") == sorted(shown(window, "Model"), key=str.casefold)


def test_notes_and_an_empty_board_are_in_words(window: MainWindow) -> None:
    from tests.helpers.blind_walk import visible_texts

    page = window.shell.leaderboard
    assert "Four votes are held back until their set is complete." in visible_texts(page)
    bare = tuple(sample.row(row.repo_id, row.name, 1, 0, None) for row in sample.BOARD.rows)
    window.show_board(replace(sample.BOARD, rows=bare, votes=0, notes=()))
    texts = visible_texts(page)
    assert any("No votes in this arena yet" in text for text in texts)
    assert "Four votes are held back until their set is complete." not in texts


def test_all_columns_are_seen_in_the_window_as_it_opens(qtbot: QtBot, theme: Theme) -> None:
    window = MainWindow(Settings())
    qtbot.addWidget(window)
    window.build(theme)
    window.resize(round(theme.em * 80), round(theme.em * 54))
    rows = tuple(
        replace(row, battles=1234, wins=1000, losses=1000, ties=1000, both_bad=1000, rank_low=10, rank_high=12)
        for row in sample.BOARD.rows
    )
    window.show_board(replace(sample.BOARD, rows=rows))
    window.show()
    window.show_page("leaderboardPage")
    qtbot.wait(10)
    table = window.shell.leaderboard.table
    assert table.horizontalHeader().length() <= table.viewport().width()
    assert table.horizontalScrollBar().maximum() == 0
    header = table.horizontalHeader()
    for section in range(header.count()):
        assert header.sectionSize(section) >= header.sectionSizeHint(section), COLUMNS[section].title


def test_a_rating_never_stands_without_its_interval_nor_a_place_without_its_range(window: MainWindow) -> None:
    choice = window.findChild(ColumnChoice)
    assert choice is not None
    offered = {action.text() for action in choice.menu_of_columns.actions()}
    assert offered == {one.title for one in COLUMNS} - {"Rank", "Model", "Rating", "95 % interval"}


def test_columns_are_chosen_and_a_hidden_one_is_shown_when_sorted_by(window: MainWindow) -> None:
    table = window.shell.leaderboard.table
    hidden = {one.title for n, one in enumerate(COLUMNS) if table.isColumnHidden(n)}
    assert hidden == {"Won", "Lost", "Tied", "Both bad", "Head start", "Davidson"}
    choice = window.findChild(ColumnChoice)
    assert choice is not None
    action = next(a for a in choice.menu_of_columns.actions() if a.text() == "Davidson")
    action.trigger()
    assert not table.isColumnHidden(column("Davidson"))
    action.trigger()
    assert table.isColumnHidden(column("Davidson"))
    order = window.findChild(QComboBox, "boardOrder")
    assert order is not None
    order.activated.emit(order.findText("Head start"))
    assert not table.isColumnHidden(column("Head start"))


def test_what_the_statistics_add_is_in_words_and_never_certain(window: MainWindow) -> None:
    rows = [
        replace(row, best=chance, prior_share=0.125, davidson=1001.4, acceptable_low=0.81, acceptable_high=0.999)
        for row, chance in zip(sample.BOARD.rows, (0.999, 0.61, 0.3, 0.05, 0.012, 0.001, None, None), strict=True)
    ]
    window.show_board(replace(sample.BOARD, rows=tuple(rows)))
    assert shown(window, "P(best)") == ["> 99 %", "61 %", "30 %", "5 %", "1 %", "< 1 %", "–", "–"]
    assert shown(window, "Acceptable")[0] == "90 % (81.0–99.9 %)"
    assert shown(window, "Prior share")[0] == "13 %"
    assert shown(window, "Davidson")[0] == "1001"


def test_news_is_closed_for_good_and_newer_news_is_shown(window: MainWindow) -> None:
    window.show_page("leaderboardPage")
    window.show_board(replace(sample.BOARD, news="40 votes came in by import; 3 ratings changed."))
    news = window.findChild(Notice, "boardNews")
    assert news is not None
    assert news.isVisible()
    news.findChildren(QPushButton)[0].click()
    window.show_board(replace(sample.BOARD, news="40 votes came in by import; 3 ratings changed.", votes=105))
    assert not news.isVisible()
    window.show_board(replace(sample.BOARD, news="2 votes came in by import; no rating changed."))
    assert news.isVisible()


def test_the_sentence_stands_at_the_top(window: MainWindow) -> None:
    window.show_page("leaderboardPage")
    sentence = window.findChild(QLabel, "boardSentence")
    assert sentence is not None
    assert not sentence.isVisible()
    window.show_board(replace(sample.BOARD, sentence="You prefer Kokoro, Heart over Piper, Joe 7 of 9 times."))
    assert sentence.isVisible()
    assert sentence.text() == "You prefer Kokoro, Heart over Piper, Joe 7 of 9 times."


def test_the_board_is_written_where_and_as_what_a_person_chose(
    window: MainWindow, recorder: Recorder, answers: dict[str, str]
) -> None:
    window.show_page("leaderboardPage")
    choice = window.findChild(ExportChoice)
    assert choice is not None
    titles = {action.text(): action for action in choice.formats.actions()}
    titles["LaTeX table"].trigger()
    assert recorder.asked() == [("look", None)], "the page was looked at"
    recorder.calls.clear()
    answers["path"] = "/somewhere/board"
    titles["LaTeX table"].trigger()
    answers["path"] = "/somewhere/board.csv"
    titles["Table for a spreadsheet"].trigger()
    assert recorder.asked() == [("export", "tex", "/somewhere/board.tex"), ("export", "csv", "/somewhere/board.csv")]
    window.show_exported("/somewhere/board.tex")
    written = window.findChild(Notice, "boardWritten")
    assert written is not None
    assert written.isVisible()
    assert written.line.text == "The board was written to /somewhere/board.tex"


@pytest.mark.parametrize("wide", [900, 1240, 1600])
def test_the_intervals_take_the_width_that_the_other_columns_leave(window: MainWindow, qtbot: QtBot, wide: int) -> None:
    window.resize(wide, 760)
    window.show_board(sample.BOARD)
    window.show_page("leaderboardPage")
    qtbot.wait(20)
    table = window.shell.leaderboard.table
    header, own = table.horizontalHeader(), table.columnWidth(column("95 % interval"))
    assert header.length() == max(table.viewport().width(), header.length() - own + window.shell.theme.px(7.6))


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_export_menu_ends_where_its_button_does(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(760, 560)  # within the screen, which would move the menu otherwise
    window.show_board(sample.BOARD)
    window.show_page("leaderboardPage")
    qtbot.wait(5)
    choice = window.findChild(ExportChoice)
    assert choice is not None
    choice.click()
    assert choice.formats.isVisible()
    right = choice.mapToGlobal(choice.rect().bottomRight()).x()
    assert abs(choice.formats.geometry().right() - right) <= 2
    choice.formats.close()


def test_what_waits_is_said_and_nothing_false_beside_it(window: MainWindow) -> None:
    window.show_page("leaderboardPage")
    notice = window.findChild(Notice, "boardWaiting")
    assert notice is not None
    assert not notice.isVisible()
    window.show_board(replace(sample.BOARD, votes=0, sentence="", waiting="New votes came in."))
    assert notice.isVisible()
    words = [label.text() for label in window.shell.leaderboard.findChildren(Words) if label.isVisible()]
    assert "0 votes shown" in words
    assert not [text for text in words if "No votes" in text]
    window.show_board(sample.BOARD)
    assert not notice.isVisible()


def test_a_name_of_any_length_leaves_the_ratings_in_sight(window: MainWindow, qtbot: QtBot) -> None:
    rows = (replace(sample.BOARD.rows[0], name="N" * 200), *sample.BOARD.rows[1:])
    window.show_board(replace(sample.BOARD, rows=rows))
    qtbot.wait(1)
    window.show_page("leaderboardPage")
    table = window.shell.leaderboard.table
    place = column("Rating")
    assert table.columnViewportPosition(place) + table.columnWidth(place) < table.viewport().width()
