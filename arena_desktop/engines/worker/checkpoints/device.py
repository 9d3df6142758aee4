"""Where torch runs: the device that was asked for, or words that say why not; and running out of memory, in words."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from ..faults import EngineFault

_MEMORY_WORDS = ("out of memory", "not enough memory", "can't allocate memory", "cannot allocate memory", "bad_alloc")


def chosen_device(torch: Any, asked: str) -> str:
    """``cpu``, ``cuda`` or ``mps`` for ``cpu``, ``cuda``, ``mps`` or ``auto``. EngineFault when the one asked for
    can't be used.
    """
    usable = {"cpu": lambda: True, "cuda": torch.cuda.is_available, "mps": torch.backends.mps.is_available}
    if asked == "auto":
        return next(name for name in ("cuda", "mps", "cpu") if usable[name]())
    if asked not in usable:
        raise EngineFault("settings", f"There is no device {asked}.", "Write cpu, cuda, mps or auto.")
    if not usable[asked]():
        raise EngineFault("missing", *_why_not(torch, asked))
    return asked


@contextlib.contextmanager
def memory_in_words(device: str) -> Iterator[None]:
    """Turn each way in which torch runs out of memory into EngineFault ``out_of_memory``."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        words = str(error).lower()
        named = isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError"
        if not named and not any(phrase in words for phrase in _MEMORY_WORDS):
            raise
        where = "this machine" if device == "cpu" else "the GPU"
        remedy = "Close other programs or use a smaller model." if device == "cpu" else "Set the device to cpu."
        raise EngineFault("out_of_memory", f"The memory of {where} is not enough for this model.", remedy) from error


def _why_not(torch: Any, asked: str) -> tuple[str, str]:
    if asked == "mps":
        return "There is no Apple GPU that this torch can use.", "Set the device to cpu or auto."
    if torch.version.cuda is None:
        return (
            f"The installed torch {torch.__version__} is built without CUDA.",
            "Set the device to cpu or auto; `arena-desktop doctor` names the command for a build with it.",
        )
    return "No NVIDIA GPU can be used: torch finds no device or no driver.", "Set the device to cpu or auto."
