"""Records out of a database file that SQLite can't read any more, page by page.

The file, what waits in its ``-wal``, and pages that no longer hang together are looked at alike: a record proves by its
hash that it is whole, so it doesn't matter where it lay. Entries of indexes tell which records there were.
"""

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from arena_desktop.domain.canonical import CanonicalError, read_stored, text_and_hash
from arena_desktop.domain.records import Kind, is_uuid, kind_of
from arena_desktop.store.migrate import APPLICATION_ID
from arena_desktop.store.sqlite_cells import Cell, page_cells
from arena_desktop.store.write_ahead import WriteAhead, read_write_ahead

_USUAL_PAGE = 4096
_PAGE_SIZES = tuple(1 << power for power in range(9, 17))
_STRETCH = 65536
"""Bytes: pages of every size fit into it."""
_PROBES = 64
_HASH_DIGITS = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Salvaged:
    """A whole record, the position it had (None if that is not known), and whether it lay in the ``-wal`` file."""

    record: dict[str, Any]
    position: int | None
    written_ahead: bool


@dataclass(frozen=True, slots=True)
class Trace:
    """An index says that a record was at ``position``: it belonged to a station, or had this id and hash."""

    position: int
    station: str | None = None
    seq: int | None = None
    id: str | None = None
    hash: str | None = None


@dataclass
class Knowledge:
    """What the file knew about itself: the stations that it wrote under, each with the last number it had noted."""

    stations: dict[str, int] = field(default_factory=dict)


class Wreck:
    """The damaged file at ``path``. Nobody may have it open in SQLite, this process least of all.

    Raises OSError when it can't be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.knowledge = Knowledge()
        self._file: IO[bytes] = path.open("rb")
        self._size = path.stat().st_size
        ahead = path.with_name(f"{path.name}-wal")
        self._ahead: WriteAhead | None = read_write_ahead(ahead)
        self._ahead_file: IO[bytes] | None = ahead.open("rb") if self._ahead is not None else None
        self._newest = {frame.page: frame.offset for frame in self._ahead.frames if frame.good} if self._ahead else {}
        self._page_size = self._guess_page_size()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if self._ahead_file is not None:
            self._ahead_file.close()

    def is_ours(self) -> bool:
        """Whether this was a vote log of this program: it says so, or one of the pages looked at holds a record."""
        return self._says_so() or self._yield(self._page_size) > 0

    def contents(self) -> Iterator[Salvaged | Trace]:
        """Everything that can still be read, copies included; first what lies in the file itself."""
        for number in range(1, self._pages(self._page_size) + 1):
            yield from self._of_page(self._read(number), number == 1, False)
        if self._ahead is not None:
            for frame in self._ahead.frames:
                if frame.good:
                    yield from self._of_page(self._read_ahead(frame.offset), frame.page == 1, True)

    def _of_page(self, page: bytes, first: bool, ahead: bool) -> Iterator[Salvaged | Trace]:
        usable = self._page_size
        found = page_cells(page, first, usable, self._latest)
        self._learn(found.cells)
        broken = found.senseless > 0 or not found.known
        for cell in found.cells:
            if cell.rowid is None:
                trace = _trace(cell)
                if trace is not None:
                    yield trace
                continue
            record = _record_in(cell)
            if record is not None:
                yield Salvaged(record, cell.rowid if cell.rowid > 0 else None, ahead)
            else:
                broken = True
        if broken and any(page):
            for record in _loose_records(page):
                yield Salvaged(record, None, ahead)

    def _learn(self, cells: list[Cell]) -> None:
        known = {cell.values[0]: cell.values[1] for cell in cells if cell.rowid is None and len(cell.values) == 2}
        station, last = known.get("station_id"), known.get("last_seq", 0)
        if is_uuid(station):
            seq = last if isinstance(last, int) and last > 0 else 0
            self.knowledge.stations[str(station)] = max(seq, self.knowledge.stations.get(str(station), 0))

    def _latest(self, number: int) -> bytes | None:
        """A page as it was last: what waits in the ``-wal`` goes before what lies in the file."""
        offset = self._newest.get(number)
        if offset is not None:
            return self._read_ahead(offset)
        return self._read(number) if 0 < number <= self._pages(self._page_size) else None

    def _read(self, number: int) -> bytes:
        self._file.seek((number - 1) * self._page_size)
        return self._file.read(self._page_size)

    def _read_ahead(self, offset: int) -> bytes:
        assert self._ahead_file is not None
        self._ahead_file.seek(offset)
        return self._ahead_file.read(self._page_size)

    def _pages(self, page_size: int) -> int:
        return -(-self._size // page_size)

    def _header(self) -> bytes:
        self._file.seek(0)
        return self._file.read(100)

    def _says_so(self) -> bool:
        header = self._header()
        return len(header) == 100 and struct.unpack_from(">I", header, 68)[0] == APPLICATION_ID

    def _guess_page_size(self) -> int:
        """What the ``-wal`` says, else the size by which most records are found."""
        if self._ahead is not None:
            return self._ahead.page_size
        header = self._header()
        named = struct.unpack_from(">H", header, 16)[0] if len(header) >= 18 else 0
        named = 65536 if named == 1 else named
        likely = [size for size in (named, _USUAL_PAGE) if size in _PAGE_SIZES]
        return max((*likely, *_PAGE_SIZES), key=self._yield)

    def _yield(self, page_size: int) -> int:
        """How many records are found in some stretches of the file, taken evenly from all of it."""
        self._page_size = page_size
        stretches = -(-self._size // _STRETCH)
        step = max(1, stretches // _PROBES)
        return sum(
            isinstance(found, Salvaged) and found.position is not None
            for stretch in range(0, stretches, step)
            for number in range(stretch * _STRETCH // page_size + 1, (stretch + 1) * _STRETCH // page_size + 1)
            for found in self._of_page(self._read(number), number == 1, False)
        )


def whole_record(text: bytes) -> dict[str, Any] | None:
    """The record with this canonical form, None unless its hash proves it whole."""
    try:
        record = read_stored(text)
        if kind_of(record) is Kind.FOREIGN or text_and_hash(record)[1] != record["hash"]:
            return None
    except (CanonicalError, RecursionError):
        return None
    return dict(record)


def _record_in(cell: Cell) -> dict[str, Any] | None:
    text = next((value for value in cell.values if isinstance(value, str) and value.startswith('{"')), None)
    return None if text is None else whole_record(text.encode("utf-8", "surrogateescape"))


def _trace(cell: Cell) -> Trace | None:
    match cell.values:
        case (str(station), int(seq), int(position)) if is_uuid(station) and seq > 0:
            return Trace(position, station=station, seq=seq)
        case (str(name), str(digest), int(position)) if is_uuid(name) and _is_hash(digest):
            return Trace(position, id=name, hash=digest)
        case _:
            return None


def _is_hash(text: str) -> bool:
    return len(text) == 64 and _HASH_DIGITS.issuperset(text)


def _loose_records(page: bytes) -> Iterator[dict[str, Any]]:
    """Records whose text lies whole on a page that makes no sense otherwise. Their first key begins with an ``a``."""
    decoder = json.JSONDecoder()
    place = page.find(b'{"a')
    while place >= 0:
        text = page[place:].decode("utf-8", "replace")
        try:
            value, end = decoder.raw_decode(text)
        except (ValueError, RecursionError):
            end = 1
        else:
            record = whole_record(text[:end].encode()) if isinstance(value, dict) else None
            if record is not None:
                yield record
        place = page.find(b'{"a', place + len(text[:end].encode()))
