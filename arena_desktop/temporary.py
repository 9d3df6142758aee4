"""Where files lie that live no longer than the program: a folder of its own, so that what a killed program left behind
is found, told apart from what is in use, and cleared away by the next one.
"""

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from arena_desktop.file_lock import FileLock

PREFIX = "arena-"
HELD = "in-use"
"""A file in the folder that is locked for as long as the program runs."""
OURS = b"Arena Desktop keeps temporary files here while it runs.\n"
"""What that file says. A folder without it isn't ours to remove."""


@contextlib.contextmanager
def own_temporary_folder() -> Iterator[None]:
    """Within, ``tempfile`` makes everything in a folder that is removed afterwards, and so do child processes that are
    started with :func:`child_folder`. Before, folders are removed whose program was killed.

    Where no folder can be made all stays as it is: whoever needs room for a file will say so.
    """
    _sweep(Path(tempfile.gettempdir()))
    made = _make()
    if made is None:
        yield
        return
    folder, lock = made
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before
        _remove(folder, lock)


def child_folder() -> Path | None:
    """A new folder for the temporary files of a child, which whoever ends the child removes. None: there is no room."""
    with contextlib.suppress(OSError):
        return Path(tempfile.mkdtemp(prefix=PREFIX))
    return None


def surroundings(folder: Path | None) -> dict[str, str]:
    """The environment variables by which a child's libraries put their temporary files into ``folder``."""
    return {} if folder is None else dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))


def _make() -> tuple[Path, FileLock] | None:
    folder = child_folder()
    if folder is None:
        return None
    try:
        (folder / HELD).write_bytes(OURS)  # before it is locked: Windows lets nobody write into what is
    except OSError:  # the disk is full
        shutil.rmtree(folder, ignore_errors=True)
        return None
    lock = FileLock(folder / HELD)
    if not lock.try_alone():  # a disk without locks: nobody could tell that it is in use
        _remove(folder, lock)
        return None
    return folder, lock


def _sweep(place: Path) -> None:
    """Remove the folders of this user's programs that were killed."""
    with contextlib.suppress(OSError):
        for folder in place.glob(f"{PREFIX}*"):
            if _is_ours(folder):
                lock = FileLock(folder / HELD)
                if lock.try_alone():
                    _remove(folder, lock)
                else:
                    lock.release()


def _remove(folder: Path, lock: FileLock) -> None:
    """All but the mark first: whoever is killed meanwhile leaves a folder that the next one still knows."""
    try:
        with contextlib.suppress(OSError):
            for one in folder.iterdir():
                if one.is_dir() and not one.is_symlink():
                    shutil.rmtree(one, ignore_errors=True)
                elif one.name != HELD:
                    one.unlink()
    finally:
        lock.release()
    shutil.rmtree(folder, ignore_errors=True)  # Windows removes no file that is open


def _is_ours(folder: Path) -> bool:
    """Whether this program made it, for this user. Follows no link and opens nothing but a plain file."""
    try:
        found, held = folder.lstat(), (folder / HELD).lstat()
        if not stat.S_ISDIR(found.st_mode) or not stat.S_ISREG(held.st_mode) or held.st_size != len(OURS):
            return False
        if hasattr(os, "getuid") and {found.st_uid, held.st_uid} != {os.getuid()}:
            return False
        return (folder / HELD).read_bytes() == OURS
    except OSError:
        return False
