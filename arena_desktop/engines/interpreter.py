"""How a child is started: by this program's own interpreter, or by one that a roster names."""

import os
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from arena_desktop.engines import worker
from arena_desktop.engines.gpus import DEVICE_ORDER
from arena_desktop.errors import ArenaError
from arena_desktop.paths import from_home

OWN_VARIABLES = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "__PYVENV_LAUNCHER__", "VIRTUAL_ENV")


ENVIRONMENT = "env:"
"""A roster's ``python: env:NAME`` is the Python of an environment that this program made."""


def no_environment(name: str) -> Path:
    """For a program that keeps no environments."""
    raise ArenaError(f"There is no environment {name}.", "Correct `python` in the roster.")


@dataclass(frozen=True)
class Interpreter:
    """A Python. ``path`` None is this program's own; otherwise a program, the folder of an environment, or
    ``env:NAME``, whose Python ``environment_of`` finds (raising :class:`ArenaError` if it isn't made).
    """

    path: str | None
    environment_of: Callable[[str], Path] = no_environment

    @property
    def label(self) -> str:
        """What to call it in a message."""
        return self.path or sys.executable

    @property
    def verdict(self) -> str:
        """That this is the fault, not the model, as it stands behind the model's name."""
        if self._made is not None:
            return f"its environment {self._made} is broken, not the model"
        return f"its Python ({self.label}) can't be used; nothing is wrong with the model"

    def remedy(self, known: str = "") -> str:
        """What to do when it doesn't work; ``known`` is what would help one that this program didn't make."""
        if self._made is not None:
            command = f"arena-desktop environments make {shlex.quote(self._made)}"
            return f"Set it up again: on the Models page, or by `{command}`."
        return known or "Correct `python` in the roster, or make that environment again."

    @property
    def _made(self) -> str | None:
        """The name of the environment, if this program made it."""
        if self.path is None or not self.path.startswith(ENVIRONMENT):
            return None
        return self.path.removeprefix(ENVIRONMENT)

    def program(self) -> str:
        """The program itself. Raises :class:`ArenaError` for an environment that isn't there."""
        if self.path is None:
            return sys.executable
        if self._made is not None:
            return str(self.environment_of(self._made))
        found = from_home(self.path)
        return str(python_in(found) if found.is_dir() else found)

    def argv(self) -> list[str]:
        """The command that starts a child."""
        if self.path is None and getattr(sys, "frozen", False):
            return [sys.executable, "--worker"]
        return [self.program(), str(Path(worker.__file__).with_name("child.py"))]

    def environment(self, threads: int, base: Mapping[str, str] = os.environ) -> dict[str, str]:
        """The child's environment: ours, without what leads another interpreter to our own modules and libraries."""
        found = (
            dict(base)
            | DEVICE_ORDER
            | {"ARENA_WORKER_THREADS": str(threads), "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}
        )
        if self.path is not None:
            if self._made is not None:
                found["ARENA_WORKER_REMEDY"] = self.remedy()  # where a package is missing
            for name in OWN_VARIABLES:
                found.pop(name, None)
            if getattr(sys, "frozen", False):
                for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):  # a frozen program points them at itself
                    found.pop(name, None)
                    if f"{name}_ORIG" in found:
                        found[name] = found[f"{name}_ORIG"]
        return found


def python_in(folder: Path) -> Path:
    """The Python of the environment in this folder."""
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
