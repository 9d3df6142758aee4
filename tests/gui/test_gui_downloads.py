"""The dialog for downloads: what it shows at every step, and what each key and button asks for."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QListWidget, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from arena_desktop.services.download_views import Download, DownloadState, DownloadsView, OfferedFile
from arena_desktop.ui.downloads.dialog import DownloadDialog
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.theme import Theme
from tests.gui.conftest import Recorder
from tests.helpers.download_pictures import DONE, FAILED, HUB, OFFERED, RUNNING, STOPPED, TROUBLED
from tests.helpers.hands import child, press, said

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support raise")


@pytest.fixture
def dialog(theme: Theme, qtbot: QtBot, recorder: Recorder) -> DownloadDialog:
    """Open, by itself."""
    dialog = DownloadDialog(theme)
    qtbot.addWidget(dialog)
    dialog.attach(recorder)
    dialog.open_beside()
    assert recorder.asked() == [("open",)]
    recorder.calls.clear()
    dialog.show_view(DownloadsView(HUB))
    return dialog


def _show(dialog: DownloadDialog, *downloads: Download) -> None:
    dialog.show_view(DownloadsView(HUB, downloads))


def test_a_model_is_looked_at_by_name_and_enter(dialog: DownloadDialog, recorder: Recorder) -> None:
    field = child(dialog, QLineEdit, "downloadRepo")
    assert field.hasFocus()
    assert child(dialog, QLineEdit, "downloadHub").placeholderText() == HUB
    assert not child(dialog, QPushButton, "downloadLook").isEnabled()
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert recorder.asked() == []
    QTest.keyClicks(field, "hexgrad/Kokoro-82M")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert recorder.asked() == [("look", "hexgrad/Kokoro-82M", "", "")]


def test_revision_and_hub_can_be_named(dialog: DownloadDialog, recorder: Recorder) -> None:
    for name, words in (("downloadRepo", "a/b"), ("downloadRevision", "v1"), ("downloadHub", "https://mirror.example")):
        QTest.keyClicks(child(dialog, QLineEdit, name), words)
    press(dialog, "downloadLook")
    assert recorder.asked() == [("look", "a/b", "v1", "https://mirror.example")]


def test_licence_files_and_sizes_come_before_anything_is_brought(dialog: DownloadDialog, recorder: Recorder) -> None:
    QTest.keyClicks(child(dialog, QLineEdit, "downloadRepo"), "hexgrad/Kokoro-82M")
    press(dialog, "downloadLook")
    recorder.calls.clear()
    _show(dialog, Download(1, "hexgrad/Kokoro-82M", DownloadState.LOOKING, endpoint=HUB))
    _show(dialog, OFFERED)
    words = said(dialog)
    assert "Licence: apache-2.0." in words
    assert "4 files, 472.7 MB; 2 left out" in words
    assert "2 files may be pickles. 1 file can't be kept here." in words
    files = child(dialog, QListWidget, "downloadFiles")
    assert files.item(4).text().endswith("left out: the same weights are there as safetensors")
    assert not child(dialog, QProgressBar, "").isVisible()
    start = child(dialog, QPushButton, "downloadStart")
    assert start.text() == "Download 472.7 MB"
    assert start.hasFocus(), "what is to be done next has the focus"
    assert recorder.asked() == []
    QTest.keyClick(start, Qt.Key.Key_Space)
    assert recorder.asked() == [("start", 1)]


def test_files_are_chosen_by_keyboard(dialog: DownloadDialog, recorder: Recorder) -> None:
    _show(dialog, OFFERED)
    files = child(dialog, QListWidget, "downloadFiles")
    files.setCurrentRow(4)
    QTest.keyClick(files, Qt.Key.Key_Space)
    assert recorder.asked() == [("choose", 1, "pytorch_model.bin", True)]
    nothing = replace(OFFERED, of=0, files=tuple(replace(file, wanted=False) for file in OFFERED.files))
    _show(dialog, nothing)
    assert not child(dialog, QPushButton, "downloadStart").isEnabled()


def test_of_very_many_files_the_wanted_are_listed_and_names_narrow_them(
    dialog: DownloadDialog, recorder: Recorder
) -> None:
    many = tuple(OfferedFile(f"voices/{number:04}.onnx", 1000, wanted=number > 4990) for number in range(5000))
    _show(dialog, replace(OFFERED, files=many, refused=()))
    files = child(dialog, QListWidget, "downloadFiles")
    assert files.count() == 300
    assert files.item(0).text().startswith("voices/4991.onnx")
    assert "4,700 more are not listed" in said(dialog)
    files.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert recorder.asked() == [("choose", 1, "voices/4991.onnx", False)]
    recorder.calls.clear()
    like = child(dialog, QLineEdit, "downloadLike")
    QTest.keyClicks(like, "voices/00*")
    QTest.keyClick(like, Qt.Key.Key_Return)
    assert recorder.asked() == [("narrow", 1, "voices/00*")]


def test_progress_is_told_and_can_be_stopped(dialog: DownloadDialog, recorder: Recorder) -> None:
    _show(dialog, replace(RUNNING, state=DownloadState.OFFERED, here=0))
    child(dialog, QPushButton, "downloadStart").setFocus()
    _show(dialog, RUNNING)
    assert "61.3 MB of 145.0 MB (42 %), 4.1 MB/s, about 20 s left" in said(dialog)
    assert child(dialog, QProgressBar, "").value() == 422
    cancel = child(dialog, QPushButton, "downloadCancel")
    assert cancel.hasFocus()
    QTest.keyClick(cancel, Qt.Key.Key_Space)
    assert recorder.asked() == [("cancel", 2)]
    _show(dialog, replace(RUNNING, here=RUNNING.of - 1))
    assert child(dialog, QProgressBar, "").value() == 999, "never full before the last byte"
    _show(dialog, TROUBLED)
    assert "huggingface.co has fallen silent. It is tried again in 8 s." in said(dialog)


def test_what_was_stopped_goes_on_or_is_removed(dialog: DownloadDialog, recorder: Recorder) -> None:
    _show(dialog, STOPPED)
    assert child(dialog, QPushButton, "downloadStart").text() == "Go on, 27.7 MB left"
    press(dialog, "downloadStart")
    forget = child(dialog, QPushButton, "downloadForget")
    assert forget.text() == "Remove what has arrived"
    press(dialog, "downloadForget")
    assert recorder.asked() == [("start", 4), ("forget", 4)]


def test_what_is_here_says_so(dialog: DownloadDialog) -> None:
    _show(dialog, DONE)
    assert "Whole and checked." in said(dialog)
    assert child(dialog, QPushButton, "downloadAdd").isVisible()


def test_what_failed_says_why(dialog: DownloadDialog) -> None:
    _show(dialog, FAILED)
    assert FAILED.line.text in said(dialog)
    assert not child(dialog, QPushButton, "downloadStart").isVisible()
    assert child(dialog, QPushButton, "downloadForget").text() == "Put away"


def test_several_stand_there_the_newest_first(dialog: DownloadDialog) -> None:
    _show(dialog, DONE, STOPPED, RUNNING)
    QApplication.processEvents()
    heads = {label.text(): label.mapTo(dialog, label.rect().topLeft()).y() for label in dialog.findChildren(QLabel)}
    assert heads[RUNNING.repo] < heads[STOPPED.repo] < heads[DONE.repo]
    _show(dialog, DONE)
    QApplication.sendPostedEvents()
    assert RUNNING.repo not in said(dialog)


def test_the_models_page_opens_it_and_adds_what_is_here(window: MainWindow, recorder: Recorder) -> None:
    window.show_page("modelsPage")
    press(window, "downloadButton")
    dialog = window.shell.downloads
    assert dialog.isVisible()
    assert recorder.asked() == [("open",)]
    window.show_downloads(DownloadsView(HUB, (DONE,)))
    press(dialog, "downloadAdd")
    assert recorder.asked()[-1] == ("find", (DONE.place,))
    window.show_page("listenPage")
    assert not dialog.isVisible(), "it covers no other page"
    window.show_page("modelsPage")
    assert dialog.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    window.show_page("listenPage")
    window.show_page("modelsPage")
    assert not dialog.isVisible(), "what was closed stays closed"
    assert [call for call in recorder.asked() if call[0] == "cancel"] == [], "closing stops nothing"


def test_every_control_has_a_name(dialog: DownloadDialog) -> None:
    _show(dialog, OFFERED, RUNNING, STOPPED, DONE, FAILED)
    for kind in (QPushButton, QLineEdit, QListWidget, QProgressBar):
        for control in dialog.findChildren(kind):
            assert control.accessibleName(), control.objectName()


def test_names_from_a_hub_steer_nothing(dialog: DownloadDialog) -> None:
    evil = "ev\u202eil\x1b[31m"
    _show(dialog, replace(OFFERED, repo=evil, license=f"<b>{evil}</b>"))
    words = said(dialog)
    assert "\u202e" not in words
    assert "\x1b" not in words
    assert "<b>" in words, "shown as it is, not as markup"
