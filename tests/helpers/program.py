"""The real program as a child process, driven by key presses and followed by its trace file."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

PATIENCE_S = 90.0


class Program:
    """Starts ``arena-desktop`` with a window on the present X screen; ``close`` or ``kill`` ends it."""

    def __init__(self, data_dir: Path, *options: str, environment: Mapping[str, str] | None = None) -> None:
        self.data_dir = data_dir
        data_dir.mkdir(parents=True, exist_ok=True)
        self.trace_file = data_dir / "trace.jsonl"
        self.trace_file.unlink(missing_ok=True)
        self._events: list[dict[str, Any]] = []
        self._read_to = 0
        self._output = (data_dir / "output.txt").open("ab")
        self.started_ns = time.monotonic_ns()
        self.process = subprocess.Popen(
            command("--data-dir", str(data_dir), "--trace", str(self.trace_file), *options),
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            env={**os.environ, **(environment or {})},
        )

    def trace(self) -> list[dict[str, Any]]:
        """Every event so far (a line still being written is left for later)."""
        if not self.trace_file.exists():
            return []
        # Whoever waits asks a hundred times a second: each line is read once, or looking would slow what is looked at.
        with self.trace_file.open("rb") as file:
            file.seek(self._read_to)
            whole, _, _ = file.read().rpartition(b"\n")
        if whole:
            self._read_to += len(whole) + 1
            self._events += [json.loads(line) for line in whole.split(b"\n")]
        return self._events

    def wait_for(self, event: str, battle: int | None = None, within: float = PATIENCE_S) -> dict[str, Any]:
        """The first such event, waiting for it; fails with what the program said when it does not come."""

        def found() -> dict[str, Any] | None:
            return next((e for e in self.trace() if e["event"] == event and e["battle"] == battle), None)

        event_found: dict[str, Any] = self.wait_until(found, f"{event} of battle {battle}", within)
        return event_found

    def wait_until(self, look: Callable[[], Any], what: str, within: float = PATIENCE_S) -> Any:
        """What ``look`` returns once it is truthy."""
        deadline = time.monotonic() + within
        while time.monotonic() < deadline:
            result = look()
            if result:
                return result
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        raise AssertionError(f"no {what}; the program ({self.process.poll()}) said:\n{self.output()}\n{self.trace()}")

    def output(self) -> str:
        """What the program wrote on its standard streams, and its log."""
        log = self.data_dir / "logs" / "arena-desktop.log"
        said = (self.data_dir / "output.txt").read_text("utf-8", "replace")
        return said + (log.read_text("utf-8", "replace") if log.exists() else "")

    def window(self) -> str:
        """The X id of the program's window."""

        def look() -> str:
            found = subprocess.run(
                ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid), "--name", "Arena Desktop"],
                capture_output=True,
                text=True,
                check=False,
            )
            return (found.stdout.split() or [""])[0]

        return str(self.wait_until(look, "window"))

    def focus(self) -> None:
        """Give the window the keyboard."""
        subprocess.run(["xdotool", "windowactivate", "--sync", self.window()], check=True, timeout=20)

    def key(self, name: str) -> None:
        """Press and release one key, by its X name."""
        subprocess.run(["xdotool", "key", "--clearmodifiers", name], check=True, timeout=20)

    def kill(self) -> None:
        """kill -9."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(20)
        self._output.close()

    def close(self) -> int:
        """Close as a user does (the window manager asks the window to go); returns the exit status."""
        if self.process.poll() is None:
            subprocess.run(["xdotool", "key", "--clearmodifiers", "ctrl+q"], check=False, timeout=20)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
                raise AssertionError(f"the program did not end on Ctrl+Q:\n{self.output()}") from None
        self._output.close()
        return self.process.returncode


def command(*arguments: str) -> list[str]:
    """The command line of the program under test."""
    return [sys.executable, "-m", "arena_desktop", *arguments]


def run(*arguments: str, within: float = 300.0) -> subprocess.CompletedProcess[str]:
    """Run one command of the program to its end."""
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, check=False, timeout=within, stdin=subprocess.DEVNULL
    )


def run_json(*arguments: str, within: float = 300.0) -> Any:
    """Run one command that must succeed; its JSON output."""
    done = run(*arguments, "--json", within=within)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def export_votes(data_dir: Path, out: Path, options: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Export the log of ``data_dir`` to ``out``; its records."""
    done = run("--data-dir", str(data_dir), "votes", "export", "-o", str(out), *options)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()[1:]]
