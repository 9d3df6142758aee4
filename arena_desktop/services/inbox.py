"""The way home for background work: results are queued here and delivered on the one thread that owns the services."""

import queue
import threading
from collections.abc import Callable


class Inbox:
    """A thread-safe queue of callbacks, emptied by the owning thread.

    ``post`` may be called from any thread. ``waker`` is called after each post, so that an event loop can drain at once
    instead of at its next tick; it must be callable from any thread and must not raise. After :meth:`close` whatever
    still arrives is dropped.
    """

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._waker: Callable[[], None] | None = None
        self._closed = threading.Event()

    def set_waker(self, waker: Callable[[], None] | None) -> None:
        """Call ``waker`` after every post; None for none."""
        self._waker = waker

    def post(self, callback: Callable[[], None]) -> None:
        """Have ``callback`` called by the owning thread."""
        if self._closed.is_set():
            return
        self._queue.put(callback)
        waker = self._waker
        if waker is not None:
            waker()

    def drain(self) -> int:
        """Call what was posted, in order; returns how many were called."""
        done = 0
        while not self._closed.is_set():
            try:
                callback = self._queue.get_nowait()
            except queue.Empty:
                break
            callback()
            done += 1
        return done

    def close(self) -> None:
        """Drop everything from now on."""
        self._closed.set()
        self._waker = None
