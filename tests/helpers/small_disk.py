"""A disk that is full, for commands run as children: a real one of a few megabytes where this process may mount one,
else (or if asked for) a limit on the size of every file that the child writes.
"""

import os
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.helpers.program import command


class SmallDisk(ABC):
    """``folder`` lies on it. What is run as :meth:`full` finds so many bytes of room, then none."""

    kind: str
    little: int
    """Bytes: room in which a log can be opened and not much more."""
    much: int
    """Bytes: room in which small work goes through now and then."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @abstractmethod
    @contextmanager
    def full(self, room: int) -> Iterator[Callable[[], None] | None]:
        """Inside, the disk has ``room`` bytes left. Gives what a child must call first."""

    def run(self, room: int | None, *words: str) -> "subprocess.CompletedProcess[str]":
        """One command of the program, with so much room left; None for enough."""
        if room is None:
            return _run(words, None)
        with self.full(room) as limit:
            return _run(words, limit)


class LimitedFiles(SmallDisk):
    """No file may grow beyond a size (``room``, counted from nothing)."""

    kind = "a limit on the size of files"
    little, much = 60_000, 1_000_000

    @contextmanager
    def full(self, room: int) -> Iterator[Callable[[], None] | None]:
        import resource

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))

        yield limit


class Mounted(SmallDisk):
    """A file system in memory, filled up by a file that is in the way."""

    kind = "a full file system of its own"
    little, much = 0, 4_000_000

    @contextmanager
    def full(self, room: int) -> Iterator[Callable[[], None] | None]:
        ballast = self.folder.parent / "ballast"
        with ballast.open("wb") as file:
            free = shutil.disk_usage(self.folder.parent).free
            os.posix_fallocate(file.fileno(), 0, max(1, free - room))
        try:
            yield None
        finally:
            ballast.unlink()


@contextmanager
def small_disk(folder: Path, megabytes: int, *, mounted: bool) -> Iterator[SmallDisk]:
    """A small disk in ``folder``; a real one if that is asked for and can be had."""
    folder.mkdir()
    mount, umount = shutil.which("mount"), shutil.which("umount")
    if mounted and mount and umount:
        done = subprocess.run(
            [mount, "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)], capture_output=True, check=False
        )
        if done.returncode == 0:
            try:
                (folder / "data").mkdir()
                yield Mounted(folder / "data")
            finally:
                subprocess.run([umount, str(folder)], check=True)
            return
    (folder / "data").mkdir()
    yield LimitedFiles(folder / "data")


def _run(words: tuple[str, ...], limit: Callable[[], None] | None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(*words),
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=300,
        preexec_fn=limit,
    )
