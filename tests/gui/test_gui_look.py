"""What holds for the whole window: names, contrast, a focus that can be seen, sizes that follow the font."""

import sys
from dataclasses import fields, replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QColor, QFont
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.services.views import ListenView
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.tokens import DARK, LIGHT, Tokens
from tests.helpers import sample_views as sample

PAGES = ("listenPage", "leaderboardPage", "modelsPage", "settingsPage", "historyPage")


def luminance(color: str) -> float:
    """Relative luminance, WCAG 2.2."""
    shown = QColor(color)
    channels = ((0.2126, shown.redF()), (0.7152, shown.greenF()), (0.0722, shown.blueF()))
    return float(sum(w * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for w, c in channels))


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


TEXT_ON = (
    *(("text", ground) for ground in ("window", "rail", "surface", "sunken", "accent_soft", "info_soft")),
    *(("text", ground) for ground in ("warning_soft", "error_soft", "line")),
    *(("muted", ground) for ground in ("window", "rail", "surface", "sunken", "accent_soft")),
    ("on_accent", "accent"),
    ("accent", "surface"),
    ("accent", "window"),
    ("warning", "warning_soft"),
    ("warning", "window"),
    ("warning", "surface"),
    ("error", "error_soft"),
    ("error", "window"),
    ("good", "good_soft"),
    ("window", "text"),
)
EDGES_ON = (
    *(("line_strong", ground) for ground in ("window", "surface")),
    *(("focus", ground) for ground in ("window", "surface", "rail", "accent_soft")),
    ("accent", "line"),
)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_reach_wcag_aa(tokens: Tokens) -> None:
    assert {field.name for field in fields(Tokens)} >= {name for pair in (*TEXT_ON, *EDGES_ON) for name in pair}
    weak = [
        f"{ink} on {ground}: {contrast(getattr(tokens, ink), getattr(tokens, ground)):.2f}"
        for pairs, least in ((TEXT_ON, 4.5), (EDGES_ON, 3.0))
        for ink, ground in pairs
        if contrast(getattr(tokens, ink), getattr(tokens, ground)) < least
    ]
    assert not weak


def test_everything_that_takes_the_focus_has_a_name(window: MainWindow) -> None:
    nameless = []
    for widget in window.findChildren(QWidget):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or widget.objectName().startswith("qt_"):
            continue
        if type(widget).__name__ in ("QComboBoxListView", "QComboBoxPrivateContainer", "QListView", "QFrame"):
            continue  # the pop-up of a list that has a name itself
        if isinstance(widget, QLabel) and not widget.text():
            continue  # nothing to select in it
        interface = QAccessible.queryAccessibleInterface(widget)
        assert interface is not None
        if not interface.text(QAccessible.Text.Name).strip():
            nameless.append(f"{type(widget).__name__} {widget.objectName()}")
    assert not nameless


@pytest.mark.parametrize("page", PAGES)
def test_the_tab_key_reaches_every_control_of_the_page(window: MainWindow, page: str) -> None:
    window.show_listen(sample.OPEN)
    window.show_page(page)
    wanted = {
        widget
        for widget in window.findChildren(QWidget)
        if isinstance(widget, QAbstractButton) and widget.isVisible() and widget.isEnabled()
    }
    wanted = {one for one in wanted if one.objectName() != "qt_tableview_cornerbutton"}
    reached = set()
    for _ in range(80):
        window.focusNextChild()
        focused = QApplication.focusWidget()
        if focused in reached:
            break
        reached.add(focused)
    assert not {f"{type(w).__name__} {w.objectName()} {w.accessibleName()}" for w in wanted - reached}


def test_the_focus_can_be_seen_on_every_button(window: MainWindow, qtbot: QtBot) -> None:
    window.show_listen(sample.OPEN)
    for name in ("playA", "voteB", "skip", "undo", "arenaSelect", "volume"):
        widget = window.findChild(QWidget, name)
        assert widget is not None
        window.shell.listen.setFocus()
        without = widget.grab().toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        assert widget.hasFocus()
        assert widget.grab().toImage() != without, name


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("size", [(900, 640), (1080, 760), (1280, 800)])
def test_no_words_are_cut_at_any_size(
    window: MainWindow, theme: Theme, qtbot: QtBot, scale: float, size: tuple[int, int]
) -> None:
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * scale)
    theme.set_base_font(font)
    window.resize(*size)
    for page in PAGES:
        window.show_page(page)
        for view in (sample.READY, sample.REVEALED, sample.HELD_BACK, sample.OWN_TEXT) if page == PAGES[0] else (None,):
            if view is not None:
                window.show_listen(view)
            settle(qtbot)
            assert not cut(window), (page, scale, size)


def settle(qtbot: QtBot) -> None:
    """Layouts ask each other by posted events, a few rounds of them."""
    for _ in range(10):
        qtbot.wait(2)


def cut(window: QWidget) -> list[str]:
    """Visible labels and buttons that are smaller than their words, and pages wider than the window shows."""
    found = []
    for label in window.findChildren(QLabel):
        if not label.isVisible() or not label.text() or label.objectName() == "promptText":
            continue
        high = label.heightForWidth(label.width()) if label.wordWrap() else label.sizeHint().height()
        wide = 0 if label.wordWrap() else label.sizeHint().width()
        if label.height() < high or label.width() < wide:
            found.append(f"label {label.text()!r}: {label.size()} for {wide} × {high}")
    for button in window.findChildren(QAbstractButton):
        least = button.minimumSizeHint()
        if button.isVisible() and (button.width() < least.width() or button.height() < least.height()):
            found.append(f"button {button.accessibleName()!r}: {button.size()} for {least}")
    for area in window.findChildren(QScrollArea):
        inside = area.widget()
        if area.isVisible() and inside is not None and inside.width() > area.viewport().width():
            found.append(f"a page of {inside.width()} in {area.viewport().width()} pixels")
    return found


@pytest.mark.parametrize("view", [sample.READY, sample.REVEALED, sample.HELD_BACK, sample.SET])
def test_a_battle_and_its_reveal_fit_a_small_window_without_scrolling(
    window: MainWindow, qtbot: QtBot, view: ListenView
) -> None:
    window.resize(900, 640)
    window.show_listen(replace(view, silent=True, prompt_text="It was the strangest thing. " * 20))
    settle(qtbot)
    area = next(a for a in window.shell.listen.findChildren(QScrollArea) if a.parent() is window.shell.listen)
    inside = area.widget()
    assert inside is not None
    assert inside.height() <= area.viewport().height()


def test_sizes_follow_the_font(window: MainWindow, theme: Theme) -> None:
    button = window.findChild(QWidget, "voteA")
    assert button is not None
    before = button.sizeHint()
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * 2)
    theme.set_base_font(font)
    assert button.sizeHint().height() == pytest.approx(2 * before.height(), rel=0.1)


def test_both_samples_look_alike_but_for_the_letter(window: MainWindow) -> None:
    """Side, colour and size speak for neither."""
    window.show_listen(sample.OPEN)
    a, b = (window.findChild(QWidget, name) for name in ("playA", "playB"))
    assert a is not None
    assert b is not None
    assert a.size() == b.size()
    images = [widget.grab().toImage() for widget in (a, b)]
    differing = {
        (x, y)
        for x in range(a.width())
        for y in range(0, a.height(), 2)
        if images[0].pixel(x, y) != images[1].pixel(x, y)
    }
    letter_ends = theme_px(window, 4.3)
    title = (theme_px(window, 5), theme_px(window, 12))
    assert all(x <= letter_ends or title[0] <= x <= title[1] for x, _ in differing)


def theme_px(window: MainWindow, share: float) -> int:
    return window.shell.theme.px(share)


def test_the_toolkit_keeps_its_hands_off_pythons_none(qapp: QApplication) -> None:
    """PySide6 6.12.0 on Python 3.11 drops a reference to None with every call: minutes later the program aborts."""
    widget = QWidget()
    before = sys.getrefcount(None)
    for _ in range(2000):
        widget.update()
    assert sys.getrefcount(None) > before - 1000
