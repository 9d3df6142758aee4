"""The roster's models on this machine: ready or not, switched in or out, what failed; and what the machine itself
lacks.
"""

import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from arena_desktop.domain.arena_faults import arena_faults
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.engines.failures import Tally
from arena_desktop.engines.placement import Machine, gpu_fault
from arena_desktop.engines.types import FailureKind, Missing, SpeechFailure
from arena_desktop.errors import ArenaError
from arena_desktop.paths import set_up_command
from arena_desktop.services.after_voting import veiled, with_words_of
from arena_desktop.services.cautions import caution
from arena_desktop.services.failure_book import FailureBook
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.measurements import Measured
from arena_desktop.services.views import Examined, Line, ModelRow, ModelsView, SetUpOffer, SetUpState, Tone


class Checker(Protocol):
    """What is needed of the speech host."""

    @property
    def machine(self) -> Machine: ...
    def check(self, model: ModelSpec) -> tuple[Missing, ...]: ...
    def place_of(self, model: ModelSpec) -> str: ...
    def failures(self, repo_id: str) -> Tally: ...


AFTERWARDS = Line("The models are looked at again. What is found is shown after this battle.")


@dataclass(frozen=True)
class Readiness:
    """What a check found. ``missing`` is empty for a model that can be asked to speak."""

    missing: tuple[Missing, ...]

    @property
    def ready(self) -> bool:
        """Whether nothing is missing."""
        return not self.missing


class Models:
    """Keeps the Models page's view, and says which models may take part in a battle.

    All calls come from the services' thread, and so do all calls of ``changed`` (with a new view), ``looked`` (models
    were found ready or not) and ``checked`` (a check has ended). ``arena`` names the one whose models are looked at
    first: somebody waits for them, and not for what else there is. ``save`` keeps the repo_ids that are switched out;
    ``set_up`` is what is offered to a model; ``voted`` are those that the listener has voted on: of others it isn't
    shown what a recogniser heard. While :meth:`hold` is in force the view stays as it was, for a change on another page
    could tell who plays; what happened meanwhile shows at :meth:`release`.
    """

    def __init__(
        self,
        roster: Roster,
        host: Checker,
        inbox: Inbox,
        *,
        disabled: Iterable[str] = (),
        save: Callable[[tuple[str, ...]], None] = lambda disabled: None,
        changed: Callable[[ModelsView], None] = lambda view: None,
        looked: Callable[[], None] = lambda: None,
        checked: Callable[[], None] = lambda: None,
        arena: Callable[[], str] = str,
        heard: Callable[[str], None] = lambda repo_id: None,
        set_up: Callable[[ModelSpec], SetUpOffer | None] = lambda model: None,
        measured: Callable[[str], tuple[Measured, ...]] = lambda repo_id: (),
        examined: Callable[[ModelSpec], Examined | None] = lambda model: None,
        offers: frozenset[str] = frozenset(),
        voted: Callable[[], frozenset[str]] = frozenset,
        failures: FailureBook | None = None,
    ) -> None:
        self._roster = roster
        self._host = host
        self._inbox = inbox
        self._disabled = set(disabled)
        self._save = save
        self._changed = changed
        self._looked = looked
        self._checked = checked
        self._arena = arena
        self._heard = heard
        self._set_up = set_up
        self._look_up = measured
        self._look_examined = examined
        self._offers = offers
        self._failures = failures or FailureBook(host.failures)
        self._voted = voted
        self._measured: dict[str, tuple[Measured, ...]] = {}
        self._examined: dict[str, Examined | None] = {}
        self._stoppable: set[str] = set()
        self._busy: dict[str, str] = {}
        self._asked: set[str] = set()
        self._readiness: dict[str, Readiness] = {}
        self._fresh: set[str] = set()
        self._came: set[str] = set()
        self._devices: dict[str, str] = {}
        self._notices: tuple[Line, ...] = ()
        self._arena_notices = _notices_of(roster)
        self._checking = False
        self._awaited: set[str] = set()
        self._found_since: set[str] = set()
        self._held = False
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._shown = self._draw()

    def check_again(self) -> None:
        """Check every model in the background; nothing if that is already under way. While a battle is open the answer
        to the press is that what is found shows after it.
        """
        if self._held and AFTERWARDS not in self._shown.notices:
            self._shown = replace(self._shown, notices=(*self._shown.notices, AFTERWARDS))
            self._changed(self._shown)
        self._start_check(tuple(self._roster.models.values()))

    def use_roster(self, roster: Roster) -> None:
        """Models have come or gone: those that are new or changed are checked. They are shown at once, even while a
        battle is open, for they can't be in it.
        """
        before, self._roster = self._roster.models, roster
        self._arena_notices = _notices_of(roster)
        for repo_id in {*before, *roster.models}:
            if before.get(repo_id) != roster.models.get(repo_id):
                self._readiness.pop(repo_id, None)
        came = {repo_id for repo_id in roster.models if repo_id not in before}
        self._fresh |= came
        self._came |= came
        self.refresh()
        self._check_unknown()

    def look_again(self, repo_ids: Iterable[str]) -> None:
        """Something that these models lacked was brought: they are checked, and shown even while a battle is open."""
        for repo_id in repo_ids:
            self._readiness.pop(repo_id, None)
            self._fresh.add(repo_id)
        self.refresh()
        self._check_unknown()

    def _check_unknown(self) -> None:
        self._start_check(tuple(model for name, model in self._roster.models.items() if name not in self._readiness))

    def _start_check(self, models: tuple[ModelSpec, ...]) -> None:
        if self._checking or self._stop.is_set() or not models:
            return
        self._checking = True
        self._awaited = {model.repo_id for model in models}
        first = self._roster.arenas.get(self._arena())
        if first is not None:
            models = tuple(sorted(models, key=lambda model: model.repo_id not in first.models))
        self.refresh()
        self._thread = threading.Thread(target=self._check_all, args=(models,), name="model-check", daemon=True)
        self._thread.start()

    def awaits(self, arena: ArenaSpec) -> bool:
        """Whether one of the arena's models is still to be looked at by a check that is under way or about to begin."""
        models = [repo_id for repo_id in arena.models if repo_id in self._roster.models]
        return any(repo_id in self._awaited or repo_id not in self._readiness for repo_id in models)

    def check_now(self) -> None:
        """Check every model and wait for it (for the command line)."""
        for model in self._roster.models.values():
            self._readiness[model.repo_id] = found = self._check(model)
            self._examined[model.repo_id] = self._look_examined(model) if found.ready else None
        self._notices = self._look_at_machine()
        self.refresh()

    def usable(self, arena: ArenaSpec) -> tuple[ModelSpec, ...]:
        """The arena's models that are ready and switched in, in the arena's order; not those that are yet unchecked."""
        found = (self._roster.models[repo_id] for repo_id in arena.models if repo_id in self._roster.models)
        return tuple(model for model in found if self._is_ready(model.repo_id) and model.repo_id not in self._disabled)

    def missing(self, repo_id: str) -> tuple[Missing, ...]:
        """What this model lacks, as found by the last check."""
        readiness = self._readiness.get(repo_id)
        return readiness.missing if readiness else ()

    def set_enabled(self, repo_id: str, enabled: bool) -> None:
        """Switch a model into battles or out of them."""
        if enabled:
            self._disabled.discard(repo_id)
        else:
            self._disabled.add(repo_id)
        self._save(tuple(sorted(self._disabled)))
        self.refresh()

    def note_device(self, repo_id: str, device: str) -> None:
        """The model was heard, and ran there: its place and speed are shown. Not before, for that would tell which
        models are being prepared.
        """
        self._heard(repo_id)
        model = self._roster.models.get(repo_id)
        self._devices[repo_id] = (self._host.place_of(model) if model else "") or device
        self.refresh()

    def busy_with(self, repo_id: str, words: str, *, stoppable: bool = False) -> None:
        """Somebody asked for something to be done with this model, and ``words`` say how far it is; "" when it is over
        (then what was measured is read anew). Shown even while a battle is open: it was asked for here.
        """
        self._asked.add(repo_id)
        self._busy[repo_id] = words
        (self._stoppable.add if stoppable else self._stoppable.discard)(repo_id)
        if not words:
            self._measured[repo_id] = self._look_up(repo_id)
        self.refresh()

    def was_examined(self, repo_id: str, found: Examined) -> None:
        """Somebody asked for an examination of this model, and this came of it."""
        self._asked.add(repo_id)
        self._examined[repo_id] = found
        if found.ok:
            self._failures.clear(repo_id)
        self.refresh()

    def clear_failures(self, repo_id: str) -> None:
        """Somebody asked for this model's count of failures to begin anew."""
        self._failures.clear(repo_id)
        self.refresh()

    def hold(self) -> None:
        """A battle is open: the view stays as it is. What was never looked at can't be in it."""
        self._fresh = {repo_id for repo_id in self._roster.models if repo_id not in self._readiness}
        self._came.clear()
        self._held = True

    def release(self) -> None:
        """The battle is over: show what has changed since."""
        self._held = False
        self.refresh()

    def refresh(self) -> None:
        """Draw the view anew (failures may have been counted) and deliver it if it differs and isn't held."""
        if not self._held:
            self._failures.take_in(self._roster.models)
        view = self._draw()
        if self._held:
            view = self._still(view)
        if view != self._shown:
            self._shown = view
            self._changed(view)

    def _still(self, view: ModelsView) -> ModelsView:
        """What is shown while a battle is open: of ``view`` only which models there are, those that came since or are
        looked at for the first time, and how far set-ups are that somebody asked for.
        """
        shown = {row.repo_id: row for row in self._shown.rows if row.repo_id not in self._fresh}
        rows = tuple(self._as_asked(shown.get(row.repo_id, row), row) for row in view.rows)
        return replace(self._shown, rows=rows, checking=self._shown.checking and view.checking)

    def _as_asked(self, shown: ModelRow, now: ModelRow) -> ModelRow:
        if now.repo_id in self._came and not now.ready:  # it lacks its environment, so it can't be in this battle
            shown = replace(shown, set_up=now.set_up)
        shown = _with_set_up(shown, now)
        # What fails while a battle is open isn't taken in: the count can only have been cleared, by a person.
        shown = replace(shown, failures=now.failures, last_failure=now.last_failure, failed_when=now.failed_when)
        if now.repo_id not in self._asked:
            return shown
        examined = with_words_of(shown.examined, now.examined)
        return replace(shown, busy=now.busy, stoppable=now.stoppable, measured=now.measured, examined=examined)

    def view(self) -> ModelsView:
        """The view as last shown."""
        return self._shown

    def listing(self) -> list[dict[str, Any]]:
        """What ``models list --json`` prints: one object a model, in roster order."""
        return [
            {
                "repo_id": row.repo_id,
                "name": row.name,
                "engine": self._roster.models[row.repo_id].engine,
                "ready": row.ready,
                "missing": [{"what": what, "remedy": remedy} for what, remedy in row.missing],
                "warning": row.warning,
                "examined": None if row.examined is None else _told(row.examined),
                "enabled": row.enabled,
                "params": row.params,
                "license": self._roster.models[row.repo_id].license,
                "language": list(self._roster.models[row.repo_id].language),
                "voices": [voice.id for voice in self._roster.models[row.repo_id].voices],
                "arenas": [arena.id for arena in self._roster.arenas.values() if row.repo_id in arena.models],
            }
            for row in self._draw().rows
        ]

    def close(self, wait_s: float = 10.0) -> None:
        """End a check under way. Close the speech host first, so that it gives up at once."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(wait_s)

    def _is_ready(self, repo_id: str) -> bool:
        readiness = self._readiness.get(repo_id)
        return readiness is not None and readiness.ready

    def _check_all(self, models: tuple[ModelSpec, ...]) -> None:
        for model in models:
            if self._stop.is_set():
                return
            found = self._check(model)
            examined = self._look_examined(model) if found.ready else None
            self._inbox.post(self._taker(model.repo_id, found, self._look_up(model.repo_id), examined))
        notices = self._look_at_machine()
        self._inbox.post(lambda: self._end_check(notices))

    def _taker(
        self, repo_id: str, found: Readiness, measured: tuple[Measured, ...], examined: Examined | None
    ) -> Callable[[], None]:
        def take() -> None:
            self._awaited.discard(repo_id)
            if repo_id not in self._roster.models:
                return
            self._readiness[repo_id] = found
            self._measured[repo_id] = measured
            self._examined[repo_id] = examined
            if not self._found_since:  # what comes meanwhile is drawn along with it, in one go
                self._inbox.post(self._show_found)
            self._found_since.add(repo_id)

        return take

    def _show_found(self) -> None:
        self.refresh()
        # From here on they may be asked to speak for a battle to come: nothing more of them is told meanwhile.
        self._fresh -= self._found_since
        self._found_since.clear()
        self._looked()

    def _end_check(self, notices: tuple[Line, ...]) -> None:
        self._notices = notices
        self._checking = False
        self._awaited.clear()
        self.refresh()
        self._checked()
        self._check_unknown()

    def _check(self, model: ModelSpec) -> Readiness:
        try:
            try:
                return Readiness(self._host.check(model))
            except SpeechFailure as fall:
                if fall.kind is FailureKind.ENVIRONMENT:
                    raise
                # The child may fall over for another's sake: only an engine that falls over twice is to blame itself.
                return Readiness(self._host.check(model))
        except ArenaError as fault:
            return Readiness((Missing(fault.message, fault.remedy),))

    def _look_at_machine(self) -> tuple[Line, ...]:
        fault = gpu_fault(self._host.machine, sys.executable, set_up_command("torch"))
        return () if fault is None else (Line(fault.message, Tone.WARNING, fault.remedy),)

    def _draw(self) -> ModelsView:
        members: dict[str, list[str]] = {}
        for arena in self._roster.arenas.values():
            for repo_id in arena.models:
                members.setdefault(repo_id, []).append(arena.title or arena.id)
        rows = tuple(self._row(model, tuple(members.get(model.repo_id, ()))) for model in self._roster.models.values())
        return ModelsView(rows, (*self._notices, *self._arena_notices), self._checking, self._offers)

    def _row(self, model: ModelSpec, arenas: tuple[str, ...]) -> ModelRow:
        tally = self._failures.of(model.repo_id)
        return ModelRow(
            repo_id=model.repo_id,
            name=model.name,
            engine=model.engine or "",
            params=model.params,
            license=model.license or "",
            arenas=arenas,
            ready=self._is_ready(model.repo_id),
            enabled=model.repo_id not in self._disabled,
            missing=tuple((item.what, item.remedy) for item in self.missing(model.repo_id)),
            failures=tuple((WORDS[kind], count) for kind, count in sorted(tally.counts.items())),
            last_failure=tally.last,
            failed_when=tally.when,
            device=self._devices.get(model.repo_id, ""),
            set_up=self._set_up(model),
            measured=self._measured.get(model.repo_id, ()),
            examined=veiled(self._examined.get(model.repo_id), lambda: model.repo_id in self._voted()),
            warning=caution(model),
            stoppable=model.repo_id in self._stoppable,
            busy=self._busy.get(model.repo_id, ""),
        )


def _notices_of(roster: Roster) -> tuple[Line, ...]:
    return tuple(Line(one.what, Tone.WARNING, one.remedy) for one in arena_faults(roster))


def _told(examined: Examined) -> dict[str, Any]:
    """For programs: what is kept of it."""
    return {name: value for name, value in asdict(examined).items() if name != "no_words"}


def _with_set_up(shown: ModelRow, now: ModelRow) -> ModelRow:
    """The row as ``shown``, with the set-up as it is ``now`` if somebody asked for it."""
    asked = any(offer is not None and offer.state is not SetUpState.IDLE for offer in (shown.set_up, now.set_up))
    return replace(shown, set_up=now.set_up) if asked else shown


WORDS = {
    FailureKind.MISSING: "something missing",
    FailureKind.ENVIRONMENT: "broken environment",
    FailureKind.CRASH: "crash",
    FailureKind.HANG: "no answer in time",
    FailureKind.SILENCE: "silence",
    FailureKind.NOT_FINITE: "samples that are no numbers",
    FailureKind.CLIPPING: "clipped sound",
    FailureKind.TOO_SHORT: "clip too short",
    FailureKind.TOO_LONG: "clip too long",
    FailureKind.OUT_OF_MEMORY: "out of memory",
    FailureKind.TEXT: "text refused",
    FailureKind.SETTINGS: "wrong settings",
    FailureKind.ENGINE: "engine error",
    FailureKind.CANCELLED: "cancelled",
}
"""Kinds of failure, for the page."""
