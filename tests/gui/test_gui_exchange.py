"""Votes in and out: what the dialogs ask, say and do at every step."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QProgressBar, QPushButton, QTableView, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.services.exchange_views import (
    VOTE_FORMATS,
    ExchangeView,
    ExportWish,
    ImportPreview,
    ShareView,
    Step,
    SyncState,
)
from arena_desktop.services.views import Line, Tone
from arena_desktop.ui.days import day_start
from arena_desktop.ui.exchange.frame import ExchangeDialog, progress_words
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.controls import Dropdown, Switch
from arena_desktop.ui.widgets.day_span import DayField
from tests.gui.conftest import Recorder
from tests.helpers import sample_exchange as sample
from tests.helpers.blind_walk import visible_texts

FILES = ["/media/usb/a log.jsonl", "/media/usb/old.json"]


@pytest.fixture
def open_dialog(
    window: MainWindow, recorder: Recorder, answers: dict[str, Any], qtbot: QtBot
) -> Callable[[Qt.Key], ExchangeDialog]:
    """Opens a dialog from the History page by its key."""
    window.show_page("historyPage")
    window.show_history(sample.HISTORY)
    window.show_exchange(sample.IDLE)
    answers["files"] = FILES
    recorder.calls.clear()

    def press(key: Qt.Key) -> ExchangeDialog:
        with qtbot.waitActive(window):
            window.activateWindow()
        QTest.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
        dialog = window.shell.exchange.dialog
        assert dialog is not None
        assert dialog.isVisible()
        return dialog

    return press


def child(parent: QWidget, kind: type[Any], name: str) -> Any:
    found = parent.findChild(kind, name)
    assert found is not None, name
    return found


def press(parent: QWidget, name: str) -> None:
    button = child(parent, QPushButton, name)
    assert button.isVisible(), name
    assert button.isEnabled(), name
    button.click()


def pick(parent: QWidget, name: str, key: str) -> None:
    field = child(parent, Dropdown, name)
    place = field.findData(key)
    field.setCurrentIndex(place)
    field.activated.emit(place)


def said(dialog: QWidget) -> str:
    """What can be read of it now."""
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def cells(dialog: QWidget, name: str) -> list[tuple[str, ...]]:
    model = child(dialog, QTableView, name).model()
    return [
        tuple(str(model.index(row, column).data()) for column in range(model.columnCount()))
        for row in range(model.rowCount())
    ]


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
    assert recorder.asked()[2:] == [("cancel",)]
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
def test_esc_stops_the_work_and_waits_for_its_end(
    open_dialog: Open, window: MainWindow, recorder: Recorder, view: ExchangeView
) -> None:
    dialog = open_dialog(IMPORT)
    window.show_exchange(view)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert recorder.times("cancel") == 1
    assert dialog.isVisible(), "it is not over before the service says so"
    window.show_exchange(sample.IDLE)
    assert window.shell.exchange.dialog is None


def test_what_cannot_be_stopped_says_so(open_dialog: Open, window: MainWindow, recorder: Recorder) -> None:
    dialog = open_dialog(IMPORT)
    window.show_exchange(replace(sample.STORING, can_cancel=False))
    assert "This can't be stopped half way." in said(dialog)
    assert not child(dialog, QPushButton, "exchangeClose").isEnabled()
    dialog.close()
    assert dialog.isVisible()
    assert recorder.times("cancel") == 0


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


# --- export ------------------------------------------------------------------------------------------------------


def test_an_export_is_public_unless_switched_and_shows_what_leaves(
    open_dialog: Open, window: MainWindow, recorder: Recorder, answers: dict[str, Any]
) -> None:
    dialog = open_dialog(EXPORT)
    assert recorder.asked() == [("ask_share", ExportWish())]
    assert not child(dialog, QPushButton, "exportSave").isEnabled(), "nothing is saved before it was shown"
    window.show_exchange(replace(sample.SHARED, step=Step.READING, share=None))
    assert child(dialog, Dropdown, "exportFormat").isVisible()
    window.show_exchange(sample.SHARED)
    rows = cells(dialog, "shareFields")
    assert [row[1] for row in rows] == ["leaves"] * 3 + ["stays here"] * 4
    assert rows[0][0] == "Votes with models, times and conditions"
    assert ("Own sentences", "stays here", "312", "Good morning, Mr. Whitaker") in rows
    assert "3,440 records, 3,412 votes among them." in said(dialog)
    answers["path"] = "/home/anna/votes"
    press(dialog, "exportSave")
    assert recorder.asked()[-1] == ("export", ExportWish(), "/home/anna/votes.jsonl")
    window.show_exchange(sample.WRITING)
    assert "Writing: 2,000 of 3,440 records" in said(dialog)
    window.show_exchange(sample.WRITTEN)
    assert sample.WRITTEN.line.text in said(dialog)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert recorder.asked()[-1] == ("cancel",)
    assert window.shell.exchange.dialog is None


@pytest.mark.parametrize(
    ("change", "wish"),
    [
        (lambda d: pick(d, "exportArena", "english"), ExportWish(arena="english")),
        (lambda d: pick(d, "exportListener", "l-2"), ExportWish(listener="l-2")),
        (lambda d: child(d, Switch, "exportPublic").toggle(), ExportWish(public=False)),
        *((lambda d, f=form: pick(d, "exportFormat", f.id), ExportWish(format=form.id)) for form in VOTE_FORMATS[1:]),
    ],
)
def test_each_choice_is_counted_anew(
    open_dialog: Open,
    window: MainWindow,
    recorder: Recorder,
    qtbot: QtBot,
    change: Callable[[QWidget], None],
    wish: ExportWish,
) -> None:
    dialog = open_dialog(EXPORT)
    window.show_exchange(sample.SHARED)
    change(dialog)
    assert not child(dialog, QPushButton, "exportSave").isEnabled()
    assert "Counting what would leave…" in said(dialog)
    window.show_exchange(sample.SHARED)
    assert not child(dialog, QPushButton, "exportSave").isEnabled(), "that was counted for the choices before"
    qtbot.waitUntil(lambda: recorder.times("ask_share") == 2, timeout=3000)
    assert recorder.asked()[-1] == ("ask_share", wish)
    window.show_exchange(replace(sample.SHARED, share=replace(sample.SHARE, wish=wish, records=7)))
    assert "7 records" in said(dialog)
    assert child(dialog, QPushButton, "exportSave").isEnabled()


def test_a_choice_made_while_counting_ends_that_count_and_starts_another(
    open_dialog: Open, window: MainWindow, recorder: Recorder, qtbot: QtBot
) -> None:
    dialog = open_dialog(EXPORT)
    counting = ExchangeView(Step.READING, done=2000, of=9000, can_cancel=True)
    window.show_exchange(counting)
    assert "Counting what would leave: 2,000 of 9,000 records" in said(dialog)
    pick(dialog, "exportArena", "english")
    qtbot.waitUntil(lambda: recorder.times("cancel") == 1, timeout=3000)
    assert recorder.times("ask_share") == 1, "one exchange at a time: the first must have ended"
    window.show_exchange(ExchangeView(Step.IDLE))
    assert recorder.asked()[-1] == ("ask_share", ExportWish(arena="english"))


def test_another_exchange_waits_until_the_count_has_ended(
    open_dialog: Open, window: MainWindow, recorder: Recorder
) -> None:
    open_dialog(EXPORT)
    window.show_exchange(ExchangeView(Step.READING, can_cancel=True))
    QTest.keyClick(window, IMPORT, Qt.KeyboardModifier.ControlModifier)
    assert recorder.times("cancel") == 1
    assert recorder.times("read_files") == 0
    window.show_exchange(ExchangeView(Step.IDLE))
    assert recorder.asked()[-1] == ("read_files", FILES, "")
    assert window.shell.exchange.dialog is not None
    assert window.shell.exchange.dialog.objectName() == "importDialog"


def test_each_format_says_what_it_is_for(open_dialog: Open) -> None:
    dialog = open_dialog(EXPORT)
    for form in VOTE_FORMATS:
        pick(dialog, "exportFormat", form.id)
        assert f"{form.purpose}." in said(dialog)


def test_days_of_an_export_are_whole(open_dialog: Open, recorder: Recorder, qtbot: QtBot) -> None:
    dialog = open_dialog(EXPORT)
    pick(dialog, "exportTime", "between")
    child(dialog, DayField, "exportTimeFirst").setDate(QDate(2026, 5, 4))
    child(dialog, DayField, "exportTimeLast").setDate(QDate(2026, 5, 4))
    qtbot.waitUntil(lambda: recorder.times("ask_share") == 2, timeout=3000)
    wish = recorder.asked()[-1][1]
    assert (wish.since, wish.until) == (day_start(date(2026, 5, 4)), day_start(date(2026, 5, 5)))


def test_a_failed_export_keeps_the_choices_to_try_again(
    open_dialog: Open, window: MainWindow, answers: dict[str, Any], recorder: Recorder
) -> None:
    dialog = open_dialog(EXPORT)
    window.show_exchange(sample.SHARED)
    answers["path"] = "/full/votes.jsonl.zst"
    press(dialog, "exportSave")
    assert recorder.asked()[-1][2] == "/full/votes.jsonl.zst"
    window.show_exchange(sample.WRITING)
    window.show_exchange(sample.FAILED)
    assert sample.FAILED.line.text in said(dialog)
    press(dialog, "exportSave")
    assert recorder.times("export") == 2
    assert sample.FAILED.line.text not in said(dialog)


def test_nothing_to_export_is_said(open_dialog: Open, window: MainWindow) -> None:
    dialog = open_dialog(EXPORT)
    window.show_exchange(ExchangeView(Step.PREVIEW, share=ShareView(ExportWish(), 0, 0)))
    assert "Nothing: no record fits these choices." in said(dialog)


def test_without_a_path_nothing_is_written(open_dialog: Open, window: MainWindow, recorder: Recorder) -> None:
    dialog = open_dialog(EXPORT)
    window.show_exchange(sample.SHARED)
    press(dialog, "exportSave")
    assert recorder.times("export") == 0
    assert dialog.isVisible()


# --- sync --------------------------------------------------------------------------------------------------------


def test_a_folder_is_chosen_without_private_parts(
    open_dialog: Open, window: MainWindow, recorder: Recorder, answers: dict[str, Any]
) -> None:
    window.show_exchange(ExchangeView())
    dialog = open_dialog(SYNC)
    assert "No folder is chosen yet." in said(dialog)
    assert not child(dialog, QPushButton, "syncNow").isEnabled()
    press(dialog, "syncChoose")
    assert recorder.asked() == [], "never mind"
    answers["folder"] = "/mnt/shared folder"
    press(dialog, "syncChoose")
    assert recorder.asked() == [("choose_sync_folder", "/mnt/shared folder", False)]
    window.show_exchange(sample.IDLE)
    assert sample.SYNC.folder in said(dialog)
    press(dialog, "syncNow")
    assert recorder.asked()[-1] == ("sync",)


def test_private_parts_go_along_only_after_a_warning(open_dialog: Open, window: MainWindow, recorder: Recorder) -> None:
    dialog = open_dialog(SYNC)
    switch = child(dialog, Switch, "syncPrivate")
    assert not switch.isChecked()
    switch.toggle()
    assert "whoever sees it can read them" in said(dialog)
    assert recorder.asked() == [("choose_sync_folder", sample.SYNC.folder, True)]
    window.show_exchange(replace(sample.IDLE, sync=replace(sample.SYNC, private=True)))
    assert switch.isChecked()
    switch.toggle()
    assert recorder.asked()[-1] == ("choose_sync_folder", sample.SYNC.folder, False)


def test_progress_problems_and_the_end_are_told(open_dialog: Open, window: MainWindow, recorder: Recorder) -> None:
    dialog = open_dialog(SYNC)
    assert cells(dialog, "syncProblems") == [sample.SYNC.problems]
    window.show_exchange(sample.SYNCING)
    assert "Synchronising: 120 records" in said(dialog)
    assert not child(dialog, QPushButton, "syncNow").isEnabled()
    press(dialog, "syncStop")
    assert recorder.asked() == [("cancel",)]
    window.show_exchange(replace(sample.FAILED, line=Line("The folder is gone.", Tone.ERROR, "Plug the stick in.")))
    assert "The folder is gone." in said(dialog)
    assert "Plug the stick in." in said(dialog)


def test_closing_the_dialog_does_not_end_synchronising(
    open_dialog: Open, window: MainWindow, recorder: Recorder
) -> None:
    dialog = open_dialog(SYNC)
    window.show_exchange(sample.SYNCING)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert window.shell.exchange.dialog is None
    assert recorder.asked() == []
    QTest.keyClick(window, IMPORT, Qt.KeyboardModifier.ControlModifier)
    again = window.shell.exchange.dialog
    assert again is not None, "one exchange at a time: the one that goes on is shown"
    assert again.objectName() == "syncDialog"
    assert recorder.times("read_files") == 0


def test_the_folder_can_be_left(open_dialog: Open, recorder: Recorder) -> None:
    dialog = open_dialog(SYNC)
    press(dialog, "syncLeave")
    assert recorder.asked() == [("choose_sync_folder", "", False)]


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
