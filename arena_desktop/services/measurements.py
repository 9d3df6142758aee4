"""How fast models were on this machine, and what memory they took: by a measurement that was asked for, and in use."""

import contextlib
import math
import statistics
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any

from arena_desktop.domain.canonical import canonical, sha256_hex
from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.machine_facts import GB, Machine
from arena_desktop.engines.types import Identity, Spoken
from arena_desktop.errors import ArenaError
from arena_desktop.services.machine_file import Kept

LATEST = 15
"""So many clips of a model in use count; the median leaves out the one that had to wait for the load."""


@dataclass(frozen=True)
class Measured:
    """One model on one device, as measured here. ``cold_s`` and ``warm_s`` are seconds from the request to the sound,
    with the process still to be started and with the model loaded already; ``rtf`` is seconds of work for a second of
    sound; ``memory_mb`` the most that its process held (on a GPU: there). None where it wasn't measured. ``when`` is in
    UTC, ISO 8601. ``in_use``: nobody asked for a measurement, the numbers come from clips of battles. ``busy``: other
    programs kept the machine busy meanwhile. ``clip_s``: seconds for a clip of a battle.
    """

    repo_id: str
    weights_hash: str | None
    device: str
    dtype: str
    memory_mb: float | None
    cold_s: float | None
    warm_s: float | None
    rtf: float | None
    when: str
    in_use: bool = False
    busy: bool = False
    clip_s: float | None = None

    @property
    def key(self) -> tuple[str, str | None, str, str]:
        """What tells measurements apart."""
        return self.repo_id, self.weights_hash, self.device, self.dtype


class Measurements:
    """What was measured on this machine. Thread-safe; everything but :meth:`note` may read the file.

    Clips spoken in use are only written by :meth:`close`, and only of models that the listener has learned to have
    played (:meth:`heard`): nothing on the disk, and no page at the next start, shall tell whose battles are prepared.
    """

    def __init__(self, file: Kept, machine: Callable[[], Machine], now: Callable[[], datetime] | None = None) -> None:
        self._file = file
        self._machine = machine
        self._now = now or (lambda: datetime.now(UTC))
        self._lock = threading.Lock()
        self._id = ""
        self._title = ""
        self._read: dict[tuple[str, str | None, str, str], Measured] = {}
        self._fresh = False
        self._used: dict[tuple[str, str | None, str, str], deque[tuple[float, float]]] = {}
        self._heard: set[str] = set()

    def look_anew(self) -> None:
        """Another program may have measured meanwhile: the file is read at the next question."""
        with self._lock:
            self._fresh = False

    def of(self, repo_id: str) -> tuple[Measured, ...]:
        """What is known of a model, the newest first; without what was noted since the start."""
        with self._lock:
            found = [one for one in self._known().values() if one.repo_id == repo_id]
        return tuple(sorted(found, key=lambda one: (one.in_use, one.when), reverse=True))

    def note(self, model: ModelSpec, identity: Identity, spoken: Spoken) -> None:
        """A clip was spoken. Cheap: nothing is read or written."""
        key = (model.repo_id, identity.weights_hash, spoken.device, spoken.dtype)
        if not (0 < spoken.rtf < math.inf):
            return
        with self._lock:
            self._used.setdefault(key, deque(maxlen=LATEST)).append((spoken.rtf, spoken.elapsed))

    def heard(self, repo_id: str) -> None:
        """The listener knows that this model has played."""
        with self._lock:
            self._heard.add(repo_id)

    def record(self, measured: Measured) -> None:
        """A measurement was made: kept at once. Raises :class:`ArenaError` if it can't be written."""
        with self._lock:
            old = self._known().get(measured.key)
            self._write([replace(measured, clip_s=old.clip_s if old else None)])

    def clip_seconds(self, repo_id: str) -> float | None:
        """Seconds that a clip of this model took in earlier runs of the program, None if none is known. Never waits:
        before :meth:`of` has read the file nothing is known.
        """
        known = self._read
        return next((one.clip_s for one in known.values() if one.repo_id == repo_id and one.clip_s is not None), None)

    def speeds(self) -> tuple[str, dict[str, float]]:
        """The device on which most models were measured when asked to, and their real-time factors there by repo_id."""
        with self._lock:
            known = [one for one in self._known().values() if not one.in_use and one.rtf]
        return one_device(known)

    def close(self) -> None:
        """Write what was noted in use. A file that can't be written is no reason to fail: it is only about speed."""
        with self._lock:
            used = {key: clips for key, clips in self._used.items() if key[0] in self._heard}
            self._used.clear()
            if not used:
                return
            known = self._known()
            changed = [self._in_use(key, known.get(key), list(clips)) for key, clips in used.items()]
            with contextlib.suppress(ArenaError):
                self._write(changed)

    def now(self) -> str:
        """The present, as ``when`` has it."""
        return self._now().strftime("%Y-%m-%dT%H:%M:%SZ")

    def _in_use(
        self, key: tuple[str, str | None, str, str], old: Measured | None, clips: list[tuple[float, float]]
    ) -> Measured:
        rtf = round(statistics.median(rtf for rtf, _ in clips), 4)
        seconds = round(statistics.median(seconds for _, seconds in clips), 4)
        if old is not None and not old.in_use:
            return replace(old, clip_s=seconds)
        return Measured(*key, None, None, None, rtf, self.now(), in_use=True, clip_s=seconds)

    def _known(self) -> dict[tuple[str, str | None, str, str], Measured]:
        if not self._fresh:
            machine = self._machine()
            self._id, self._title = machine_id(machine), machine_title(machine)
            there = {one.key: one for one in map(_measured, self._file.read(self._id)) if one is not None}
            # What couldn't be written is newer here.
            newer = {key: one for key, one in self._read.items() if key not in there or one.when > there[key].when}
            self._read, self._fresh = {**there, **newer}, True
        return self._read

    def _write(self, changed: Iterable[Measured]) -> None:
        new = {one.key: one for one in changed}

        def change(entries: list[dict[str, Any]]) -> list[Mapping[str, Any]]:
            # Another program may have measured meanwhile: its entries stay.
            kept = {one.key: one for one in map(_measured, entries) if one is not None}
            return [asdict(one) for one in {**kept, **new}.values()]

        self._read = {**self._known(), **new}  # another one, for whoever looks at it just now
        self._file.change(self._id, self._title, change)


def one_device(measured: Iterable[Measured]) -> tuple[str, dict[str, float]]:
    """The device that most of these models were measured on, and their real-time factors there: one per model, the
    newest. Speeds of different devices don't belong on one axis.
    """
    by_device: dict[str, dict[str, float]] = {}
    for one in sorted(measured, key=lambda one: one.when):
        if one.rtf:
            by_device.setdefault(one.device, {})[one.repo_id] = one.rtf
    device = max(by_device, key=lambda device: len(by_device[device]), default="")
    return device, by_device.get(device, {})


def machine_id(machine: Machine) -> str:
    """Tells machines apart whose speeds differ, and no more than that."""
    gigabytes = round(machine.memory / GB)
    parts = [machine.system, machine.processor, machine.cores, gigabytes, [gpu.name for gpu in machine.gpus]]
    return sha256_hex(canonical(parts))[:16]


def machine_title(machine: Machine) -> str:
    """The machine in words: "2 × x86_64, 24 GB, Linux"."""
    gpus = "".join(f", {gpu.name}" for gpu in machine.gpus)
    return f"{machine.cores} × {machine.processor}, {round(machine.memory / GB)} GB{gpus}, {machine.system}"


def _measured(entry: Mapping[str, Any]) -> Measured | None:
    """An entry of the file, None if it isn't what we write."""
    names = {field.name for field in fields(Measured)}
    try:
        one = Measured(**{name: value for name, value in entry.items() if name in names})
    except TypeError:
        return None
    texts = (one.repo_id, one.device, one.dtype, one.when, one.weights_hash or "")
    numbers = (one.memory_mb, one.cold_s, one.warm_s, one.rtf, one.clip_s)
    right = all(isinstance(text, str) for text in texts) and all(
        number is None or (isinstance(number, (int, float)) and 0 <= number < math.inf) for number in numbers
    )
    return one if right else None
