"""Failures counted, by model and kind."""

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from arena_desktop.engines.types import FailureKind, SpeechFailure


@dataclass(frozen=True)
class Tally:
    """What went wrong with one model. ``last`` is the last failure in words, ``when`` in UTC, ISO 8601, it was told, ""
    for in this run of the program.
    """

    counts: Mapping[FailureKind, int] = field(default_factory=lambda: MappingProxyType({}))
    last: str = ""
    when: str = ""


class FailureCounts:
    """Counts failures; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, Counter[FailureKind]] = {}
        self._last: dict[str, str] = {}

    def add(self, failure: SpeechFailure) -> None:
        """Count one failure, unless it is only that the program is closing."""
        if failure.kind is FailureKind.CANCELLED:
            return
        with self._lock:
            self._counts.setdefault(failure.repo_id, Counter())[failure.kind] += 1
            self._last[failure.repo_id] = str(failure)

    def of(self, repo_id: str) -> Tally:
        """The tally of one model."""
        with self._lock:
            counts = self._counts.get(repo_id)
            if counts is None:
                return Tally()
            return Tally(MappingProxyType(dict(counts)), self._last[repo_id])
