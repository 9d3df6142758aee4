"""Votes on their way out, and through a shared folder: what is asked, what leaves the machine, what came of it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QProgressBar, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.services.exchange_views import (
    VOTE_FORMATS,
    ExchangeView,
    ExportWish,
    ShareField,
    ShareView,
    Step,
)
from arena_desktop.services.share_kinds import KINDS
from arena_desktop.services.views import Line, Tone
from arena_desktop.ui.days import day_start
from arena_desktop.ui.exchange.frame import ExchangeDialog
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.controls import Dropdown, Switch
from arena_desktop.ui.widgets.copy_table import CopyTable
from arena_desktop.ui.widgets.day_span import DayField
from tests.gui.conftest import FILES, Recorder
from tests.gui.test_gui_look import settle
from tests.helpers import sample_exchange as sample
from tests.helpers.hands import assert_all_readable, cells, child, pick, press, said

Open = Callable[[Qt.Key], ExchangeDialog]
IMPORT, EXPORT, SYNC = Qt.Key.Key_I, Qt.Key.Key_E, Qt.Key.Key_Y

RAISES = pytest.mark.qt_log_ignore("This plugin does not support raise")
"""Off screen nothing can be brought to the front."""

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
    assert [row[0] for row in rows] == ["leaves"] * 3 + ["stays here"] * 4
    assert rows[0][1] == "Votes with models, times and conditions"
    assert ("stays here", "Own sentences", "312", "Good morning, Mr. Whitaker") in rows
    assert "3,440 records, 3,412 votes among them." in said(dialog)
    assert "3 kinds leave, see below; 4 stay here." in said(dialog)
    answers["path"] = "/srv/votes"
    press(dialog, "exportSave")
    assert recorder.asked()[-1] == ("export", ExportWish(), "/srv/votes.jsonl")
    window.show_exchange(sample.WRITING)
    assert "Writing: 2,000 of 3,440 records" in said(dialog)
    window.show_exchange(sample.WRITTEN)
    assert sample.WRITTEN.line.text in said(dialog)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert recorder.asked()[-1] == ("cancel",)
    assert window.shell.exchange.dialog is None


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("wide", [560, 960])
def test_every_word_of_what_leaves_can_be_read_at_every_size(
    open_dialog: Open, window: MainWindow, theme: Theme, qtbot: QtBot, scale: float, wide: int
) -> None:
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * scale)
    theme.set_base_font(font)
    dialog = open_dialog(EXPORT)
    dialog.resize(wide, 640)
    fields = tuple(ShareField(kind.title, n % 3 > 0, 103_407, "0123456789abcdef" * 4) for n, kind in enumerate(KINDS))
    window.show_exchange(replace(sample.SHARED, share=replace(sample.SHARE, fields=fields)))
    settle(qtbot)
    table = child(dialog, CopyTable, "shareFields")
    assert_all_readable(table)
    assert table.model().rowCount() == len(KINDS)
    area = dialog.findChild(QScrollArea)
    assert area is not None
    assert area.verticalScrollBar().isVisible()
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    last = table.visualRect(table.model().index(len(KINDS) - 1, 0)).bottomLeft()
    assert area.viewport().rect().contains(table.viewport().mapTo(area.viewport(), last))


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
    bar = child(dialog, QProgressBar, "shareProgress")
    assert bar.isVisible()
    assert (bar.value(), bar.maximum()) == (2000, 9000)
    assert "still being counted" in child(dialog, QPushButton, "exportSave").toolTip()
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
    assert not child(dialog, QProgressBar, "shareProgress").isVisible()


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
