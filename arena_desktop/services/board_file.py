"""Writes the board of an arena to a file, from the window."""

from collections.abc import Callable
from pathlib import Path

from arena_desktop.services.exports import BoardReport, board_export
from arena_desktop.services.jobs import JobThread
from arena_desktop.store.streamed_file import replacing


class BoardFiles:
    """Votes are read on the store's thread, by ``report``; the file is made and written on another ``thread``, so that
    no vote waits for it. ``written`` hears of each file that is there.
    """

    def __init__(
        self,
        *,
        store: JobThread,
        thread: JobThread,
        report: Callable[[str], BoardReport],
        written: Callable[[str], None],
    ) -> None:
        self._store = store
        self._thread = thread
        self._report = report
        self._written = written

    def write(self, arena: str, form: str, path: str) -> None:
        """The board of ``arena`` as the ``leaderboard`` command writes it. What goes wrong the window reports."""
        self._store.ask(
            lambda: self._report(arena),
            lambda report: self._thread.ask(lambda: _save(report, form, Path(path)), lambda _: self._written(path)),
        )


def _save(report: BoardReport, form: str, path: Path) -> None:
    content = board_export(report, form)
    with replacing(path) as stream:
        stream.write(content)
