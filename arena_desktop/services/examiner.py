"""Examining models from the window: one after the other, on a thread of its own, each in processes of its own."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.engines.hearing import DeafError
from arena_desktop.engines.types import Identity, Missing, SpeechFailure, Spoken
from arena_desktop.errors import ArenaError
from arena_desktop.services.cancelling import Cancelled
from arena_desktop.services.examinations import Examinations
from arena_desktop.services.examining import Examination, Overhear, nobody
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.views import Examined
from arena_desktop.services.word_testing import Ear, WordTesting

WAITING = "Waits to be checked"


class Host(Protocol):
    """What is needed of a speech host that is closed afterwards."""

    def check(self, model: ModelSpec) -> tuple[Missing, ...]: ...
    def identify(self, model: ModelSpec, voice: Voice | None = None) -> Identity: ...
    def prompts(self, model: ModelSpec) -> frozenset[str] | None: ...
    def speak(self, model: ModelSpec, text: str, voice: Voice | None, out: Path, take: int = 0) -> Spoken: ...
    def close(self) -> None: ...


class OwnEar(Ear, Protocol):
    """A recogniser that is closed afterwards."""

    def close(self) -> None: ...


class Examine(Protocol):
    """Does the work: ``overhear`` gets every clip, ``progress`` (done, total) texts."""

    def __call__(
        self, model: ModelSpec, host: Host, *, overhear: Overhear, progress: Callable[[int, int], None]
    ) -> Examination: ...


class Shown(Protocol):
    """The Models page."""

    def busy_with(self, repo_id: str, words: str, *, stoppable: bool = False) -> None: ...
    def was_examined(self, repo_id: str, found: Examined) -> None: ...


class Examiner:
    """Calls come from the services' thread. ``models`` are the roster's; ``new_host`` makes a speech host, ``new_ear``
    a recogniser that listens, too, where there is one; ``count`` gets every failure to speak, ``note`` whatever else
    went wrong.
    """

    def __init__(
        self,
        *,
        inbox: Inbox,
        models: Callable[[], Mapping[str, ModelSpec]],
        new_host: Callable[[], Host],
        new_ear: Callable[[], OwnEar | None],
        examine: Examine,
        examinations: Examinations,
        shown: Shown,
        count: Callable[[SpeechFailure], None],
        note: Callable[[str], None],
    ) -> None:
        self._inbox = inbox
        self._models = models
        self._new_host = new_host
        self._new_ear = new_ear
        self._examine = examine
        self._examinations = examinations
        self._shown = shown
        self._count = count
        self._note = note
        self._thread = JobThread(inbox, "examining")
        self._asked: dict[str, bool] = {}
        """By repo_id: whether it shall be stopped."""
        self._under_way = ""
        self._children: tuple[Host | OwnEar, ...] = ()
        self._closing = False

    def examine(self, repo_id: str) -> None:
        """Examine this model; nothing if that is asked for already, or if the roster has no such model."""
        model = self._models().get(repo_id)
        if model is None or repo_id in self._asked or self._closing:
            return
        self._asked[repo_id] = False
        self._shown.busy_with(repo_id, WAITING, stoppable=True)
        self._thread.ask(
            lambda: self._work(model),
            lambda found: self._done(repo_id, *found),
            lambda error: self._over(repo_id, error),
        )

    def stop(self, repo_id: str) -> None:
        """End the examination of this model at once; nothing is kept of it."""
        if repo_id not in self._asked:
            return
        self._asked[repo_id] = True
        if self._under_way == repo_id:
            self._close_children()

    def close(self) -> None:
        """End what goes on; what was found so far of that model is dropped."""
        self._closing = True
        self._close_children()  # so that it gives up at once
        self._thread.close()

    def _work(self, model: ModelSpec) -> tuple[Examination, Examined]:
        self._end_if_stopped(model.repo_id)
        self._under_way = model.repo_id
        host, ear = self._new_host(), self._new_ear()
        self._children = (host,) if ear is None else (host, ear)
        testing = None if ear is None else WordTesting(ear)
        try:
            found = self._examine(
                model,
                host,
                overhear=nobody if testing is None else testing.overhear,
                progress=lambda done, total: self._tell(model.repo_id, done, total),
            )
            self._end_if_stopped(model.repo_id)
            words = None if testing is None else testing.test
            why = "" if testing is None or words is not None or found.failures else testing.why_none
            kept = self._examinations.keep(
                model, spoke=found.spoke, flags=found.words, texts=len(found.heard), words=words
            )
        except (SpeechFailure, DeafError):
            self._end_if_stopped(model.repo_id)  # then it failed for that
            raise
        finally:
            self._close_children()
            self._children = ()
        return found, replace(kept, no_words=why)

    def _close_children(self) -> None:
        for child in self._children:
            child.close()

    def _tell(self, repo_id: str, done: int, total: int) -> None:
        self._end_if_stopped(repo_id)
        words = f"Checking, text {done + 1} of {total}"
        self._inbox.post(lambda: self._shown.busy_with(repo_id, words, stoppable=True))

    def _end_if_stopped(self, repo_id: str) -> None:
        if self._closing or self._asked.get(repo_id):
            raise Cancelled

    def _done(self, repo_id: str, found: Examination, kept: Examined) -> None:
        for failure in found.failures:
            self._count(failure)
        self._shown.was_examined(repo_id, kept)
        self._over(repo_id)

    def _over(self, repo_id: str, error: Exception | None = None) -> None:
        self._asked.pop(repo_id, None)
        if isinstance(error, SpeechFailure):
            self._count(error)
        elif isinstance(error, ArenaError):
            self._note(str(error))
        elif error is not None and not isinstance(error, Cancelled):
            raise error  # the window reports it
        self._shown.busy_with(repo_id, "")
