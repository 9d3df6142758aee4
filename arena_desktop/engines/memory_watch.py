"""Why a child fell: whether memory had run out, by what the system counts and by what the child last wrote."""

import signal
from collections.abc import Callable
from pathlib import Path

from arena_desktop.engines.free_memory import killed_for_memory
from arena_desktop.engines.worker.faults import MEMORY_WORDS

LONGEST = 65536
KILLED = 9
"""SIGKILL, which Windows doesn't name."""


class MemoryWatch:
    """Made before a request; asked when the child died of it. ``killed`` counts what the system has ended for want of
    memory.
    """

    def __init__(self, log_file: Path, killed: Callable[[], int] = killed_for_memory) -> None:
        self._log_file = log_file
        self._killed = killed
        self._before = killed()
        self._written = _size(log_file)

    def ran_out(self, status: int) -> bool:
        """Whether a child that ended with ``status`` (as subprocess gives it) had no memory left: it was killed as the
        system counted another such kill, or aborted after words that say so.
        """
        if status == -KILLED:
            return self._killed() > self._before
        if status == -signal.SIGABRT:
            words = self._last_words()
            return any(phrase in words for phrase in MEMORY_WORDS)
        return False

    def _last_words(self) -> str:
        try:
            with self._log_file.open("rb") as log:
                size = _size(self._log_file)
                log.seek(max(self._written if self._written <= size else 0, size - LONGEST))
                return log.read(LONGEST).decode("utf-8", "replace").lower()
        except OSError:
            return ""


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
