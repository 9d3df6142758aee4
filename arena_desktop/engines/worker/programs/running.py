"""One run of a program: text in, sound out, its last words kept, ended when it takes too long or says too much, with
all that it started.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .. import descendants
from ..faults import EngineFault

MOST_BYTES = 256 * 2**20
"""What a program may write to its output: half an hour of 32-bit samples at 38 kHz."""
_LAST_WORDS = 4096
_BLOCK = 65536
_LOOK_S = 0.25


@dataclass(frozen=True)
class Ran:
    """How a program ended: its output, its exit status (negative for a signal), the last line of its complaints."""

    output: bytes
    status: int
    last_words: str


def run(argv: Sequence[str], *, text: str | None, folder: Path, limit_s: float, out: Path | None = None) -> Ran:
    """Start ``argv`` in ``folder``, give it ``text`` (UTF-8 and a line feed) as its input, and wait for its end.

    ``limit_s``: seconds until it is killed. It stays in this process's group, so that nothing of it outlives the speech
    process, and on Linux nothing that it started, in whatever session, outlives this call. ``out``: the file that it
    writes, which may hold no more than its output. Raises EngineFault: ``missing`` (can't be started), ``hang``,
    ``too_long`` (endless output).
    """
    before = descendants.children()
    try:
        process = subprocess.Popen(
            list(argv),
            stdin=subprocess.DEVNULL if text is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise EngineFault(
            "missing", f"The program {argv[0]} can't be started ({reason}).", "Correct argv in the roster."
        ) from error
    output = _Reader(process.stdout, MOST_BYTES, process)
    words = _Reader(process.stderr, None, process)
    if text is not None:
        threading.Thread(target=_give, args=(process.stdin, text), daemon=True).start()
    try:
        status = _ended(process, limit_s, out)
        # What a program left running may still hold its output open: the sound is not waited for longer than a moment.
        output.join(0.0 if status is None else 2.0)
    finally:
        process.kill()
        process.wait()
        descendants.end_own(before)
    if output.too_much or (out is not None and _size(out) > MOST_BYTES):
        raise _endless(argv[0])
    if status is None:
        raise EngineFault(
            "hang",
            f"The program {argv[0]} did not end within {limit_s:.0f} s.",
            "Try it in a terminal with the same text.",
        )
    output.join(0.5)
    words.join(0.5)
    return Ran(bytes(output.kept), status, _last_line(bytes(words.kept)))


def _ended(process: subprocess.Popen[bytes], limit_s: float, out: Path | None) -> int | None:
    """The status of the program; None if it had to be given up."""
    ends_at = time.monotonic() + limit_s
    while (left := ends_at - time.monotonic()) > 0:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(min(left, _LOOK_S))
        if out is not None and _size(out) > MOST_BYTES:
            return None
    return None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # not there yet, or no file at all
        return 0


class _Reader(threading.Thread):
    """Reads a pipe to its end: all of it up to ``most`` bytes and then kills the program, or only the last bytes,
    which are copied to the log.
    """

    def __init__(self, pipe: IO[bytes] | None, most: int | None, process: subprocess.Popen[bytes]) -> None:
        super().__init__(daemon=True)
        assert pipe is not None
        self.kept = bytearray()
        self.too_much = False
        self._pipe = pipe
        self._most = most
        self._process = process
        self.start()

    def run(self) -> None:
        with self._pipe:
            while block := os.read(self._pipe.fileno(), _BLOCK):
                self.kept += block
                if self._most is None:
                    with contextlib.suppress(OSError):
                        os.write(2, block)
                    del self.kept[:-_LAST_WORDS]
                elif len(self.kept) > self._most:
                    self.too_much = True
                    self._process.kill()
                    return


def _give(pipe: IO[bytes] | None, text: str) -> None:
    assert pipe is not None
    with contextlib.suppress(OSError), pipe:  # a program need not read to the end
        pipe.write(text.encode("utf-8") + b"\n")


def _endless(program: str) -> EngineFault:
    return EngineFault(
        "too_long",
        f"The program {program} wrote more than {MOST_BYTES >> 20} MB.",
        "Correct argv in the roster.",
    )


def _last_line(words: bytes) -> str:
    lines = [line.strip() for line in words.decode("utf-8", "replace").splitlines() if line.strip()]
    return lines[-1] if lines else ""
