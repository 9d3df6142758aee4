"""The cells of one page of a SQLite file, read without SQLite: what a damaged file still holds.

Every offset and length comes from a file that may hold anything, so each is checked, and a cell that makes no sense is
left out. Nothing read here is believed: records have their hashes. (Format: https://sqlite.org/fileformat2.html)
"""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

TABLE_LEAF, TABLE_INNER, INDEX_LEAF, INDEX_INNER = 0x0D, 0x05, 0x0A, 0x02
HEADER = 100
"""Bytes that the first page has before its own content."""
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}

Value: TypeAlias = int | float | bytes | str | None
NextPage: TypeAlias = Callable[[int], bytes | None]
"""The content of a page, by its number (from 1); None if there is none."""


class Senseless(Exception):
    """These bytes are no cell."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One row of a table (``rowid`` is its number), or one entry of an index (``rowid`` is None)."""

    rowid: int | None
    values: tuple[Value, ...]


@dataclass(slots=True)
class PageCells:
    """What a page holds. ``senseless``: how many cells could not be read; ``known``: it is a page of a table or index
    at all.
    """

    cells: list[Cell]
    senseless: int
    known: bool


def page_cells(page: bytes, first: bool, usable: int, next_page: NextPage) -> PageCells:
    """The cells on ``page``. ``usable``: its bytes without the reserved ones at its end."""
    start = HEADER if first else 0
    kind = page[start] if len(page) > start + 8 else 0
    if kind not in (TABLE_LEAF, INDEX_LEAF, INDEX_INNER):
        return PageCells([], 0, kind == TABLE_INNER)
    (count,) = struct.unpack_from(">H", page, start + 3)
    pointers = start + (12 if kind == INDEX_INNER else 8)
    if pointers + 2 * count > len(page):
        return PageCells([], 1, False)
    found = PageCells([], 0, True)
    for (offset,) in struct.iter_unpack(">H", page[pointers : pointers + 2 * count]):
        try:
            found.cells.append(_cell(page, offset, kind, usable, next_page))
        except (Senseless, IndexError, struct.error):
            found.senseless += 1
    return found


def _cell(page: bytes, offset: int, kind: int, usable: int, next_page: NextPage) -> Cell:
    if kind == INDEX_INNER:
        offset += 4
    size, offset = _varint(page, offset)
    rowid = None
    if kind == TABLE_LEAF:
        rowid, offset = _varint(page, offset)
    return Cell(rowid, tuple(_values(_payload(page, offset, size, kind == TABLE_LEAF, usable, next_page))))


def _payload(page: bytes, offset: int, size: int, table: bool, usable: int, next_page: NextPage) -> bytes:
    most = usable - 35 if table else (usable - 12) * 64 // 255 - 23
    if size <= most:
        whole = page[offset : offset + size]
        if len(whole) < size:
            raise Senseless
        return whole
    least = (usable - 12) * 32 // 255 - 23
    local = least + (size - least) % (usable - 4)
    local = local if local <= most else least
    parts, held = [page[offset : offset + local]], local
    (number,) = struct.unpack_from(">I", page, offset + local)
    while held < size:
        rest = next_page(number) if number else None
        if rest is None:
            raise Senseless
        part = rest[4 : min(usable, 4 + size - held)]
        if not part:
            raise Senseless
        parts.append(part)
        held += len(part)
        (number,) = struct.unpack_from(">I", rest, 0)
    return b"".join(parts)


def _values(payload: bytes) -> Iterator[Value]:
    header, offset = _varint(payload, 0)
    if header > len(payload):
        raise Senseless
    place = header
    while offset < header:
        kind, offset = _varint(payload, offset)
        if kind == 0:
            yield None
        elif kind in (8, 9):
            yield kind - 8
        else:
            size = 8 if kind == 7 else _INTEGERS.get(kind, (kind - 12) // 2 if kind >= 12 else -1)
            data = payload[place : place + size] if size >= 0 else b""
            if size < 0 or len(data) < size:
                raise Senseless
            place += size
            yield _value(kind, data)


def _value(kind: int, data: bytes) -> Value:
    if kind in _INTEGERS:
        return int.from_bytes(data, "big", signed=True)
    if kind == 7:
        number: float = struct.unpack(">d", data)[0]
        return number
    return data.decode("utf-8", "surrogateescape") if kind % 2 else data


def _varint(data: bytes, offset: int) -> tuple[int, int]:
    """A number of one to nine bytes, and the place after it. Negative ones (row numbers) wrap as SQLite's do."""
    value = 0
    for count in range(8):
        byte = data[offset + count]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, offset + count + 1
    value = value << 8 | data[offset + 8]
    return value - (1 << 64) if value >> 63 else value, offset + 9
