"""Files of votes: our own format ``arena-votes/1``, what the original arena wrote (JSON Lines or one JSON array), and
the forms of other programs (:mod:`arena_desktop.domain.foreign`), as JSON or as a table.

Any of them may be packed with gzip or Zstandard; what a file is, its content tells, never its name. Reading never fails
on what a line holds: such a line becomes an :class:`Entry` with trouble.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple

from arena_desktop.domain.canonical import CanonicalError, read_line
from arena_desktop.domain.foreign import Shape, Shapes
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
from arena_desktop.store.formats.table import Heading, read_heading, read_rows
from arena_desktop.store.formats.unpacking import place_in

JSON_LINES = "jsonl"
JSON_ARRAY = "json"

_SHORTEST = 40
"""Bytes. No vote is written in fewer."""
_MOST_RUBBISH = 100_000
"""So many more records that can't be votes than others, and the file is given up: a small packed file may hold them
without end."""
_LONG = 1 << 20
_MOST_PARTS = 100_000
"""Values in a record of more than :data:`_LONG` bytes: each takes many times the room that it takes in the file."""
_ANY_FORMAT = re.compile(r"arena-votes/.*", re.DOTALL)
_NOT_OURS = (
    (b"SQLite format 3\0", "a database, not a file of votes", "Export its votes first (votes export)."),
    (b"\xff\xfe", "text in UTF-16", "Save it as UTF-8."),
    (b"\xfe\xff", "text in UTF-16", "Save it as UTF-8."),
    (b"PAR1", "a Parquet file", "Save it as CSV or JSON Lines."),
    (b"PK\x03\x04", "a ZIP archive or a spreadsheet", "Unpack it, or save the sheet as CSV."),
)
_EXPORTED = (
    "{path} was written by `votes export` for other programs: nothing proves its votes, and where their log is here,"
    " too, they count twice. Import the log itself (votes export without --format)."
)
_NO_ARENA = (
    "Name it to votes import or votes merge: --map arena=:NAME (any name without blanks), or --map arena=COLUMN if a"
    " column holds it."
)


class Entry(NamedTuple):
    """One record's place in a file. ``line`` counts lines (elements, in an array) from 1, ``position`` records from 0.

    ``value`` is what was read; if nothing could be, ``trouble`` says why. ``data`` are the bytes without their line
    end; ``whole`` tells whether there was one. In a record of another program's form, of the ``shape`` named, ``value``
    has the keys of a vote and ``original`` is what stands in the file. ``plain``: see
    :func:`arena_desktop.domain.canonical.read_line`.
    """

    line: int
    position: int
    data: bytes
    value: Any = None
    trouble: str | None = None
    whole: bool = True
    original: Mapping[str, Any] | None = None
    shape: Shape | None = None
    plain: bool = False


class VotesFile:
    """A file of votes being read: ``header`` (None without one), ``form``, and, once, its entries.

    ``form`` is ``jsonl`` or ``json`` in our format and the original arena's, else what its first record is: ``csv``,
    ``lmarena`` or ``tts-arena``. ``array`` tells whether the records are the elements of a JSON array. ``broken``
    tells, once the entries have been read, whether the packed file is damaged or cut off. ``note``, then, is a sentence
    that a person should read, "" for none.
    """

    def __init__(self, path: Path, stream: IO[bytes], mapping: Mapping[str, str] | None = None) -> None:
        self.path = path
        self.header: dict[str, Any] | None = None
        self.header_data = b""
        self.broken = False
        self.note = ""
        self._stream = stream
        self._before = skip_blank(stream)
        start = first_bytes(stream)
        for magic, what, remedy in _NOT_OURS:
            if start.startswith(magic):
                raise ArenaError(f"{path} is {what}.", remedy)
        self.array = start.startswith(b"[")
        self.form = JSON_ARRAY if self.array else JSON_LINES
        self._mapping = dict(mapping or {})
        self._shapes = Shapes(self._mapping)
        self._pieces: Iterator[bytes | Trouble | Blank] = cut_array(stream) if self.array else cut_lines(stream)
        self._rest = self._begin(maybe_table=not start.startswith((b"{", b"[")))

    @property
    def place(self) -> int:
        """How many bytes of the file, packed if it is packed, have been read so far."""
        return place_in(self._stream)

    def entries(self) -> Iterator[Entry]:
        """The records in file order. :class:`ArenaError` when it becomes clear that this is no file of votes."""
        rubbish = 0
        for entry in self._rest:
            rubbish += 1 if _is_rubbish(entry) else -1
            if rubbish > _MOST_RUBBISH:
                raise ArenaError(
                    f"{self.path} is no file of votes: of its first {entry.position + 1} records hardly any is a vote.",
                    "Name a file of votes.",
                )
            yield entry

    def _begin(self, *, maybe_table: bool) -> Iterator[Entry]:
        """Find out what the file is from its first record or line; returns its entries."""
        piece = next(self._pieces, None)
        assert not isinstance(piece, Blank)  # the blank lines at the start have been read over
        line = self._before + 1
        if piece is None:
            return iter(())
        if isinstance(piece, Trouble):
            return chain([self._trouble(line, 0, piece)], self._records(line, 1))
        heading = read_heading(piece, self.path, self._mapping) if maybe_table else None
        if heading is not None:
            self._tell(heading.shape)
            self._settle(heading.shape, "its first line")
            return self._rows(heading)
        entry = _entry(line, 0, piece, self.array)
        if not self.array and self._is_header(entry):
            return self._records(line, 0)
        entry = self._adapted(entry)
        if entry.shape is not None:
            self._settle(entry.shape, f"{'element' if self.array else 'line'} {line}")
        return chain([entry], self._records(line, 1))

    def _records(self, line: int, position: int) -> Iterator[Entry]:
        """The entries after so many lines and records."""
        for piece in self._pieces:
            if isinstance(piece, Blank):
                line += piece.lines
                continue
            line += 1
            if isinstance(piece, Trouble):
                yield self._trouble(line, position, piece)
            else:
                yield self._adapted(_entry(line, position, piece, self.array))
            position += 1

    def _rows(self, heading: Heading) -> Iterator[Entry]:
        """The entries of a table."""
        for position, (line, cells) in enumerate(read_rows(heading, self._pieces, self._before + 1)):
            shape = heading.shape
            if isinstance(cells, Trouble):
                yield self._trouble(line, position, cells)
            elif reason := shape.why_struck(cells):
                yield self._trouble(line, position, Trouble(f"it doesn't count where it comes from: {reason}"))
            else:
                yield Entry(line, position, b"", shape.read(cells), original=cells, shape=shape)

    def _adapted(self, entry: Entry) -> Entry:
        """A record in another program's form, with the keys of a vote."""
        value = entry.value
        if type(value) is not dict or "hash" in value:
            return entry
        shape = self._shapes.of(value)
        if shape is None:
            return entry
        self._tell(shape)
        return entry._replace(value=shape.read(value), original=value, shape=shape)

    def _tell(self, shape: Shape) -> None:
        if shape.exported and not self.note:
            self.note = _EXPORTED.format(path=self.path)

    def _trouble(self, line: int, position: int, trouble: Trouble) -> Entry:
        self.broken = self.broken or trouble.broken
        return Entry(line, position, b"", trouble=trouble.text)

    def _settle(self, shape: Shape, place: str) -> None:
        """The file is of this form. That no vote says its arena is no fault of a single record."""
        self.form = shape.form or self.form
        if shape.lacks():
            raise ArenaError(f"{self.path} doesn't say in which arena its votes were cast ({place}).", _NO_ARENA)

    def _is_header(self, entry: Entry) -> bool:
        found = entry.value.get("format") if isinstance(entry.value, dict) else None
        if not isinstance(found, str) or not _ANY_FORMAT.fullmatch(found):
            return False
        if found != FORMAT:
            raise ArenaError(
                f"{self.path} has the format {found[:40]!r}, which this version of the program doesn't know.",
                "Use a newer version.",
            )
        self.header, self.header_data = entry.value, entry.data
        return True


@contextmanager
def open_votes(path: Path, mapping: Mapping[str, str] | None = None) -> Iterator[VotesFile]:
    """Read a file of votes. :class:`ArenaError` if it can't be read at all or is of a format that this program
    doesn't know.

    ``mapping`` says which column or key of other programs' records holds which field of a vote, see
    :func:`arena_desktop.domain.foreign.read_mapping`.
    """
    with open_bytes(path) as stream:
        yield VotesFile(path, stream, mapping)


def _is_rubbish(entry: Entry) -> bool:
    """Whether this can't be anything that a log, or a program that keeps votes, wrote."""
    return entry.original is None and (not isinstance(entry.value, dict) or len(entry.data) < _SHORTEST)


def _entry(line: int, position: int, piece: bytes, array: bool) -> Entry:
    data = piece.rstrip(b"\r\n")
    whole = array or piece.endswith(b"\n")
    if len(data) > _LONG and sum(map(data.count, (b",", b"[", b"{"))) > _MOST_PARTS:
        return Entry(line, position, b"", trouble=f"made of more than {_MOST_PARTS} parts", whole=whole)
    try:
        value, plain = read_line(data)
    except CanonicalError as error:
        text = error.message if whole else "cut off: the file ends in the middle of this line"
        return Entry(line, position, data, trouble=text, whole=whole)
    return Entry(line, position, data, value, whole=whole, plain=plain)
