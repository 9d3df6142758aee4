"""SQLite's write-ahead file (``-wal``), read without SQLite: which of its pages are whole and belong to a finished
transaction.

SQLite itself stops at the first page whose checksum is wrong, and forgets what follows, however much of it is good.
(Format: https://sqlite.org/fileformat2.html#walformat)
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_HEADER, _FRAME = 32, 24
_MAGIC = 0x377F0682
_PAGE_SIZES = tuple(1 << power for power in range(9, 17))


@dataclass(frozen=True, slots=True)
class Frame:
    """One page in the file: its number in the database and where its content begins here. ``good``: its checksum fits;
    ``ends``: a transaction ends with it.
    """

    page: int
    offset: int
    good: bool
    ends: bool


@dataclass(frozen=True)
class WriteAhead:
    """The frames of the newest run of transactions that were finished, and whether some of them are damaged."""

    page_size: int
    frames: tuple[Frame, ...]
    damaged: bool


def read_write_ahead(path: Path) -> WriteAhead | None:
    """What is in the ``-wal`` file at ``path``; None where there is none, or nothing that was
    finished. ``OSError`` where it can't be read.

    Not to be called while this process has the database open.
    """
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER)
            if len(header) < _HEADER:
                return None
            magic, _, page_size, _, _, _, sum_1, sum_2 = struct.unpack(">8I", header)
            whole = magic & ~1 == _MAGIC and page_size in _PAGE_SIZES
            whole = whole and _Sums(magic & 1 == 1, 24).over(header[:24], (0, 0)) == (sum_1, sum_2)
            if not whole:
                magic, page_size = _MAGIC, 4096  # what this program's files have on most machines
            frames = _frames(file, path.stat().st_size, page_size, magic & 1 == 1, header if whole else None)
            read = list(frames)
    except FileNotFoundError:
        return None
    # What comes after the last end of a transaction was not finished (or is torn): it never counted.
    last = max((number for number, frame in enumerate(read) if frame.good and frame.ends), default=-1)
    finished = tuple(read[: last + 1])
    if not finished:
        return None
    return WriteAhead(page_size, finished, not whole or not all(frame.good for frame in finished))


def _frames(file: IO[bytes], size: int, page_size: int, big: bool, header: bytes | None) -> Iterator[Frame]:
    """Every frame of the newest run: those that carry its salt. Without a header the first frame tells the salt."""
    sums = _Sums(big, 8 + page_size)
    salt = header[16:24] if header is not None else None
    seed = struct.unpack(">2I", header[24:32]) if header is not None else None
    for offset in range(_HEADER, size - _FRAME - page_size + 1, _FRAME + page_size):
        file.seek(offset)
        data = file.read(_FRAME + page_size)
        salt = data[8:16] if salt is None else salt
        number, ends = struct.unpack(">2I", data[:8])
        kept = struct.unpack(">2I", data[16:24])
        good = seed is not None and data[8:16] == salt and sums.over(data[:8] + data[_FRAME:], seed) == kept
        if data[8:16] != salt and _is_older(data[8:16], salt):
            return  # left over from before the file was begun anew
        yield Frame(number, offset + _FRAME, good, ends != 0)
        seed = kept


def _is_older(salt: bytes, newest: bytes) -> bool:
    """Salts count up from run to run; a damaged one differs by anything."""
    behind = (int.from_bytes(newest[:4], "big") - int.from_bytes(salt[:4], "big")) % (1 << 32)
    return 0 < behind < 1000


class _Sums:
    """SQLite's checksum over texts of one length: for each pair of words (x, y) first a += x + b, then b += y + a,
    modulo 2^32. Linear in the words, so each has a fixed weight in both sums.
    """

    def __init__(self, big: bool, length: int) -> None:
        import numpy as np  # after a crash alone

        self._order = ">u4" if big else "<u4"
        weights = []
        row_a, row_b = (1, 0), (0, 1)  # of the matrix by which what was summed so far weighs at the end
        for _ in range(length // 8):
            weights.append((_weights_of(row_a), _weights_of(row_b)))
            row_a, row_b = (_one_more(row) for row in (row_a, row_b))
        pairs = np.array(weights[::-1], dtype=np.uint64)
        self._weights = [pairs[:, sum_, :].reshape(-1) for sum_ in (0, 1)]
        self._before = (row_a, row_b)

    def over(self, data: bytes, seed: tuple[int, int]) -> tuple[int, int]:
        """The two sums, when those before were ``seed``."""
        import numpy as np

        words = np.frombuffer(data, dtype=self._order).astype(np.uint64)
        a, b = (
            (int((weights * words & 0xFFFFFFFF).sum()) + before[0] * seed[0] + before[1] * seed[1]) % (1 << 32)
            for weights, before in zip(self._weights, self._before, strict=True)
        )
        return a, b


def _weights_of(row: tuple[int, int]) -> tuple[int, int]:
    """``row`` times ((1, 0), (1, 1)), which is how a pair enters the sums."""
    return ((row[0] + row[1]) % (1 << 32), row[1])


def _one_more(row: tuple[int, int]) -> tuple[int, int]:
    """``row`` times ((1, 1), (1, 2)), which is what one more pair does to the sums before it."""
    return ((row[0] + row[1]) % (1 << 32), (row[0] + 2 * row[1]) % (1 << 32))
