"""A scratch table of the chains found in a file or a log, on disk when it grows: what doesn't fit together in it."""

import sqlite3
from collections.abc import Iterator
from types import TracebackType
from typing import Any, NamedTuple, Self

from arena_desktop.store.waiting_rows import WaitingRows


class Link(NamedTuple):
    """A record's place in its station's chain, and the line it stands on (None in a database)."""

    station: str
    seq: int
    hash: str
    previous: str
    id: str
    line: int | None


class Stray(NamedTuple):
    """A record that has no place in a chain, or can't hang on to the record before it: ``fault`` says why."""

    station: str | None
    seq: int | None
    id: str
    line: int | None
    fault: str


class ChainTable:
    """Collects the links of any number of records."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", isolation_level=None)  # a private file that SQLite removes by itself
        self._run("PRAGMA synchronous = OFF")
        self._run("PRAGMA journal_mode = OFF")
        self._run("CREATE TABLE link (station, seq, hash, previous, id, line)")
        self._run("CREATE TABLE stray (station, seq, id, line, fault)")
        self._waiting: WaitingRows[Link] = WaitingRows(5000)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def add(self, link: Link) -> None:
        """Take in one record."""
        if self._waiting.add(link):
            self._flush()

    def add_stray(self, stray: Stray) -> None:
        """Take in what is wrong with one record's place."""
        self._run("INSERT INTO stray VALUES (?, ?, ?, ?, ?)", stray)

    def strays(self) -> Iterator[Stray]:
        """What is wrong with the places of records, in the order it was added."""
        yield from map(Stray._make, self._run("SELECT * FROM stray ORDER BY rowid"))

    def close_up(self) -> None:
        """Make ready for questions: everything is there."""
        self._flush()
        self._run("CREATE INDEX place ON link (station, seq, hash)")

    def places(self) -> Iterator[tuple[str, int, str]]:
        """(station, seq, hash) in the order of the chains."""
        yield from self._run("SELECT DISTINCT station, seq, hash FROM link ORDER BY station, seq, hash")

    def forks(self) -> list[Link]:
        """Records that share their place with a different one."""
        return self._links(
            "SELECT * FROM link WHERE (station, seq) IN"
            " (SELECT station, seq FROM link GROUP BY station, seq HAVING count(DISTINCT hash) > 1)"
        )

    def breaks(self) -> list[Link]:
        """Records that name another predecessor than the one(s) found at the place before them (none, at place 1)."""
        return self._links(
            "SELECT * FROM link WHERE (seq = 1 AND previous <> '') OR (seq > 1"
            " AND EXISTS (SELECT 1 FROM link AS p WHERE p.station = link.station AND p.seq = link.seq - 1)"
            " AND NOT EXISTS (SELECT 1 FROM link AS p WHERE p.station = link.station AND p.seq = link.seq - 1"
            " AND p.hash = link.previous))"
        )

    def at(self, station: str, seq: int) -> list[Link]:
        """The records at one place."""
        return self._links("SELECT * FROM link WHERE station = ? AND seq = ?", (station, seq))

    def between(self, station: str, low: int, high: int) -> list[Link]:
        """The records at the places from ``low`` to ``high``, both included."""
        return self._links("SELECT * FROM link WHERE station = ? AND seq BETWEEN ? AND ?", (station, low, high))

    def _flush(self) -> None:
        self._run("BEGIN")
        self._connection.executemany("INSERT INTO link VALUES (?, ?, ?, ?, ?, ?)", self._waiting.rows)
        self._run("COMMIT")
        self._waiting.clear()

    def _links(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[Link]:
        return [Link(*row) for row in self._run(sql + " ORDER BY station, seq, line", parameters)]

    def _run(self, sql: str, parameters: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        return self._connection.execute(sql, parameters)
