"""Files of votes: our own format ``arena-votes/1``, and what the original arena wrote (JSON Lines or one JSON array).

Any of them may be packed with gzip or Zstandard. Reading never fails on what a line holds: such a line becomes an
:class:`Entry` with trouble.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from arena_desktop.domain.canonical import CanonicalError, read_json
from arena_desktop.domain.log_header import FORMAT
from arena_desktop.errors import ArenaError
from arena_desktop.store.formats.byte_lines import (
    Blank,
    Trouble,
    cut_lines,
    first_bytes,
    open_bytes,
    skip_blank,
)
from arena_desktop.store.formats.json_array import cut_array

JSON_LINES = "jsonl"
JSON_ARRAY = "json"

_SHORTEST = 40
"""Bytes. No vote is written in fewer."""
_MOST_RUBBISH = 100_000
"""So many more records that can't be votes than others, and the file is given up: a small packed file may hold them
without end."""
_ANY_FORMAT = re.compile(r"arena-votes/.*", re.DOTALL)
_NOT_OURS = (
    (b"SQLite format 3\0", "a database, not a file of votes", "Export its votes first (votes export)."),
    (b"\xff\xfe", "text in UTF-16", "Save it as UTF-8."),
    (b"\xfe\xff", "text in UTF-16", "Save it as UTF-8."),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One record's place in a file. ``line`` counts lines (elements, in an array) from 1, ``position`` records from 0.

    ``value`` is what was read; if nothing could be, ``trouble`` says why. ``data`` are the bytes without their line
    end; ``whole`` tells whether there was one.
    """

    line: int
    position: int
    data: bytes
    value: Any = None
    trouble: str | None = None
    whole: bool = True


class VotesFile:
    """A file of votes being read: ``header`` (None without one), ``form``, and, once, its entries.

    ``broken`` tells, once the entries have been read, whether the packed file is damaged or cut off.
    """

    def __init__(self, path: Path, stream: IO[bytes]) -> None:
        self.path = path
        self.header: dict[str, Any] | None = None
        self.header_data = b""
        self.broken = False
        self._before = skip_blank(stream)
        start = first_bytes(stream)
        for magic, what, remedy in _NOT_OURS:
            if start.startswith(magic):
                raise ArenaError(f"{path} is {what}.", remedy)
        self.form = JSON_ARRAY if start.startswith(b"[") else JSON_LINES
        self._pieces: Iterator[bytes | Trouble | Blank] = (
            cut_array(stream) if self.form == JSON_ARRAY else cut_lines(stream)
        )
        self._first: Entry | None = None
        if self.form == JSON_LINES:
            self._read_header()

    def entries(self) -> Iterator[Entry]:
        """The records in file order. :class:`ArenaError` when it becomes clear that this is no file of votes."""
        rubbish = 0
        for entry in self._entries():
            rubbish += 1 if _is_rubbish(entry) else -1
            if rubbish > _MOST_RUBBISH:
                raise ArenaError(
                    f"{self.path} is no file of votes: of its first {entry.position + 1} records hardly any is a vote.",
                    "Name a file of votes.",
                )
            yield entry

    def _entries(self) -> Iterator[Entry]:
        if self._first is not None:
            yield self._first
        line = self._before + (self.header is not None or self._first is not None)
        position = int(self._first is not None)
        for piece in self._pieces:
            if isinstance(piece, Blank):
                line += piece.lines
                continue
            line += 1
            if isinstance(piece, Trouble):
                yield self._trouble(line, position, piece)
            else:
                yield _entry(line, position, piece, self.form)
            position += 1

    def _trouble(self, line: int, position: int, trouble: Trouble) -> Entry:
        self.broken = self.broken or trouble.broken
        return Entry(line, position, b"", trouble=trouble.text)

    def _read_header(self) -> None:
        piece = next(self._pieces, None)
        if piece is None:
            return
        assert not isinstance(piece, Blank)  # the blank lines at the start have been read over
        if isinstance(piece, Trouble):
            self._first = self._trouble(self._before + 1, 0, piece)
            return
        entry = _entry(self._before + 1, 0, piece, self.form)
        found = entry.value.get("format") if isinstance(entry.value, dict) else None
        if not isinstance(found, str) or not _ANY_FORMAT.fullmatch(found):
            self._first = entry
            return
        if found != FORMAT:
            raise ArenaError(
                f"{self.path} has the format {found[:40]!r}, which this version of the program doesn't know.",
                "Use a newer version.",
            )
        self.header, self.header_data = entry.value, entry.data


@contextmanager
def open_votes(path: Path) -> Iterator[VotesFile]:
    """Read a file of votes. :class:`ArenaError` if it can't be read at all or is of a format that this program
    doesn't know.
    """
    with open_bytes(path) as stream:
        yield VotesFile(path, stream)


def _is_rubbish(entry: Entry) -> bool:
    """Whether this can't be anything that a log wrote."""
    return not isinstance(entry.value, dict) or len(entry.data) < _SHORTEST


def _entry(line: int, position: int, piece: bytes, form: str) -> Entry:
    data = piece.rstrip(b"\r\n")
    whole = form == JSON_ARRAY or piece.endswith(b"\n")
    try:
        return Entry(line, position, data, read_json(data), whole=whole)
    except CanonicalError as error:
        text = error.message if whole else "cut off: the file ends in the middle of this line"
        return Entry(line, position, data, trouble=text, whole=whole)
