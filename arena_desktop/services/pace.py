"""How long clips take here: what was measured, and what may be expected of it."""

import statistics
import threading
from collections import deque
from collections.abc import Callable, Iterable

from arena_desktop.services.waiting_words import Estimate

_LATEST = 9
"""So many clips of a model count: the load before one of them is no part of its pace, and the median leaves it out."""


class Pace:
    """Seconds a clip, by model. Thread-safe.

    ``before`` gives what was measured in earlier runs (seconds a clip, None where nothing was).
    """

    def __init__(self, before: Callable[[str], float | None] = lambda repo_id: None) -> None:
        self._before = before
        self._lock = threading.Lock()
        self._clips: dict[str, deque[float]] = {}

    def note(self, repo_id: str, seconds: float) -> None:
        """A clip of this model took so long."""
        with self._lock:
            self._clips.setdefault(repo_id, deque(maxlen=_LATEST)).append(seconds)

    def of(self, repo_id: str) -> float | None:
        """Seconds that a clip of this model takes, None if that was never measured."""
        with self._lock:
            clips = self._clips.get(repo_id)
            if clips:
                return statistics.median(clips)
        return self._before(repo_id)

    def all(self, clips: Iterable[str]) -> Estimate | None:
        """What these clips take, each named by its model; None if none of them was ever measured. While some were not
        it is the least: nobody knows whether they are as quick as the others, or take minutes.
        """
        each = [self.of(repo_id) for repo_id in clips]
        known = [seconds for seconds in each if seconds is not None]
        return Estimate(sum(known), len(known) == len(each)) if known else None

    def slowest(self, repo_ids: Iterable[str], clips: int) -> float | None:
        """Seconds that ``clips`` clips of different models take at most; None while one of them was never measured."""
        each = [self.of(repo_id) for repo_id in repo_ids]
        known = sorted((seconds for seconds in each if seconds is not None), reverse=True)
        return sum(known[:clips]) if known and len(known) == len(each) else None
