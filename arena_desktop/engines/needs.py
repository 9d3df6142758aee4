"""What a model needs, before it is loaded: told by its adapter where that tells, else guessed from the roster."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arena_desktop.engines.machine_facts import MB
from arena_desktop.engines.precision import BYTES, FULL, REDUCED


class Runtime(StrEnum):
    """What computes: decides on which devices an engine can run."""

    TORCH = "torch"
    ONNX = "onnx"
    OWN = "own"


RUNTIMES: Mapping[str, Runtime] = {
    "chatterbox": Runtime.TORCH,
    "f5": Runtime.TORCH,
    "kokoro": Runtime.ONNX,
    "kokoro_torch": Runtime.TORCH,
    "orpheus": Runtime.TORCH,
    "parler": Runtime.TORCH,
    "piper": Runtime.ONNX,
    "qwen_tts": Runtime.TORCH,
    "transformers": Runtime.TORCH,
    "xtts": Runtime.TORCH,
}
"""By engine, where the adapter doesn't say; any other engine runs on the processor."""

LIBRARY: Mapping[Runtime, int] = {Runtime.TORCH: 700 * MB, Runtime.ONNX: 120 * MB, Runtime.OWN: 60 * MB}
"""RAM for the libraries themselves, whatever the device."""
ON_GPU = 500 * MB
"""Memory that a CUDA context and its kernels take on the GPU."""
UNKNOWN_MODEL = 300 * MB
ROOM = 1.5
"""Weights × this: activations, and copies while loading."""


@dataclass(frozen=True)
class Needs:
    """``architecture`` decides which number types are safe (the engine's name stands in where it isn't known).
    ``params_m`` counts millions of parameters, ``weights`` is the size of the weight files in bytes; 0 each if unknown.
    ``dtypes``: the adapter loads in each of these types, as it is told; empty: in the one that it chooses. ``dtype`` is
    the roster's wish, "" for none.
    ``quantised``: the weights are integers, for which a GPU is no gain. ``measured``: the most RAM that this
    very model was seen to add to its process, 0 if it was never loaded.
    """

    engine: str
    architecture: str = ""
    params_m: float = 0
    weights: int = 0
    runtime: Runtime = Runtime.OWN
    dtypes: tuple[str, ...] = ()
    dtype: str = ""
    quantised: bool = False
    measured: int = 0

    @property
    def made_for(self) -> tuple[str, ...]:
        """The reduced types that it runs in wherever a GPU has them, the best first."""
        return tuple(dtype for dtype in REDUCED.get(self.architecture or self.engine, ()) if dtype in self.dtypes)

    @property
    def at_need(self) -> tuple[str, ...]:
        """The reduced types that it runs in where memory is short."""
        return self.made_for or tuple(dtype for dtype in self.dtypes if dtype != FULL)

    def size(self, dtype: str) -> int:
        """Bytes of the model in ``dtype``, with room to work in. ONNX files are used as they are."""
        if self.runtime is Runtime.TORCH:
            stored = self.params_m * 1e6 * BYTES.get(dtype, BYTES[FULL])
            guessed = self.weights * BYTES.get(dtype, BYTES[FULL]) / BYTES[FULL]
            return int((stored or guessed) * ROOM) or UNKNOWN_MODEL
        stored = self.weights or self.params_m * 1e6 * BYTES[FULL]
        return int(stored * ROOM) or UNKNOWN_MODEL


def needs_of(engine: str, params_m: float, settings: Mapping[str, Any], told: Mapping[str, Any] | None = None) -> Needs:
    """From the roster's entry, and from what the child ``told`` about it (see the op ``needs`` of the worker)."""
    told = told or {}
    return Needs(
        engine=engine,
        architecture=_text(told.get("architecture")),
        params_m=float(params_m),
        weights=_count(told.get("weights")),
        runtime=_runtime(engine, told.get("runtime")),
        dtypes=tuple(str(dtype) for dtype in told.get("dtypes") or ()),
        dtype=_text(settings.get("dtype")),
        quantised=told.get("quantised") is True,
    )


def _runtime(engine: str, told: Any) -> Runtime:
    try:
        return Runtime(told)
    except ValueError:
        return RUNTIMES.get(engine, Runtime.OWN)


def _text(value: Any) -> str:
    return value if isinstance(value, str) and value != "auto" else ""


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
