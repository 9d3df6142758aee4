"""Copies of the vote log, taken now and then by SQLite's own means while the log is in use.

A copy is written under a temporary name over a connection of its own, in small steps, from one moment's state: votes
go on meanwhile. It is checked before it counts, so that a damaged log never pushes out a sound copy.
"""

import contextlib
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from arena_desktop.file_lock import FileLock
from arena_desktop.store.backup_files import backup_name, list_backups, named_backups, superfluous
from arena_desktop.store.bounded import reason
from arena_desktop.store.damage_sign import leave_sign
from arena_desktop.store.small_files import Clock, sync_folder, utc_now
from arena_desktop.store.sql_errors import DamagedError, StoreError, machine_s_doing, worded

EVERY = timedelta(hours=20)
"""A log that changed is copied when its last copy is older than this."""
_STEP_PAGES = 256
_STEP_INSTRUCTIONS = 100_000
_PAUSE_S = 0.01
_SPARE_BYTES = 20_000_000


class Stopped(Exception):
    """Whoever wanted the copy wants it no more."""


class Backups:
    """The copies of the log at ``path``, in ``folder``. Any thread may call the methods; each opens files of its own.

    ``pause`` waits the given seconds between two steps and says whether to go on.
    """

    def __init__(self, path: Path, folder: Path, *, clock: Clock = utc_now) -> None:
        self.path = path
        self.folder = folder
        self._clock = clock

    def due(self) -> bool:
        """Whether the log has changed since its last copy, and that is long enough ago."""
        newest = next(iter(list_backups(self.folder)), None)
        try:
            changed_at = self.path.stat().st_mtime
        except OSError:
            return False
        last = self._last_position()
        if newest is None:
            return last > 0
        age = self._clock() - newest.at
        if timedelta(0) <= age < EVERY:  # a copy from the future says nothing: the clock was wrong
            return False
        return last != newest.last_position or changed_at > newest.at.timestamp()

    def take(self, pause: Callable[[float], bool] | None = None) -> Path | None:
        """Make a copy now and remove those that rotation doesn't keep; None if somebody else is at it.

        :class:`StoreError` when it can't be made: nothing half written is left, older copies stay.
        :class:`Stopped` when ``pause`` says so.
        """
        with self._one_at_a_time() as mine:
            if not mine:
                return None
            target = self._copy(pause or (lambda seconds: True))
            self._remove(superfluous(named_backups(self.folder)))
            return target

    def replace_all(self) -> list[Path]:
        """Make a copy of the log as it is now, and remove all older ones, since they hold what must be forgotten.
        Returns those removed. :class:`StoreError` when a copy can't be made or removed.

        Copies that lie elsewhere are not known here; see :func:`other_copies` for those beside the log.
        """
        with self._one_at_a_time(patience=60.0) as mine:
            if not mine:
                raise StoreError("A copy of the vote log is being made.", "Try again when it is done.")
            old = [path for path, _, _ in named_backups(self.folder)]
            kept = self._copy(lambda seconds: True, compact=True) if self._last_position() else None
            gone = [path for path in old if path != kept]
            self._remove(gone)
            return gone

    # --- inside ----------------------------------------------------------------------------------------------------

    def _copy(self, pause: Callable[[float], bool], *, compact: bool = False) -> Path:
        at = self._clock()
        target = self.folder / backup_name(at)
        partial = self.folder / f".{target.name}.partial"
        self._clear_partials()
        self._refuse_full_disk()
        try:
            copy = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                with worded(partial):
                    self._fill(partial, _written_in_pieces(copy, pause), compact)
                os.fsync(copy)
            finally:
                os.close(copy)
            partial.replace(target)
            sync_folder(self.folder)
        except BaseException as error:
            self._clear_partials()
            if isinstance(error, OSError):
                raise _no_backup(self.folder, reason(error)) from error
            if isinstance(error, StoreError) and not isinstance(error, DamagedError):
                raise _no_backup(self.folder, error.message) from error
            raise
        return target

    def _fill(self, partial: Path, pause: Callable[[float], bool], compact: bool) -> None:
        def step(status: int, remaining: int, total: int) -> None:
            if not pause(_PAUSE_S):
                raise Stopped

        with (
            contextlib.closing(sqlite3.connect(self.path, isolation_level=None)) as log,
            contextlib.closing(sqlite3.connect(partial, isolation_level=None)) as copy,
        ):
            copy.execute("PRAGMA synchronous = OFF")  # it is synced as a whole
            log.execute("PRAGMA query_only = ON")
            log.execute("BEGIN")  # one moment's state: a vote meanwhile doesn't make it begin anew
            log.execute("SELECT count(*) FROM sqlite_master").fetchone()
            log.backup(copy, pages=_STEP_PAGES, progress=step, sleep=0.05)
            log.execute("ROLLBACK")
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
            # Put in the log's place, it must not go on in a chain that went on after it was taken.
            copy.execute("UPDATE meta SET value = '' WHERE key = 'fingerprint'")
            if compact:
                copy.execute("VACUUM")
            if not pause(0.0):
                raise Stopped
            self._check(copy, pause)

    def _check(self, copy: sqlite3.Connection, pause: Callable[[float], bool]) -> None:
        copy.set_progress_handler(lambda: not pause(0.0), _STEP_INSTRUCTIONS)
        try:
            found = [str(row[0]) for row in copy.execute("PRAGMA integrity_check(3)")]
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                raise Stopped from error
            if machine_s_doing(error):
                raise
            found = [str(error)]
        except UnicodeDecodeError:
            found = ["texts that are none"]
        if found != ["ok"]:
            leave_sign(self.path)
            raise DamagedError(
                f"The vote log {self.path} is damaged (SQLite finds {' '.join(found[0].split())}); no copy of it was"
                " kept, and the older ones stay.",
                "Close the program and start it again: it then recovers what is readable and keeps the damaged file.",
            )

    def _last_position(self) -> int:
        with worded(self.path), contextlib.closing(sqlite3.connect(self.path, isolation_level=None)) as log:
            return int(log.execute("SELECT coalesce(max(position), 0) FROM records").fetchone()[0])

    def _refuse_full_disk(self) -> None:
        try:
            need = self.path.stat().st_size + _SPARE_BYTES
            free = shutil.disk_usage(self.folder).free
        except OSError:
            return  # writing will tell
        if free < need:
            raise _no_backup(self.folder, f"the disk has {free // 1_000_000} MB free, {need // 1_000_000} are needed")

    def _remove(self, paths: list[Path]) -> None:
        try:
            for path in paths:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(
                f"An old copy of the vote log can't be removed from {self.folder} ({reason(error)}).",
                "Give yourself write permission on that folder.",
            ) from error

    def _clear_partials(self) -> None:
        for path in self.folder.glob(".votes-*.partial*"):
            with contextlib.suppress(OSError):
                path.unlink()

    @contextmanager
    def _one_at_a_time(self, patience: float = 0.0) -> Iterator[bool]:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise _no_backup(self.folder, reason(error)) from error
        lock = FileLock(self.folder / ".lock")
        try:
            waited = threading.Event()
            mine = lock.try_alone()
            while not mine and patience > 0:
                waited.wait(0.1)
                patience -= 0.1
                mine = lock.try_alone()
            yield mine
        finally:
            lock.release()


def other_copies(path: Path) -> list[Path]:
    """Files beside the log at ``path`` that hold older states of it: damaged ones that were set aside, copies made
    before a change of the schema.
    """
    return sorted(
        found
        for pattern in ("damaged-*", "v*.backup")
        for found in path.parent.glob(f"{path.name}.{pattern}")
        if found.suffix != ".txt"
    )


def _no_backup(folder: Path, why: str) -> StoreError:
    return StoreError(
        f"No copy of the vote log could be made in {folder}: {why}.", "Votes are stored all the same; make room there."
    )


def _written_in_pieces(copy: int, pause: Callable[[float], bool]) -> Callable[[float], bool]:
    """``pause`` that first brings what was copied to the disk: hundreds of megabytes at the end, all at once, would
    keep a vote waiting that wants to be durable at that moment.
    """

    def piece_by_piece(seconds: float) -> bool:
        if seconds:
            os.fsync(copy)
        return pause(seconds)

    return piece_by_piece
