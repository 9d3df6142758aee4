"""Measuring models from the window: one after the other, on a thread of its own, each in processes of its own."""

from collections.abc import Callable, Mapping
from typing import Protocol

from arena_desktop.domain.roster import ModelSpec
from arena_desktop.errors import ArenaError
from arena_desktop.services.bench.models import Host, measure
from arena_desktop.services.cancelling import Cancelled
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.measurements import Measurements

WAITING = "Waits to be measured"


class Shown(Protocol):
    """The Models page."""

    def busy_with(self, repo_id: str, words: str) -> None: ...


class Measuring:
    """Calls come from the services' thread. ``models`` are the roster's; ``new_host`` makes a speech host; ``failed``
    gets what went wrong.
    """

    def __init__(
        self,
        *,
        inbox: Inbox,
        models: Callable[[], Mapping[str, ModelSpec]],
        new_host: Callable[[], Host],
        measurements: Measurements,
        shown: Shown,
        failed: Callable[[ArenaError], None],
    ) -> None:
        self._inbox = inbox
        self._models = models
        self._new_host = new_host
        self._failed = failed
        self._host: Host | None = None
        self._measurements = measurements
        self._shown = shown
        self._thread = JobThread(inbox, "measuring")
        self._asked: set[str] = set()
        self._stopping = False

    def measure(self, repo_id: str) -> None:
        """Measure this model; nothing if that is asked for already, or if the roster has no such model."""
        model = self._models().get(repo_id)
        if model is None or repo_id in self._asked or self._stopping:
            return
        self._asked.add(repo_id)
        self._shown.busy_with(repo_id, WAITING)
        self._thread.ask(
            lambda: self._measure(model),
            lambda _: self._over(repo_id),
            lambda error: self._over(repo_id, error),
        )

    def close(self) -> None:
        """End what goes on; what was measured so far of that model is dropped."""
        self._stopping = True
        host = self._host
        if host is not None:
            host.close()  # so that it gives up at once
        self._thread.close()

    def _measure(self, model: ModelSpec) -> None:
        if self._stopping:
            raise Cancelled
        self._measurements.record(
            measure(
                model,
                self._start_host,
                self._measurements.now,
                progress=lambda done, total: self._tell(model.repo_id, done, total),
            ).measured
        )

    def _tell(self, repo_id: str, done: int, total: int) -> None:
        if self._stopping:
            raise Cancelled
        self._inbox.post(lambda: self._shown.busy_with(repo_id, f"Measuring, {done * 100 // total} %"))

    def _start_host(self) -> Host:
        self._host = self._new_host()
        if self._stopping:
            self._host.close()
        return self._host

    def _over(self, repo_id: str, error: Exception | None = None) -> None:
        self._asked.discard(repo_id)
        if isinstance(error, ArenaError):
            self._failed(error)
        elif error is not None and not isinstance(error, Cancelled):
            raise error  # the window reports it
        self._shown.busy_with(repo_id, "")
