"""Files dropped on the window: anywhere, with what will happen said before, and refused in words."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.services.views import PromptSource
from arena_desktop.ui.drops import DropSign, dropped
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.widgets.notice import Notice
from tests.gui.conftest import Recorder
from tests.helpers import sample_exchange as sample
from tests.helpers import sample_views as views

ACTIONS = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Two logs, with names that must survive on their way."""
    paths = [tmp_path / "a log, #1 100 %.jsonl", tmp_path / "Stimmen für Köln.json"]
    for path in paths:
        path.write_text("{}\n", encoding="utf-8")
    return paths


def urls(*names: str | Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(name)) if isinstance(name, Path) else QUrl(name) for name in names])
    return mime


def words(text: str) -> QMimeData:
    mime = QMimeData()
    mime.setText(text)
    return mime


def enter(widget: QWidget, mime: QMimeData) -> QDragEnterEvent:
    event = QDragEnterEvent(QPoint(5, 5), ACTIONS, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(widget, event)
    return event


def drop(widget: QWidget, mime: QMimeData) -> QDropEvent:
    event = QDropEvent(QPointF(5, 5), ACTIONS, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(widget, event)
    return event


def sign(window: MainWindow) -> DropSign:
    found = window.findChild(DropSign)
    assert found is not None
    return found


def banner(window: MainWindow) -> Any:
    found = window.findChild(Notice, "banner")
    assert found is not None
    return found


@pytest.mark.parametrize("page", ["listenPage", "leaderboardPage", "historyPage", "modelsPage", "settingsPage"])
def test_files_are_read_whatever_page_they_are_dropped_on(
    window: MainWindow, recorder: Recorder, qtbot: QtBot, files: list[Path], page: str
) -> None:
    window.show_page(page)
    recorder.calls.clear()
    event = enter(window.shell, urls(*files))
    assert event.isAccepted()
    assert event.dropAction() == Qt.DropAction.CopyAction, "files are never moved away"
    assert sign(window).isVisible()
    assert "Drop to look into 2 files" in sign(window).accessibleName()
    assert recorder.times("read_files") == 0
    assert drop(window.shell, urls(*files)).isAccepted()
    assert not sign(window).isVisible()
    qtbot.waitUntil(lambda: recorder.times("read_files") == 1, timeout=2000)
    asked = [call for call in recorder.asked() if call[0] == "read_files"]
    assert [list(call[1]) for call in asked] == [[str(path) for path in files]]
    assert recorder.times("store_files") == 0
    dialog = window.shell.exchange.dialog
    assert dialog is not None
    assert dialog.objectName() == "importDialog"


def test_a_drag_that_leaves_or_moves_on_leaves_no_trace(window: MainWindow, files: list[Path]) -> None:
    enter(window.shell, urls(files[0]))
    move = QDragMoveEvent(
        QPoint(9, 9), ACTIONS, urls(files[0]), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(window.shell, move)
    assert move.isAccepted()
    QApplication.sendEvent(window.shell, QDragLeaveEvent())
    assert not sign(window).isVisible()


@pytest.mark.parametrize("what", ["text", "image", "web", "gone", "both"])
def test_what_is_no_file_is_refused_in_words(
    window: MainWindow, recorder: Recorder, qtbot: QtBot, files: list[Path], tmp_path: Path, what: str
) -> None:
    image = QMimeData()
    image.setImageData(QImage(2, 2, QImage.Format.Format_RGB32))
    mime, told = {
        "text": (words("hello"), "Only files can be dropped here."),
        "image": (image, "Only files can be dropped here."),
        "web": (urls("https://example.org/votes.jsonl"), "is not a file on this machine."),
        "gone": (urls(tmp_path / "gone.jsonl"), "is no file that can be read."),
        "both": (urls(files[0], tmp_path), "Vote logs and models were dropped together."),
    }[what]
    assert enter(window.shell, mime).isAccepted(), "to be told why, it must be allowed to be dropped"
    assert told in sign(window).accessibleName()
    drop(window.shell, mime)
    qtbot.waitUntil(lambda: told in banner(window).line.text, timeout=2000)
    assert banner(window).isVisible()
    assert banner(window).line.remedy
    assert recorder.times("read_files") == 0


def test_a_folder_is_looked_into_for_models(
    window: MainWindow, recorder: Recorder, qtbot: QtBot, tmp_path: Path
) -> None:
    enter(window.shell, urls(tmp_path))
    assert "Drop to look for models in" in sign(window).accessibleName()
    drop(window.shell, urls(tmp_path))
    qtbot.waitUntil(lambda: recorder.times("find") == 1, timeout=2000)
    assert recorder.asked()[-1] == ("find", (str(tmp_path),))
    assert recorder.times("read_files") == 0
    assert window.shell.models.isVisible()
    dialog = window.shell.models.find_dialog
    assert dialog.isVisible()
    dialog.close()


def test_a_file_on_a_text_field_is_the_windows_and_text_stays_the_fields(
    window: MainWindow, recorder: Recorder, qtbot: QtBot, files: list[Path]
) -> None:
    window.show_listen(views.OWN_TEXT)
    field = window.shell.listen.findChild(QPlainTextEdit)
    assert field is not None
    inside = field.viewport()
    before = field.toPlainText()
    mime = urls(files[0])
    mime.setText(str(files[0]))
    event = enter(inside, mime)
    assert event.isAccepted()
    assert sign(window).isVisible()
    drop(window.shell, mime)
    qtbot.waitUntil(lambda: recorder.times("read_files") == 1, timeout=2000)
    assert field.toPlainText() == before
    assert enter(inside, words("said")).isAccepted()
    assert not sign(window).isVisible()


def test_the_search_of_the_history_page_lets_files_through(window: MainWindow, files: list[Path]) -> None:
    window.show_page("historyPage")
    field = window.findChild(QLineEdit, "historySearch")
    assert field is not None
    mime = urls(files[0])
    mime.setText(str(files[0]))
    enter(field, mime)
    assert sign(window).isVisible()
    QApplication.sendEvent(window.shell, QDragLeaveEvent())


@pytest.mark.qt_log_ignore("This plugin does not support raise")
def test_while_an_exchange_goes_on_its_dialog_comes_to_the_front(
    window: MainWindow, recorder: Recorder, qtbot: QtBot, files: list[Path]
) -> None:
    enter(window.shell, urls(files[0]))
    drop(window.shell, urls(files[0]))
    qtbot.waitUntil(lambda: recorder.times("read_files") == 1, timeout=2000)
    first = window.shell.exchange.dialog
    window.show_exchange(sample.STORING)
    enter(window.shell, urls(files[1]))
    drop(window.shell, urls(files[1]))
    qtbot.wait(20)
    assert window.shell.exchange.dialog is first
    assert recorder.times("read_files") == 1


def test_one_file_named_twice_is_read_once(files: list[Path]) -> None:
    assert dropped(urls(files[0], files[0])).paths == (str(files[0]),)


def test_no_names_of_models_are_shown_by_a_drag(window: MainWindow, files: list[Path]) -> None:
    from tests.helpers.blind_walk import visible_texts

    enter(window.shell, urls(*files))
    assert not [text for text in visible_texts(sign(window)) if "Kokoro" in text or "Piper" in text]
    QApplication.sendEvent(window.shell, QDragLeaveEvent())


@pytest.mark.parametrize(
    ("name", "content"), [("mine.txt", "Good morning.\nGood night.\n"), ("pack.csv", "text,language\nHallo.,de\n")]
)
def test_sentences_that_are_dropped_are_spoken(
    window: MainWindow, recorder: Recorder, qtbot: QtBot, tmp_path: Path, name: str, content: str
) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    window.show_page("historyPage")
    recorder.calls.clear()
    enter(window.shell, urls(path))
    assert "Drop to have the sentences of" in sign(window).accessibleName()
    assert "stay on this machine" in sign(window).accessibleName()
    assert recorder.times("choose_prompts") == 0
    drop(window.shell, urls(path))
    qtbot.waitUntil(lambda: recorder.times("choose_prompts") == 1, timeout=2000)
    assert ("choose_prompts", PromptSource(kind="file", path=str(path))) in recorder.asked()
    assert window.shell.listen.isVisible()
    assert recorder.times("read_files") == recorder.times("find") == 0


@pytest.mark.parametrize(
    ("contents", "told"),
    [
        ({"a.csv": "text,winner\nHello.,x\n"}, "may be a list of sentences or a table of votes"),
        ({"a.txt": "Hello.\n", "b.txt": "Bye.\n"}, "2 lists of sentences were dropped"),
        ({"a.txt": "Hello.\n", "b.jsonl": "{}\n"}, "Vote logs and sentences were dropped together."),
    ],
)
def test_what_is_not_clear_is_told(
    window: MainWindow, recorder: Recorder, qtbot: QtBot, tmp_path: Path, contents: dict[str, str], told: str
) -> None:
    paths = [tmp_path / name for name in contents]
    for path in paths:
        path.write_text(contents[path.name], encoding="utf-8")
    enter(window.shell, urls(*paths))
    assert told in sign(window).accessibleName()
    drop(window.shell, urls(*paths))
    qtbot.waitUntil(lambda: told in banner(window).line.text, timeout=2000)
    assert banner(window).line.remedy
    assert recorder.times("read_files") == recorder.times("choose_prompts") == 0


def test_what_came_of_a_file_stands_below_the_list(window: MainWindow) -> None:
    note = window.findChild(QLabel, "promptNote")
    assert note is not None
    assert not note.isVisible()
    file = PromptSource(kind="file", path="/tmp/pack.csv")
    window.show_listen(replace(views.READY, prompts=file, prompts_note="3 sentences; without line 4"))
    assert note.isVisible()
    assert note.text() == "3 sentences; without line 4"
    window.show_listen(views.READY)
    assert not note.isVisible()
