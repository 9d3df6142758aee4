"""The SQLite file: opening it, transactions, errors in words."""

import contextlib
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from arena_desktop.store.damage_sign import leave_sign
from arena_desktop.store.migrate import Step, mend_triggers, migrate, refuse_foreign, shipped_steps
from arena_desktop.store.sql_errors import DamagedError, StoreError, no_database, worded
from arena_desktop.store.statements import Statements

_SMALLEST = 512
"""Bytes of SQLite's smallest page."""
_TIMES_LONGER = 12
"""A vote waits three minutes: storing a million imported records takes one or one and a half."""
_log = logging.getLogger(__name__)


class Database(Statements):
    """One connection to the file at ``path``, which is made when it isn't there. To be used by the thread that made
    it.

    Several processes may have the file open: writers wait for each other up to ``patience`` seconds. Whatever the
    machine refuses is raised as :class:`StoreError`; any other ``sqlite3.Error`` is a bug.
    """

    def __init__(self, path: Path, *, steps: Sequence[Step] | None = None, patience: float = 15.0) -> None:
        self.path = path
        self.refusal: StoreError | None = None
        """Why the file can only be read; None if it can be written."""
        self._patience = patience
        self.mended: tuple[str, ...] = ()
        """The guards of the log that were missing or changed, and have been put back."""
        self._own_changes = 0
        steps = shipped_steps() if steps is None else steps
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"The folder {path.parent} can't be made ({error.strerror}).",
                "Choose another data directory (--data-dir).",
            ) from error
        _refuse_other_content(path)
        if not path.exists():
            with contextlib.suppress(OSError):  # SQLite will say what is wrong
                path.touch(mode=0o600)  # for its owner alone, like the files that SQLite puts beside it
        with worded(path, texts=True):
            self._connection = sqlite3.connect(path, timeout=patience, isolation_level=None)
            try:
                self._prepare(steps, patience)
            except BaseException:
                self._connection.close()
                raise

    @classmethod
    def reading(cls, path: Path, refusal: StoreError) -> Self:
        """The file as it is, for reading alone, where ``refusal`` says why it can't be opened for writing. Whoever
        writes all the same is told that. Raises ``refusal`` if it would have to be migrated first.
        """
        steps = shipped_steps()
        newest = max(step.version for step in steps)
        database = cls._of(path, lambda: connect_reading(path), refusal)
        try:
            with worded(path, texts=True):
                refuse_foreign(database._connection, path, newest)
                if database.number("PRAGMA user_version") != newest:
                    raise refusal
        except BaseException:
            database.close()
            raise
        return database

    def another(self) -> Self:
        """A second connection to the file, for reading beside this one."""
        if self.refusal is not None:
            return self._of(self.path, lambda: connect_reading(self.path), self.refusal)
        other = self._of(self.path, lambda: sqlite3.connect(self.path, isolation_level=None))
        other.run("PRAGMA query_only = ON")
        return other

    @classmethod
    def _of(cls, path: Path, connect: Callable[[], sqlite3.Connection], refusal: StoreError | None = None) -> Self:
        database = object.__new__(cls)
        database.path, database.refusal, database.mended, database._own_changes = path, refusal, (), 0
        database._patience = 0.0  # it only reads
        with worded(path, texts=True):
            database._connection = connect()
        return database

    def close(self) -> None:
        """Close the file. Closing twice is allowed."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def write(self, *, patiently: bool = False) -> Iterator[None]:
        """One durable transaction. No other process writes meanwhile, so what is read inside still holds at its end.

        ``patiently``: wait as long as the largest import may take to be stored.
        """
        if self.refusal is not None:
            raise self.refusal
        with self._worded(texts=False):
            self._begin(self._patience * (_TIMES_LONGER if patiently else 1))
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise
        self._own_changes += 1

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Everything read inside is of one moment. Writers are not held up."""
        with self._worded(texts=False):
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._roll_back()

    @contextmanager
    def _worded(self, *, texts: bool = True) -> Iterator[None]:
        """Whoever meets damage leaves word for whoever opens the file next."""
        try:
            with worded(self.path, texts=texts):
                yield
        except DamagedError:
            leave_sign(self.path)
            raise

    def data_version(self) -> tuple[int, int]:
        """Changes whenever this or another connection has written."""
        found = self.row("PRAGMA data_version")
        assert found is not None
        return (int(found[0]), self._own_changes)

    def damage(self) -> list[str]:
        """What SQLite's own check finds wrong with the file, in its words."""
        found = [str(row[0]) for row in self.rows("PRAGMA quick_check(20)")]
        return [] if found == ["ok"] else found

    def _prepare(self, steps: Sequence[Step], patience: float) -> None:
        run = self._connection.execute
        run("PRAGMA trusted_schema = ON")  # the triggers use JSON functions
        refuse_foreign(self._connection, self.path, max((step.version for step in steps), default=0))
        mode = self._to_wal(patience)
        # Without WAL (some network disks) a commit is only durable if the folder is synced as well.
        run("PRAGMA synchronous = FULL" if mode == "wal" else "PRAGMA synchronous = EXTRA")
        run("PRAGMA fullfsync = ON")
        run("PRAGMA checkpoint_fullfsync = ON")
        migrate(self._connection, self.path, steps)
        self.mended = tuple(mend_triggers(self._connection, steps))
        if self.mended:
            guards = ", ".join(self.mended)
            _log.warning("%s: triggers that guard the log were missing or changed: %s", self.path, guards)

    def _to_wal(self, patience: float) -> str:
        """Two processes that open a new file at once can't both switch it, and SQLite doesn't wait here by itself."""
        end = time.monotonic() + patience
        while True:
            try:
                return str(self._connection.execute("PRAGMA journal_mode = WAL").fetchone()[0])
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def _begin(self, patience: float) -> None:
        run = self._connection.execute
        run(f"PRAGMA busy_timeout = {round(patience * 1000)}")
        try:
            run("BEGIN IMMEDIATE")
        finally:
            run(f"PRAGMA busy_timeout = {round(self._patience * 1000)}")

    def _roll_back(self) -> None:
        # A full disk may have rolled back already.
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


def connect_reading(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing in the file at ``path`` or its -wal, and needs no room on the disk: the index
    of the -wal, which SQLite else keeps in a file of at least 32 KiB, is then built in memory.
    """
    with contextlib.suppress(OSError):  # SQLite says what is wrong
        os.close(os.open(f"{path}-shm", os.O_RDWR | os.O_CREAT, 0o600))  # it must be there; empty will do
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&readonly_shm=1", uri=True, isolation_level=None)


def _refuse_other_content(path: Path) -> None:
    """SQLite takes a file of a few bytes for an empty one, and would write over it.

    Its content must not be looked at here: on POSIX systems, closing a file drops every lock that this process holds
    on it, those of another connection too.
    """
    with contextlib.suppress(OSError):  # not there yet, or SQLite will say what is wrong
        if path.is_file() and 0 < path.stat().st_size < _SMALLEST:
            raise no_database(path)
