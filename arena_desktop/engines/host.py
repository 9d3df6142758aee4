"""The speech host: asks child processes to speak, and outlives everything that goes wrong in them."""

import contextlib
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from arena_desktop.domain.canonical import canonical, sha256_hex
from arena_desktop.domain.roster import ModelSpec, Voice, plain_json
from arena_desktop.domain.takes import MOST_TAKES
from arena_desktop.engines import machine as this_machine
from arena_desktop.engines.catalogue import Catalogue
from arena_desktop.engines.deadlines import Deadlines
from arena_desktop.engines.failures import FailureCounts, Tally
from arena_desktop.engines.hub_files import not_downloaded, placed
from arena_desktop.engines.interpreter import Interpreter, no_environment
from arena_desktop.engines.loader import FALLEN, Loader, as_failure, describe_place
from arena_desktop.engines.machine_facts import Machine
from arena_desktop.engines.residents import Child
from arena_desktop.engines.slot import Fault, Slot
from arena_desktop.engines.types import FailureKind, Identity, Missing, SpeechFailure, Spoken
from arena_desktop.engines.worker import texts
from arena_desktop.paths import from_home

GIVE_UP_AFTER = 2
"""So many crashes or hangs on one text keep that model from being asked for that text again."""
LONGEST_ALLOWED_S = 3600.0
LACKING = frozenset({FailureKind.MISSING, FailureKind.ENVIRONMENT})
FATAL = frozenset({FailureKind.CRASH, FailureKind.HANG})


class SpeechHost:
    """Speaks through one child process for each interpreter that the roster names.

    Thread-safe; calls block, each until its deadline at most, and calls for one interpreter wait for each other. Every
    failure is a :class:`SpeechFailure` and is counted. ``search``: folders where model files may lie. ``runtime_dir``
    is the children's working directory; the file ``hashes`` keeps the known hashes of weight files; ``device`` is the
    wish for all models: ``cpu``, ``cuda``, ``cuda:1``, ``mps`` or ``auto``. Only identical models (engine, files,
    settings, interpreter) share a loaded engine. A model that runs out of memory is tried once more where it takes less
    (:mod:`.placement`), and stays there; that is counted like a failure. ``prompt_id`` gives the id of a text as a
    prompt: engines that have finished recordings know it by that.
    """

    def __init__(
        self,
        log_dir: Path,
        runtime_dir: Path,
        search: Sequence[Path] = (),
        *,
        catalogue: Catalogue | None = None,
        deadlines: Deadlines | None = None,
        device: str = "auto",
        hashes: Path | None = None,
        describe_machine: Callable[[], Machine] = this_machine.describe,
        look_again: this_machine.LookAgain = this_machine.look_again,
        environment_of: Callable[[str], Path] = no_environment,
        prompt_id: Callable[[str], str] = lambda text: "",
    ) -> None:
        self._log_dir = log_dir
        self._environment_of = environment_of
        self._runtime_dir = runtime_dir
        self._search = [str(path) for path in search]
        self._catalogue = catalogue or Catalogue()
        self._deadlines = deadlines or Deadlines()
        self._hashes = hashes or runtime_dir / "weight-hashes.json"
        self._loader = Loader(self._ask, self._tell, self._rest, self._deadlines, describe_machine, look_again, device)
        self._lock = threading.Lock()
        self._slots: dict[str | None, Slot] = {}
        self._closed = False
        self._failures = FailureCounts()
        self._identities: dict[tuple[str, str], tuple[_State | None, Identity]] = {}
        self._takes: dict[str, int] = {}
        self._prompt_id = prompt_id
        self._prompts: dict[str, frozenset[str] | None] = {}
        self._pace: dict[str, float] = {}
        self._ran: dict[str, tuple[str, str]] = {}
        self._fatal: Counter[tuple[str, str]] = Counter()

    def start(self) -> None:
        """Start this interpreter's child ahead of the first request; returns at once."""
        self._slot(None).start()

    def set_device(self, device: str) -> None:
        """The device that models loaded from now on are asked for. A model that is loaded elsewhere is loaded again."""
        self._loader.want(device)

    @property
    def machine(self) -> Machine:
        """The machine as described (looked at once; may take a moment)."""
        return self._loader.machine

    def place_of(self, model: ModelSpec) -> str:
        """Where the model runs, in words, and why there if memory ran out elsewhere; "" if it was never loaded."""
        placed, ran = self._loader.placed(self._key(model)), self._ran.get(self._key(model))
        return describe_place(self.machine, placed, *ran) if placed and ran else ""

    def held(self, model: ModelSpec) -> dict[str, Any]:
        """What the child that speaks for this model holds, measured now: see the worker's ``process.held``."""
        with self._counted():
            return self._loader.held(model)

    def check(self, model: ModelSpec) -> tuple[Missing, ...]:
        """What the model lacks on this machine. Empty: it can be asked to speak. Raises SpeechFailure if even that
        can't be found out.
        """
        if model.engine is None:
            return (
                Missing("an engine", f"{model.name} has no engine in the roster: it is rated but can't speak here."),
            )
        if self._catalogue.find(model.engine) is None:
            known = ", ".join(self._catalogue.names())
            return (
                Missing(f"the engine {model.engine}", f"Install the package that adds it, or use one of: {known}."),
            )
        absent = not_downloaded(model, self._search)
        if absent is not None:
            return (absent,)
        with self._counted(looking=True):
            self._forget(model)
            self._loader.look_anew(model, self._key(model))
            answer = self._ask(
                model,
                {"op": "check", "voices": [_voice(model, voice) for voice in model.voices]},
                self._deadlines.check,
            )
            self._takes[self._key(model)] = min(MOST_TAKES, max(1, int(answer.get("takes", 1))))
            prompts = answer.get("prompts")
            self._prompts[self._key(model)] = None if prompts is None else frozenset(map(str, prompts))
            return tuple(Missing(item["what"], item["remedy"]) for item in answer["missing"])

    def prompts(self, model: ModelSpec) -> frozenset[str] | None:
        """The prompts that the model has, as its last check found, for one that can't speak others; None: any text."""
        return self._prompts.get(self._key(model))

    def takes(self, model: ModelSpec) -> int:
        """How many readings of one text by this model are worth hearing, 1–3, as its last check found; 1 before."""
        return self._takes.get(self._key(model), 1)

    def identify(self, model: ModelSpec, voice: Voice | None = None) -> Identity:
        """What exactly would speak. Known from then on, until :meth:`check` looks at the model again, or another file
        takes the place of the voice's clip.
        """
        key = (self._key(model), _digest(_voice(model, voice)))
        clip = _clip_state(model, voice)
        with self._lock:
            known = self._identities.get(key)
        if known is not None and clip in (None, known[0]):  # of a clip that is gone what was known stays true
            return known[1]
        with self._counted():
            self._hashes.parent.mkdir(parents=True, exist_ok=True)
            request = {"op": "identify", "voice": _voice(model, voice), "hashes": str(self._hashes)}
            answer = self._ask(model, request, self._deadlines.identify)
        revision = model.files.get("revision")
        identity = Identity(
            engine=str(model.engine),
            engine_version=answer["version"],
            weights_hash=answer["weights_hash"],
            settings_hash=_digest(model.settings),
            revision=None if revision is None else str(revision),
            reference_sha256=answer["reference_sha256"],
        )
        with self._lock:
            self._identities[key] = clip, identity
        return identity

    def load(self, model: ModelSpec) -> None:
        """Load the model ahead of its first sentence; nothing if it is loaded."""
        with self._counted():
            self._loader.load(model, self._key(model), self._failures.add)

    def speak(self, model: ModelSpec, text: str, voice: Voice | None, out: Path, take: int = 0) -> Spoken:
        """Speak ``text`` into ``out`` (float32 mono WAV; written under a temporary name, then renamed; its folder must
        exist).
        """
        with self._counted():
            return self._speak(model, text, voice, out, take)

    def failures(self, repo_id: str) -> Tally:
        """What went wrong with this model since the start."""
        return self._failures.of(repo_id)

    def count(self, failure: SpeechFailure) -> None:
        """Count a failure that was found elsewhere, for instance a clip that could not be levelled."""
        self._failures.add(failure)

    def close(self) -> None:
        """Kill all children. Requests under way fail as cancelled, and so does every later one."""
        with self._lock:
            self._closed = True
            slots = list(self._slots.values())
        for slot in slots:
            slot.close()

    def _speak(self, model: ModelSpec, text: str, voice: Voice | None, out: Path, take: int) -> Spoken:
        refusal = texts.refusal(text)
        if refusal is not None:
            raise SpeechFailure(FailureKind.TEXT, model.repo_id, refusal, "Give a text with words in it.")
        item = (self._key(model), _digest([text, _voice(model, voice)]))
        if self._fatal[item] >= GIVE_UP_AFTER:
            raise SpeechFailure(
                FailureKind.TEXT,
                model.repo_id,
                f"{model.name} crashed or hung on this text {GIVE_UP_AFTER} times and isn't asked for it again.",
                "Use another text, or start the program again to retry.",
            )
        request = {
            "text": text,
            "prompt_id": self._prompt_id(text),
            "voice": _voice(model, voice),
            "take": take,
            "out": str(out.absolute()),
        }
        deadline = self._deadlines.for_speech(len(text), self._pace.get(item[0]), _allowed_s(model))
        answer = self._try(model, request, deadline, item, out)
        elapsed, frames, rate = float(answer["elapsed"]), int(answer["frames"]), int(answer["rate"])
        self._ran[item[0]] = (answer["device"], answer["dtype"])
        self._pace[item[0]] = max(self._pace.get(item[0], 0.0), elapsed / len(text))
        return Spoken(
            path=out,
            rate=rate,
            frames=frames,
            elapsed=elapsed,
            rtf=elapsed * rate / frames,
            device=answer["device"],
            dtype=answer["dtype"],
            clip_sha256=answer["clip_sha256"],
        )

    def _try(
        self, model: ModelSpec, request: dict[str, Any], deadline_s: float, item: tuple[str, str], out: Path
    ) -> dict[str, Any]:
        """Ask for speech; what failed leaves no half-written file, and is remembered if it took the child down."""
        try:
            return self._loader.speak(model, item[0], request, deadline_s, self._failures.add)
        except SpeechFailure as failure:
            with contextlib.suppress(OSError):  # there is nothing to delete where nothing could be written
                out.with_name(out.name + ".part").unlink()
            if failure.kind in FATAL:
                self._fatal[item] += 1
            raise

    def _ask(self, model: ModelSpec, request: dict[str, Any], deadline_s: float) -> dict[str, Any]:
        """One request about a model; a fault of whatever kind becomes a SpeechFailure in words."""
        source = self._catalogue.find(model.engine) if model.engine else None
        if source is None:
            raise SpeechFailure(
                FailureKind.MISSING,
                model.repo_id,
                f"{model.name} has no engine that is known here.",
                "The Models page says what is missing.",
            )
        full = {
            "key": self._key(model),
            "engine": source.message(),
            "files": placed(model, self._search),
            "settings": plain_json(model.settings),
            "search": [model.base, *self._search] if model.base else self._search,
            **request,
        }
        try:
            return self._tell(model.python, full, deadline_s)
        except Fault as fault:
            raise as_failure(model, fault) from None

    def _tell(self, child: Child, request: dict[str, Any], deadline_s: float) -> dict[str, Any]:
        """One request to a child. Raises :class:`Fault`."""
        try:
            return self._slot(child).ask(request, deadline_s)
        except Fault as fault:
            if fault.kind in FALLEN:
                self._loader.fell(child)
            raise

    def renew(self, python: str) -> None:
        """The environment that a roster calls ``python`` was made, or goes: what runs in it ends."""
        with self._lock:
            there = python in self._slots
        if there:
            self._slot(python).rest()
            self._loader.fell(python)

    def _rest(self, child: Child) -> None:
        self._slot(child).rest()
        self._loader.fell(child)

    def _slot(self, python: str | None) -> Slot:
        with self._lock:
            slot = self._slots.get(python)
            if slot is None:
                interpreter = Interpreter(python, self._environment_of)
                slot = Slot(interpreter, self._log_dir, self._runtime_dir, self._deadlines.start)
                self._slots[python] = slot
                if self._closed:
                    slot.close()
            return slot

    def _forget(self, model: ModelSpec) -> None:
        with self._lock:
            key = self._key(model)
            for known in [known for known in self._identities if known[0] == key]:
                del self._identities[known]

    @staticmethod
    def _key(model: ModelSpec) -> str:
        """By what is loaded: models alike in this share a loaded engine."""
        return _digest([model.engine, model.files, model.settings, model.base, model.python])

    @contextlib.contextmanager
    def _counted(self, *, looking: bool = False) -> Iterator[None]:
        """``looking``: nothing is to be spoken. What is then found lacking is no failure, a child that falls is."""
        try:
            yield
        except SpeechFailure as failure:
            if not (looking and failure.kind in LACKING):
                self._failures.add(failure)
            raise


def _allowed_s(model: ModelSpec) -> float:
    """The seconds that the roster gives the model for one text, 0 where it says none."""
    allowed = model.settings.get("limit_s")
    return float(allowed) if isinstance(allowed, (int, float)) and 0 < allowed <= LONGEST_ALLOWED_S else 0.0


def _voice(model: ModelSpec, voice: Voice | None) -> dict[str, Any] | None:
    if voice is None:
        return None
    audio = voice.audio and str(Path(model.base) / from_home(voice.audio))
    told = {name: value for name, value in asdict(voice).items() if name != "clip"}
    return {**told, "audio": audio}


_State = tuple[int, int, int]


def _clip_state(model: ModelSpec, voice: Voice | None) -> _State | None:
    """Tells whether the clip of ``voice`` is still the same file; None without one that can be looked at."""
    if voice is None or voice.audio is None:
        return None
    try:
        found = (Path(model.base) / from_home(voice.audio)).stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _digest(value: Any) -> str:
    return sha256_hex(canonical(plain_json(value)))
