"""New lines of segments, copied to a private file before they are imported: what was checked is what is taken in, even
if a cloud drive changes the segments meanwhile or the folder goes away.
"""

import bisect
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self, TypeAlias

from arena_desktop.domain.canonical import CanonicalError, read_stored
from arena_desktop.domain.records import Kind, kind_of
from arena_desktop.errors import ArenaError
from arena_desktop.store.bounded import reason
from arena_desktop.store.sync_folder import cut_lines

Key: TypeAlias = tuple[int, str, str, object]
"""Line, id, hash and station of a record."""
NOT_JSON = "unreadable"
NO_RECORD = "no record that a log wrote"


class SyncSpool:
    """Collects lines, then names the file that holds them all; :meth:`place` tells where a line of it came from."""

    def __init__(self) -> None:
        self.size = 0
        self.lines = 0
        self._starts: list[int] = []
        self._places: list[tuple[str, int]] = []
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="arena-desktop-sync-", ignore_cleanup_errors=True)
            self.path = Path(self._folder.name, "lines.jsonl")
            self._file = self.path.open("wb")
        except OSError as error:
            raise _full(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        self._folder.cleanup()

    def add(self, name: str, line: int, data: bytes, keep: list[Key] | None) -> list[tuple[int, str]]:
        """Take in the lines of ``data``, the first of which is line ``line`` of the segment ``name``. Returns what is
        wrong with those that are no records: (line, reason).

        ``keep`` is given what each record says of itself.
        """
        wrong = []
        joined = False
        for number, text in enumerate(cut_lines(data), line):
            fault = _look(text, number, keep)
            if fault:
                wrong.append((number, fault))
                joined = False
                continue
            if not joined:
                self._starts.append(self.lines + 1)
                self._places.append((name, number))
                joined = True
            self._write(text)
        return wrong

    def close(self) -> None:
        """All lines are there and can be read from :attr:`path`."""
        try:
            self._file.close()
        except OSError as error:
            raise _full(error) from error

    def place(self, line: int) -> tuple[str, int]:
        """The segment and the line there that this line of the file came from."""
        at = bisect.bisect_right(self._starts, line) - 1
        name, first = self._places[at]
        return name, first + line - self._starts[at]

    def _write(self, text: bytes) -> None:
        try:
            self._file.write(text)
        except OSError as error:
            raise _full(error) from error
        self.size += len(text)
        self.lines += 1


def _look(text: bytes, line: int, keep: list[Key] | None) -> str:
    """Why a line is no record of a log, "" if it may be one. Whether its hash is right is not asked here."""
    try:
        value = read_stored(text)
    except CanonicalError:
        return NOT_JSON
    if kind_of(value) is Kind.FOREIGN or not isinstance(value["hash"], str):
        return NO_RECORD
    if keep is not None:
        keep.append((line, value["id"], value["hash"], value.get("station_id")))
    return ""


def _full(error: OSError) -> ArenaError:
    return ArenaError(
        f"The folder {tempfile.gettempdir()} for temporary files can't be used ({reason(error)}).",
        "Make room there, or name another one with the environment variable TMPDIR.",
    )
