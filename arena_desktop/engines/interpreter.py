"""How a child is started: by this program's own interpreter, or by one that a roster names."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from arena_desktop.engines import worker

OWN_VARIABLES = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "__PYVENV_LAUNCHER__", "VIRTUAL_ENV")


@dataclass(frozen=True)
class Interpreter:
    """A Python. ``path`` None is this program's own."""

    path: str | None

    @property
    def label(self) -> str:
        """What to call it in a message."""
        return self.path or sys.executable

    def argv(self) -> list[str]:
        """The command that starts a child."""
        if self.path is None and getattr(sys, "frozen", False):
            return [sys.executable, "--worker"]
        return [str(Path(self.label).expanduser()), str(Path(worker.__file__).with_name("child.py"))]

    def environment(self, threads: int, base: Mapping[str, str] = os.environ) -> dict[str, str]:
        """The child's environment: ours, without what leads another interpreter to our own modules and libraries."""
        found = dict(base) | {"ARENA_WORKER_THREADS": str(threads), "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}
        if self.path is not None:
            for name in OWN_VARIABLES:
                found.pop(name, None)
            if getattr(sys, "frozen", False):
                for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):  # a frozen program points them at itself
                    found.pop(name, None)
                    if f"{name}_ORIG" in found:
                        found[name] = found[f"{name}_ORIG"]
        return found
