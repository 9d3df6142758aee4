"""Has models loaded where they belong, makes room for them, and moves one once when memory runs out."""

import contextlib
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from arena_desktop.domain.roster import ModelSpec, plain_json
from arena_desktop.engines.deadlines import Deadlines
from arena_desktop.engines.machine import LookAgain, with_libraries
from arena_desktop.engines.machine_facts import Machine
from arena_desktop.engines.needs import Needs, needs_of
from arena_desktop.engines.placement import Placement
from arena_desktop.engines.residents import Child, Residents
from arena_desktop.engines.room import Room
from arena_desktop.engines.seats import Seats
from arena_desktop.engines.slot import Fault
from arena_desktop.engines.types import FailureKind, SpeechFailure

T = TypeVar("T")
Request = dict[str, Any]
FALLEN = frozenset({FailureKind.CRASH, FailureKind.HANG, FailureKind.OUT_OF_MEMORY})
"""After these the child is another one, and nothing is loaded in it."""


class Loader:
    """Thread-safe; what fails is a :class:`SpeechFailure`. ``ask`` sends a request about a model to its child, ``tell``
    one to a child that is about none (that one raises :class:`Fault`), ``rest`` ends a child. ``wanted`` is the wish
    for all models, see :func:`.placement.place`.
    """

    def __init__(
        self,
        ask: Callable[[ModelSpec, Request, float], Request],
        tell: Callable[[Child, Request, float], Request],
        rest: Callable[[Child], None],
        deadlines: Deadlines,
        describe_machine: Callable[[], Machine],
        look_again: LookAgain,
        wanted: str,
    ) -> None:
        self._ask = ask
        self._tell = tell
        self._deadlines = deadlines
        self._describe_machine = describe_machine
        self._look_again = look_again
        self._wanted = wanted
        self._machine: Machine | None = None
        self._describing = threading.Lock()
        self._seats = Seats()
        self._residents = Residents()
        self._room = Room(self._residents, lambda gpus: look_again(self.machine, gpus), self._unload, rest)
        self._needs: dict[str, Needs] = {}
        self._libraries: dict[str, Request] = {}
        self._before: dict[tuple[Child, str], int] = {}

    @property
    def machine(self) -> Machine:
        """The machine as described (looked at once; may take a moment)."""
        with self._describing:
            if self._machine is None:
                self._machine = self._describe_machine()
            return self._machine

    def want(self, device: str) -> None:
        """The wish for models that are loaded from now on; one that is loaded elsewhere is loaded again."""
        if device != self._wanted:
            self._wanted = device
            self._seats.forgive()

    def look_anew(self, model: ModelSpec, key: str) -> None:
        """The model was checked: its files and its environment may be others, and there may be memory for it now."""
        self._needs.pop(key, None)
        if model.python is not None:
            self._libraries.pop(model.python, None)
        self._seats.forgive(key)

    def placed(self, key: str) -> Placement | None:
        """Where the model was placed last, None if it never was."""
        return self._seats.known(key)

    def speak(
        self, model: ModelSpec, key: str, request: Request, deadline_s: float, moved: Callable[[SpeechFailure], None]
    ) -> Request:
        """The answer to a request to speak; the model is loaded first if need be. ``moved`` gets the failure after
        which it was placed elsewhere.
        """
        return self._somewhere(model, key, lambda placed: self._speak(model, key, request, deadline_s, placed), moved)

    def load(self, model: ModelSpec, key: str, moved: Callable[[SpeechFailure], None]) -> None:
        """Load the model; nothing if it is loaded."""
        self._somewhere(model, key, lambda placed: self._load(model, key, placed), moved)

    def held(self, model: ModelSpec) -> Request:
        """What the model's child holds, measured now."""
        held: Request = self._told(model, {"op": "stats"})["held"]
        self._residents.measured(model.python, held)
        return held

    def fell(self, child: Child) -> None:
        """A child ended, whatever it was asked."""
        self._residents.gone(child)

    def _somewhere(
        self, model: ModelSpec, key: str, act: Callable[[Placement], T], moved: Callable[[SpeechFailure], None]
    ) -> T:
        placed = self._seats.seat(key, lambda: self._look(model, key), self._wanted)
        crowded = self._residents.oldest([(model.python, _loaded_as(key, placed))]) is not None
        try:
            return act(placed)
        except SpeechFailure as failure:
            if failure.kind is not FailureKind.OUT_OF_MEMORY:
                raise
            machine, needs = self._look(model, key)
            then = self._seats.ran_out(key, machine, needs, self._wanted, placed, crowded)
            if then is None:
                raise
            moved(failure)
        return act(then)

    def _speak(self, model: ModelSpec, key: str, request: Request, deadline_s: float, placed: Placement) -> Request:
        loaded_as = _loaded_as(key, placed)
        full = {**request, "op": "speak", "key": loaded_as}
        while True:
            answer = self._ask(model, full, deadline_s)
            self._residents.measured(model.python, answer["held"])
            if answer["loaded"]:
                break
            # more than once only if another model's turn puts this one away in between
            self._load(model, key, placed)
        self._residents.used(model.python, loaded_as)
        before = self._before.pop((model.python, key), None)
        if before is not None:  # its first words: now it has what it needs to work
            self._seats.grew(key, self._residents.ram(model.python) - before)
        return answer

    def _load(self, model: ModelSpec, key: str, placed: Placement) -> None:
        loaded_as = _loaded_as(key, placed)
        if not self._residents.holds(model.python, loaded_as):
            self._room.make(model.python, loaded_as, placed)
        self._residents.expect(model.python, loaded_as, placed.ram)
        before = self._residents.ram(model.python)
        request = {
            "op": "load",
            "key": loaded_as,
            "device": placed.device,
            "dtype": placed.dtype,
            "threads": placed.threads,
        }
        answer = self._ask(model, request, self._deadlines.load)
        self._residents.measured(model.python, answer["held"])
        if placed.kind == "cpu":
            self._before[model.python, key] = before

    def _look(self, model: ModelSpec, key: str) -> tuple[Machine, Needs]:
        needs = self._needs.get(key)
        if needs is None:
            told = self._ask(model, {"op": "needs"}, self._deadlines.check)
            needs = needs_of(str(model.engine), model.params_m, plain_json(model.settings), told)
            self._needs[key] = needs
        machine = self._look_again(self.machine, True)
        if model.python is not None:
            known = self._libraries.get(model.python)
            if known is None:
                known = self._libraries[model.python] = self._told(model, {"op": "libraries"})
            machine = with_libraries(machine, known)
        return self._freed(machine), needs

    def _freed(self, machine: Machine) -> Machine:
        """As it would be if our own models were put away: what they hold on a GPU is no reason to go elsewhere."""
        gpus = tuple(
            gpu if gpu.free is None else replace(gpu, free=gpu.free + self._residents.held(gpu.index).vram)
            for gpu in machine.gpus
        )
        return replace(machine, gpus=gpus)

    def _told(self, model: ModelSpec, request: Request) -> Request:
        try:
            return self._tell(model.python, request, self._deadlines.check)
        except Fault as fault:
            raise as_failure(model, fault) from None

    def _unload(self, child: Child, loaded_as: str) -> None:
        with contextlib.suppress(Fault):  # whatever befell that child, another model is to be loaded now
            answer = self._tell(child, {"op": "unload", "key": loaded_as}, self._deadlines.check)
            self._residents.measured(child, answer["held"])
        self._residents.put_away(child, loaded_as)
        self._seats.put_away(loaded_as.partition("@")[0])


def as_failure(model: ModelSpec, fault: Fault) -> SpeechFailure:
    """A fault of a request, tied to the model that it was about."""
    return SpeechFailure(fault.kind, model.repo_id, f"{model.name}: {fault.message}", fault.remedy)


def _loaded_as(key: str, placed: Placement) -> str:
    """The key under which a child has a model loaded: what and as what."""
    return f"{key}@{placed.device}/{placed.dtype}"


def describe_place(machine: Machine, placed: Placement, device: str, dtype: str) -> str:
    """Where a model really was loaded (``device``, ``dtype`` as the engine said), in words: "GPU 1 (NVIDIA L4),
    bfloat16. The memory of the GPU was not enough in float32.".
    """
    words = {"cpu": "the processor", "mps": "the Apple GPU", "cuda": "the GPU"}.get(device, device)
    gpu = next((gpu for gpu in machine.gpus if placed.device == f"cuda:{gpu.index}"), None)
    if device == "cuda" and gpu is not None:
        words = gpu.name if len(machine.gpus) == 1 else f"GPU {gpu.index} ({gpu.name})"
    return f"{words}, {dtype}" + (f". {placed.why}" if placed.why else "")
