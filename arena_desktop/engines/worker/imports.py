"""Failures that came out of the import of a package: then the environment is broken, not the model. Standard library
only.
"""

from __future__ import annotations

from typing import Any

NOT_PACKAGES = ("arena_engine_", "arena_worker", "arena_desktop", "__main__")
"""Modules of these names are our own, or an engine's that was given as a file."""


def import_fault(error: BaseException) -> str | None:
    """What is wrong with which package, in one sentence, if ``error`` (or its cause) came out of an import; else
    None.
    """
    for one in (error, error.__cause__):
        if one is None:
            continue
        package = _being_imported(one) or _unreadable(one)
        if isinstance(one, ImportError):
            return _import_error(one, package)
        if package is not None:
            return _fails(package, type(one).__name__ + (": " + _first_line(one) if _first_line(one) else ""))
    return None


def _import_error(error: ImportError, package: str | None) -> str:
    name = (error.name or "").split(".")[0]
    if isinstance(error, ModuleNotFoundError) and name:
        if package is None or package == name:
            lacking = error.name if package == name or "." in (error.name or "") else name
            return f"The package {lacking} isn't installed."
        return _fails(package, f"it asks for {error.name}, which isn't installed")
    return _fails(package or name or "that it needs", _first_line(error) or type(error).__name__)


def _fails(package: str, why: str) -> str:
    return f"The package {package} is installed, but its import fails: {why.rstrip('.')}."


def _being_imported(error: BaseException) -> str | None:
    """The first package whose own module-level code stands in the traceback."""
    trace = error.__traceback__
    while trace is not None:
        frame: Any = trace.tb_frame
        name = str(frame.f_globals.get("__name__", ""))
        if frame.f_code.co_name == "<module>" and name and not name.startswith(NOT_PACKAGES):
            return name.split(".")[0]
        trace = trace.tb_next
    return None


def _unreadable(error: BaseException) -> str | None:
    """The installed package whose code this Python can't read: it may be for a newer one."""
    path = (error.filename or "").replace("\\", "/") if isinstance(error, SyntaxError) else ""
    inside = path.rpartition("-packages/")[2] if "-packages/" in path else ""
    return inside.split("/")[0].split(".")[0] or None


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n", 1)[0].strip()
