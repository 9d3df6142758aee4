"""What stands in the place of the votes after a vote: the reveal, the reveal taken back, and a whole set."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea, QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.services.views import ListenView, PromptSource
from arena_desktop.ui.main_window import MainWindow
from tests.gui.conftest import Recorder
from tests.helpers import sample_views as sample
from tests.helpers.blind_walk import visible_texts

STEADY = ("playA", "playB", "pause", "volume", "undo", "skip", "next", "status", "arenaSelect", "promptSource")


def find(window: MainWindow, name: str, kind: type[Any] = QWidget) -> Any:
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def shown(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisible() and label.text()]


def settle(qtbot: QtBot) -> None:
    for _ in range(6):
        qtbot.wait(1)


def places(window: MainWindow) -> dict[str, QRect]:
    found = {}
    for name in STEADY:
        widget = find(window, name)
        found[name] = QRect(widget.mapTo(window, QPoint()), widget.size())
    prompt = find(window, "promptText").parentWidget().parentWidget()
    found["prompt"] = QRect(prompt.mapTo(window, QPoint()), prompt.size())
    return found


def test_a_vote_taken_back_says_so_and_nothing_of_what_it_did(window: MainWindow) -> None:
    reveal = find(window, "reveal")
    window.show_listen(sample.REVEALED)
    before = shown(reveal)
    assert "Your choice" in before
    assert any("Live Elo" in words for words in before)
    window.show_listen(sample.TAKEN_BACK)
    words = shown(reveal)
    assert "Taken back: this vote no longer counts." in words
    assert {"SVOX Pico, British", "Kokoro, Heart"} <= set(words)
    assert not [one for one in (*words, reveal.accessibleDescription()) if "Live Elo" in one or "preferred" in one]
    assert "Your choice" not in words
    assert reveal.accessibleDescription().startswith("Taken back: this vote no longer counts.")
    assert "Kokoro, Heart" in reveal.accessibleDescription()


def test_a_card_taken_back_is_grey_and_the_next_one_is_not(window: MainWindow, qtbot: QtBot) -> None:
    reveal = find(window, "reveal")

    def ink() -> str:
        label = next(one for one in reveal.findChildren(QLabel) if one.text() == "Kokoro, Heart")
        return str(label.palette().windowText().color().name())

    window.show_listen(sample.TAKEN_BACK)
    settle(qtbot)
    assert ink() == window.shell.theme.tokens.muted
    window.show_listen(sample.REVEALED)
    settle(qtbot)
    assert ink() == window.shell.theme.tokens.text


def test_a_set_is_told_in_a_table_and_forgotten_with_the_next_battle(window: MainWindow, qtbot: QtBot) -> None:
    window.show_listen(sample.SET)
    settle(qtbot)
    table = find(window, "revealedSet", QTableWidget)
    assert table.isVisible()
    assert table.rowCount() == 20
    assert [table.item(1, column).text() for column in range(5)] == [
        "2",
        sample.SET_LINES[1].prompt,
        "SVOX Pico, American",
        "Piper, Joe",
        "Tie",
    ]
    assert table.horizontalHeader().length() <= table.viewport().width()
    assert not [words for words in shown(find(window, "reveal")) if "preferred" in words]
    window.show_listen(sample.READY)
    assert table.rowCount() == 0
    assert not [words for words in visible_texts(window.shell.listen) if "Kokoro" in words or "Piper" in words]


def test_a_set_taken_back_marks_the_vote_that_is_gone(window: MainWindow) -> None:
    window.show_listen(sample.SET_TAKEN_BACK)
    table = find(window, "revealedSet", QTableWidget)
    assert [table.item(row, 4).text() for row in (18, 19)] == ["Both bad", "Taken back"]
    assert "Taken back: this vote no longer counts." in shown(find(window, "reveal"))


def test_the_table_scrolls_by_keys_and_leaves_the_others_to_the_page(window: MainWindow, recorder: Recorder) -> None:
    window.show_listen(sample.SET)
    table = find(window, "revealedSet", QTableWidget)
    table.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(table, Qt.Key.Key_End)
    assert table.verticalScrollBar().value() > 0
    QTest.keyClick(table, Qt.Key.Key_Up)
    assert recorder.asked() == []
    QTest.keyClick(table, Qt.Key.Key_N)
    assert recorder.asked() == [("next",)]


@pytest.mark.parametrize("size", [(900, 640), (1280, 860)])
@pytest.mark.parametrize("own", [False, True])
def test_nothing_moves_between_a_battle_and_its_reveal(
    window: MainWindow, qtbot: QtBot, size: tuple[int, int], own: bool
) -> None:
    window.resize(*size)
    source = PromptSource(kind="own", text="Say this.") if own else PromptSource()

    def drawn(view: ListenView) -> dict[str, QRect]:
        window.show_listen(replace(view, prompts=source))
        settle(qtbot)
        return places(window)

    first = drawn(sample.READY)
    for view in (
        *(sample.OPEN, sample.REVEALED, sample.TAKEN_BACK, sample.SET, sample.SET_TAKEN_BACK),
        *(replace(sample.HELD_BACK, silent=False), sample.PREPARING, replace(sample.READY, paused=True)),
    ):
        now = drawn(view)
        assert {name: place for name, place in now.items() if place != first[name]} == {}
    assert find(window, "ownText").isVisible() is own


def test_an_ordinary_reveal_needs_no_scrolling(window: MainWindow, qtbot: QtBot) -> None:
    window.show_listen(sample.REVEALED)
    settle(qtbot)
    areas = find(window, "reveal").findChildren(QScrollArea)
    assert [area.verticalScrollBar().maximum() for area in areas] == [0]


SHORT = sample.REVEAL.sentences[0]
LONG = (
    "Listeners like these prefer “Kokoro, Heart” over “SVOX Pico, British” 1,234 of 2,345 times, with 412 draws, yet "
    "by all votes “SVOX Pico, British” stands higher: leaning that way, far from sure; about 15,000 more, by other "
    "listeners, would tell."
)


@pytest.mark.parametrize("size", [(900, 640), (1240, 780)])
@pytest.mark.parametrize("silent", [False, True])
def test_the_verdict_is_seen_whole_and_the_cards_stay(
    window: MainWindow, qtbot: QtBot, size: tuple[int, int], silent: bool
) -> None:
    window.resize(*size)
    reveal = find(window, "reveal")

    def drawn(*sentences: str) -> tuple[QLabel, list[QRect]]:
        view = replace(sample.REVEALED, silent=silent, reveal=replace(sample.REVEAL, sentences=sentences))
        window.show_listen(view)
        settle(qtbot)
        words = [label for label in reveal.findChildren(QLabel) if label.text() == sentences[-1]]
        names = [label for label in reveal.findChildren(QLabel) if label.text() in ("Kokoro, Heart", "Your choice")]
        assert len(words) == 1
        return words[0], [QRect(name.mapTo(window, QPoint()), name.size()) for name in names]

    _, before = drawn(SHORT)
    words, after = drawn(SHORT, LONG)
    assert after == before
    assert SHORT not in shown(reveal), "the cards show what was voted"
    assert reveal.accessibleDescription() == f"{SHORT} {LONG}"
    assert words.height() >= words.heightForWidth(words.width())
    assert reveal.rect().contains(QRect(words.mapTo(reveal, QPoint()), words.size()))
    assert [area.verticalScrollBar().maximum() for area in reveal.findChildren(QScrollArea)] == [0]


def test_what_live_elo_did_says_why_the_two_move_apart(window: MainWindow) -> None:
    window.show_listen(sample.REVEALED)
    moves = [one for one in find(window, "reveal").findChildren(QLabel) if one.text().startswith("Live Elo")]
    assert len(moves) == 2
    for label in moves:
        assert "by its own step" in label.toolTip()
        assert label.accessibleDescription() == label.toolTip()
