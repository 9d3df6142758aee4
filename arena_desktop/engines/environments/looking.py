"""What is wrong with a Python that models should run under: looked at from outside, told in words."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from arena_desktop.engines.environments import asking
from arena_desktop.engines.environments.pythons import OLDEST
from arena_desktop.engines.interpreter import OWN_VARIABLES

PATIENCE_S = 20.0
Version = tuple[int, int, int]

_ASK = """
import sys
fault = None
numpy = None
try:
    import numpy
    numpy = str(numpy.__version__)
except ImportError as error:
    missing = getattr(error, "name", None) == "numpy" and type(error).__name__ == "ModuleNotFoundError"
    fault = ["missing" if missing else "broken", str(error)]
except BaseException as error:
    fault = ["broken", type(error).__name__ + ": " + str(error)]
import json
print("\\n" + json.dumps({"version": list(sys.version_info[:3]), "numpy": numpy, "fault": fault}))
"""


@dataclass(frozen=True)
class Look:
    """What was seen: the version (None if it did not answer), what is ``wrong`` in one sentence ("" if nothing), and a
    ``remedy`` where one command is enough. ``hung``: it was still at it when patience ended.
    """

    version: tuple[int, int, int] | None
    wrong: str = ""
    remedy: str = ""
    hung: bool = False


def look(python: str | Path) -> Look:
    """Start this Python and ask what the speech process needs of it. Takes a moment; never raises."""
    path = Path(python)
    gone = _gone(path)
    if gone:
        return Look(None, gone)
    environment = {name: value for name, value in os.environ.items() if name not in OWN_VARIABLES}
    try:
        done = asking.ask([str(path), "-c", _ASK], environment | {"PYTHONUTF8": "1"}, PATIENCE_S, cwd=path.parent)
    except subprocess.TimeoutExpired:
        return Look(None, f"{path} gave no answer within {PATIENCE_S:.0f} s.", hung=True)
    except OSError as error:
        return Look(None, f"{path} can't be started: {error.strerror or error}.")
    answer = _answer(done.said)
    if answer is None:
        return Look(None, _no_answer(path, done.status, done.complained))
    version, fault = answer
    wrong = _wrong(path, version, fault)
    lacks_numpy = wrong.startswith("numpy isn't")
    return Look(version, wrong, f'Run: "{path}" -m pip install numpy' if lacks_numpy else "")


def _gone(path: Path) -> str:
    if path.exists() or not path.is_absolute():  # a bare name is looked for by the system
        return ""
    if path.is_symlink():
        base = os.path.realpath(path)
        return f"The Python that this environment was made from ({base}) is gone."
    home = notes(path).get("home")
    if home and not Path(home).is_dir():
        return f"The Python that this environment was made from ({home}) is gone."
    return f"{path} isn't there."


def notes(path: Path) -> dict[str, str]:
    """What ``pyvenv.cfg`` says of the environment that this Python belongs to; empty if it is none."""
    try:
        lines = (path.parent.parent / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    return {key.strip(): value.strip() for key, _, value in (line.partition("=") for line in lines)}


def _answer(output: str) -> tuple[Version, tuple[str, str] | None] | None:
    """The version and what is wrong with numpy; None for what :data:`_ASK` would not have written."""
    try:
        found = json.loads(output.strip().splitlines()[-1])
        major, minor, patch = (int(part) for part in found["version"])
        if found["fault"] is None:
            return (major, minor, patch), None
        kind, said = found["fault"]
    except (ValueError, IndexError, KeyError, TypeError, RecursionError):
        return None
    return (major, minor, patch), (str(kind), str(said))


def _no_answer(path: Path, status: int, said: str) -> str:
    lines = said.strip().splitlines()
    last = f": {lines[-1].strip()[:200]}" if lines else "."
    home = notes(path).get("home")
    if home and not any(Path(home).glob("python*")):
        return f"The Python that this environment was made from ({home}) is gone{last}"
    return f"{path} is no Python that works (status {status}){last}"


def _wrong(path: Path, version: Version, fault: tuple[str, str] | None) -> str:
    words = ".".join(str(part) for part in version)
    if version[:2] < OLDEST:
        return f"{path} is Python {words}; models run under Python {OLDEST[0]}.{OLDEST[1]} or newer."
    made = notes(path).get("version") or notes(path).get("version_info", "")
    if made and made.split(".")[:2] != [str(version[0]), str(version[1])]:
        return f"This environment was made with Python {made}, and the Python there is {words} now."
    if fault is None:
        return ""
    kind, said = fault
    if kind == "missing":
        return f"numpy isn't installed for {path} (Python {words})."
    first = next(iter(said.strip().splitlines()), "")[:200]
    return f"numpy is installed for {path} (Python {words}), but its import fails: {first}"
