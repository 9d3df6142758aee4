"""The Leaderboard page over a real log and the real services: every lens of a panel's board and of the first votes."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from arena_desktop.services.actions import BOARD_FORMATS
from arena_desktop.services.board_views import TieRule, WhatIfLens
from arena_desktop.services.exports import FORMATS
from arena_desktop.ui.lenses.catalogue import LENSES
from arena_desktop.ui.main_window import MainWindow
from tests.helpers.blind_walk import visible_texts
from tests.helpers.board_pictures import PARTS, Looking
from tests.helpers.demo_boards import DemoBoard, home_board, panel_board

WRONG = re.compile(r"\b1 (votes|battles|models|listeners|games|days)\b|\bNone\b|\bnan\b|\binf\b|\{|\}")

BOARDS: dict[str, Callable[[Path], DemoBoard]] = {
    "panel": lambda folder: panel_board(folder, 240, 12),
    "home": home_board,
    "one vote": lambda folder: home_board(folder, 1),
}


@pytest.fixture(scope="module", params=BOARDS)
def demo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoBoard]:
    found = BOARDS[request.param](tmp_path_factory.mktemp("log"))
    yield found
    found.close()


def test_every_lens_draws_what_the_services_send(window: MainWindow, demo: DemoBoard, qtbot: QtBot) -> None:
    window.shell.leaderboard.attach(Looking(window, demo))
    window.show_board(demo.board)
    window.show_page("leaderboardPage")
    for tab in LENSES:
        for name in (tab.id, *PARTS.get(tab.id, ())):
            button = window.findChild(QPushButton, name)
            assert button is not None
            button.click()
        qtbot.wait(2)
        shown = {label.text() for label in window.findChildren(QLabel) if label.isVisible()}
        assert "Working…" not in shown
        window.grab()
    said = visible_texts(window.shell.leaderboard)
    assert not [words for words in said if WRONG.search(words)]
    best = demo.board.rows[0]
    assert best.name in said
    assert demo.board.sentence in said
    assert QApplication.focusWidget() is not None


def test_filters_of_the_page_are_those_of_the_services(demo: DemoBoard) -> None:
    for rule in TieRule:
        for prior in (True, False):
            view = demo.look(WhatIfLens(ties=rule, prior=prior))
            assert view.arena == "english"
    wrong = demo.look(WhatIfLens(since="yesterday"))
    assert getattr(wrong, "problem", "")


def test_the_page_offers_the_formats_that_there_are() -> None:
    assert {(form.id, form.ending) for form in BOARD_FORMATS} == {(id_, end) for id_, (_, end) in FORMATS.items()}
