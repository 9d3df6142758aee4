"""Faults as words: what an adapter raises on purpose, and what becomes of everything else. Standard library only."""

from __future__ import annotations

import errno

from .imports import import_fault

LONGEST_WORDS = 300
MEMORY_WORDS = (
    "out of memory",
    "not enough memory",
    "can't allocate memory",
    "cannot allocate memory",
    "failed to allocate memory",
    "alloc_failed",
    "bad_alloc",
)
"""How torch, CUDA's libraries, onnxruntime and C++ say in a RuntimeError that memory ran out."""


class EngineFault(Exception):
    """An expected fault of an engine, worded for a person.

    ``kind`` is one of the values of ``arena_desktop.engines.types.FailureKind`` (``missing``, ``text``, ``settings``,
    ``out_of_memory``, ``engine``, …); an unknown one counts as ``engine``. ``message`` says what happened and to what,
    ``remedy`` what to do (may be empty).
    """

    def __init__(self, kind: str, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.remedy = remedy


def describe(error: BaseException) -> dict[str, str]:
    """``{"kind", "message", "remedy"}`` of any exception that left an adapter."""
    kind = getattr(error, "kind", None)
    message = getattr(error, "message", None)
    if isinstance(kind, str) and isinstance(
        message, str
    ):  # an EngineFault, or a third party's own with the same attributes
        return {"kind": kind, "message": _short(message), "remedy": _short(str(getattr(error, "remedy", "")))}
    if _is_memory(error):
        return {
            "kind": "out_of_memory",
            "message": "There was not enough memory.",
            "remedy": "Close other programs, or choose a smaller model or the device cpu.",
        }
    broken = import_fault(error)
    if broken is not None:
        return {
            "kind": "environment",
            "message": _short(broken),
            "remedy": "Install it into the Python that the engine runs under; the log of the speech process has the"
            " details.",
        }
    words = _short(str(error).strip().split("\n", 1)[0])
    said = f"{type(error).__name__}: {words}" if words else f"{type(error).__name__}."
    if said[-1] not in ".!?…":
        said += "."
    return {
        "kind": "engine",
        "message": f"The engine failed with {said}",
        "remedy": "The log of the speech process has the details.",
    }


def _is_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":  # torch, without importing it
        return True
    if isinstance(error, OSError):
        return error.errno == errno.ENOMEM
    words = str(error).lower()
    # RuntimeException is onnxruntime's
    named = isinstance(error, RuntimeError) or type(error).__name__ == "RuntimeException"
    return named and any(phrase in words for phrase in MEMORY_WORDS)


def _short(words: str) -> str:
    words = " ".join(words.split())
    return words if len(words) <= LONGEST_WORDS else words[: LONGEST_WORDS - 1] + "…"
