"""Opening the vote log: what is cheap to look at is looked at, and a damaged log is recovered before it is opened.

Only whoever has the log alone looks into its files or repairs them; everybody else waits for that, then shares it.
"""

import contextlib
import json
import sqlite3
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from arena_desktop.file_lock import FileLock, in_use
from arena_desktop.store.backup_files import list_backups
from arena_desktop.store.bounded import reason
from arena_desktop.store.chain_mark import ChainMark
from arena_desktop.store.damage_sign import sign_of, take_sign
from arena_desktop.store.database import Database, connect_reading
from arena_desktop.store.migrate import ForeignDatabase
from arena_desktop.store.recovery import recover, settle, take_news
from arena_desktop.store.recovery_report import Damage
from arena_desktop.store.salvage import Wreck, whole_record
from arena_desktop.store.small_files import utc_now
from arena_desktop.store.sql_errors import DamagedError, RefusedError, StoreError, machine_s_doing, worded
from arena_desktop.store.vote_log import VoteLog
from arena_desktop.store.write_ahead import read_write_ahead

_WAIT_S = 60.0
_EDGES = (
    "SELECT position, id, hash FROM records ORDER BY position LIMIT 1",
    "SELECT position, id, hash FROM records ORDER BY position DESC LIMIT 1",
    "SELECT at, id FROM records ORDER BY at, label, legacy_index, id, hash LIMIT 1",
    "SELECT at, id FROM records ORDER BY at DESC, label DESC, legacy_index DESC, id DESC, hash DESC LIMIT 1",
    "SELECT key, value FROM meta",
)
"""What every log must be able to answer at once: the two ends of its table and of its canonical order."""


class OpenedLog(VoteLog):
    """A vote log that was looked at when it was opened. ``notes``: whole sentences for the user about what was found
    and done. ``damaged_file``: where the log lies in whose place this one was put, None if it is what it was.
    """

    def __init__(
        self, database: Database, lock: FileLock, notes: tuple[str, ...], damaged_file: Path | None = None
    ) -> None:
        super().__init__(database)
        self.notes = notes
        self.damaged_file = damaged_file
        self._lock = lock

    def close(self) -> None:
        """Close the file, and let others look into it."""
        super().close()
        self._lock.release()


def open_log(
    path: Path,
    *,
    backups: Path | None = None,
    forgotten: Callable[[], Collection[str]] = tuple,
    clock: Callable[[], datetime] = utc_now,
) -> OpenedLog:
    """The log in the file at ``path``, made when it isn't there, recovered when it is damaged.

    ``backups``: the folder of copies, from which a damaged log is completed; of listeners in ``forgotten`` nothing
    private is recovered. :class:`StoreError` when the log can't be opened, or is damaged and can't be recovered now.
    """
    with contextlib.suppress(OSError):  # opening the database says it in words
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(path.with_name(f"{path.name}.lock"))
    try:
        if lock.try_alone() and not in_use(path):
            database, notes = _Alone(path, backups, forgotten, clock).open()
            lock.share(_WAIT_S)
        else:
            if not lock.share(_WAIT_S):
                raise StoreError(f"Another Arena Desktop is repairing {path}.", "Wait until it is done and try again.")
            database, notes = _beside_others(path)
        try:
            news = take_news(database)
            notes += () if news is None else news.notes
            notes += _mended(database)
            notes += _behind(database)
        except BaseException:
            database.close()
            raise
    except BaseException:
        lock.release()
        raise
    return OpenedLog(database, lock, tuple(notes), None if news is None else news.damaged_file)


@dataclass
class _Alone:
    """Opens the log for whoever has it alone."""

    path: Path
    backups: Path | None
    forgotten: Callable[[], Collection[str]]
    clock: Callable[[], datetime]
    notes: list[str] = field(default_factory=list)

    def open(self) -> tuple[Database, list[str]]:
        settle(self.path)
        try:
            damage = self._seen_from_outside()
        except OSError as error:
            raise RefusedError(
                f"The vote log {self.path} can't be looked at ({reason(error)}); nothing was changed.",
                "Check the disk, and that you may read and write there.",
            ) from error
        if damage is None:
            try:
                database, notes = _sound_or_readable(self.path)
                return database, self.notes + notes
            except (StoreError, sqlite3.DatabaseError) as error:
                damage = self._worth_recovering(error)
                if damage is None:
                    raise
        copies = [] if self.backups is None else list_backups(self.backups)
        self.notes.clear()  # the recovery has its own
        recover(self.path, damage, copies, self.forgotten(), self.clock())
        return _sound(self.path), self.notes

    def _seen_from_outside(self) -> Damage | None:
        """What is wrong with the files before SQLite has touched them: it would drop what it can't make out."""
        if not self.path.exists() and not self.path.with_name(f"{self.path.name}-wal").exists():
            self._miss()
            return None
        if self.path.is_dir():
            return None
        ahead = read_write_ahead(self.path.with_name(f"{self.path.name}-wal"))
        empty = not self.path.exists() or self.path.stat().st_size == 0
        if empty and (ahead is not None or self._was_something()):
            return Damage("it was empty")
        if ahead is not None and ahead.damaged:
            return Damage("its -wal, where the newest votes wait, was damaged")
        return self._looked_closely() if sign_of(self.path).exists() else None

    def _looked_closely(self) -> Damage | None:
        """Damage was met when the log was in use: what is wrong, if it is there."""
        damage = examine(self.path)
        if damage is None:
            take_sign(self.path)
            self.notes.append(
                f"Damage had been met in {self.path}, but a closer look finds none: every record is whole. If that"
                " happens again, have the disk and the memory of this machine tested."
            )
        return damage

    def _worth_recovering(self, error: Exception) -> Damage | None:
        """What is wrong; None for a file that never was a log of ours, or that a newer program wrote, and
        for what a full disk, missing rights or memory did: the file may be as sound as ever.
        """
        if machine_s_doing(error):
            return None
        if isinstance(error, StoreError) and not isinstance(error, DamagedError | ForeignDatabase):
            return None
        try:
            with Wreck(self.path) as wreck:
                ours = wreck.is_ours()
        except OSError:
            return None
        was = isinstance(error, DamagedError) and self._was_something()
        return Damage("SQLite can't read it", (str(error.__cause__ or error),)) if ours or was else None

    def _was_something(self) -> bool:
        return ChainMark(self.path).read() is not None or bool(self.backups and list_backups(self.backups))

    def _miss(self) -> None:
        copies = [] if self.backups is None else list_backups(self.backups)
        if copies:
            self.notes.append(
                f"There was no vote log at {self.path}, so a new one was begun. If the old one is lost: close the"
                f" program, copy {copies[0].path} there, and start again."
            )


def examine(path: Path) -> Damage | None:
    """What is wrong with the database at ``path``; None if SQLite finds every page and index sound and
    every record's hash fits. Takes as long as reading all of it. :class:`StoreError` where the machine won't let it be
    read.
    """
    try:
        # Opened for reading alone, so that nothing is moved from the -wal into a file that may be damaged.
        with contextlib.closing(connect_reading(path)) as connection:
            found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(100)")]
            if found != ["ok"]:
                return Damage("SQLite finds faults in it", tuple(" ".join(line.split()) for line in found))
            texts = connection.execute("SELECT CAST(record AS BLOB) FROM records")
            broken = sum(not isinstance(text, bytes) or whole_record(text) is None for (text,) in texts)
    except UnicodeDecodeError:
        return Damage("some of its text is no text")
    except sqlite3.DatabaseError as error:
        if machine_s_doing(error):
            with worded(path):
                raise
        return Damage("SQLite can't read all of it", (str(error),))
    if broken:
        return Damage(
            "1 record is not what its hash says" if broken == 1 else f"{broken} records are not what their hashes say"
        )
    return None


def _sound(path: Path) -> Database:
    return _able_to_answer(Database(path))


def _sound_or_readable(path: Path) -> tuple[Database, list[str]]:
    """The log; where nothing can be written, as it is, with what to say of that."""
    try:
        return _sound(path), []
    except RefusedError as refusal:
        try:
            if not path.stat().st_size:
                raise
            database = _able_to_answer(Database.reading(path, refusal))
        except (StoreError, OSError, sqlite3.Error):
            raise RefusedError(refusal.message, f"Nothing was changed. {refusal.remedy}") from refusal
        note = f"{refusal.message} The votes in it are there and can be read; new ones can't be stored."
        return database, [f"{note} {refusal.remedy}"]


def _able_to_answer(database: Database) -> Database:
    try:
        for sql in _EDGES:
            database.rows(sql)
    except BaseException:
        database.close()
        raise
    return database


def _beside_others(path: Path) -> tuple[Database, list[str]]:
    try:
        return _sound_or_readable(path)
    except DamagedError as error:
        raise StoreError(
            error.message,
            "Close every Arena Desktop that uses it, then start one again: it recovers what is readable.",
        ) from error


def _mended(database: Database) -> list[str]:
    note = (
        f"Guards that keep votes in {database.path} from being changed were missing or altered, and have been put back:"
        " another tool must have been at the file. Run votes verify to see whether every record is what it was."
    )
    return [note] if database.mended else []


def _behind(database: Database) -> list[str]:
    """Whether the file is an older copy, or its newest votes are gone."""
    mark = ChainMark(database.path).read()
    if mark is None:
        return []
    heeded = database.row("SELECT value FROM meta WHERE key = 'mark'")
    if heeded is not None and heeded[0] == json.dumps(mark):
        return []
    station, seq, digest = mark
    if database.row("SELECT 1 FROM records WHERE hash = ? AND station_id = ? AND seq = ?", (digest, station, seq)):
        return []
    newest = database.row("SELECT max(seq) FROM records WHERE station_id = ?", (station,))
    held = int(newest[0] or 0) if newest is not None else 0
    note = (
        f"The vote log {database.path} lacks votes that were written into it: station {station} had come to seq {seq},"
        f" and {f'seq {held} is the last' if held else 'nothing of it is'} here. Either an older copy was put in its"
        " place, or its newest part (the file ending in -wal) was lost. New votes go on under a new station; import the"
        " missing ones if an export or another machine has them."
    )
    return [note]
