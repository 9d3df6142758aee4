"""The leaderboard: sortable, live, and honest about what is not known."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from arena_desktop.domain.settings import Settings
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.models.leaderboard_table import COLUMNS, SORT_ROLE, BoardSorter, LeaderboardTable
from arena_desktop.ui.theme import Theme
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
    assert recorder.asked() == [("show_arena", "german")]
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
