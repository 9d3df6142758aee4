"""SQL statements over one connection, what the machine refuses put into words."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from arena_desktop.store.sql_errors import worded


class Statements:
    """``path`` is what an error names."""

    path: Path
    _connection: sqlite3.Connection

    def run(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        """Execute one statement that gives no rows."""
        with self._worded():
            self._connection.execute(sql, parameters)

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Execute one statement that gives no rows for each of ``rows``."""
        with self._worded():
            self._connection.executemany(sql, rows)

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with self._worded():
            return self._connection.execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """The first row of a query, or None."""
        with self._worded():
            cursor = self._connection.execute(sql, parameters)
            first: tuple[Any, ...] | None = cursor.fetchone()
            cursor.close()
            return first

    def number(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """The one whole number that a query gives."""
        found = self.row(sql, parameters)
        assert found is not None
        return int(found[0])

    def stream(
        self, sql: str, parameters: Sequence[Any] = (), *, damaged_text: bool = False
    ) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, without holding them all. Use up or close the iterator before the next write.

        ``damaged_text``: bytes that are no UTF-8 become lone surrogates instead of an error.
        """
        with self._worded():
            cursor = self._connection.execute(sql, parameters)
        try:
            while True:
                with self._worded(), self._texts_as(_lenient if damaged_text else str):
                    some = cursor.fetchmany(1000)
                if not some:
                    return
                yield from some
        finally:
            cursor.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """One transaction on private tables, for speed. Not inside another one."""
        self.run("BEGIN")
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def watched(self, look: Callable[[], None]) -> Iterator[None]:
        """Call ``look`` now and then while statements run inside; what it raises ends the statement and comes out."""
        raised: list[BaseException] = []

        def stop() -> int:
            try:
                look()
            except BaseException as error:
                raised.append(error)
            return len(raised)

        self._connection.set_progress_handler(stop, _OPERATIONS)
        try:
            yield
        except BaseException:
            if raised:
                raise raised[0] from None
            raise
        finally:
            self._connection.set_progress_handler(None, 0)

    def _worded(self) -> AbstractContextManager[None]:
        return worded(self.path, texts=True)

    @contextmanager
    def _texts_as(self, factory: Callable[[bytes], str] | type[str]) -> Iterator[None]:
        self._connection.text_factory = factory
        try:
            yield
        finally:
            self._connection.text_factory = str


_OPERATIONS = 200_000
"""Of SQLite's machine, between two looks: some hundredths of a second."""


def _lenient(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
