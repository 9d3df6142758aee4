"""The checkout's own environment: made, filled to exact pins, and repaired after an interruption.

The stamp (``.venv/arena-desktop.json``) is removed before anything is touched and written last. While it is there and
matches, the environment is whole and no child process is started to find that out.
"""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import damage
import pip_calls
import torch_build
from saying import Fault, say, seconds, size

STAMP = "arena-desktop.json"
LOCK_WAIT_SECONDS = 1800.0
OPTIONAL = ("espeak", "torch")
"""Groups that the program can do without: if one can't be installed, that is said and the rest goes on."""


@dataclass(frozen=True)
class Project:
    """The checkout that is being set up."""

    root: Path

    def pins(self, group: str) -> Path:
        """The requirement file of a group of packages."""
        return self.root / "packaging" / "requirements" / f"{group}.txt"

    def hash(self, group: str) -> str:
        """What a group must be installed from; ``project`` stands for the project's own metadata."""
        names = [self.root / "pyproject.toml", self.root / "setup.py"] if group == "project" else [self.pins(group)]
        digest = hashlib.sha256()
        for name in names:
            digest.update(name.read_bytes() if name.is_file() else b"")
        return digest.hexdigest()


class Environment:
    """``.venv`` in the checkout."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.folder = project.root / ".venv"
        self.python = self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        self.stamp = self.folder / STAMP

    def ready(self, groups: Sequence[str]) -> bool:
        """Whether these groups are installed at these pins, by a set-up that came to its end."""
        known = self._read_stamp()
        return (
            known.get("root") == str(self.project.root)
            and bool(known.get("python"))
            and known.get("python") == self._python_version()
            and self.python.is_file()
            and self._current(known, groups)
        )

    def set_up(
        self,
        groups: Sequence[str],
        last_step: Callable[[Path], object],
        *,
        torch_kind: str | None = None,
        torch_again: bool = False,
    ) -> None:
        """Make, repair and fill the environment. What other groups it already holds stays.

        ``last_step`` gets the environment's folder before the stamp is written, and says itself what it can't do.
        """
        with self._alone():
            if not torch_again and self.ready(groups):
                return
            known = self._read_stamp()
            whole = bool(known)
            self.stamp.unlink(missing_ok=True)
            if self._usable() and known.get("root") in (None, str(self.project.root)):
                if not whole:
                    damage.repair(self._site_packages())
                installed = dict(known.get("groups", {}))
            else:
                self._make()
                installed, known = {}, {}
            if torch_again:
                installed.pop("torch", None)
            self._fill(groups, installed, known, torch_kind, last_step)

    def _fill(
        self,
        groups: Sequence[str],
        installed: dict[str, str],
        known: dict[str, Any],
        torch_kind: str | None,
        last_step: Callable[[Path], object],
    ) -> None:
        pip = pip_calls.Pip(self.python, self.folder, self._lock_file)
        torch = known.get("torch")
        for group in groups:
            if installed.get(group) == self.project.hash(group):
                continue
            try:
                if group == "torch":
                    torch = torch_build.install(pip, self.project.pins("torch"), torch_kind)
                else:
                    say(f"Installing the pinned packages: {group}")
                    pip.install(["-r", str(self.project.pins(group))])
            except Fault as fault:
                if group not in OPTIONAL or "test" in groups:
                    raise
                say(f"{group}: left out for now. {fault}")
                if group == "torch":
                    say("The ONNX voices work without torch. The next `run` without --light tries again.")
                    continue
            installed[group] = self.project.hash(group)
        if installed.get("project") != self.project.hash("project"):
            say("Installing Arena Desktop itself")
            pip.install(["--no-deps", "--no-build-isolation", "-e", str(self.project.root)], wheels_only=False)
            installed["project"] = self.project.hash("project")
        pip.tidy()
        last_step(self.folder)
        self._write_stamp({"groups": installed, "torch": torch})
        fetched = f", {size(pip.downloaded)} downloaded" if pip.downloaded else ""
        say(f"Set up in {seconds():.0f} s{fetched}.")

    def _current(self, known: dict[str, Any], groups: Sequence[str]) -> bool:
        installed = known.get("groups", {})
        return all(installed.get(group) == self.project.hash(group) for group in (*groups, "project"))

    def _read_stamp(self) -> dict[str, Any]:
        try:
            known = json.loads(self.stamp.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}

    def _write_stamp(self, facts: dict[str, Any]) -> None:
        facts |= {"root": str(self.project.root), "python": self._python_version()}
        fresh = self.stamp.with_suffix(".part")
        with fresh.open("w", encoding="utf-8") as out:
            json.dump(facts, out, indent=1)
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(self.stamp)

    def _python_version(self) -> str:
        """The version that the environment was made with, read from its own note without starting it."""
        try:
            lines = (self.folder / "pyvenv.cfg").read_text(encoding="utf-8").splitlines()
        except OSError:
            return ""
        notes = dict(line.partition(" = ")[::2] for line in lines)
        return notes.get("version", "")

    def _site_packages(self) -> Path:
        if os.name == "nt":
            return self.folder / "Lib" / "site-packages"
        return next(iter(sorted((self.folder / "lib").glob("python3.*"))), self.folder / "lib") / "site-packages"

    def _usable(self) -> bool:
        """Whether its Python starts, is the one it was made with, and has a whole pip."""
        if not self.python.is_file() or not self._python_version():
            return False
        question = "import sys, pip; print('%d.%d.%d' % sys.version_info[:3])"
        try:
            answer = subprocess.run(
                [str(self.python), "-c", question], capture_output=True, text=True, timeout=60, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        if answer.returncode or answer.stdout.strip() != self._python_version():
            return False
        return damage.is_whole(self._site_packages(), "pip")

    def _make(self) -> None:
        if self.folder.exists():
            say("The environment in .venv is half made, or from another Python or place: making it again")
            self._remove()
        else:
            say(f"Making an environment in .venv (Python {sys.version_info[0]}.{sys.version_info[1]})")
        self.folder.mkdir()
        made = subprocess.run(
            [sys.executable, "-m", "venv", str(self.folder)],
            capture_output=True,
            text=True,
            check=False,
            **pip_calls.inherited(self._lock_file),
        )
        if made.returncode:
            detail = next(iter(reversed((made.stdout + made.stderr).strip().splitlines())), "no reason given")
            raise Fault(
                f"Python could not make an environment: {detail}. "
                "On Debian and Ubuntu: sudo apt-get install python3-venv; then call this again."
            )

    def _remove(self) -> None:
        if self.folder.is_symlink() or (any(self.folder.iterdir()) and not self._looks_like_an_environment()):
            raise Fault(f"{self.folder} is not an environment that this made; move it away and call this again.")
        shutil.rmtree(self.folder)

    def _looks_like_an_environment(self) -> bool:
        expected = {"bin", "lib", "lib64", "include", "Scripts", "Lib", "Include", "pyvenv.cfg"}
        return any((self.folder / name).exists() for name in expected)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Only one set-up at a time. pip inherits the lock, so that it is held until an orphaned pip has ended too."""
        with (self.project.root / ".venv.lock").open("a+b") as lock:
            pip_calls.take(lock, LOCK_WAIT_SECONDS)
            self._lock_file: IO[bytes] = lock
            yield
