"""The History page and the exchange dialogs over the real services: votes come in, are looked at, and go out again."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.app import Composition
from arena_desktop.domain.votes import Vote
from arena_desktop.paths import app_paths
from arena_desktop.services.views import Phase
from arena_desktop.services.vote_export import export_votes
from arena_desktop.ui.exchange.frame import ExchangeDialog
from arena_desktop.ui.models.history_table import COLUMNS
from tests.helpers.blind_walk import visible_texts
from tests.helpers.driver import write_roster
from tests.helpers.room import Room, open_room
from tests.helpers.vote_logs import draft, open_log

VOTES = 230
ACTIONS = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction


@pytest.fixture
def room(qtbot: QtBot, tmp_path: Path) -> Iterator[Room]:
    composition = Composition(app_paths(tmp_path / "data"), roster_file=write_roster(tmp_path), silent=True)
    with open_room(composition, speed=100) as room:
        yield room


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Votes of another machine, one of them for a model that no roster here names, one of an own sentence."""
    (tmp_path / "other").mkdir()
    log = open_log(tmp_path / "other")
    for n in range(VOTES):
        other = {"repo_id": "new/voice", "name": "Newcomer"} if n == 0 else _model("test/pico-us", "Birch")
        log.append_vote(
            draft(
                model_a=_model("test/hibari", "Alder"),
                model_b=other,
                vote=("a", "b", "tie")[n % 3],
                prompt={"id": f"en-{n}", "sha256": "cc", "category": "short", "language": "en", "text": f"Number {n}."},
                private={"note": "a private remark"} if n == 1 else {},
            )
        )
    path = tmp_path / "their votes.jsonl"
    export_votes(log, path)
    log.close()
    return path


def _model(repo_id: str, name: str) -> dict[str, Any]:
    return {"repo_id": repo_id, "name": name, "device": "cpu", "rtf": 0.1, "take": 0}


def child(parent: QWidget, kind: type[Any], name: str) -> Any:
    found = parent.findChild(kind, name)
    assert found is not None, name
    return found


def said(parent: QWidget) -> str:
    return "\n".join(label.text() for label in parent.findChildren(QLabel) if label.isVisible())


def drop(room: Room, path: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    rest = (ACTIONS, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(room.window.shell, QDragEnterEvent(QPoint(5, 5), *rest))
    QApplication.sendEvent(room.window.shell, QDropEvent(QPointF(5, 5), *rest))


def dialog_that_says(room: Room, qtbot: QtBot, words: str) -> ExchangeDialog:
    def there() -> bool:
        dialog = room.window.shell.exchange.dialog
        return dialog is not None and words in said(dialog)

    qtbot.waitUntil(there, timeout=20_000)
    dialog = room.window.shell.exchange.dialog
    assert dialog is not None
    return dialog


def count(room: Room) -> str:
    return str(child(room.window.shell.history, QLabel, "historyCount").text())


def import_by_drop(room: Room, qtbot: QtBot, file: Path) -> None:
    drop(room, file)
    dialog = dialog_that_says(room, qtbot, f"{VOTES} new records in 1 file")
    assert "new/voice" in said(dialog)
    child(dialog, QPushButton, "importStore").click()
    dialog = dialog_that_says(room, qtbot, f"{VOTES} new records imported")
    child(dialog, QPushButton, "exchangeClose").click()


@pytest.mark.timeout(180)
def test_votes_come_in_by_drop_are_listed_and_go_out(
    room: Room, qtbot: QtBot, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = room.window
    window.show_page("historyPage")
    page = window.shell.history
    qtbot.waitUntil(lambda: child(page, QLabel, "historyEmpty").text() == "No votes yet", timeout=20_000)
    import_by_drop(room, qtbot, file)
    qtbot.waitUntil(lambda: count(room) == f"{VOTES} votes.", timeout=20_000)
    rows = page.list.rows
    qtbot.waitUntil(lambda: rows.rowCount() == 200, timeout=20_000)
    page.list.table.scrollToBottom()
    qtbot.waitUntil(lambda: rows.rowCount() == VOTES, timeout=20_000)
    first = rows.row(VOTES - 1)
    assert first is not None
    assert (first.a, first.b, first.prompt) == ("Alder", "Newcomer", "Number 0.")
    assert first.state.startswith("not counted"), "no roster here names its model"
    assert not first.can_retract, "it was cast elsewhere, by somebody else"

    page.filters.search.setText("number 17.")
    page.filters.search.returnPressed.emit()
    qtbot.waitUntil(lambda: count(room) == f"1 of {VOTES} votes fits the filter.", timeout=20_000)
    assert rows.rowCount() == 1
    page.list_meetings("english", "new/voice", "test/hibari")
    qtbot.waitUntil(lambda: rows.rowCount() == 1 and rows.index(0, 2).data() == "Newcomer", timeout=20_000)

    drop(room, file)
    dialog = dialog_that_says(room, qtbot, "Nothing new in 1 file")
    assert f"{VOTES} records are here already." in said(dialog)
    dialog.close()

    out = tmp_path / "out.jsonl"
    monkeypatch.setattr("arena_desktop.ui.widgets.ask.ask_where_to_save", lambda parent, name, kinds: str(out))
    child(page, QPushButton, "historyExport").click()
    dialog = dialog_that_says(room, qtbot, f"{VOTES} votes among them.")
    shown = [cell for row in _table(dialog, "shareFields") for cell in row]
    assert "stays here" in shown
    qtbot.waitUntil(lambda: child(dialog, QPushButton, "exportSave").isEnabled(), timeout=5000)
    child(dialog, QPushButton, "exportSave").click()
    dialog = dialog_that_says(room, qtbot, f"written to {out}")
    lines = out.read_text("utf-8").splitlines()
    assert json.loads(lines[0])["records"] == VOTES == len(lines) - 1
    assert "a private remark" not in out.read_text("utf-8")
    assert "a private remark" in file.read_text("utf-8")
    dialog.close()


@pytest.mark.timeout(180)
def test_the_page_stands_still_while_a_battle_is_open(room: Room, qtbot: QtBot, file: Path) -> None:
    window = room.window
    window.show_page("historyPage")
    import_by_drop(room, qtbot, file)
    qtbot.waitUntil(lambda: room.view.can_vote, timeout=60_000)
    page = window.shell.history
    qtbot.waitUntil(lambda: count(room) == f"{VOTES} votes." and page.list.rows.rowCount() == 200, timeout=20_000)
    before = visible_texts(page)
    assert any("Alder" in text for text in before), "the walk sees the names on the page"
    with room.services._composition.log.moment() as then:
        assert then.count() == VOTES
    for _ in range(5):
        qtbot.wait(100)
        assert room.view.phase is Phase.READY
        assert visible_texts(page) == before
    room.services.listen.vote(Vote.B)
    qtbot.waitUntil(lambda: room.view.phase is Phase.REVEALED, timeout=20_000)
    qtbot.waitUntil(lambda: count(room) == f"{VOTES + 1} votes.", timeout=20_000)
    newest = page.list.rows.row(0)
    assert newest is not None
    assert (newest.vote, newest.station, newest.can_retract) == ("b", "this machine", True)
    assert newest.can_listen, "its clips have just been heard"
    page.list.table.selectRow(0)
    room.services.history.retract(newest.id, "mistake", "")
    states = next(place for place, column in enumerate(COLUMNS) if column.title == "Counts")
    qtbot.waitUntil(lambda: page.list.rows.index(0, states).data() == "taken back: mistake", timeout=20_000)


def _table(dialog: QWidget, name: str) -> list[list[str]]:
    model = child(dialog, QWidget, name).model()
    return [
        [str(model.index(row, column).data()) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]
