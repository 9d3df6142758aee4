"""What a piece of work costs: processor time, and the memory it asks for at its peak."""

import gc
import time
import tracemalloc
from collections.abc import Callable
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
