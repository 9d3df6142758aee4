"""The Models page and the leaderboard with hundreds of models: only what is seen is made, and what differs drawn."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.services.views import ModelRow, ModelsView
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.models.leaderboard_table import LeaderboardTable
from arena_desktop.ui.models_page.card import ModelCard
from arena_desktop.ui.pages.models import ModelsPage
from arena_desktop.ui.widgets.card_list import CardList
from tests.helpers import sample_views as sample

MANY = 200
VIEW = ModelsView(
    tuple(
        ModelRow(f"test/m{n}", f"Model {n}", "pico", "", "", ("English",), ready=True, enabled=True)
        for n in range(MANY)
    )
)


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> ModelsPage:
    window.show_page("modelsPage")
    window.show_models(VIEW)
    settle(window.shell.models, qtbot)
    return window.shell.models


def settle(page: ModelsPage, qtbot: QtBot) -> None:
    """Until nothing is left to be made or given up."""
    cards = page.findChildren(CardList)[0]
    qtbot.waitUntil(lambda: not cards._worker.isActive() and bool(cards.cards), timeout=30_000)


def changed(place: int, words: str) -> ModelsView:
    rows = list(VIEW.rows)
    rows[place] = replace(rows[place], busy=words)
    return replace(VIEW, rows=tuple(rows))


def named(page: ModelsPage, name: str) -> ModelCard | None:
    return next(
        (card for card in page.findChildren(ModelCard) if card._row is not None and card._row.name == name), None
    )


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch, method: str) -> Iterator[list[ModelCard]]:
    called: list[ModelCard] = []
    real = getattr(ModelCard, method)

    def counting(self: ModelCard, *arguments: object, **named: object) -> object:
        called.append(self)
        return real(self, *arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(ModelCard, method, counting)
        yield called


def test_opening_the_page_makes_one_card_an_event_and_only_those_near_what_is_seen(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with counted(monkeypatch, "__init__") as made:
        window.show_models(VIEW)
        assert made == []  # nobody looks yet
        window.show_page("modelsPage")
        most = before = 0
        for _ in range(300):
            QApplication.processEvents()
            most, before = max(most, len(made) - before), len(made)
        assert most == 1
        settle(window.shell.models, qtbot)
        assert 3 < len(made) < 40


def test_a_change_draws_the_cards_whose_rows_differ(
    window: MainWindow, page: ModelsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    with counted(monkeypatch, "show_row") as drawn:
        window.show_models(changed(2, "Checking…"))
        assert [card._row.name for card in drawn if card._row is not None] == ["Model 2"]
        drawn.clear()
        window.show_models(replace(changed(2, "Checking…"), checking=True))
        assert drawn == []


def test_what_is_seen_stays_where_it_is_while_models_come_and_grow_above(
    window: MainWindow, page: ModelsPage, qtbot: QtBot
) -> None:
    area = page.findChildren(QScrollArea)[0]
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum() // 2)
    settle(page, qtbot)
    seen = min(
        (card for card in page.findChildren(ModelCard) if card.mapTo(area.viewport(), card.rect().topLeft()).y() >= 0),
        key=lambda card: card.y(),
    )
    stands = seen.mapTo(area.viewport(), seen.rect().topLeft()).y()
    grown = replace(VIEW, rows=tuple(replace(row, warning="word " * 200) for row in VIEW.rows[:60]) + VIEW.rows[60:])
    window.show_models(grown)
    settle(page, qtbot)
    assert seen.mapTo(area.viewport(), seen.rect().topLeft()).y() == stands
    window.show_models(replace(grown, rows=grown.rows[10:]))
    settle(page, qtbot)
    assert seen.mapTo(area.viewport(), seen.rect().topLeft()).y() == stands


def test_tab_goes_through_all_cards_in_order_and_back(window: MainWindow, page: ModelsPage, qtbot: QtBot) -> None:
    first = named(page, "Model 0")
    assert first is not None
    stop = first.findChildren(QPushButton)[0]
    stop.setFocus()
    passed: list[str] = []

    def step(key: Qt.Key, times: int) -> None:
        passed.clear()
        for _ in range(times):
            QTest.keyClick(window.focusWidget() or window, key)
            at: QWidget | None = window.focusWidget()
            while at is not None and not isinstance(at, ModelCard):
                at = at.parentWidget()
            assert isinstance(at, ModelCard), passed
            assert at._row is not None
            if passed[-1:] != [at._row.name]:
                passed.append(at._row.name)

    step(Qt.Key.Key_Tab, 80)  # faster than cards are made by themselves
    reached = len(passed)
    assert reached > 30
    assert passed == [f"Model {n}" for n in range(reached)]
    settle(page, qtbot)
    step(Qt.Key.Key_Backtab, 80)
    assert passed[0] in (f"Model {reached - 1}", f"Model {reached - 2}")
    assert passed == [f"Model {n}" for n in range(int(passed[0].split()[1]), -1, -1)]


def test_a_card_that_has_the_focus_keeps_it_out_of_sight_and_through_changes(
    window: MainWindow, page: ModelsPage, qtbot: QtBot
) -> None:
    card = named(page, "Model 1")
    assert card is not None
    stop = card.findChildren(QPushButton)[0]
    stop.setFocus()
    area = page.findChildren(QScrollArea)[0]
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    settle(page, qtbot)
    assert named(page, "Model 0") is None
    assert len(page.findChildren(ModelCard)) < 40
    assert named(page, f"Model {MANY - 1}") is not None
    window.show_models(changed(1, "Checking…"))
    window.show_models(replace(VIEW, rows=VIEW.rows[1:]))
    assert window.focusWidget() is stop


def test_a_board_of_many_models_is_sorted_and_told_once_a_vote(window: MainWindow) -> None:
    rows = tuple(sample.row(f"t/m{n}", f"Model {n}", n + 1, 40, 1200.0 - n) for n in range(MANY))
    window.show_board(replace(sample.BOARD, rows=rows))
    table = window.shell.leaderboard.findChildren(LeaderboardTable)[0]
    told: list[tuple[int, int]] = []
    table.dataChanged.connect(lambda first, last: told.append((first.row(), last.row())))
    window.show_board(replace(sample.BOARD, rows=tuple(replace(row, battles=row.battles + 1) for row in rows)))
    assert told == [(0, MANY - 1)]
