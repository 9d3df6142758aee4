"""The offer to set an engine's environment up, and its making while the window goes on."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from arena_desktop.domain.recipes import Recipe
from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.interpreter import ENVIRONMENT
from arena_desktop.errors import ArenaError
from arena_desktop.services.cancelling import Cancelled
from arena_desktop.services.environments import Making, Progress
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.views import SetUpOffer, SetUpState

TELL_S = 0.25
"""Between two pieces of news about the progress."""


@dataclass
class _Work:
    """One making: asked for, perhaps running, perhaps failed. ``total`` bytes, as the recipe has it."""

    total: int
    done: int = 0
    words: str = "waiting"
    failed: bool = False
    stop: threading.Event = field(default_factory=threading.Event)


class Maker(Protocol):
    """What is needed of :class:`arena_desktop.services.environments.Environments`."""

    def lacking(self, names: Iterable[str]) -> Mapping[str, Recipe]: ...
    def makers(self, names: Iterable[str]) -> Mapping[str, Recipe]: ...
    def make(self, recipe: Recipe, progress: Progress, *, name: str | None = None, again: bool = False) -> object: ...


class SetUps:
    """What environments the roster's models lack, and their making, one after another on a thread of its own.

    All calls come from the services' thread, and so do those of ``changed`` (an offer looks otherwise) and ``made``
    (these models' environment was made: they may be ready now). Which environments are whole is looked up on the
    thread; :meth:`look` asks for it.
    """

    def __init__(
        self,
        environments: Maker,
        inbox: Inbox,
        *,
        models: Callable[[], Iterable[ModelSpec]],
        changed: Callable[[], None],
        made: Callable[[tuple[str, ...]], None],
        faults: Callable[[str], int] = lambda repo_id: 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._environments = environments
        self._inbox = inbox
        self._models = models
        self._changed = changed
        self._made = made
        self._faults = faults
        self._forgiven: dict[str, int] = {}
        self._makers: Mapping[str, Recipe] = {}
        self._clock = clock
        self._thread = JobThread(inbox, "set-up")
        self._lacking: Mapping[str, Recipe] = {}
        self._work: dict[str, _Work] = {}
        self._closed = False

    def look(self, then: Callable[[], None] = lambda: None) -> None:
        """Look again which environments are missing; ``changed`` follows if the answer is another, and ``then`` in any
        case.
        """
        names = {name for model in self._models() if (name := environment_of(model)) is not None}
        if not names or self._closed:
            then()
            return

        def looked(found: tuple[Mapping[str, Recipe], Mapping[str, Recipe]]) -> None:
            self._looked(found)
            then()

        def failed(error: Exception) -> None:
            then()
            raise error

        self._thread.ask(lambda: (self._environments.makers(names), self._environments.lacking(names)), looked, failed)

    def offer(self, model: ModelSpec) -> SetUpOffer | None:
        """What is offered to this model; None if it needs no environment, has it, or nothing is known that makes it."""
        name = environment_of(model)
        recipe = None if name is None else self._recipe(name)
        if name is None or recipe is None:
            return None
        plain = SetUpOffer(recipe.id, recipe.title, recipe.size_words, recipe.licence_words, recipe.needs_consent)
        work = self._work.get(name)
        if work is None:
            return plain
        state = SetUpState.FAILED if work.failed else SetUpState.RUNNING
        return replace(plain, state=state, done=work.done, total=work.total, words=work.words)

    def start(self, repo_id: str) -> None:
        """Make the environment of this model; nothing if that is under way, or there is nothing to make."""
        name = self._name(repo_id)
        recipe = None if name is None else self._recipe(name)
        if name is None or recipe is None or self._closed or (name in self._work and not self._work[name].failed):
            return
        work = self._work[name] = _Work(int(recipe.size_gb * 1e9))
        again = name not in self._lacking
        self._changed()
        self._thread.ask(
            lambda: self._make(name, recipe, work, again),
            lambda _: self._end(name, work),
            lambda error: self._fail(work, error),
        )

    def cancel(self, repo_id: str) -> None:
        """End the making of this model's environment; what was fetched so far is kept for the next time. A failure
        that is shown is put away.
        """
        name = self._name(repo_id)
        work = None if name is None else self._work.get(name)
        if name is None or work is None:
            return
        work.stop.set()
        if work.failed:
            del self._work[name]
        else:
            work.words = "stopping"
        self._changed()

    def close(self) -> None:
        """End whatever is under way; returns when it has ended, within a second or so."""
        self._closed = True
        for work in self._work.values():
            work.stop.set()
        self._thread.close()

    def _name(self, repo_id: str) -> str | None:
        model = next((model for model in self._models() if model.repo_id == repo_id), None)
        return None if model is None else environment_of(model)

    def _recipe(self, name: str) -> Recipe | None:
        """What makes this environment, if it is to be made."""
        if name in self._lacking:
            return self._lacking[name]
        return self._makers.get(name) if self._failed(name) > self._forgiven.get(name, 0) else None

    def _failed(self, name: str) -> int:
        return sum(self._faults(model.repo_id) for model in self._models() if environment_of(model) == name)

    def _make(self, name: str, recipe: Recipe, work: _Work, again: bool) -> None:
        told = -TELL_S

        def progress(making: Making) -> None:
            nonlocal told
            if work.stop.is_set():
                raise Cancelled
            now = self._clock()
            if now - told >= TELL_S:
                told = now
                self._inbox.post(lambda: self._tell(work, making))

        progress(Making(0, work.total, ""))
        self._environments.make(recipe, progress, name=name, again=again)

    def _tell(self, work: _Work, making: Making) -> None:
        if not work.failed and not work.stop.is_set():
            work.done, work.words = making.done, making.words
            self._changed()

    def _end(self, name: str, work: _Work) -> None:
        if self._work.get(name) is work:
            del self._work[name]
        self._lacking = {other: recipe for other, recipe in self._lacking.items() if other != name}
        self._forgiven[name] = self._failed(name)
        self._changed()
        self._made(tuple(model.repo_id for model in self._models() if environment_of(model) == name))

    def _fail(self, work: _Work, error: Exception) -> None:
        if isinstance(error, Cancelled):
            self._work = {name: other for name, other in self._work.items() if other is not work}
        else:
            work.failed = True
            work.words = str(error) if isinstance(error, ArenaError) else f"It broke off ({type(error).__name__})."
        self._changed()

    def _looked(self, found: tuple[Mapping[str, Recipe], Mapping[str, Recipe]]) -> None:
        if found != (self._makers, self._lacking):
            for name in {*self._lacking, *found[1]}:  # what failed for want of an environment is no fault of it later
                self._forgiven[name] = self._failed(name)
            self._makers, self._lacking = found
            self._changed()


def environment_of(model: ModelSpec) -> str | None:
    """The name of the environment that this model runs in, if it is one that this program makes."""
    if model.python is None or not model.python.startswith(ENVIRONMENT):
        return None
    return model.python.removeprefix(ENVIRONMENT)
