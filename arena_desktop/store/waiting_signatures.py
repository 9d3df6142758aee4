"""A scratch table of signatures that can't be judged yet, on disk when it grows."""

import sqlite3
from collections.abc import Iterator
from types import TracebackType
from typing import NamedTuple, Self

from arena_desktop.store.waiting_rows import WaitingRows


class Signature(NamedTuple):
    """A record's signature, where the record stands in its station's chain, and on which line (None in a database)."""

    station: str
    seq: int
    id: str
    hash: str
    sig: str
    line: int | None


class WaitingSignatures:
    """Any number of signatures, given back by station."""

    def __init__(self) -> None:
        self._connection: sqlite3.Connection | None = None
        self._waiting: WaitingRows[Signature] = WaitingRows(5000)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._connection is not None:
            self._connection.close()

    def add(self, signature: Signature) -> None:
        """Put one aside."""
        if self._waiting.add(signature):
            self._flush()

    def all(self) -> Iterator[Signature]:
        """Every one of them, each station's in the order of its chain."""
        if self._connection is None:
            yield from sorted(self._waiting.rows, key=lambda one: one[:3])
            return
        self._flush()
        for row in self._connection.execute("SELECT * FROM signature ORDER BY station, seq, id"):
            yield Signature(*row)

    def _flush(self) -> None:
        if self._connection is None:
            self._connection = sqlite3.connect("", isolation_level=None)  # a private file that vanishes by itself
            self._connection.execute("PRAGMA synchronous = OFF")
            self._connection.execute("PRAGMA journal_mode = OFF")
            self._connection.execute("CREATE TABLE signature (station, seq, id, hash, sig, line)")
        self._connection.execute("BEGIN")
        self._connection.executemany("INSERT INTO signature VALUES (?, ?, ?, ?, ?, ?)", self._waiting.rows)
        self._connection.execute("COMMIT")
        self._waiting.clear()
