"""Ends what a thread waits for from another thread, at once: a wait on the network has no other end than its time
limit.
"""

import contextlib
import threading
from collections.abc import Iterator
from typing import Protocol

from arena_desktop.store.hub.faults import Stopped


class Cuttable(Protocol):
    """Something that waits, and stops waiting when it is cut. May be cut more than once."""

    def cut(self) -> None: ...


class Stopper:
    """Shared by everything that belongs to one download."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._live: set[Cuttable] = set()

    @property
    def stopped(self) -> bool:
        """Whether it is to end."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """End it: from any thread, more than once if need be."""
        self._stopped.set()
        with self._lock:
            live = list(self._live)
        for one in live:
            one.cut()

    def check(self) -> None:
        """Raise :class:`Stopped` if it is to end."""
        if self._stopped.is_set():
            raise Stopped

    def wait(self, seconds: float) -> None:
        """Wait, but not past the end. Raises :class:`Stopped`."""
        self._stopped.wait(seconds)
        self.check()

    @contextlib.contextmanager
    def cutting(self, one: Cuttable) -> Iterator[None]:
        """While inside, :meth:`stop` cuts ``one``."""
        with self._lock:
            self._live.add(one)
        try:
            self.check()
            yield
        finally:
            with self._lock:
                self._live.discard(one)
