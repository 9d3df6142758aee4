"""The window's end of one running sound process."""

import contextlib
import json
import os
import secrets
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena_desktop.audio.status_file import SIZE, Record, StatusFile

_LAST_WORD = 2.0
"""Seconds that a sound process has to end by itself once its input has ended."""


def host_command() -> list[str]:
    """How the sound process is started: the same executable in a frozen program, this interpreter else."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--audio-host"]
    return [sys.executable, "-m", "arena_desktop.audio.player"]


def host_environment() -> dict[str, str]:
    """The environment in which that command finds this very package."""
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def no_console() -> int:
    """Flags that keep a console window from opening on Windows; 0 elsewhere."""
    return int(getattr(subprocess, "CREATE_NO_WINDOW", 0))


class SoundChild:
    """A started sound process. Nothing here waits for it, :meth:`close` aside."""

    def __init__(self, runtime_dir: Path, messages: Path, latency: float, command: Sequence[str]) -> None:
        """Start the process; raises :class:`OSError` when that can't be done."""
        self.path = runtime_dir / f"{secrets.token_hex(8)}.status"
        self.path.write_bytes(bytes(SIZE))
        self._status = StatusFile(self.path, write=False)
        try:
            with messages.open("ab") as errors:
                self._process = subprocess.Popen(
                    [*command, "--status", str(self.path), "--latency", str(latency)],
                    stdin=subprocess.PIPE,
                    stdout=errors,
                    stderr=errors,
                    bufsize=0,
                    env=host_environment(),
                    creationflags=no_console(),
                )
        except OSError:
            self._status.close()
            self.path.unlink(missing_ok=True)
            raise
        assert self._process.stdin is not None
        self._input = self._process.stdin
        # A process that no longer reads must not hold up the window. Where pipes can't be set so, a full one would.
        with contextlib.suppress(OSError, AttributeError, NotImplementedError):
            os.set_blocking(self._input.fileno(), False)

    @property
    def pid(self) -> int:
        return self._process.pid

    def exit_status(self) -> int | None:
        """None while it runs."""
        return self._process.poll()

    def send(self, command: str, **arguments: Any) -> bool:
        """Send a command line; False when the process takes no more."""
        line = json.dumps({"command": command, **arguments}).encode() + b"\n"
        try:
            return self._input.write(line) == len(line)
        except OSError:
            return False

    def read(self) -> Record | None:
        """The newest status, None when there is none yet."""
        return self._status.read()

    def close(self, *, kill: bool = False) -> None:
        """End the process and wait for its end: by force with ``kill``, or when it takes longer than two seconds."""
        with contextlib.suppress(OSError):
            self._input.close()
        if kill:
            self._process.kill()
        try:
            self._process.wait(_LAST_WORD)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._status.close()
        self.path.unlink(missing_ok=True)
