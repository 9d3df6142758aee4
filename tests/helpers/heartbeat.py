"""How long the event loop of the test's own thread stood still, and what the thread did meanwhile.

A gap has three parts: the time in which the thread worked, the time in which it waited for something (a file, a lock,
another thread of the process), and the time in which it could have run and the machine let it wait for a processor. The
first two are the program's; the third is the machine's, is counted by the kernel, and is taken off.
"""

import contextlib
import os
import subprocess
import sys
import threading
import time
import traceback
from dataclasses import dataclass

from PySide6.QtCore import QTimer

BEAT_MS = 5
LATE_S = 0.05
BARE = """
import sys, time
from PySide6.QtCore import QCoreApplication, QSocketNotifier, QTimer
app, longest, last = QCoreApplication([]), 0.0, time.monotonic()
def beat():
    global longest, last
    now = time.monotonic()
    longest, last = max(longest, now - last), now
timer = QTimer()
timer.timeout.connect(beat)
timer.start(5)
def ask():
    global longest
    if not sys.stdin.readline():
        app.quit()
    print(longest, flush=True)
    longest = 0.0
asked = QSocketNotifier(0, QSocketNotifier.Type.Read)
asked.activated.connect(ask)
app.exec()
"""


@dataclass(frozen=True)
class Gaps:
    """Seconds. ``own``: the longest time without an event, less what the thread waited for a processor meanwhile (all
    of it where the kernel doesn't tell); ``wall``: the longest time without an event; ``busy``: the most processor time
    that this thread used between two; ``bare``: the longest gap in a process that does nothing, beside it. ``where``:
    what the thread did when it was late.
    """

    own: float
    wall: float
    busy: float
    bare: float
    where: str


class Heartbeat:
    """Beats in the event loop of the thread that makes it until :meth:`close`."""

    def __init__(self) -> None:
        self._bare = subprocess.Popen(
            [sys.executable, "-c", BARE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._thread = threading.get_ident()
        self._schedule = _schedule()
        self._over = threading.Event()
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)
        self._watch = threading.Thread(target=self._look, name="heartbeat", daemon=True)
        self._restart()
        self._timer.start(BEAT_MS)
        self._watch.start()

    def take(self) -> Gaps:
        """The gaps since the last call; a new count begins."""
        assert self._bare.stdin is not None
        assert self._bare.stdout is not None
        self._beat()
        self._bare.stdin.write("\n")
        gaps = Gaps(self._own, self._wall, self._busy, float(self._bare.stdout.readline()), self._where)
        self._restart()
        return gaps

    def close(self) -> None:
        self._timer.stop()
        self._over.set()
        self._watch.join()
        self._bare.communicate()
        if self._schedule is not None:
            os.close(self._schedule)

    def _restart(self) -> None:
        self._own = self._wall = self._busy = 0.0
        self._where = ""
        self._last = self._now()

    def _now(self) -> tuple[float, float, float]:
        """The time, the thread's own, and how long it has waited for a processor so far."""
        waited = 0.0 if self._schedule is None else int(os.pread(self._schedule, 100, 0).split()[1]) / 1e9
        return time.monotonic(), time.thread_time(), waited

    def _beat(self) -> None:
        now = self._now()
        gone = [new - old for new, old in zip(now, self._last, strict=True)]
        self._own = max(self._own, gone[0] - gone[2])
        self._wall = max(self._wall, now[0] - self._last[0])
        self._busy = max(self._busy, now[1] - self._last[1])
        self._last = now

    def _look(self) -> None:
        while not self._over.wait(0.01):
            if time.monotonic() - self._last[0] > LATE_S:
                frame = sys._current_frames().get(self._thread)
                stack = traceback.extract_stack(frame)
                ours = [at for at in stack if "arena_desktop" in at.filename] or stack[-1:]
                self._where = f"{ours[-1].filename.rsplit('/', 1)[-1]}:{ours[-1].lineno} {ours[-1].name}"


def _schedule() -> int | None:
    """What the kernel says of this thread: on a processor, waiting for one (nanoseconds), turns."""
    with contextlib.suppress(OSError):
        return os.open(f"/proc/self/task/{threading.get_native_id()}/schedstat", os.O_RDONLY)
    return None
