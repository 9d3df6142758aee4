"""SQLite's errors, sorted: what the machine did (disk full, locked, damaged …) is worded for a person; the rest is a
bug.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena_desktop.errors import ArenaError


class StoreError(ArenaError):
    """The machine or the file would not let the vote log be read or written."""


class DamagedError(StoreError):
    """The file does not hold what SQLite or the log put there."""


class RefusedError(StoreError):
    """The disk, its folder or the rights to them don't let the file be written (or not even read). That says nothing
    about what is in it.
    """


_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_REFUSALS = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
)
_VAGUE = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
"""What SQLite also says when it finds no room for the files beside a database."""
_LITTLE = 256 * 1024
"""Bytes. With less than that a disk is full: SQLite makes its files in pieces of 32 KiB."""
_WORDS = {
    sqlite3.SQLITE_FULL: ("The disk is full: {path} could not be written.", "Free some space and try again."),
    sqlite3.SQLITE_BUSY: (
        "Another program kept {path} locked for too long.",
        "Wait until it is done (a large import, perhaps) and try again.",
    ),
    sqlite3.SQLITE_LOCKED: ("{path} is locked.", "Wait a moment and try again."),
    sqlite3.SQLITE_READONLY: ("{path} can't be written.", "Give yourself write permission on the file and its folder."),
    sqlite3.SQLITE_PERM: ("{path} may not be opened.", "Give yourself permission on the file and its folder."),
    sqlite3.SQLITE_AUTH: ("{path} may not be opened.", "Give yourself permission on the file and its folder."),
    sqlite3.SQLITE_CANTOPEN: (
        "{path} can't be opened.",
        "Check that its folder exists, that you may write there, and that it is not a folder itself.",
    ),
    sqlite3.SQLITE_CORRUPT: (
        "{path} is damaged.",
        "Close the program and start it again: it then recovers what is readable and keeps the damaged file.",
    ),
    sqlite3.SQLITE_NOTADB: (
        "{path} is no vote log, or it is damaged from its first bytes on.",
        "Move it away; the program then starts a new log, into which you can import an export.",
    ),
    sqlite3.SQLITE_IOERR: (
        "The disk refused to read or write {path} (it may be full, gone or failing).",
        "Check the disk and its free space and try again.",
    ),
    sqlite3.SQLITE_NOMEM: ("Memory ran out while {path} was in use.", "Close other programs and try again."),
    sqlite3.SQLITE_PROTOCOL: ("{path} could not be locked.", "Keep the data directory on a local disk."),
    sqlite3.SQLITE_NOLFS: ("{path} is too large for this disk.", "Move the data directory to another disk."),
}


def no_database(path: Path) -> DamagedError:
    """The error for a file that holds something else."""
    message, remedy = _WORDS[sqlite3.SQLITE_NOTADB]
    return DamagedError(message.format(path=path), remedy)


@contextmanager
def worded(path: Path, *, texts: bool = False) -> Iterator[None]:
    """Turn environment errors raised inside into :class:`StoreError`; let bugs through as they are.

    ``texts``: nothing but SQLite is asked inside, so that a text that can't be decoded is one of a damaged file.
    """
    try:
        yield
    except (sqlite3.Error, MemoryError) as error:
        code = _code_behind(error)
        if code is None:
            raise
        raise _error(code, path) from error
    except UnicodeDecodeError as error:
        if not texts:
            raise
        raise _error(sqlite3.SQLITE_CORRUPT, path) from error


def machine_s_doing(error: BaseException) -> bool:
    """Whether ``error``, or one that it followed from, is about the machine (disk, memory, rights, locks) and so says
    nothing about what the file holds.
    """
    return any(isinstance(one, OSError) or _code_of(one) in _WORDS.keys() - set(_DAMAGE) for one in _chain(error))


def _chain(error: BaseException) -> Iterator[BaseException]:
    """``error``, and those that it followed from."""
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def _code_of(error: BaseException) -> int | None:
    """SQLite's (primary) code; None for what is no error of SQLite."""
    if isinstance(error, MemoryError):
        return sqlite3.SQLITE_NOMEM  # in Python's words
    if not isinstance(error, sqlite3.Error):
        return None
    code = getattr(error, "sqlite_errorcode", None)
    if code is None and str(error).startswith("Could not decode to UTF-8"):
        return sqlite3.SQLITE_CORRUPT  # Python's complaint, not SQLite's: a text was damaged
    return None if code is None else int(code) & 0xFF


def _code_behind(error: BaseException) -> int | None:
    """The first code on the way back from ``error`` that there are words for; what failed after it doesn't matter."""
    return next((code for code in map(_code_of, _chain(error)) if code in _WORDS), None)


def _error(code: int, path: Path) -> StoreError:
    if code in _VAGUE and _is_full(path.parent):
        code = sqlite3.SQLITE_FULL
    message, remedy = _WORDS[code]
    kind = DamagedError if code in _DAMAGE else RefusedError if code in _REFUSALS else StoreError
    return kind(message.format(path=path), remedy)


def _is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < _LITTLE
    except OSError:
        return False
