"""Writing the board to a file from the window."""

import threading
from pathlib import Path

import pytest

from arena_desktop.errors import ArenaError
from arena_desktop.services.board_file import BoardFiles
from arena_desktop.services.exports import BoardReport, board_export, board_report
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.jobs import JobThread
from tests.helpers.boards import board_of


def test_a_vote_need_not_wait_for_the_file(tmp_path: Path) -> None:
    inbox, written, named = Inbox(), list[str](), list[str]()
    store, thread = JobThread(inbox, "store"), JobThread(inbox, "aside")
    board = board_of(("Ada", "Bob", "Cleo"), 30)

    def report(arena: str) -> BoardReport:
        named.append(threading.current_thread().name)
        return board_report(board, arena)

    files = BoardFiles(store=store, thread=thread, report=report, written=written.append)
    busy = threading.Event()
    thread.ask(busy.wait)  # whatever is made aside takes its time
    path = tmp_path / "board.csv"
    files.write("english", "csv", str(path))
    store.run(lambda: None)
    inbox.drain()
    assert store.run(lambda: "a vote") == "a vote"
    assert written == []
    busy.set()
    thread.run(lambda: None)
    inbox.drain()
    assert written == [str(path)]
    assert path.read_bytes() == board_export(board_report(board), "csv")
    assert named[0].startswith("store")
    store.close()
    thread.close()


def test_a_file_that_cannot_be_written_is_an_error_of_the_window(tmp_path: Path) -> None:
    inbox = Inbox()
    store, thread = JobThread(inbox, "store"), JobThread(inbox, "aside")
    board = board_of(("Ada", "Bob"), 3)
    files = BoardFiles(
        store=store, thread=thread, report=lambda arena: board_report(board, arena), written=lambda _: None
    )
    files.write("", "md", str(tmp_path / "no" / "folder.md"))
    store.run(lambda: None)

    def drain() -> None:
        inbox.drain()  # a quick thread is done before this ends
        thread.run(lambda: None)
        inbox.drain()

    with pytest.raises(ArenaError, match="could not be written"):
        drain()
    store.close()
    thread.close()
