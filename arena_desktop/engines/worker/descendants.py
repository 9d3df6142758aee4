"""What a process started, down to the last: found, stopped and killed, also where it left its group and its session.

Linux alone tells this: a process that asks for it becomes the parent of every orphan below it, so that none gets out of
reach, and ``/proc`` names the parent of each. Elsewhere nothing is found here, and killing the group has to do.
Standard library only; the program uses it as well as its speech processes do.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Collection

_SET_CHILD_SUBREAPER = 36
_LONGEST_S = 5.0
"""A program that multiplies is stopped faster than it can go on; what the system holds fast is not waited for."""
_GONE = "ZX"


def adopt_orphans() -> bool:
    """From now on every orphan below this process is its child; whether the system does that."""
    if sys.platform != "linux":
        return False
    import ctypes

    try:
        return int(ctypes.CDLL(None, use_errno=True).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)) == 0
    except (OSError, AttributeError):
        return False


def children() -> frozenset[int]:
    """The children of this process now."""
    own = os.getpid()
    return frozenset(pid for pid, (parent, _) in _processes().items() if parent == own)


def below(root: int, apart_from: Collection[int] = ()) -> set[int]:
    """The living descendants of ``root``, without the processes ``apart_from`` and what those started."""
    inner: dict[int, list[int]] = {}
    processes = _processes()
    for pid, (parent, _) in processes.items():
        inner.setdefault(parent, []).append(pid)
    found: set[int] = set()
    waiting = [root]
    while waiting:
        for pid in inner.get(waiting.pop(), ()):
            if pid not in found and pid not in apart_from:
                found.add(pid)
                waiting.append(pid)
    return {pid for pid in found if processes[pid][1] not in _GONE}


def marked(name: str, value: str) -> set[int]:
    """Living processes that were started with this environment variable, this one left out."""
    wanted = f"\0{name}={value}\0".encode()
    return {
        pid
        for pid, (_, state) in _processes().items()
        if pid != os.getpid() and state not in _GONE and wanted in b"\0" + _read(pid, "environ")
    }


def end(found: Callable[[], set[int]]) -> set[int]:
    """Kill what ``found`` names until it names nothing more, all of it stopped first lest it multiply meanwhile.
    Returns what could not be killed, which is only what the system holds fast or another user owns.
    """
    stopped: set[int] = set()
    ends_at = time.monotonic() + _LONGEST_S
    pause = 0.001
    while there := found():
        if time.monotonic() > ends_at:
            return there
        fresh = there - stopped
        for pid in fresh or there:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGSTOP if fresh else signal.SIGKILL)
        stopped |= fresh
        if not fresh:
            time.sleep(pause)
            pause = min(0.05, pause * 2)
    return set()


def end_own(apart_from: Collection[int]) -> None:
    """Kill all that this process started but ``apart_from`` and what those started, and bury what it adopted. Only a
    process that was started by :mod:`subprocess` must not be running meanwhile: its status would be taken.
    """
    own = os.getpid()
    end(lambda: below(own, apart_from))
    for pid in children() - frozenset(apart_from):
        with contextlib.suppress(OSError):
            os.waitpid(pid, os.WNOHANG)


def _processes() -> dict[int, tuple[int, str]]:
    """Every process: its parent and its state; none where the system doesn't say."""
    try:
        names = os.listdir("/proc") if sys.platform == "linux" else []  # noqa: PTH208  # called often
    except OSError:
        names = []
    found: dict[int, tuple[int, str]] = {}
    for name in names:
        if name.isdigit():
            state, _, parent = _read(int(name), "stat").rpartition(b")")[2].strip().partition(b" ")
            if parent:
                found[int(name)] = (int(parent.split()[0]), state.decode("ascii"))
    return found


def _read(pid: int, what: str) -> bytes:
    try:
        with open(f"/proc/{pid}/{what}", "rb") as file:  # noqa: PTH123
            return file.read()
    except OSError:  # gone, or another user's
        return b""
