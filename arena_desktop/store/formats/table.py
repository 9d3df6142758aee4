"""Tables of votes: comma-separated values and their kin, row by row, whatever is in them."""

import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from arena_desktop.domain.foreign import TABLE, Shape, is_summary, shape_of
from arena_desktop.errors import ArenaError
from arena_desktop.store.formats.byte_lines import Blank, Trouble

MAX_ROW = 1 << 20
"""Bytes. A longer row is no record: a quotation mark is open, as a rule."""
MAX_COLUMNS = 10_000

_DELIMITERS = ",;\t|"
_LONGEST_NAME = 200
_NO_HEADING = re.compile(r"[{}\[\]\x00-\x08\x0b\x0c\x0e-\x1f]")
_FEWEST = 3
"""Columns. A line of fewer, of which none is known, is just text with a comma in it."""
_SHOWN = 12


class Heading(NamedTuple):
    """The first line of a table: what separates its cells, the columns' names, each once, and the shape of its rows."""

    delimiter: str
    names: tuple[str, ...]
    shape: Shape


class Row(NamedTuple):
    """A row of a table: the line it begins on, and its cells by column, or why there are none."""

    line: int
    cells: dict[str, str] | Trouble


def read_heading(line: bytes, path: Path, mapping: Mapping[str, str]) -> Heading | None:
    """The heading that a file's first line is, None if the file is no table.

    :class:`ArenaError` for a table of which no row could be a vote.
    """
    if len(line) > MAX_ROW or any(line.count(sign.encode()) >= MAX_COLUMNS for sign in _DELIMITERS):
        return None
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return None
    best: Heading | None = None
    for delimiter in _DELIMITERS:
        names = _names(text, delimiter)
        if names is None:
            continue
        heading = Heading(delimiter, names, shape_of(names, _exact(mapping, names), TABLE))
        if best is None or _rank(heading) > _rank(best):
            best = heading
    if best is None:
        return None
    known = best.shape.fields or best.shape.one_of
    if not known and len(best.names) < _FEWEST:
        return None
    _refuse(best, path, mapping)
    return best


def read_rows(heading: Heading, pieces: Iterator[bytes | Trouble | Blank], line: int) -> Iterator[Row]:
    """The rows under the heading. ``pieces`` are the lines of the file after the first ``line`` ones."""
    csv.field_size_limit(MAX_ROW)
    feed = _Feed(pieces, line)
    reader = csv.reader(feed, delimiter=heading.delimiter)
    while True:
        feed.begin()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _Broken as broken:
            yield Row(feed.start, broken.trouble)
            continue
        except csv.Error as error:
            yield Row(feed.start, Trouble(f"no row of a table: {error}"))
            continue
        if not cells:
            continue
        if len(cells) != len(heading.names):
            text = f"has {len(cells)} cells where the heading has {len(heading.names)}"
            yield Row(feed.start, Trouble(text))
        else:
            yield Row(feed.start, dict(zip(heading.names, cells, strict=True)))


class _Broken(Exception):
    """A line that no row can hold."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.text)
        self.trouble = trouble


class _Feed:
    """The lines of a file as text, no more than :data:`MAX_ROW` bytes of them for one row. Unlike a generator it goes
    on after it raised.
    """

    def __init__(self, pieces: Iterator[bytes | Trouble | Blank], line: int) -> None:
        self.start = line
        self._pieces = pieces
        self._line = line
        self._size = 0

    def begin(self) -> None:
        """A new row begins with the next line."""
        self._size = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        while True:
            piece = next(self._pieces)
            inside = self._size > 0
            if not inside:
                self.start = self._line + 1
            self._line += piece.lines if isinstance(piece, Blank) else 1
            if not isinstance(piece, Blank):
                return self._text(piece)
            if inside:  # within quotation marks
                return self._text(b"\n" * min(piece.lines, MAX_ROW))

    def _text(self, piece: bytes | Trouble) -> str:
        if isinstance(piece, Trouble):
            raise _Broken(piece)
        self._size += len(piece)
        if self._size > MAX_ROW:
            raise _Broken(Trouble(f"longer than {MAX_ROW} bytes (is a quotation mark missing?)"))
        try:
            return piece.decode()
        except UnicodeDecodeError:
            raise _Broken(Trouble("not UTF-8: save the table in that encoding")) from None


def _names(text: str, delimiter: str) -> tuple[str, ...] | None:
    """The columns that a line names, None if it is no heading."""
    try:
        cells = next(csv.reader([text], delimiter=delimiter), [])
    except csv.Error:
        return None
    cells = [cell.strip() for cell in cells]
    if len(cells) < 2 or any(len(cell) > _LONGEST_NAME or _NO_HEADING.search(cell) for cell in cells):
        return None
    names: dict[str, int] = {}
    for cell in cells:
        number = 1
        name = cell
        while name in names:
            number += 1
            name = f"{cell} ({number})"
        names[name] = number
    return tuple(names)


def _rank(heading: Heading) -> tuple[bool, int, int]:
    lacks = heading.shape.lacks()
    return (not set(lacks) - {"arena"}, -len(lacks), len(heading.names))


def _exact(mapping: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    """``mapping`` with the columns as the heading spells them."""
    spelled = {name.casefold(): name for name in reversed(names)}
    return {
        field: column if column in names else spelled.get(column.casefold(), column)
        for field, column in mapping.items()
    }


def _refuse(heading: Heading, path: Path, mapping: Mapping[str, str]) -> None:
    names = heading.names
    shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
    for field, column in _exact(mapping, names).items():
        if not column.startswith(":") and column not in names:
            raise ArenaError(f"{path} has no column {column} (--map {field}={column}).", f"It has: {shown}.")
    if is_summary(names):
        raise ArenaError(
            f"{path} is a summary: it says how many times something was chosen, not each vote.",
            "Get the table of the single votes.",
        )
    lacks = [name for name in heading.shape.lacks() if name != "arena"]
    if lacks:
        raise ArenaError(
            f"{path} is a table, and none of its columns is known to hold {', '.join(lacks)}; it has: {shown}.",
            f"Say which does: --map {lacks[0]}=COLUMN.",
        )
