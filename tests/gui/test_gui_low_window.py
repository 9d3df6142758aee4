"""A low window, as on a small screen at 200 %: nothing is crushed or covered, and what is done next is in view."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.services.views import ListenView, Phase
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.pages.listen import ListenPage
from tests.helpers import sample_views as sample

BUTTONS = ("playA", "playB", "voteA", "voteB", "voteTie", "voteBothBad")
LOW_EM = (41, 24)


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> Iterator[ListenPage]:
    """A Listen page of its own: the window can't be made so low once it is on the screen."""
    theme = window.shell.theme
    holder = QWidget()
    qtbot.addWidget(holder)
    page = ListenPage(theme, str, str)
    page.setParent(holder)
    page.resize(round(LOW_EM[0] * theme.em), round(LOW_EM[1] * theme.em))
    holder.resize(page.size())
    holder.show()
    yield page
    holder.hide()


def _buttons(page: QWidget) -> list[QAbstractButton]:
    return [button for name in BUTTONS for button in page.findChildren(QAbstractButton, name)]


def _place(button: QWidget, on: QWidget) -> QRect:
    return QRect(button.mapTo(on, QPoint(0, 0)), button.size())


@pytest.mark.parametrize("view", [ListenView(phase=Phase.PREPARING), sample.READY], ids=["preparing", "ready"])
def test_no_button_is_crushed_or_covered(page: ListenPage, qtbot: QtBot, view: ListenView) -> None:
    page.show_view(view)
    buttons = _buttons(page)
    assert len(buttons) == len(BUTTONS)
    qtbot.waitUntil(lambda: all(button.height() >= button.minimumSizeHint().height() > 0 for button in buttons))
    places = {button: _place(button, page) for button in buttons}
    assert not any(places[one].intersects(places[other]) for one, other in combinations(buttons, 2))


def test_both_samples_and_all_votes_are_in_view_when_the_battle_is_there(page: ListenPage, qtbot: QtBot) -> None:
    [scroll] = [one for one in page.findChildren(QScrollArea) if one.isAncestorOf(_buttons(page)[0])]
    page.show_view(ListenView(phase=Phase.PREPARING))
    page.show_view(sample.READY)

    def in_view() -> bool:
        seen = scroll.viewport().rect()
        return all(seen.contains(_place(button, scroll.viewport())) for button in _buttons(page))

    qtbot.waitUntil(in_view)
    scroll.verticalScrollBar().triggerAction(scroll.verticalScrollBar().SliderAction.SliderToMinimum)
    page.show_view(replace(sample.READY, heard_a=0.5))
    qtbot.wait(50)
    assert scroll.verticalScrollBar().value() == 0, "whoever scrolls stays there"


def test_the_window_and_its_least_size_fit_the_screen(window: MainWindow) -> None:
    room = window.screen().availableSize()
    assert window.minimumHeight() < room.height()
    assert window.height() < room.height(), "a frame takes some of the height, too"
