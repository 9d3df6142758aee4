"""Where torch runs and in which numbers: what was asked for, or words that say why not; and running out of memory,
in words.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from ..faults import EngineFault

_MEMORY_WORDS = ("out of memory", "not enough memory", "can't allocate memory", "cannot allocate memory", "bad_alloc")
DTYPES = ("float32", "float16", "bfloat16")


def chosen_device(torch: Any, asked: str) -> str:
    """``cpu``, ``mps``, ``cuda`` or ``cuda:N`` (a GPU by its number) for what was asked for, or for ``auto``.
    EngineFault when the one asked for can't be used.
    """
    usable = {"cpu": lambda: True, "cuda": torch.cuda.is_available, "mps": torch.backends.mps.is_available}
    if asked == "auto":
        return next(name for name in ("cuda", "mps", "cpu") if usable[name]())
    kind, _, number = asked.partition(":")
    if kind not in usable or (number and not (kind == "cuda" and number.isdecimal())):
        raise EngineFault("settings", f"There is no device {asked}.", "Write cpu, cuda, mps or auto.")
    if not usable[kind]():
        raise EngineFault("missing", *_why_not(torch, kind))
    if number and int(number) >= torch.cuda.device_count():
        raise EngineFault("missing", f"There is no GPU {number} that torch can use.", "Set the device to auto.")
    return asked


def kind_of(device: str) -> str:
    """``cuda`` for ``cuda:1``."""
    return device.partition(":")[0]


def chosen_dtype(torch: Any, device: str, asked: Any, able: Sequence[str]) -> str:
    """The numbers to compute in: ``asked`` (None: float32). ``able``: those that the architecture is known to speak
    in. EngineFault ``settings`` when the device or the architecture can't.
    """
    check_dtype(asked, able)
    dtype = str(asked or "float32")
    if dtype == "bfloat16" and kind_of(device) == "cuda" and not torch.cuda.is_bf16_supported():
        raise EngineFault("settings", "This GPU has no bfloat16.", "Write dtype: float16 or float32.")
    return dtype


def check_dtype(asked: Any, able: Sequence[str]) -> None:
    """EngineFault ``settings`` for a dtype that there is not, or that this architecture can't speak in."""
    if asked is None or asked in able:
        return
    known = asked in DTYPES
    message = f"This architecture does not speak in {asked}." if known else f"The setting dtype is {asked!r}."
    raise EngineFault("settings", message, f"Write one of: {', '.join(able)}.")


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
