"""Long lists can be searched by word, and their ends are one key away."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.services.finders.found import FoundState
from arena_desktop.services.found_views import FoundRow, FoundView
from arena_desktop.services.views import ModelRow, ModelsView
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.models_page.card import ModelCard
from arena_desktop.ui.models_page.found_card import FoundCard
from arena_desktop.ui.widgets.card_list import CardList
from arena_desktop.ui.widgets.filter_field import LONG

FEW = 3


def model(number: int) -> ModelRow:
    engine = "piper" if number % 10 == 0 else "pico"
    missing = () if number % 7 else (("a file", "Get it."),)
    return ModelRow(
        f"test/m{number}",
        f"Model {number}",
        engine,
        "",
        "MIT",
        ("English",),
        not missing,
        enabled=True,
        missing=missing,
    )


VIEW = ModelsView(tuple(map(model, range(60))))


@pytest.fixture
def field(window: MainWindow, qtbot: QtBot) -> QLineEdit:
    window.show_page("modelsPage")
    window.show_models(VIEW)
    settle(window.shell.models.cards, qtbot)
    return of(window, "filterModels")


def of(parent: QWidget, name: str) -> QLineEdit:
    found = parent.findChild(QLineEdit, name)
    assert isinstance(found, QLineEdit)
    return found


def settle(cards: CardList, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not cards._worker.isActive(), timeout=30_000)


def names(cards: CardList) -> list[str]:
    return [card._row.name for card in cards.cards.values() if isinstance(card, ModelCard) and card._row is not None]


def test_ctrl_f_and_words_leave_what_has_them_and_esc_brings_all_back(
    window: MainWindow, field: QLineEdit, qtbot: QtBot
) -> None:
    page = window.shell.models
    assert field.isVisible()
    right = field.mapTo(page, field.rect().topRight()).x()
    assert right <= page.cards.mapTo(page, page.cards.viewport().rect().topRight()).x()
    QTest.keyClick(page, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert field.hasFocus()
    QTest.keyClicks(field, "PIPER ready")
    settle(page.cards, qtbot)
    assert names(page.cards) == ["Model 10", "Model 20", "Model 30", "Model 40", "Model 50"]
    assert page._summary.text() == "51 of 60 models ready to speak on this machine; 5 shown"
    QTest.keyClicks(field, " x")
    assert names(page.cards) == []
    assert page._summary.text().endswith("; none shown")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    settle(page.cards, qtbot)
    assert page._summary.text() == "51 of 60 models ready to speak on this machine"
    assert names(page.cards)[0] == "Model 0"


def test_a_row_that_changes_comes_and_goes_with_the_filter(window: MainWindow, field: QLineEdit, qtbot: QtBot) -> None:
    page = window.shell.models
    field.setText("missing")
    settle(page.cards, qtbot)
    assert "Model 7" in names(page.cards)
    mended = tuple(replace(row, ready=True, missing=()) if row.name == "Model 7" else row for row in VIEW.rows)
    window.show_models(replace(VIEW, rows=mended))
    settle(page.cards, qtbot)
    assert "Model 7" not in names(page.cards)
    assert "Model 14" in names(page.cards)


def test_a_short_list_has_no_filter_unless_it_hides_something(window: MainWindow, field: QLineEdit) -> None:
    field.setText("m5")
    window.show_models(replace(VIEW, rows=VIEW.rows[:FEW]))
    assert field.isVisible()  # else nobody could see why nothing is there
    field.clear()
    window.show_models(replace(VIEW, rows=VIEW.rows[: LONG - 1]))
    assert not field.isVisible()
    window.show_models(replace(VIEW, rows=VIEW.rows[:LONG]))
    assert field.isVisible()


def test_home_and_end_lead_to_the_first_and_the_last_card(window: MainWindow, field: QLineEdit, qtbot: QtBot) -> None:
    cards = window.shell.models.cards
    bar = cards.verticalScrollBar()
    window.show_models(replace(VIEW, rows=VIEW.rows[1:]))

    def press(key: Qt.Key) -> QWidget | None:
        QTest.keyClick(QApplication.focusWidget() or window, key)
        at: QWidget | None = QApplication.focusWidget()
        while at is not None and not isinstance(at, ModelCard):
            at = at.parentWidget()
        return at

    cards.setFocus()
    assert press(Qt.Key.Key_End) is cards.cards["test/m59"]
    assert bar.value() == bar.maximum()
    settle(cards, qtbot)
    assert press(Qt.Key.Key_Home) is cards.cards["test/m1"]
    assert bar.value() == 0
    button = window.findChild(QPushButton, "checkAgain")
    assert button is not None
    button.setFocus()
    assert press(Qt.Key.Key_End) is cards.cards["test/m59"]  # from the rest of the page, too
    window.show_models(VIEW)  # nothing can be pressed on the card that is first now
    assert press(Qt.Key.Key_Home) is None
    assert cards.hasFocus()
    assert bar.value() == 0


def test_finds_are_filtered_by_their_state_and_folder(window: MainWindow, field: QLineEdit, qtbot: QtBot) -> None:
    states = (FoundState.READY, FoundState.SET_UP, FoundState.CANT)
    rows = tuple(FoundRow(f"f{n}", f"Thing {n}", ("Piper",), f"/voices/{n}", states[n % 3]) for n in range(30))
    window.show_found(FoundView(rows=rows, words="30 found"))
    dialog = window.shell.models.find_dialog
    dialog.open_beside()
    cards = dialog.findChildren(CardList)[0]
    search = of(dialog, "filterFinds")
    search.setText("voices/1 set-up")
    settle(cards, qtbot)
    shown = [card._row.title for card in cards.cards.values() if isinstance(card, FoundCard) and card._row is not None]
    assert shown == ["Thing 1", "Thing 10", "Thing 13", "Thing 16", "Thing 19"]
    QTest.keyClick(search, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert search.text() == ""
    dialog.close()
