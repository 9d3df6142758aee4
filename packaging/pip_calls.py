"""pip, as the set-up calls it: quiet but for what is fetched, its failures worded, one at a time."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from saying import Fault, say

LOG = "setup.log"
_FETCHING = re.compile(r"^\s*Downloading (\S+) \(([\d.]+) (kB|MB|GB|bytes)\)")
_PROGRESS = re.compile(r"^Progress (\d+) of (\d+)")
_UNITS = {"bytes": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9}
_SAID_FROM = 5e6
"""Files from this many bytes on get a line of their own."""
_EVERY_SECONDS = 10.0

_FULL = "the disk is full. Free some space and call this again: it goes on from here."
_SILENT = "the package index does not answer. Check the connection and call this again."
_NOTHING = (
    "the package index does not answer, or has no such file for this machine and Python. "
    "Check the connection (and pip's own settings, if a mirror is used) and call this again."
)
_CAUSES = (
    ("No space left on device", _FULL),
    ("Errno 28", _FULL),
    ("Permission denied", "a file could not be written. Look who owns .venv, or delete it, and call this again."),
    ("DO NOT MATCH THE HASHES", "a file arrived damaged. Call this again."),
    ("No matching distribution found", _NOTHING),
    ("Connection", _SILENT),
    ("timed out", _SILENT),
)
"""What pip writes, and what it means for the person who reads it; the first that fits counts."""


class Pip:
    """pip of one environment. ``downloaded`` counts the bytes that it said it fetched."""

    def __init__(self, python: Path, folder: Path, lock: IO[bytes]) -> None:
        self._python = python
        self._log = folder / LOG
        self._lock = lock
        self._scratch = folder / "tmp"
        self.downloaded = 0.0
        shutil.rmtree(self._scratch, ignore_errors=True)
        self._log.unlink(missing_ok=True)

    def install(self, arguments: Sequence[str], *, wheels_only: bool = True) -> None:
        """Install. ``wheels_only`` refuses what would have to be compiled here. Raises Fault with the reason."""
        options = ["--no-input", "--no-warn-script-location", "--progress-bar", self._progress_style()]
        if wheels_only:
            options += ["--only-binary", ":all:"]
        command = [str(self._python), "-m", "pip", "install", *options, *arguments]
        self._scratch.mkdir(exist_ok=True)
        with self._log.open("a", encoding="utf-8") as log:
            log.write(" ".join(command[1:]) + "\n")
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
                errors="replace",
                env=self._surroundings(),
                **inherited(self._lock),
            )
            assert process.stdout is not None
            with process:
                try:
                    lines = self._follow(process.stdout, log)
                except BaseException:
                    process.terminate()
                    raise
        if process.returncode:
            raise Fault(_reason(lines, self._log))

    def would_take(self, arguments: Sequence[str]) -> dict[str, Any] | None:
        """The one file that pip would take for a requirement, as its report tells, or None when it can't say.

        Only the description is read, not the file itself.
        """
        self._scratch.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._scratch) as place:
            report = Path(place) / "report.json"
            command = [str(self._python), "-m", "pip", "install", "--no-input", "--quiet", "--dry-run", "--no-deps"]
            command += ["--ignore-installed", "--only-binary", ":all:", "--report", str(report), *arguments]
            done = subprocess.run(
                command, capture_output=True, env=self._surroundings(), check=False, **inherited(self._lock)
            )
            if done.returncode or not report.is_file():
                return None
            found = json.loads(report.read_text(encoding="utf-8")).get("install", [])
        return found[0] if found else None

    def tidy(self) -> None:
        """Remove the place for pip's unfinished files."""
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _follow(self, output: IO[str], log: IO[str]) -> list[str]:
        lines: list[str] = []
        name, spoken = "", time.monotonic()
        for line in output:
            step = _PROGRESS.match(line)
            if step:
                if time.monotonic() - spoken >= _EVERY_SECONDS and int(step[2]):
                    say(f"  {name}: {int(step[1]) / 1e6:.0f} of {int(step[2]) / 1e6:.0f} MB")
                    spoken = time.monotonic()
                continue
            log.write(line)
            lines.append(line.rstrip())
            if line.startswith("Installing collected packages:"):
                say(f"  unpacking {line.count(',') + 1} packages")
            fetching = _FETCHING.match(line)
            if fetching:
                count = float(fetching[2]) * _UNITS[fetching[3]]
                self.downloaded += count
                name, spoken = fetching[1].rpartition("/")[2].split("-")[0], time.monotonic()
                if count >= _SAID_FROM:
                    say(f"  fetching {name} ({fetching[2]} {fetching[3]})")
        return lines

    def _surroundings(self) -> dict[str, str]:
        """The user's own pip settings; unfinished files lie in the environment, where the next call clears them."""
        return os.environ | {
            "TMPDIR": str(self._scratch),
            "TEMP": str(self._scratch),
            "TMP": str(self._scratch),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_USER": "0",  # a setting that many have, and that no environment can follow
            "PYTHONUNBUFFERED": "1",
        }

    def _progress_style(self) -> str:
        """Machine-readable progress where this pip has it (24.1), else none."""
        for info in self._python.parent.parent.glob("[lL]ib/**/site-packages/pip-*.dist-info"):
            version = info.name.removeprefix("pip-").split(".")
            if (int(version[0]), int(version[1])) >= (24, 1):
                return "raw"
        return "off"


def _reason(lines: Sequence[str], log: Path) -> str:
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR:")] or list(lines[-3:])
    last = errors[-1] if errors else "it gave no reason"
    for sign, meaning in _CAUSES:
        if any(sign in line for line in errors):
            return f"pip could not install: {meaning} (Its own words: {last}; all of them: {log})"
    return f"pip could not install: {last} (all it said: {log})"


def inherited(lock: IO[bytes]) -> dict[str, Any]:
    """Arguments for subprocess that let a child hold the lock too, so that an orphan is waited for."""
    return {"pass_fds": (lock.fileno(),)} if os.name == "posix" else {}


def take(lock: IO[bytes], patience: float) -> None:
    """Take the lock on an open file, waiting up to ``patience`` seconds for another set-up. It ends with the file."""
    until, told = time.monotonic() + patience, False
    while not _try(lock):
        if not told:
            say("Another set-up is at work in this checkout; waiting for it")
            told = True
        if time.monotonic() > until:
            raise Fault("another set-up has been at work in this checkout for too long; end it and call this again.")
        time.sleep(0.2)


def _try(lock: IO[bytes]) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            lock.seek(0)
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
