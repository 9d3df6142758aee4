"""The keys of the Listen page: each does its job, from wherever the focus is, unless text is being typed."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPlainTextEdit, QPushButton, QWidget

from arena_desktop.domain.votes import Side, Vote
from arena_desktop.services.views import PromptSource
from arena_desktop.ui.main_window import MainWindow
from tests.gui.conftest import Recorder
from tests.helpers import sample_views as sample

KEY = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier

KEYS: list[tuple[Any, Any, tuple[Any, ...]]] = [
    (KEY.Key_A, NONE, ("play", Side.A)),
    (KEY.Key_B, NONE, ("play", Side.B)),
    (KEY.Key_Left, NONE, ("play", Side.A)),
    (KEY.Key_Right, NONE, ("play", Side.B)),
    (KEY.Key_R, NONE, ("play_reference",)),
    (KEY.Key_Space, NONE, ("toggle_pause",)),
    (KEY.Key_1, NONE, ("vote", Vote.A)),
    (KEY.Key_2, NONE, ("vote", Vote.B)),
    (KEY.Key_3, NONE, ("vote", Vote.TIE)),
    (KEY.Key_4, NONE, ("vote", Vote.BOTH_BAD)),
    (KEY.Key_N, NONE, ("next",)),
    (KEY.Key_S, NONE, ("skip",)),
    (KEY.Key_Z, CTRL, ("undo",)),
    (KEY.Key_Up, NONE, ("set_volume", -2.0)),
    (KEY.Key_Down, NONE, ("set_volume", -4.0)),
]

KEYS_OF_A_LIST = (KEY.Key_A, KEY.Key_B, KEY.Key_R, KEY.Key_N, KEY.Key_S)


def press(key: Any, modifiers: Any = NONE) -> None:
    target = QApplication.focusWidget()
    assert target is not None
    QTest.keyClick(target, key, modifiers)


def child(window: MainWindow, name: str) -> QWidget:
    found = window.findChild(QWidget, name)
    assert found is not None, name
    return found


def test_each_key_does_its_job(window: MainWindow, recorder: Recorder) -> None:
    for key, modifiers, asked in KEYS:
        window.show_listen(replace(sample.READY, volume_db=-3.5))
        window.show_listen(sample.READY)
        recorder.calls.clear()
        press(key, modifiers)
        assert recorder.asked() == [asked], key


@pytest.mark.parametrize("view", [sample.READY, sample.OPEN, sample.REVEALED])
def test_keys_work_from_every_stop_of_the_tab_key(window: MainWindow, recorder: Recorder, view: Any) -> None:
    """Space never presses the focused button, digits never pick from a list, arrows never move a slider sideways."""
    window.show_listen(view)
    stops = set()
    for _ in range(60):
        press(KEY.Key_Tab)
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused in stops:
            break
        stops.add(focused)
        for key, modifiers, asked in KEYS[:13]:
            if isinstance(focused, QComboBox) and key in KEYS_OF_A_LIST:
                continue
            recorder.calls.clear()
            press(key, modifiers)
            assert recorder.asked() == [asked], (focused.objectName(), focused.accessibleName(), key)
            assert QApplication.focusWidget() is focused
    assert len(stops) >= 8


def test_single_keys_are_off_while_own_text_is_typed(window: MainWindow, recorder: Recorder) -> None:
    window.show_listen(replace(sample.READY, prompts=PromptSource(kind="own", text="")))
    entry = child(window, "ownText")
    assert isinstance(entry, QPlainTextEdit)
    entry.setFocus()
    QTest.keyClicks(entry, "ab 1234 ns")
    for key in (KEY.Key_Left, KEY.Key_Right, KEY.Key_Up, KEY.Key_Down, KEY.Key_Return):
        press(key)
    press(KEY.Key_Z, CTRL)
    assert recorder.asked() == []
    entry.setPlainText("Hello there.")
    press(KEY.Key_Return, CTRL)
    assert recorder.asked() == [("choose_prompts", PromptSource(kind="own", text="Hello there."))]
    press(KEY.Key_1)  # the field was left: keys are on again
    assert recorder.asked()[-1] == ("vote", Vote.A)


def test_escape_leaves_the_field_without_using_the_text(window: MainWindow, recorder: Recorder) -> None:
    window.show_listen(replace(sample.READY, prompts=PromptSource(kind="own", text="Old.")))
    child(window, "ownText").setFocus()
    press(KEY.Key_Escape)
    press(KEY.Key_A)
    assert recorder.asked() == [("play", Side.A)]


def test_enter_is_next_after_the_vote_even_on_the_button_that_voted(window: MainWindow, recorder: Recorder) -> None:
    child(window, "voteB").setFocus(Qt.FocusReason.TabFocusReason)
    press(KEY.Key_Return)
    assert recorder.asked() == [("vote", Vote.B)]
    window.show_listen(sample.REVEALED)
    for key in (KEY.Key_Return, KEY.Key_Enter):
        recorder.calls.clear()
        press(key)
        assert recorder.asked() == [("next",)]


def test_enter_presses_what_has_no_key_of_its_own(
    window: MainWindow, recorder: Recorder, answers: dict[str, str]
) -> None:
    window.show_listen(sample.REVEALED)
    answers["name"] = "  Grace "
    child(window, "addListener").setFocus(Qt.FocusReason.TabFocusReason)
    press(KEY.Key_Return)
    assert recorder.asked() == [("add_listener", "Grace")]


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_list_opens_by_key_and_is_chosen_from_by_keys(window: MainWindow, recorder: Recorder) -> None:
    arena = child(window, "arenaSelect")
    assert isinstance(arena, QComboBox)
    arena.setFocus(Qt.FocusReason.TabFocusReason)
    press(KEY.Key_Return)
    view = arena.view()
    assert view.isVisible()
    QTest.keyClick(view, KEY.Key_Down)
    QTest.keyClick(view, KEY.Key_Return)
    assert not view.isVisible()
    assert recorder.asked() == [("choose_arena", "german")]


def test_holding_a_vote_key_votes_once(window: MainWindow, recorder: Recorder) -> None:
    press(KEY.Key_1)
    focused = QApplication.focusWidget()
    assert focused is not None
    for _ in range(5):
        QApplication.sendEvent(focused, QKeyEvent(QEvent.Type.KeyPress, KEY.Key_1, NONE, "1", True))
    assert recorder.asked() == [("vote", Vote.A)]


@pytest.mark.parametrize(("key", "modifiers", "asked"), [KEYS[4], KEYS[5], KEYS[9], KEYS[10], KEYS[11]])
def test_a_held_key_acts_once_even_where_the_system_sends_releases(
    window: MainWindow, recorder: Recorder, key: Any, modifiers: Any, asked: Any
) -> None:
    """X11 repeats a held key as a release and a press of one instant, without a mark that it is a repeat."""
    target = QApplication.focusWidget()
    assert target is not None
    for instant in (1000, 1600, 1640, 1680):
        hold(target, key, modifiers, instant, released=instant > 1000)
    assert recorder.asked() == [asked]
    release(target, key, modifiers, 1720)
    hold(target, key, modifiers, 1900, released=False)  # let go, and pressed again
    assert recorder.asked() == [asked, asked]


def test_the_volume_goes_on_while_its_key_is_held(window: MainWindow, recorder: Recorder) -> None:
    target = QApplication.focusWidget()
    assert target is not None
    for instant in (1000, 1600, 1640):
        hold(target, KEY.Key_Up, NONE, instant)
    assert [arguments for _, *arguments in recorder.asked()] == [[-2.0], [-1.0], [0.0]]


def release(target: QWidget, key: Any, modifiers: Any, instant: int) -> None:
    event = QKeyEvent(QEvent.Type.KeyRelease, key, modifiers)
    event.setTimestamp(instant)
    QApplication.sendEvent(target, event)


def hold(target: QWidget, key: Any, modifiers: Any, instant: int, *, released: bool = True) -> None:
    if released:
        release(target, key, modifiers, instant)
    press = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers)
    press.setTimestamp(instant)
    QApplication.sendEvent(target, press)
    for shortcut in target.window().findChildren(QShortcut):
        if shortcut.isEnabled() and shortcut.key() == QKeySequence(QKeyCombination(modifiers, key)):
            shortcut.activated.emit()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_focused_list_keeps_the_keys_that_move_in_it(window: MainWindow, recorder: Recorder) -> None:
    arena = child(window, "arenaSelect")
    assert isinstance(arena, QComboBox)
    arena.setFocus(Qt.FocusReason.TabFocusReason)
    for key, chosen in ((KEY.Key_Down, "german"), (KEY.Key_Home, "english"), (KEY.Key_G, "german")):
        recorder.calls.clear()
        press(key)
        assert recorder.asked() == [("choose_arena", chosen)]
    recorder.calls.clear()
    press(KEY.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert arena.view().isVisible()
    arena.hidePopup()
    assert recorder.asked() == []
    press(KEY.Key_Space)
    assert recorder.asked() == [("toggle_pause",)], "the hint on the button is true here, too"


def test_what_opens_something_waits_for_enter(window: MainWindow, recorder: Recorder, answers: dict[str, str]) -> None:
    source = child(window, "promptSource")
    assert isinstance(source, QComboBox)
    answers["file"] = "/some/lines.txt"
    source.setFocus(Qt.FocusReason.TabFocusReason)
    press(KEY.Key_End)
    assert source.currentText() == "A text file or table…"
    press(KEY.Key_Up)
    assert source.currentText() == "My own text"
    assert not child(window, "ownText").isVisible()
    press(KEY.Key_End)
    assert recorder.asked() == []
    press(KEY.Key_Return)
    assert recorder.asked() == [("choose_prompts", PromptSource(kind="file", path="/some/lines.txt"))]
    assert source.currentText() == "All sentences"  # until the services have taken it
    press(KEY.Key_End)
    child(window, "arenaSelect").setFocus(Qt.FocusReason.TabFocusReason)
    assert source.currentText() == "All sentences"  # left without Enter


def test_volume_stops_at_its_ends(window: MainWindow, recorder: Recorder) -> None:
    for _ in range(40):
        press(KEY.Key_Up)
    assert recorder.asked()[-1] == ("set_volume", 6.0)
    for _ in range(60):
        press(KEY.Key_Down)
    assert recorder.asked()[-1] == ("set_volume", -20.0)


@pytest.mark.parametrize(
    ("key", "page"),
    [("2", "leaderboardPage"), ("4", "modelsPage"), ("6", "settingsPage")],
)
def test_pages_have_keys_and_the_listen_keys_stay_behind(
    window: MainWindow, recorder: Recorder, key: str, page: str
) -> None:
    press(getattr(KEY, f"Key_{key}"), CTRL)
    assert child(window, page).isVisible()
    assert not child(window, "listenPage").isVisible()
    for letter, modifiers, _ in KEYS[:13]:
        press(letter, modifiers)
    assert [verb for verb, *_ in recorder.asked() if verb != "look"] == []  # the Leaderboard looks at its board
    press(KEY.Key_1, CTRL)
    assert child(window, "listenPage").isVisible()
    press(KEY.Key_A)
    assert recorder.asked()[-1] == ("play", Side.A)


def test_a_mouse_click_takes_no_focus_from_the_keys(window: MainWindow, recorder: Recorder) -> None:
    before = QApplication.focusWidget()
    for name in ("playA", "voteA", "skip", "undo"):
        button = child(window, name)
        assert isinstance(button, QPushButton)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert [call[0] for call in recorder.asked()] == ["play", "vote", "skip", "undo"]
    assert QApplication.focusWidget() is before
