"""The child as a process: modest, gone when the parent is gone, its log bounded, its memory known."""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import signal
import sys
import threading
import time
from typing import NoReturn

from . import descendants

LOG_LIMIT = 8 * 2**20
"""Bytes after which the log is cut."""
LOG_LOOK_S = 0.5
GRACE_S = 2.0


def be_modest() -> None:
    """Low priority, first to go when the kernel is out of memory, crash traces into the log, the log bounded, no orphan
    of an engine's programs out of reach.
    """
    descendants.adopt_orphans()
    with contextlib.suppress(OSError, AttributeError):
        os.nice(10)  # on Windows the parent starts the child below normal
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:  # noqa: PTH123
        score.write("1000")
    faulthandler.enable(file=2)
    threading.Thread(target=_bound_log, name="log", daemon=True).start()


def leave() -> NoReturn:
    """End at once, with every process that an engine started."""
    descendants.end_own(())
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def arm(deadline_s: float) -> None:
    """End this process soon after ``deadline_s`` unless :func:`disarm` comes first.

    The parent kills a late child at the deadline. This is for a parent that is gone while native code holds the
    interpreter's lock, where no Python thread could notice: faulthandler's timer needs no lock.
    """
    faulthandler.dump_traceback_later(deadline_s + GRACE_S, exit=True, file=2)


def disarm() -> None:
    """The request is done."""
    faulthandler.cancel_dump_traceback_later()


def resident_bytes() -> int | None:
    """Memory of this process in RAM, None where the system doesn't say cheaply."""
    try:
        with open("/proc/self/statm") as statm:  # noqa: PTH123
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except (OSError, ValueError, AttributeError):
        return None


def held() -> dict[str, object]:
    """What this process holds, in bytes: ``resident`` RAM and its ``peak`` so far (None where the system doesn't say),
    and by GPU number what torch has reserved there (``cuda``) and the peak of that (``cuda_peak``).
    """
    found: dict[str, object] = {"resident": resident_bytes(), "peak": peak_bytes(), "cuda": {}, "cuda_peak": {}}
    torch = sys.modules.get("torch")
    cuda = getattr(torch, "cuda", None)
    if cuda is not None and cuda.is_initialized():
        numbers = range(cuda.device_count())
        found["cuda"] = {str(number): int(cuda.memory_reserved(number)) for number in numbers}
        found["cuda_peak"] = {str(number): int(cuda.max_memory_reserved(number)) for number in numbers}
    return found


def peak_bytes() -> int | None:
    """The most RAM that this process has held, None where the system doesn't say."""
    try:
        with open("/proc/self/status", "rb") as status:  # noqa: PTH123
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith(b"VmHWM:"))
    except (OSError, ValueError, StopIteration):
        pass
    try:
        import resource
    except ImportError:  # Windows
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def give_back_memory() -> None:
    """Return what was freed to the system."""
    gc.collect()
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        torch.cuda.empty_cache()
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):  # musl has no malloc_trim
            ctypes.CDLL(None).malloc_trim(0)


def _bound_log() -> None:
    while True:
        time.sleep(LOG_LOOK_S)
        with contextlib.suppress(OSError):
            if os.fstat(2).st_size > LOG_LIMIT:
                os.ftruncate(2, 0)
                os.write(2, b"[the log grew past its limit and was cut]\n")
