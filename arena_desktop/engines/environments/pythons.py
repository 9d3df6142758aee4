"""The Pythons of this machine: where they are looked for, and what each one is."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from arena_desktop.domain.recipes import PythonRange
from arena_desktop.engines.environments import asking
from arena_desktop.engines.interpreter import OWN_VARIABLES

OLDEST = (3, 9)
"""The oldest version under which the speech process runs."""
NEWEST_MINOR = 19
PATIENCE_S = 20.0

_ASK = """
import json, sys
def there(name):
    try:
        __import__(name)
    except Exception:
        return False
    return True
print(json.dumps({
    "version": list(sys.version_info[:3]),
    "base": getattr(sys, "_base_executable", None) or sys.executable,
    "venv": there("venv"),
    "pip": there("ensurepip"),
    "ssl": there("ssl"),
}))
"""


@dataclass(frozen=True)
class Python:
    """One Python: its program, its version, and whether it can make environments (``venv``), with pip in them
    (``pip``), and reach an index (``ssl``).
    """

    path: str
    version: tuple[int, int, int]
    venv: bool = True
    pip: bool = True
    ssl: bool = True

    @property
    def minor(self) -> tuple[int, int]:
        """(3, 11)."""
        return self.version[:2]

    @property
    def words(self) -> str:
        """``3.11.7``."""
        return ".".join(str(part) for part in self.version)

    @property
    def able(self) -> bool:
        """Whether an environment can be made with it."""
        return self.venv and self.pip and self.ssl


def own() -> Python | None:
    """The Python that this program runs under; None in a frozen one."""
    return None if getattr(sys, "frozen", False) else ask(sys.executable)


def find(places: Iterable[str] | None = None) -> tuple[Python, ...]:
    """Every Python that answers, the newest first; each installation once. Takes some seconds."""
    found: dict[str, Python] = {}
    for place in _places() if places is None else places:
        python = ask(place)
        if python is not None:
            found.setdefault(os.path.realpath(python.path), python)
    return tuple(sorted(found.values(), key=lambda python: python.version, reverse=True))


def fits(python: Python, wanted: PythonRange) -> bool:
    """Whether an environment for this range can be made with it."""
    return python.able and python.minor >= OLDEST and wanted.holds(python.minor)


def ask(place: str) -> Python | None:
    """What Python this program is: the one that an environment was made from, if it is one. None if it gives no
    answer.
    """
    environment = {name: value for name, value in os.environ.items() if name not in OWN_VARIABLES}
    try:
        done = asking.ask([place, "-I", "-c", _ASK], environment, PATIENCE_S)
        answer = json.loads(done.said.strip().splitlines()[-1])
        major, minor, patch = (int(part) for part in answer["version"])
        venv, pip, ssl = (bool(answer[name]) for name in ("venv", "pip", "ssl"))
        base = str(answer["base"])
        path = base if Path(base).is_file() else place
    except (OSError, subprocess.TimeoutExpired, ValueError, IndexError, KeyError, TypeError, RecursionError):
        return None
    return Python(path, (major, minor, patch), venv, pip, ssl)


def _places(
    system: str = sys.platform, home: Callable[[], Path] = Path.home, which: Callable[[str], str | None] = shutil.which
) -> Iterator[str]:
    if not getattr(sys, "frozen", False):
        yield sys.executable
    for minor in range(NEWEST_MINOR, OLDEST[1] - 1, -1):
        found = which(f"python3.{minor}")
        if found is not None:
            yield found
    for name in ("python3", "python"):
        found = which(name)
        if found is not None:
            yield found
    if system == "win32":
        yield from _of_the_launcher()
    inside = "python.exe" if system == "win32" else "bin/python3"
    for folder in (
        home() / ".pyenv" / "versions",
        home() / ".pyenv" / "pyenv-win" / "versions",
        home() / ".local" / "share" / "uv" / "python",
        home() / "AppData" / "Roaming" / "uv" / "python",
    ):
        if folder.is_dir():
            yield from (str(path) for path in sorted(folder.glob(f"*/{inside}")) if _may_fit(path, folder))


def _may_fit(path: Path, folder: Path) -> bool:
    """By the name of its folder, so that no ancient one is started for nothing."""
    version = re.search(r"(\d+)\.(\d+)", path.relative_to(folder).parts[0])
    return version is None or (int(version[1]), int(version[2])) >= OLDEST


def _of_the_launcher() -> Iterator[str]:
    launcher = shutil.which("py")
    if launcher is None:
        return
    try:
        done = subprocess.run([launcher, "-0p"], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return
    for line in done.stdout.splitlines():
        found = re.search(r"([A-Za-z]:\\.*python\.exe)\s*$", line)
        if found:
            yield found[1]


def words(pythons: Iterable[Python]) -> str:
    """``3.11.7, 3.12.1``, or ``none``."""
    return ", ".join(dict.fromkeys(python.words for python in pythons)) or "none"
