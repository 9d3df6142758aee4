"""The Listen page draws what the view says, only what changed, and forwards what is done to it."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.domain.votes import Side, Vote
from arena_desktop.services.views import Line, ListenView, Phase, PromptSource, Tone
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.widgets.buttons import Words
from arena_desktop.ui.widgets.controls import Slider
from arena_desktop.ui.widgets.vote_button import VoteButton
from tests.gui.conftest import Recorder
from tests.helpers import sample_views as sample
from tests.helpers.blind_walk import visible_texts

CONTRACT = (
    *("playA", "playB", "pause", "voteA", "voteB", "voteTie", "voteBothBad", "next", "skip", "undo", "volume"),
    *("listenerSelect", "arenaSelect", "promptSource", "promptText", "reveal", "status"),
    *("listenPage", "leaderboardPage", "modelsPage", "settingsPage"),
)
OTHER_PAGES = ("leaderboardPage", "modelsPage", "settingsPage")


def find(window: MainWindow, name: str, kind: type[Any] = QWidget) -> Any:
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def said(window: MainWindow) -> str:
    return "\n".join(visible_texts(window, skip_pages=OTHER_PAGES))


class Paints(QObject):
    """Counts the paints of the widgets it watches."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self.of: dict[QObject, int] = dict.fromkeys(widgets, 0)
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Paint:
            self.of[watched] = self.of.get(watched, 0) + 1
        return False


def settle(qtbot: QtBot) -> None:
    for _ in range(4):
        qtbot.wait(1)


def test_the_names_of_the_contract_are_there(window: MainWindow) -> None:
    for name in CONTRACT:
        assert len(window.findChildren(QObject, name)) == 1, name
    pages = find(window, "pages")
    assert [pages.widget(n).objectName() for n in range(pages.count())] == [
        "listenPage",
        "leaderboardPage",
        "modelsPage",
        "settingsPage",
    ]


def test_buttons_and_key_tell_the_same_thing_to_assistive_technology(window: MainWindow, recorder: Recorder) -> None:
    """What a screen reader presses does what a click does."""
    window.show_listen(replace(sample.REVEALED, phase=Phase.READY, can_skip=True, can_vote=True, reveal=None))
    presses = {
        "playA": ("play", Side.A),
        "playB": ("play", Side.B),
        "voteA": ("vote", Vote.A),
        "voteB": ("vote", Vote.B),
        "voteTie": ("vote", Vote.TIE),
        "voteBothBad": ("vote", Vote.BOTH_BAD),
        "next": ("next",),
        "skip": ("skip",),
        "undo": ("undo",),
    }
    for name, asked in presses.items():
        recorder.calls.clear()
        interface = QAccessible.queryAccessibleInterface(find(window, name))
        assert interface is not None
        assert interface.role() == QAccessible.Role.PushButton
        find(window, name, QPushButton).click()  # what the accessible action "Press" calls
        assert recorder.asked() == [asked]
    window.show_listen(sample.READY)
    recorder.calls.clear()
    find(window, "pause", QPushButton).click()
    assert recorder.asked() == [("toggle_pause",)]


def test_accessible_names_name_samples_never_models(window: MainWindow) -> None:
    names = {name: find(window, name).accessibleName() for name in ("playA", "playB", "voteA", "voteB", "reveal")}
    assert names == {
        "playA": "Sample A",
        "playB": "Sample B",
        "voteA": "Vote for sample A",
        "voteB": "Vote for sample B",
        "reveal": "Result of your vote",
    }
    window.show_listen(sample.REVEALED)
    assert names == {name: find(window, name).accessibleName() for name in names}
    assert "Playing" not in find(window, "playA").accessibleDescription()


def test_locked_votes_can_be_pressed_and_say_so(window: MainWindow, recorder: Recorder) -> None:
    vote = find(window, "voteA", VoteButton)
    assert vote.locked
    assert vote.isEnabled()
    assert "Locked" in vote.accessibleDescription()
    vote.click()
    assert recorder.asked() == [("vote", Vote.A)]
    window.show_listen(replace(sample.READY, status=Line("Sample B has not been heard.", Tone.WARNING, "Press B.")))
    status = find(window, "status", QLabel)
    assert status.text() == "Sample B has not been heard. Press B."
    assert status.property("tone") == "warning"
    window.show_listen(sample.OPEN)
    assert not vote.locked
    assert "Locked" not in vote.accessibleDescription()


@pytest.mark.parametrize("phase", [Phase.STARTING, Phase.PREPARING, Phase.BLOCKED])
def test_nothing_can_be_pressed_while_no_battle_is_open(window: MainWindow, phase: Phase) -> None:
    window.show_listen(replace(sample.PREPARING, phase=phase))
    for name in ("playA", "playB", "pause", "voteA", "voteTie", "next", "skip", "undo"):
        assert not find(window, name).isEnabled(), name
    for name in ("arenaSelect", "listenerSelect", "promptSource", "volume"):
        assert find(window, name).isEnabled(), name


def test_names_appear_with_the_reveal_and_are_gone_with_the_next_battle(window: MainWindow) -> None:
    identities = ("Kokoro", "Heart", "hexgrad", "SVOX", "Pico", "svox", "1020", "1032", "82M")
    assert not [word for word in identities if word in said(window)]
    window.show_listen(sample.REVEALED)
    revealed = said(window)
    assert not [word for word in identities if word not in revealed]
    assert "Your choice" in revealed
    assert "You preferred “Kokoro, Heart” over “SVOX Pico, British”." in find(window, "reveal").accessibleDescription()
    for later in (sample.PREPARING, sample.READY):
        window.show_listen(later)
        assert not [word for word in identities if word in said(window)]


def test_held_back_names_are_counted_down(window: MainWindow) -> None:
    window.show_listen(sample.HELD_BACK)
    words = said(window)
    assert "Vote 7 of 20 is in." in words
    assert "13 more votes" in words
    assert "Kokoro" not in words


def test_a_silent_run_says_so(window: MainWindow) -> None:
    assert "Silent run" not in said(window)
    window.show_listen(replace(sample.READY, silent=True))
    assert "Silent run" in said(window)


def test_painted_is_told_once_for_each_view_and_only_when_it_can_be_seen(
    window: MainWindow, recorder: Recorder, qtbot: QtBot
) -> None:
    settle(qtbot)
    recorder.calls.clear()
    window.show_listen(sample.REVEALED)
    assert recorder.times("painted") == 0  # drawn, not yet on the screen
    qtbot.waitUntil(lambda: recorder.times("painted") == 1)
    assert [call[1][0] for call in recorder.calls if call[0] == "painted"] == [sample.REVEALED]
    settle(qtbot)
    window.update()
    settle(qtbot)
    assert recorder.times("painted") == 1
    window.show_page("settingsPage")
    window.show_listen(sample.READY)
    settle(qtbot)
    assert recorder.times("painted") == 1
    window.show_page("listenPage")
    qtbot.waitUntil(lambda: recorder.times("painted") == 2)


def test_a_paint_after_the_end_is_told_to_nobody(window: MainWindow, recorder: Recorder, qtbot: QtBot) -> None:
    settle(qtbot)
    told = recorder.times("painted")
    window.show_listen(replace(sample.READY, battle=99))
    find(window, "listenPage").repaint()
    window.detach()
    settle(qtbot)
    assert recorder.times("painted") == told


def test_only_what_changed_is_painted(window: MainWindow, qtbot: QtBot) -> None:
    settle(qtbot)
    a, b, vote = (find(window, name) for name in ("playA", "playB", "voteA"))
    prompt = find(window, "promptText")
    paints = Paints(a, b, vote, prompt)
    window.show_listen(sample.READY)  # the same again
    settle(qtbot)
    assert set(paints.of.values()) == {0}
    window.show_listen(replace(sample.READY, position=0.5, heard_b=0.5))
    settle(qtbot)
    assert paints.of[b] >= 1
    assert paints.of[a] == paints.of[vote] == paints.of[prompt] == 0
    before = paints.of[b]
    window.show_listen(replace(sample.READY, position=0.50001, heard_b=0.50001))  # less than a pixel
    settle(qtbot)
    assert paints.of[b] == before


def test_the_view_is_polled_often_only_while_it_is_looked_at(
    window: MainWindow, recorder: Recorder, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: recorder.times("poll") >= 3)
    timer = window.shell.poll_timer
    assert timer.interval() == 33
    window.show_page("leaderboardPage")
    assert timer.interval() == 250
    window.show_page("listenPage")
    window.shell.set_minimized(True)
    assert timer.interval() == 250
    window.detach()
    assert not timer.isActive()


def test_arena_listener_and_sentences_are_chosen(
    window: MainWindow, recorder: Recorder, answers: dict[str, str]
) -> None:
    def pick(name: str, title: str) -> None:
        box = find(window, name, QComboBox)
        box.setCurrentIndex(box.findText(title))
        box.activated.emit(box.currentIndex())

    pick("arenaSelect", "German")
    pick("listenerSelect", "Ada")
    pick("promptSource", "Emotion")
    pick("promptSource", "All sentences")
    answers["file"] = "/tmp/some/lines.txt"
    pick("promptSource", "A text file or table…")
    assert recorder.asked() == [
        ("choose_arena", "german"),
        ("choose_listener", "l-bbbbbbbbbbbbbbbb"),
        ("choose_prompts", PromptSource("builtin", "emotion")),
        ("choose_prompts", PromptSource("builtin", None)),
        ("choose_prompts", PromptSource("file", path="/tmp/some/lines.txt")),
    ]
    window.show_listen(replace(sample.READY, prompts=PromptSource("file", path="/tmp/some/lines.txt")))
    assert find(window, "promptSource", QComboBox).currentText() == "File: lines.txt"


def test_never_mind_changes_nothing(window: MainWindow, recorder: Recorder) -> None:
    source = find(window, "promptSource", QComboBox)
    source.setCurrentIndex(source.findText("A text file or table…"))
    source.activated.emit(source.currentIndex())
    assert source.currentText() == "All sentences"
    find(window, "addListener", QPushButton).click()
    assert recorder.asked() == []


def test_own_text_is_asked_for_before_it_is_chosen(window: MainWindow, recorder: Recorder) -> None:
    entry = find(window, "ownText", QPlainTextEdit)
    use = find(window, "useOwnText", QPushButton)
    assert not entry.isVisible()
    source = find(window, "promptSource", QComboBox)
    source.setCurrentIndex(source.findText("My own text"))
    source.activated.emit(source.currentIndex())
    assert entry.isVisible()
    assert entry.hasFocus()
    assert not use.isEnabled()
    assert recorder.asked() == []
    QTest.keyClicks(entry, "Say this")
    window.show_listen(replace(sample.READY, status=Line("Something else."), position=0.7))
    assert entry.toPlainText() == "Say this"  # a view that arrives takes nothing away from who types
    use.click()
    assert recorder.asked() == [("choose_prompts", PromptSource("own", text="Say this"))]
    assert not entry.hasFocus()


def test_the_volume_slider_follows_the_view_and_forwards_a_hand(window: MainWindow, recorder: Recorder) -> None:
    slider = find(window, "volume", Slider)
    assert (slider.minimum(), slider.maximum(), slider.value()) == (-20, 6, -3)
    window.show_listen(replace(sample.READY, volume_db=-9.0))
    assert slider.value() == -9
    assert recorder.asked() == []
    slider.setValue(-12)
    assert recorder.asked() == [("set_volume", -12.0)]
    assert slider.accessibleDescription() == "−12 dB"


@pytest.mark.parametrize("words", ["Hm.", "It was the strangest thing. " * 70, "", "Donaudampfschiff" * 40])
def test_a_sentence_of_any_length_can_be_read(window: MainWindow, qtbot: QtBot, words: str) -> None:
    window.show_listen(replace(sample.OPEN, prompt_text=words))
    settle(qtbot)
    prompt = find(window, "promptText", QLabel)
    assert prompt.text() == words
    assert prompt.height() >= prompt.heightForWidth(prompt.width()) or not words


def test_short_sentences_are_set_larger_than_long_ones(window: MainWindow, qtbot: QtBot) -> None:
    prompt = find(window, "promptText", QLabel)
    sizes = []
    for words in ("Hm.", "It was the strangest thing. " * 14, "It was the strangest thing. " * 70):
        window.show_listen(replace(sample.OPEN, prompt_text=words))
        settle(qtbot)
        sizes.append(prompt.font().pointSizeF())
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] >= 2 * sizes[-1] * 0.9


def test_counts_are_shown(window: MainWindow) -> None:
    assert "Battle 12  ·  11 votes" in said(window)
    window.show_listen(ListenView())
    assert "Battle" not in said(window).replace("Skip this battle", "").replace("Next battle", "")


def test_no_pair_is_promised_while_there_is_trouble_and_no_battle(window: MainWindow) -> None:
    window.show_listen(replace(sample.BLOCKED, phase=Phase.PREPARING))
    prompt = find(window, "promptText", QLabel)
    assert prompt.text().startswith("No sound device was found.")
    window.show_listen(sample.PREPARING)
    assert prompt.text() == "Preparing the next pair…"
    window.show_listen(replace(sample.READY, status=Line("Could not be saved.", Tone.ERROR)))
    assert prompt.text() == sample.READY.prompt_text


def test_marks_that_turn_the_direction_of_text_are_left_out(window: MainWindow) -> None:
    window.show_listen(replace(sample.READY, prompt_text="\u202eone\u202c \u2067two\u2069 three שלום"))
    assert find(window, "promptText", QLabel).text() == "one two three שלום"


def test_a_refused_text_stays_in_its_field_and_the_list_shows_what_is_read(window: MainWindow) -> None:
    source = find(window, "promptSource", QComboBox)
    source.setCurrentIndex(source.findText("My own text"))
    source.activated.emit(source.currentIndex())
    entry = find(window, "ownText", QPlainTextEdit)
    QTest.keyClicks(entry, "Too odd")
    find(window, "useOwnText", QPushButton).click()
    window.show_listen(replace(sample.READY, status=Line("This text can't be used.", Tone.ERROR)))
    assert source.currentText() == "All sentences"
    assert entry.isVisible()
    assert entry.toPlainText() == "Too odd"


def test_a_silent_run_and_the_leaderboard_say_the_same(window: MainWindow) -> None:
    window.show_listen(replace(sample.READY, silent=True))
    assert "count only in silent windows" in said(window)
    assert "no ordinary rating" not in said(window)


def test_votes_taken_back_are_told_apart(window: MainWindow) -> None:
    window.show_listen(replace(sample.READY, battle=5, votes_cast=4, taken_back=2))
    assert "Battle 5  ·  4 cast, 2 taken back" in [label.text() for label in window.findChildren(Words)]
