"""Votes in and out: what the dialogs ask, say and do at every step."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QProgressBar, QPushButton, QTableView, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.errors import ArenaError
from arena_desktop.services.exchange_views import (
    ExchangeView,
    ExportWish,
    ImportPreview,
    Step,
    SyncState,
)
from arena_desktop.ui.exchange.frame import ExchangeDialog
from arena_desktop.ui.exchange.progress import progress_words
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.controls import Dropdown, Switch
from arena_desktop.ui.widgets.press_button import PressButton
from tests.gui.conftest import FILES, Recorder
from tests.helpers import sample_exchange as sample
from tests.helpers.blind_walk import visible_texts
from tests.helpers.hands import assert_all_readable, cells, child, press, said

Open = Callable[[Qt.Key], ExchangeDialog]
IMPORT, EXPORT, SYNC = Qt.Key.Key_I, Qt.Key.Key_E, Qt.Key.Key_Y

RAISES = pytest.mark.qt_log_ignore("This plugin does not support raise")
"""Off screen nothing can be brought to the front."""

# --- import ------------------------------------------------------------------------------------------------------


def test_nothing_is_imported_before_the_preview_was_seen(
    open_dialog: Open, window: MainWindow, recorder: Recorder
) -> None:
    dialog = open_dialog(IMPORT)
    assert recorder.asked() == [("read_files", FILES, "")]
    window.show_exchange(sample.READING)
    assert "Reading: 412,000 of 1,000,000 records" in said(dialog)
    assert child(dialog, QProgressBar, "").value() == 412
    assert not child(dialog, QPushButton, "importStore").isVisible()
    window.show_exchange(sample.PREVIEWED)
    assert "1,380 new records in 2 files" in said(dialog)
    assert child(dialog, QPushButton, "importStore").text() == "Import 1,380 records"
    press(dialog, "importStore")
    assert recorder.asked()[1:] == [("store_files", False)]
    window.show_exchange(sample.STORING)
    assert "Importing: 900 records" in said(dialog)
    assert not child(dialog, QProgressBar, "").isVisible(), "no bar where the end isn't known"
    window.show_exchange(sample.IMPORTED)
    assert sample.IMPORTED.line.text in said(dialog)
    press(dialog, "exchangeClose")
    assert recorder.asked()[-1] == ("cancel",)
    assert window.shell.exchange.dialog is None


def test_the_preview_tells_all_that_it_knows(open_dialog: Open, window: MainWindow) -> None:
    dialog = open_dialog(IMPORT)
    window.show_exchange(sample.PREVIEWED)
    words = said(dialog)
    for sentence in (
        "131 records are here already.",
        "11 lines are skipped, see below.",
        "1 id stands for differing records: all of them are kept, and none of them counts.",
        "11 lines skipped; the first 3 are listed",
        "3 models that no roster here names",
        "myshell-ai/MeloTTS, suno/bark, parler-tts/parler-tts-mini-v1",
        "1 arena that no roster here names: web.",
        "kokoro-v1  is perhaps  hexgrad/Kokoro-82M#af_heart",
        *sample.PREVIEW.notes,
    ):
        assert sentence in words, sentence
    assert cells(dialog, "importFiles")[0] == ("/media/usb/lab panel/station one.jsonl.zst", "arena-votes/1", "1,204")
    assert cells(dialog, "importSkipped")[1] == ("old-arena.json", "47", "same model twice")


def test_what_there_is_nothing_of_is_not_mentioned(open_dialog: Open, window: MainWindow) -> None:
    dialog = open_dialog(IMPORT)
    plain = ImportPreview(files=sample.PREVIEW.files[:1], already=5)
    window.show_exchange(ExchangeView(Step.PREVIEW, preview=plain))
    assert said(dialog).splitlines() == ["Import votes", "Nothing new in 1 file", "5 records are here already."]
    assert not child(dialog, QLineEdit, "importSource").isVisible()
    assert not child(dialog, Switch, "importAddModels").isVisible()


def test_where_nothing_is_new_close_is_the_next_thing(
    open_dialog: Open, window: MainWindow, recorder: Recorder
) -> None:
    dialog = open_dialog(IMPORT)
    window.show_exchange(ExchangeView(Step.PREVIEW, preview=ImportPreview(files=sample.PREVIEW.files[:1], already=5)))
    close = child(dialog, QPushButton, "exchangeClose")
    assert not child(dialog, QPushButton, "importStore").isEnabled()
    assert close.text() == "Close"
    assert dialog.focusWidget() is close
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert window.shell.exchange.dialog is None
    assert recorder.times("store_files") == 0


def test_a_file_that_holds_no_votes_takes_one_sentence(open_dialog: Open, window: MainWindow) -> None:
    dialog = open_dialog(IMPORT)
    skipped = tuple(("photo.jpg", n, "not an object (longer than anything)") for n in range(25))
    nothing = ImportPreview(files=sample.PREVIEW.files[:1], skipped_total=25, skipped=skipped, no_votes=True)
    window.show_exchange(ExchangeView(Step.PREVIEW, preview=nothing))
    assert said(dialog).splitlines() == ["Import votes", "This is not a file of votes."]
    assert not child(dialog, QTableView, "importSkipped").isVisible()
    assert not child(dialog, QPushButton, "importStore").isEnabled()


def test_reasons_and_conflicts_can_be_read_to_their_end(open_dialog: Open, window: MainWindow, qtbot: QtBot) -> None:
    from tests.gui.test_gui_look import settle

    dialog = open_dialog(IMPORT)
    dialog.resize(600, 500)
    reason = "The hash does not match: this record was changed after it was written, or it was cut. " * 3
    view = replace(
        sample.PREVIEW,
        skipped=(("lab one/votes.jsonl", 12, reason), ("lab two/votes.jsonl", 1, reason)),
        differing=(("lab one/votes.jsonl", 7, "01934c3a-0000-7000-8000-000000000001"),),
    )
    window.show_exchange(ExchangeView(Step.PREVIEW, preview=view))
    settle(qtbot)
    for name in ("importSkipped", "importConflicts", "importFiles"):
        assert_all_readable(child(dialog, QTableView, name))
    assert "1 id stands for differing records" in said(dialog).splitlines()
    assert cells(dialog, "importConflicts") == [("lab one/votes.jsonl", "7", "01934c3a-0000-7000-8000-000000000001")]


@pytest.mark.parametrize("wide", range(420, 900, 60))
def test_a_list_that_scrolls_cuts_no_reason(open_dialog: Open, window: MainWindow, qtbot: QtBot, wide: int) -> None:
    from tests.gui.test_gui_look import settle

    dialog = open_dialog(IMPORT)
    dialog.resize(wide, 500)
    reason = "not an object (not JSON: unexpected character, expected a JSON value: line 1 column 1)"
    many = replace(sample.PREVIEW, skipped=tuple(("two/votes.jsonl", n, reason) for n in range(60)))
    window.show_exchange(ExchangeView(Step.PREVIEW, preview=many))
    settle(qtbot)
    table = child(dialog, QTableView, "importSkipped")
    assert table.verticalScrollBar().isVisible()
    cells_ = table.itemDelegate()
    assert table.rowHeight(0) >= cells_.height(table.model().index(0, 2))
    assert_all_readable(table)


def test_only_what_needs_care_is_a_warning(open_dialog: Open, window: MainWindow) -> None:
    dialog = open_dialog(IMPORT)
    view = replace(sample.PREVIEW, facts=("1,204 votes in english (1204), by 3 listeners.",), notes=())
    window.show_exchange(ExchangeView(Step.PREVIEW, preview=view))
    assert child(dialog, QLabel, "importFacts").text() == view.facts[0]
    assert not child(dialog, QWidget, "importNotes").isVisible()
    window.show_exchange(ExchangeView(Step.PREVIEW, preview=replace(view, notes=("A clock jumped.",))))
    assert child(dialog, QWidget, "importNotes").isVisible()
    assert view.facts[0] not in said(child(dialog, QWidget, "importNotes"))


def test_unknown_models_are_added_only_when_asked_for(
    open_dialog: Open, window: MainWindow, recorder: Recorder
) -> None:
    dialog = open_dialog(IMPORT)
    window.show_exchange(sample.PREVIEWED)
    switch = child(dialog, Switch, "importAddModels")
    assert switch.accessibleName() == "Add these 3 models as rating-only"
    assert not switch.isChecked()
    switch.setFocus()
    QTest.keyClick(switch, Qt.Key.Key_Space)
    press(dialog, "importStore")
    assert recorder.asked()[-1] == ("store_files", True)


def test_votes_of_other_programs_get_the_name_of_their_log(
    open_dialog: Open, window: MainWindow, recorder: Recorder
) -> None:
    dialog = open_dialog(IMPORT)
    window.show_exchange(sample.PREVIEWED)
    again, field = child(dialog, QPushButton, "importReadAgain"), child(dialog, QLineEdit, "importSource")
    assert "307 votes of other programs: which log do they come from?" in said(dialog)
    assert not again.isEnabled()
    QTest.keyClicks(field, " lab-2024 ")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert recorder.asked()[-1] == ("read_files", FILES, "lab-2024")
    assert recorder.times("store_files") == 0, "Enter in the field names the log, and imports nothing"
    window.show_exchange(sample.READING)
    named = replace(sample.PREVIEW, source="lab-2024")
    window.show_exchange(replace(sample.PREVIEWED, preview=named))
    assert field.text() == "lab-2024"
    assert not again.isEnabled()


@pytest.mark.parametrize("view", [sample.READING, sample.STORING])
def test_cancel_stops_the_work_and_waits_for_its_end(
    open_dialog: Open, window: MainWindow, recorder: Recorder, view: ExchangeView
) -> None:
    dialog = open_dialog(IMPORT)
    window.show_exchange(view)
    press(dialog, "exchangeClose")
    assert recorder.times("cancel") == 1
    assert dialog.isVisible(), "it is not over before the service says so"
    window.show_exchange(sample.IDLE)
    assert window.shell.exchange.dialog is None


@RAISES
@pytest.mark.parametrize("view", [sample.READING, sample.STORING])
def test_esc_hides_the_work_which_goes_on_in_sight_of_the_page(
    open_dialog: Open, window: MainWindow, recorder: Recorder, view: ExchangeView
) -> None:
    dialog, page = open_dialog(IMPORT), window.shell.history
    assert progress_words(view) not in said(page)
    window.show_exchange(view)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert recorder.times("cancel") == 0
    assert not dialog.isVisible()
    assert progress_words(view) in said(page)
    window.show_exchange(replace(view, done=view.done + 7))
    assert progress_words(replace(view, done=view.done + 7)) in said(page)
    press(page, "exchangeShow")
    assert dialog.isVisible()
    assert progress_words(view) not in said(page)
    dialog.close()
    assert open_dialog(IMPORT) is dialog, "its button on the page brings it back, too"
    assert recorder.times("read_files") == 1


@RAISES
def test_what_came_of_hidden_work_is_told_and_a_question_is_kept(
    open_dialog: Open, window: MainWindow, recorder: Recorder
) -> None:
    dialog, page = open_dialog(IMPORT), window.shell.history
    window.show_exchange(sample.READING)
    dialog.close()
    window.show_exchange(sample.PREVIEWED)
    assert "nothing is imported yet" in said(page)
    assert open_dialog(EXPORT) is dialog, "another exchange would forget the preview"
    press(dialog, "importStore")
    window.show_exchange(sample.STORING)
    dialog.close()
    window.show_exchange(sample.FAILED)
    assert sample.FAILED.line.text in said(page)
    assert sample.FAILED.line.remedy in said(page)
    assert open_dialog(EXPORT) is not dialog
    assert sample.FAILED.line.text not in said(page)


def test_what_cannot_be_stopped_says_so(open_dialog: Open, window: MainWindow, recorder: Recorder) -> None:
    dialog = open_dialog(IMPORT)
    window.show_exchange(replace(sample.STORING, can_cancel=False))
    assert "This can't be stopped half way." in said(dialog)
    assert not child(dialog, QPushButton, "exchangeClose").isEnabled()
    dialog.close()
    assert window.shell.exchange.dialog is dialog
    assert recorder.times("cancel") == 0


@RAISES
@pytest.mark.parametrize("key", [IMPORT, EXPORT, SYNC], ids=["import", "export", "sync"])
def test_the_keys_of_the_window_work_in_a_dialog_which_makes_room(
    open_dialog: Open, window: MainWindow, recorder: Recorder, qtbot: QtBot, key: Qt.Key
) -> None:
    dialog = open_dialog(key)
    dialog.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog, timeout=3000)
    QTest.keyClick(dialog, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert window.shell.listen.isVisible()
    assert not dialog.isVisible(), "it would cover the page"
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window, timeout=3000)
    QTest.keyClick(window, Qt.Key.Key_A)
    assert recorder.times("play") == 1
    QTest.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert dialog.isVisible()
    dialog.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog, timeout=3000)
    with qtbot.waitSignal(window.closing):
        QTest.keyClick(dialog, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)


@pytest.mark.parametrize(("key", "name"), [(EXPORT, "exportSave"), (SYNC, "syncChoose")])
def test_after_a_question_of_the_system_the_focus_is_back_where_it_was(
    open_dialog: Open,
    window: MainWindow,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
    key: Qt.Key,
    name: str,
) -> None:
    asked: list[QWidget | None] = []

    def ask(*_: object) -> str:
        asked.append(QApplication.activeWindow())
        window.activateWindow()  # as a system's dialog may leave it
        window.setFocus()
        qtbot.waitUntil(lambda: QApplication.activeWindow() is window, timeout=3000)
        return ""

    dialog = open_dialog(key)
    monkeypatch.setattr(dialog, "_ask_path" if key == EXPORT else "_ask_folder", ask)
    window.show_exchange(sample.SHARED)
    dialog.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog, timeout=3000)
    button = child(dialog, QPushButton, name)
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog, timeout=3000)
    assert asked == [dialog]
    assert dialog.focusWidget() is button


def test_an_idle_service_does_not_close_what_has_just_been_opened(open_dialog: Open, window: MainWindow) -> None:
    dialog = open_dialog(IMPORT)
    window.show_exchange(sample.IDLE)
    assert dialog.isVisible()


def test_a_failure_stays_until_it_is_closed_and_can_be_copied(open_dialog: Open, window: MainWindow) -> None:
    dialog = open_dialog(IMPORT)
    window.show_exchange(sample.READING)
    window.show_exchange(sample.FAILED)
    line = sample.FAILED.line
    assert line.text in said(dialog)
    assert line.remedy in said(dialog)
    press(dialog, "exchangeCopy")
    assert QGuiApplication.clipboard().text() == f"{line.text}\n{line.remedy}"
    selectable = Qt.TextInteractionFlag.TextSelectableByMouse
    shown = [label for label in dialog.findChildren(QLabel) if label.text() == line.text and label.isVisible()]
    assert shown[0].textInteractionFlags() & selectable


def test_skipped_lines_can_be_copied_all_or_some(open_dialog: Open, window: MainWindow) -> None:
    dialog = open_dialog(IMPORT)
    window.show_exchange(sample.PREVIEWED)
    press(dialog, "importCopy")
    assert QGuiApplication.clipboard().text().splitlines()[0] == "old-arena.json\t12\tunknown vote"
    table = child(dialog, QTableView, "importSkipped")
    table.setFocus()
    table.selectRow(2)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "station one.jsonl.zst\t388\thash does not match"


def test_no_files_no_dialog(open_dialog: Open, window: MainWindow, answers: dict[str, Any], recorder: Recorder) -> None:
    answers["files"] = []
    QTest.keyClick(window, IMPORT, Qt.KeyboardModifier.ControlModifier)
    assert window.shell.exchange.dialog is None
    assert recorder.asked() == []


# --- one at a time, by keyboard, at every size ---------------------------------------------------------------------


@RAISES
def test_an_exchange_that_goes_on_comes_to_the_front_instead_of_another(
    open_dialog: Open, window: MainWindow, recorder: Recorder
) -> None:
    dialog = open_dialog(IMPORT)
    window.show_exchange(sample.STORING)
    assert open_dialog(EXPORT) is dialog
    assert recorder.times("ask_share") == 0
    window.show_exchange(sample.IMPORTED)
    assert open_dialog(EXPORT) is not dialog
    assert recorder.asked()[-2:] == [("cancel",), ("ask_share", ExportWish())]


def test_a_dialog_is_gone_once_it_is_closed(open_dialog: Open, window: MainWindow, qtbot: QtBot) -> None:
    for key in (IMPORT, EXPORT, SYNC):
        QTest.keyClick(open_dialog(key), Qt.Key.Key_Escape)
        assert window.shell.exchange.dialog is None
        qtbot.waitUntil(lambda: not window.findChildren(ExchangeDialog), timeout=2000)


def test_battles_go_on_beside_an_open_dialog(open_dialog: Open, window: MainWindow, recorder: Recorder) -> None:
    dialog = open_dialog(EXPORT)
    assert not dialog.isModal()
    window.show_page("listenPage")
    QTest.keyClick(window, Qt.Key.Key_A)
    assert recorder.times("play") == 1


VIEWS = {
    IMPORT: (sample.READING, sample.PREVIEWED, sample.STORING, sample.IMPORTED, sample.FAILED),
    EXPORT: (sample.SHARED, sample.WRITING, sample.WRITTEN, sample.FAILED),
    SYNC: (sample.IDLE, sample.SYNCING, replace(sample.IDLE, sync=SyncState("/x" * 200, True)), sample.FAILED),
}


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("key", VIEWS, ids=["import", "export", "sync"])
def test_every_step_of_every_dialog_can_be_read_and_reached(
    open_dialog: Open, window: MainWindow, theme: Theme, qtbot: QtBot, key: Qt.Key, scale: float
) -> None:
    from tests.gui.test_gui_look import cut, settle

    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * scale)
    theme.set_base_font(font)
    dialog = open_dialog(key)
    dialog.activateWindow()
    for view in VIEWS[key]:
        window.show_exchange(view)
        settle(qtbot)
        assert not cut(dialog), view.step
        _all_reached(dialog)
        for widget in dialog.findChildren(QWidget):
            named = isinstance(widget, QPushButton | Switch | Dropdown | QLineEdit | QTableView)
            if named and widget.isVisible() and not widget.objectName().startswith("qt_"):
                assert widget.accessibleName(), widget.objectName()


def _all_reached(dialog: ExchangeDialog) -> None:
    wanted: set[QWidget] = {one for one in dialog.findChildren(QPushButton) if one.isVisible() and one.isEnabled()}
    wanted |= {one for one in dialog.findChildren(QTableView) if one.isVisible()}
    reached: set[QWidget] = set()
    for _ in range(60):
        focused = dialog.focusWidget()
        if focused is not None and focused in reached:
            break
        if focused is not None:
            reached.add(focused)
        dialog.focusNextChild()
    assert not {one.objectName() for one in wanted - reached}


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_enter_and_space_press_the_focused_button_and_no_other(
    open_dialog: Open, window: MainWindow, recorder: Recorder, answers: dict[str, Any], key: Qt.Key
) -> None:
    dialog = open_dialog(IMPORT)
    window.show_exchange(sample.PREVIEWED)
    QTest.keyClick(child(dialog, QPushButton, "importCopy"), key)
    assert "old-arena.json" in QGuiApplication.clipboard().text()
    QTest.keyClick(child(dialog, QPushButton, "exchangeClose"), key)
    assert recorder.times("store_files") == 0
    assert window.shell.exchange.dialog is None
    answers["folder"] = "/mnt/shared"
    dialog = open_dialog(SYNC)
    QTest.keyClick(child(dialog, QPushButton, "syncChoose"), key)
    assert recorder.asked()[-1] == ("choose_sync_folder", "/mnt/shared", False)
    assert recorder.times("sync") == 0
    dialog.close()
    window.show_error(ArenaError("Something", "to be read."))
    close = window.shell.banner.findChild(QPushButton)
    assert close is not None
    QTest.keyClick(close, key)
    assert window.shell.banner.isHidden()


def test_every_push_button_is_pressed_by_enter(open_dialog: Open, window: MainWindow) -> None:
    dialogs = [open_dialog(key) for key in (IMPORT, EXPORT, SYNC)]
    others = [
        button.objectName() or button.text()
        for one in (window, *dialogs)
        for button in one.findChildren(QPushButton)
        if not isinstance(button, PressButton)
    ]
    assert not others


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (ExchangeView(Step.READING), "Reading…"),
        (ExchangeView(Step.READING, done=12, unit="MB"), "Reading: 12 MB"),
        (ExchangeView(Step.STORING, done=1, of=2_000_000), "Importing: 1 of 2,000,000 records"),
        (ExchangeView(Step.WRITING, of=3), "Writing: 0 of 3 records"),
    ],
)
def test_progress_in_words(view: ExchangeView, words: str) -> None:
    assert progress_words(view) == words


def test_names_from_files_cannot_turn_the_page_around(open_dialog: Open, window: MainWindow) -> None:
    dialog = open_dialog(IMPORT)
    odd = replace(
        sample.PREVIEW,
        skipped=(("\u202eevil.jsonl", 3, "line\none"),),
        unknown_models=("\u202ex" * 50, *(f"m/{n}" for n in range(100))),
    )
    window.show_exchange(ExchangeView(Step.PREVIEW, preview=odd))
    assert not [words for words in visible_texts(dialog) if "\u202e" in words]
    assert "and 81 more" in said(dialog)
