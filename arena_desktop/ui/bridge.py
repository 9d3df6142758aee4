"""From any thread to the window's thread: one queued signal, deaf after :meth:`Bridge.close`."""

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal, Slot


class Bridge(QObject):
    """Runs callbacks on the thread that made it.

    ``post`` may be called from any thread; callbacks run in the order posted. What arrives after :meth:`close` is
    dropped, so that nothing touches a window that is being taken down.
    """

    _woken = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: deque[Callable[[], None]] = deque()
        self._open = True
        self._woken.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def post(self, job: Callable[[], None]) -> None:
        """Have ``job`` called on the window's thread, soon."""
        if self._open:
            self._jobs.append(job)
            self._woken.emit()

    def close(self) -> None:
        """Drop what waits and whatever still comes."""
        self._open = False
        self._jobs.clear()

    @Slot()
    def _deliver(self) -> None:
        # One signal, one job: a job that fails reaches the exception hook and the ones after it still run.
        if self._open and self._jobs:
            self._jobs.popleft()()
