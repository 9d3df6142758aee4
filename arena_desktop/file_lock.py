"""A lock that processes of this program hold on a file of its own, apart from SQLite's locks."""

import errno
import os
import sys
import time
from pathlib import Path

_BYTES = 64
"""On Windows a lock is held by one process: many share the file by each locking another byte of it."""

_SQLITE_LOCKS = (512, 0x40000000)
"""Length and place of the bytes that SQLite's readers and writers lock in a database."""


class FileLock:
    """A lock on the file at ``path``, which is made when it isn't there and stays. Ends with the process at the latest.

    On a disk that knows no locks it is never :attr:`alone` and keeps nobody out.
    """

    def __init__(self, path: Path) -> None:
        self.alone = False
        try:
            self._handle: int | None = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        except OSError:
            self._handle = None  # the folder can't be written to: opening the log will say so

    @property
    def descriptor(self) -> int | None:
        """What a child must keep open so that the lock is held until it ends, too; None if there is no lock."""
        return self._handle

    def try_alone(self) -> bool:
        """Take the lock if nobody else has it in any way; whether that worked. Never waits."""
        self.alone = self._handle is not None and _exclusive(self._handle)
        return self.alone

    def share(self, patience: float) -> bool:
        """Hold it together with others, waiting while somebody has it alone; False if that takes too long."""
        self.alone = False
        if self._handle is None:
            return True
        end = time.monotonic() + patience
        while not _shared(self._handle):
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True

    def release(self) -> None:
        """Let go. Doing it twice is allowed."""
        self.alone = False
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def in_use(path: Path) -> bool:
    """Whether another process has the SQLite database at ``path`` open, with this program or any other tool.

    Not to be called while this process has it open. Windows doesn't tell; there a file in use can't be renamed.
    """
    if sys.platform == "win32":
        return False
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False  # not there, or not ours to open: that is said elsewhere
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, *_SQLITE_LOCKS)
    except OSError as error:
        return error.errno in (errno.EWOULDBLOCK, errno.EACCES)
    finally:
        os.close(handle)
    return False


if sys.platform == "win32":
    import msvcrt

    def _exclusive(handle: int) -> bool:
        return _lock(handle, 0, _BYTES)

    def _shared(handle: int) -> bool:
        _unlock(handle)
        return any(_lock(handle, place, 1) for place in range(_BYTES))

    def _lock(handle: int, place: int, count: int) -> bool:
        os.lseek(handle, place, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, count)
        except OSError:
            return False
        return True

    def _unlock(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_UNLCK, _BYTES)
        except OSError:
            return  # it was not held

else:
    import fcntl

    def _exclusive(handle: int) -> bool:
        return _lock(handle, fcntl.LOCK_EX)

    def _shared(handle: int) -> bool:
        return _lock(handle, fcntl.LOCK_SH, without=True)

    def _lock(handle: int, kind: int, *, without: bool = False) -> bool:
        """``without``: what to say where the disk knows no locks."""
        try:
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
        except OSError as error:
            return without and error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EINTR)
        return True
