"""A scratch table of the canonical order of a file's records, on disk when it grows: where each one should stand."""

import sqlite3
from array import array
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from arena_desktop.domain.records import OrderKey
from arena_desktop.store.waiting_rows import WaitingRows


class OrderTable:
    """Collects the keys of any number of records, each with its line; lines ascend."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", isolation_level=None)  # a private file that SQLite removes by itself
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("CREATE TABLE entry (line INTEGER PRIMARY KEY, dated, at, label, place, id, hash)")
        self._waiting: WaitingRows[tuple[object, ...]] = WaitingRows(5000)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def add(self, line: int, key: OrderKey) -> None:
        """Take in one record."""
        # As bytes, since the order is that of code points and a text may be no UTF-8.
        texts = [part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part for part in key]
        if self._waiting.add((line, *texts)):
            self._flush()

    def repeated(self) -> Iterator[tuple[int, int]]:
        """(line, first line) of each record that stands on an earlier line already."""
        self._flush()
        yield from self._connection.execute(
            "SELECT line, first FROM (SELECT line, min(line) OVER (PARTITION BY id, hash, at, label, place) AS first"
            " FROM entry) WHERE line > first ORDER BY line"
        )

    def ranks(self, without: set[int]) -> tuple["array[int]", "array[int]"]:
        """The lines, and for each the place in canonical order of its record; lines in ``without`` are left out."""
        self._flush()
        lines, ranks = array("q"), array("q")
        sql = "SELECT line, row_number() OVER (ORDER BY dated, at, label, place, id, hash) FROM entry ORDER BY line"
        for line, rank in self._connection.execute(sql):
            if line not in without:
                lines.append(line)
                ranks.append(rank)
        return lines, ranks

    def _flush(self) -> None:
        self._connection.execute("BEGIN")
        self._connection.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", self._waiting.rows)
        self._connection.execute("COMMIT")
        self._waiting.clear()
