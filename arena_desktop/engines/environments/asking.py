"""A question to a program that may be anything: its answer without an end is not kept, it is not waited for without an
end, and nothing that it started is left behind.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from arena_desktop.engines.worker import descendants

KEPT = 100_000
"""Bytes of each stream: the last ones, where the answer stands."""
MOST = 10_000_000
"""Bytes of each stream that are read: whoever writes more gets a broken pipe."""
READER_S = 1.0
"""A stream that outlives the program by so long is held open by something that it started."""


@dataclass(frozen=True)
class Answer:
    """The status of the program, as subprocess gives it, and the last of what it wrote to its two streams."""

    status: int
    said: str
    complained: str


def ask(command: Sequence[str], environment: Mapping[str, str], patience: float, *, cwd: Path | None = None) -> Answer:
    """Run ``command`` to its end. Raises OSError if it can't be started, TimeoutExpired if it has not ended after
    ``patience`` seconds; in any case it and what it started have ended then.
    """
    process = subprocess.Popen(
        list(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(environment),
        cwd=cwd,
        start_new_session=True,
        creationflags=_creation_flags(),
    )
    streams = (_Tail(process.stdout), _Tail(process.stderr))
    try:
        status = process.wait(patience)
        for stream in streams:
            stream.join(READER_S)
    finally:
        end(process)
        process.wait()
        for stream in streams:
            stream.join(READER_S)
    said, complained = (stream.text for stream in streams)
    return Answer(status, said, complained)


def end(process: "subprocess.Popen[bytes] | subprocess.Popen[str]") -> None:
    """Kill a process that leads a session, and all below it. It is not waited for."""
    if sys.platform == "win32":
        if process.poll() is None:
            subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)  # noqa: S607
        return
    if process.returncode is None:
        descendants.end(lambda: descendants.below(process.pid))  # also what left the group
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _creation_flags() -> int:
    if sys.platform == "win32":
        return subprocess.CREATE_NO_WINDOW
    return 0


class _Tail:
    """Reads a stream to its end on a thread of its own, and keeps the last of it."""

    def __init__(self, source: IO[bytes] | None) -> None:
        self._source = source
        self._kept = b""
        self._thread = threading.Thread(target=self._read, name="answer", daemon=True)
        self._thread.start()

    @property
    def text(self) -> str:
        """What came last."""
        return self._kept.decode("utf-8", "replace")

    def join(self, patience: float) -> None:
        """Wait for the end of the stream, or so many seconds."""
        self._thread.join(patience)

    def _read(self) -> None:
        if self._source is None:
            return
        left = MOST
        with self._source as source:
            while left > 0 and (piece := os.read(source.fileno(), 65_536)):
                left -= len(piece)
                self._kept = (self._kept + piece)[-KEPT:]
