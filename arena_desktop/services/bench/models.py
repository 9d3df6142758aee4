"""How fast a model speaks on this machine, and what memory it takes: cold in a process of its own, then warm."""

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.engines.machine_facts import Machine
from arena_desktop.engines.types import Identity, Missing, Spoken
from arena_desktop.services.measurements import Measured
from arena_desktop.services.sample_text import sample_for

STARTS = 3
"""Processes that are started for the time to the first sound."""
ROUNDS = 5
"""Times that every text is spoken warm."""
LONG = 4
"""The long text is the sentence so many times: a listener's prompts are of both kinds."""
BUSY = 0.5
"""Processes that want to run for each core: from here on the machine counts as busy."""
MB = 1_000_000
_FIGURES = (
    *("device", "dtype", "weights_hash", "cold_s", "warm_s", "rtf", "memory_mb"),
    *("sound_s", "starts", "repetitions", "when", "busy"),
)
"""What is reported of a model that was measured."""


class Host(Protocol):
    """What is needed of the speech host."""

    @property
    def machine(self) -> Machine: ...
    def check(self, model: ModelSpec) -> tuple[Missing, ...]: ...
    def prompts(self, model: ModelSpec) -> frozenset[str] | None: ...
    def identify(self, model: ModelSpec, voice: Voice | None = None) -> Identity: ...
    def speak(self, model: ModelSpec, text: str, voice: Voice | None, out: Path, take: int = 0) -> Spoken: ...
    def held(self, model: ModelSpec) -> dict[str, Any]: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class Benched:
    """``measured`` is what is kept; ``cold`` and ``warm`` are the single times in seconds behind it, ``seconds`` the
    sound of the sentence that they are for. ``load``: processes that wanted to run for each core before it began, None
    where the system doesn't say.
    """

    measured: Measured
    cold: tuple[float, ...]
    warm: tuple[float, ...]
    seconds: float
    load: float | None


def measure(
    model: ModelSpec,
    make_host: Callable[[], Host],
    now: Callable[[], str],
    *,
    starts: int = STARTS,
    rounds: int = ROUNDS,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Benched:
    """Measure one model; raises SpeechFailure if it can't speak. ``progress`` gets (done, total) clips and may end
    it by an exception (:class:`.cancelling.Cancelled`).
    """
    load = load_before()
    text = sample_for(model.language)
    voice = model.voices[0] if model.voices else None
    total = starts + 2 * rounds
    cold: list[float] = []
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        out = Path(folder) / "clip.wav"
        for start in range(starts):
            progress(start, total)
            host = make_host()
            try:
                _ = host.machine  # looked at once in a run of the program, not for each model
                began = time.perf_counter()
                spoken = host.speak(model, text, voice, out)
                cold.append(time.perf_counter() - began)
                if start < starts - 1:
                    continue
                warm, factors = _warm(
                    host, model, text, voice, out, rounds, lambda done: progress(starts + done, total)
                )
                identity, held = host.identify(model, voice), host.held(model)
            finally:
                host.close()
    ram, vram = _peaks(held)
    measured = Measured(
        repo_id=model.repo_id,
        weights_hash=identity.weights_hash,
        device=spoken.device,
        dtype=spoken.dtype,
        memory_mb=_megabytes(vram if spoken.device == "cuda" and vram else ram),
        cold_s=round(statistics.median(cold), 4),
        warm_s=round(statistics.median(warm), 4),
        rtf=round(statistics.median(factors), 4),
        when=now(),
        busy=load is not None and load > BUSY,
    )
    return Benched(measured, tuple(cold), tuple(warm), spoken.frames / spoken.rate, load)


def load_before() -> float | None:
    """Processes that want to run for each core, over the last minute; None where the system doesn't say."""
    if not hasattr(os, "getloadavg"):
        return None
    return os.getloadavg()[0] / (os.cpu_count() or 1)


def _warm(
    host: Host,
    model: ModelSpec,
    text: str,
    voice: Voice | None,
    out: Path,
    rounds: int,
    progress: Callable[[int], None],
) -> tuple[list[float], list[float]]:
    """Seconds from the request to the sound of ``text``, and the real-time factors of it and of a long text."""
    warm, factors = [], []
    for turn in range(rounds):
        for place, said in enumerate((text, " ".join([text] * LONG))):
            progress(2 * turn + place)
            began = time.perf_counter()
            spoken = host.speak(model, said, voice, out)
            if said == text:
                warm.append(time.perf_counter() - began)
            factors.append(spoken.rtf)
    return warm, factors


def _peaks(held: dict[str, Any]) -> tuple[int, int]:
    """The most RAM, and the most memory of GPUs, that the child held."""
    return int(held.get("peak") or 0), sum(int(size) for size in held.get("cuda_peak", {}).values())


def _megabytes(size: int) -> float | None:
    return round(size / MB, 1) if size else None


def report(found: Benched) -> dict[str, Any]:
    """As a JSON object."""
    one = found.measured
    return {
        **report_failed(found.measured, ""),
        "ok": True,
        "device": one.device,
        "dtype": one.dtype,
        "weights_hash": one.weights_hash,
        "cold_s": one.cold_s,
        "warm_s": one.warm_s,
        "rtf": one.rtf,
        "memory_mb": one.memory_mb,
        "sound_s": round(found.seconds, 3),
        "starts": len(found.cold),
        "repetitions": len(found.warm),
        "when": one.when,
        "busy": one.busy,
    }


def report_failed(model: ModelSpec | Measured, detail: str) -> dict[str, Any]:
    """The same object for a model that could not be measured: nothing is known but why."""
    return {"repo_id": model.repo_id, "ok": False, "detail": detail, **dict.fromkeys(_FIGURES)}
