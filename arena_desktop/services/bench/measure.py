"""What a piece of work costs: processor time, and the memory it asks for at its peak."""

import contextlib
import gc
import re
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Cost(NamedTuple, Generic[T]):
    """``seconds`` of processor time at best, ``peak_mb`` beside what was there before, and what came out."""

    seconds: float
    peak_mb: float
    result: T

    def report(self) -> dict[str, float]:
        """As a JSON object."""
        return {"seconds": round(self.seconds, 6), "peak_mb": round(self.peak_mb, 2)}


def cost(work: Callable[[], T], times: int = 1) -> Cost[T]:
    """Do the work so many times for the time it takes, and once more for the memory: counting that slows it down."""
    seconds = []
    for _ in range(times):
        gc.collect()
        started = time.process_time()
        result = work()
        seconds.append(time.process_time() - started)
    del result
    gc.collect()
    tracemalloc.start()
    try:
        result = work()
        peak = tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()
    return Cost(min(seconds), peak, result)


def at_peak(work: Callable[[], T]) -> tuple[T, float | None]:
    """What ``work`` returns, and the most memory the process had while it ran, in MB: all of it, SQLite's too. None
    where the system doesn't tell.
    """
    gc.collect()
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", "ascii")  # the peak begins anew
    result = work()
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    except OSError:
        found = None
    return result, None if found is None else round(int(found[1]) * 1024 / 1e6, 1)
