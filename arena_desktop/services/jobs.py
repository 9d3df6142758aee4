"""One thread that does one kind of work in turn. The store's owns the database: SQLite's own same-thread check proves
that nothing else touches it.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from arena_desktop.services.inbox import Inbox

T = TypeVar("T")

_STANDING_S = 0.25
"""So long at most does long work stand still: whoever asked for it may never say that it can go on."""


class JobThread:
    """A single-thread executor whose results come home through an :class:`Inbox`."""

    def __init__(self, inbox: Inbox, name: str) -> None:
        self._inbox = inbox
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._urgent: deque[Callable[[], None]] = deque()
        self._heard = threading.Condition()  # of urgent work, and of the end of standing still
        self._still_until = 0.0

    def ask(
        self,
        work: Callable[[], T],
        done: Callable[[T], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
        *,
        urgent: bool = False,
    ) -> None:
        """Run ``work`` on the thread, then ``done(result)`` or ``failed(error)`` on the services' thread.

        Without ``failed`` an error is raised on the services' thread, where the window reports it. What is ``urgent``
        doesn't wait for the end of long work that lets it through (:meth:`let_urgent_through`).
        """

        def deliver(future: "Future[T]") -> None:
            error = future.exception()
            if error is None:
                if done is not None:
                    self._inbox.post(lambda: done(future.result()))
            elif isinstance(error, Exception) and failed is not None:
                self._inbox.post(lambda: failed(error))
            else:
                self._inbox.post(lambda: _raise(error))

        if not urgent:
            self._executor.submit(work).add_done_callback(deliver)
            return
        future: Future[T] = Future()
        future.add_done_callback(deliver)
        with self._heard:
            self._urgent.append(lambda: _settle(future, work))
            self._heard.notify_all()
        self._executor.submit(self._run_urgent)

    def let_urgent_through(self) -> None:
        """Called on the thread by work that takes long, now and then: what is urgent runs now, in the order asked.

        Between :meth:`stand_still` and :meth:`go_on` it returns only after that.
        """
        self._run_urgent()
        while self._waited_while_still():
            self._run_urgent()

    def stand_still(self) -> None:
        """Somebody waits for the screen: long work that lets urgent work through leaves the processor alone until
        :meth:`go_on`, a quarter of a second at most.
        """
        with self._heard:
            self._still_until = time.monotonic() + _STANDING_S

    def go_on(self) -> None:
        """The screen shows what was waited for."""
        with self._heard:
            self._still_until = 0.0
            self._heard.notify_all()

    def _run_urgent(self) -> None:
        while self._urgent:
            self._urgent.popleft()()

    def _waited_while_still(self) -> bool:
        """Wait for urgent work, the word to go on, or the end of patience; whether it is worth another look."""
        with self._heard:
            left = self._still_until - time.monotonic()
            if left <= 0:
                return False
            self._heard.wait_for(lambda: self._urgent or not self._still_until, left)
            return True

    def run(self, work: Callable[[], T]) -> T:
        """Run ``work`` on the thread and wait for it (for start-up, shutdown and tests)."""
        return self._executor.submit(work).result()

    def close(self) -> None:
        """Finish what was asked, then end the thread."""
        self._executor.shutdown(wait=True)


def _settle(future: "Future[T]", work: Callable[[], T]) -> None:
    try:
        result = work()
    except BaseException as error:  # as an executor does: whoever asked is told
        future.set_exception(error)
    else:
        future.set_result(result)


def _raise(error: BaseException) -> None:
    raise error
