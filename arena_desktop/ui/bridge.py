"""From any thread to the window's thread, through Qt's own queue of events; deaf after :meth:`Bridge.close`."""

import sys
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject

_WAKE = QEvent.Type(QEvent.registerEventType())


class Bridge(QObject):
    """Runs callbacks on the thread that made it.

    ``post`` may be called from any thread; callbacks run in the order posted. What arrives after :meth:`close` is
    dropped, so that nothing touches a window that is being taken down.
    """

    def __init__(self) -> None:
        super().__init__()
        self._jobs: deque[Callable[[], None]] = deque()
        self._open = True

    def post(self, job: Callable[[], None]) -> None:
        """Have ``job`` called on the window's thread, soon."""
        if self._open:
            self._jobs.append(job)
            QCoreApplication.postEvent(self, QEvent(_WAKE))

    def close(self) -> None:
        """Drop what waits and whatever still comes."""
        self._open = False
        self._jobs.clear()

    def event(self, event: QEvent) -> bool:
        if event.type() != _WAKE:
            return super().event(event)
        # One event, one job: one that fails goes the way of every failure in a slot, and the ones after it still run.
        if self._open and self._jobs:
            try:
                self._jobs.popleft()()
            except Exception as error:
                sys.excepthook(type(error), error, error.__traceback__)
        return True
