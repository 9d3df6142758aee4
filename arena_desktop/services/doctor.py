"""What is missing on this machine, how bad that is, and what to do about it.

Each look is a function of facts that are handed in, so that every machine can be described in a test.
"""

import ctypes.util
import importlib.metadata
import os
import platform
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from arena_desktop import __version__
from arena_desktop.domain.arena_faults import arena_faults
from arena_desktop.domain.recipes import size_words
from arena_desktop.domain.roster import ModelSpec, Roster
from arena_desktop.engines.placement import Machine, gpu_fault
from arena_desktop.engines.types import Missing
from arena_desktop.errors import ArenaError
from arena_desktop.paths import set_up_command
from arena_desktop.services.environments import State
from arena_desktop.store.located import Fault
from arena_desktop.store.roster_file import RosterError
from arena_desktop.store.settings_file import settings_faults

MB = 2**20
GB = 2**30
LITTLE_SPACE = 2 * GB
NO_SPACE = 100 * MB
OLDEST_PYTHON = (3, 11)


class Level(StrEnum):
    """How bad a finding is: ``ok`` nothing to do, ``note`` something optional is absent, ``warning`` something
    works less well than it could, ``fault`` something does not work.
    """

    OK = "ok"
    NOTE = "note"
    WARNING = "warning"
    FAULT = "fault"


@dataclass(frozen=True)
class Finding:
    """One line of the report: which ``area``, how bad, what was found, and what to do ("" if nothing)."""

    area: str
    level: Level
    what: str
    remedy: str = ""


@dataclass(frozen=True)
class Library:
    """A package this program runs on: its name for pip, and what it is for. ``needed``: nothing works without it."""

    package: str
    purpose: str
    needed: bool = True


LIBRARIES = (
    Library("PySide6-Essentials", "the window"),
    Library("numpy", "ratings and sound"),
    Library("sounddevice", "playing"),
    Library("soundfile", "sound files"),
    Library("soxr", "resampling"),
    Library("onnxruntime", "most voices"),
    Library("torch", "voices of the engine transformers", needed=False),
    Library("transformers", "voices of the engine transformers", needed=False),
)


def look_at_versions(
    version_of: Callable[[str], str] = importlib.metadata.version, libraries: Sequence[Library] = LIBRARIES
) -> list[Finding]:
    """The program, Python and the libraries, by their metadata: nothing is imported."""
    python = platform.python_version()
    findings = [
        Finding("program", Level.OK, f"Arena Desktop {__version__} on {platform.system()} {platform.machine()}"),
        Finding("python", Level.OK, f"Python {python}")
        if sys.version_info >= OLDEST_PYTHON
        else Finding("python", Level.FAULT, f"Python {python} is too old", "Use Python 3.11 or newer."),
    ]
    for library in libraries:
        try:
            found = f"{library.package} {version_of(library.package)}"
            findings.append(Finding("libraries", Level.OK, found))
        except importlib.metadata.PackageNotFoundError:
            findings.append(
                Finding(
                    "libraries",
                    Level.FAULT if library.needed else Level.NOTE,
                    f"{library.package} is not installed: it is for {library.purpose}.",
                    "Run: " + (set_up_command("run") or f'"{sys.executable}" -m pip install {library.package}'),
                )
            )
    return findings


def look_at_gpu(machine: Machine, python: str = sys.executable) -> Finding:
    """Whether torch can use the GPU that is there."""
    fault = gpu_fault(machine, python, set_up_command("torch"))
    if fault is not None:
        return Finding("gpu", Level.WARNING, fault.message, fault.remedy)
    if machine.gpus:
        names = ", ".join(gpu.name for gpu in machine.gpus)
        return Finding("gpu", Level.OK, f"Torch can use the GPU ({names})")
    if machine.has_mps and machine.torch is not None:
        return Finding("gpu", Level.OK, "Torch can use Apple's GPU")
    return Finding("gpu", Level.OK, "No GPU that torch could use: all voices run on the CPU")


def look_at_folder(data: Path, space_of: Callable[[Path], int] | None = None) -> list[Finding]:
    """Whether the data directory can be written, and the room left there. It is not created for the look."""
    place = _nearest_folder(data)
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"x")
    except OSError as error:
        return [
            Finding(
                "data",
                Level.FAULT,
                f"The data directory {data} can't be written ({error.strerror or error}).",
                "Change its rights, or name another one with --data-dir.",
            )
        ]
    free = (space_of or _free_space)(place)
    room = f"{free / GB:.1f} GB are free there"
    written = Finding("data", Level.OK, f"The data directory {data} can be written")
    if free < NO_SPACE:
        return [written, Finding("space", Level.FAULT, f"Only {free / MB:.0f} MB are free there.", "Make room.")]
    if free < LITTLE_SPACE:
        return [written, Finding("space", Level.WARNING, f"Only {room}.", "Make room: clips and models need some.")]
    return [written, Finding("space", Level.OK, room)]


def look_at_settings(path: Path) -> list[Finding]:
    """What is wrong with the file of settings, if there is one. It stays as it is."""
    faults = settings_faults(path)
    if not faults:
        return [Finding("settings", Level.OK, "The settings can be read")] if path.exists() else []
    remedy = f"Correct {path}, or choose again in the window."
    return [Finding("settings", Level.WARNING, what, remedy) for what in faults]


def _nearest_folder(path: Path) -> Path:
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def _free_space(path: Path) -> int:
    return shutil.disk_usage(path).free


SCREEN_LIBRARIES = {"EGL": "libegl1", "xkbcommon-x11": "libxkbcommon-x11-0", "xcb-cursor": "libxcb-cursor0"}
"""What Qt opens a window with on Linux, and the Debian package that brings it. Elsewhere Qt's own package has all
of it.
"""


def look_at_screen_libraries(
    system: str = platform.system(), find: Callable[[str], str | None] = ctypes.util.find_library
) -> list[Finding]:
    """The shared libraries that the window needs of the system."""
    if system != "Linux":
        return []
    return [
        Finding(
            "display",
            Level.FAULT,
            f"The shared library lib{name} is missing: the window needs it.",
            f"Run: sudo apt-get install {package} (Debian, Ubuntu; elsewhere the package that has lib{name})",
        )
        for name, package in SCREEN_LIBRARIES.items()
        if find(name) is None
    ]


def look_at_display(system: str = platform.system(), environment: Mapping[str, str] = os.environ) -> Finding:
    """Whether there is a screen for the window. Only Linux can lack one."""
    if system != "Linux":
        return Finding("display", Level.OK, "The window uses this system's own display")
    wayland, x11 = environment.get("WAYLAND_DISPLAY"), environment.get("DISPLAY")
    if wayland or x11:
        return Finding("display", Level.OK, f"Display {wayland or x11}")
    remedy = "Start it in a desktop session (or set DISPLAY). Commands such as synth and leaderboard need none."
    return Finding("display", Level.FAULT, "There is no display: neither WAYLAND_DISPLAY nor DISPLAY is set.", remedy)


def look_at_roster(read: Callable[[], Roster]) -> list[Finding]:
    """The roster's size, or each of its faults."""
    try:
        roster = read()
    except RosterError as error:
        return [Finding("roster", Level.FAULT, _located(fault), _sentence(fault.remedy)) for fault in error.faults]
    return [Finding("roster", Level.OK, counted(roster)), *look_at_arenas(roster)]


def look_at_arenas(roster: Roster) -> list[Finding]:
    """Members of arenas that can't play there as the roster stands."""
    return [
        Finding("arenas", Level.FAULT if one.closed else Level.WARNING, one.what, one.remedy)
        for one in arena_faults(roster)
    ]


def counted(roster: Roster) -> str:
    """How large a roster is, in words."""
    models, arenas = len(roster.models), len(roster.arenas)
    return f"{models} model{'s' * (models != 1)} in {arenas} arena{'s' * (arenas != 1)}"


def _located(fault: Fault) -> str:
    where = f"{fault.file}, line {fault.line}" if fault.line else fault.file
    return f"{where}: {fault.message}."


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + "." * (words[-1:] not in "?.") if words else ""


def look_at_environments(states: Iterable[State], how_to_make: Callable[[str], str]) -> Iterator[Finding]:
    """Each Python environment that was made for an engine: its size, whether it works, who uses it."""
    for state in states:
        one = state.environment
        what = f"The environment {one.name} takes {size_words(one.size_bytes)}"
        away = f"If it isn't needed: arena-desktop doctor --remove-environment {shlex.quote(one.name)}"
        if state.wrong:
            level = Level.FAULT if state.models else Level.WARNING
            yield Finding("environments", level, f"{what} and can't be used: {state.wrong}", how_to_make(one.name))
        elif state.outdated:
            yield Finding("environments", Level.NOTE, f"{what}; its recipe has changed since.", how_to_make(one.name))
        elif not state.models:
            yield Finding("environments", Level.NOTE, f"{what}, and no model of the roster uses it.", away)
        else:
            used = f"{len(state.models)} model{'s' * (len(state.models) != 1)}"
            yield Finding("environments", Level.OK, f"{what} (Python {one.python}, for {used})")


class Checker(Protocol):
    """Who knows whether a model can speak here."""

    def check(self, model: ModelSpec) -> Sequence[Missing]:
        """What it lacks; raises ArenaError when that can't be found out."""


def look_at_models(roster: Roster, checker: Checker) -> list[Finding]:
    """Each model: ready, or what it lacks; and each arena that can't open."""
    findings, ready = [], set()
    for model in roster.models.values():
        try:
            missing = tuple(checker.check(model))
        except ArenaError as error:
            findings.append(Finding("models", Level.WARNING, error.message, error.remedy))  # it names the model
            continue
        if not missing:
            ready.add(model.repo_id)
            findings.append(Finding("models", Level.OK, f"{model.name} is ready"))
        findings += [Finding("models", Level.NOTE, f"{model.name} lacks {one.what}", one.remedy) for one in missing]
    for arena in roster.arenas.values():
        able = len(ready.intersection(arena.models))
        if able < 2:
            what = f"The arena {arena.title or arena.id} needs two ready models and has {able}."
            findings.append(Finding("arenas", Level.FAULT, what, "Get what its models lack."))
    return findings


def worst(findings: Iterable[Finding]) -> Level:
    """The worst level among ``findings``; ``ok`` when there are none."""
    order = list(Level)
    return max((one.level for one in findings), key=order.index, default=Level.OK)
