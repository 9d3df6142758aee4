"""Faults as words: what an adapter raises on purpose, and what becomes of everything else. Standard library only."""

from __future__ import annotations

LONGEST_WORDS = 300


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
    if isinstance(error, ImportError):
        name = error.name or str(error)
        return {
            "kind": "missing",
            "message": f"The package {_short(name)} can't be imported here.",
            "remedy": "Install it into the engine's Python; the log of the speech process has the details.",
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
    words = str(error).lower()
    return isinstance(error, RuntimeError) and (
        "out of memory" in words or "not enough memory" in words or "bad_alloc" in words
    )


def _short(words: str) -> str:
    words = " ".join(words.split())
    return words if len(words) <= LONGEST_WORDS else words[: LONGEST_WORDS - 1] + "…"
