"""The parent's end of one child: start it, ask it one thing at a time, kill it for good."""

import contextlib
import json
import logging
import os
import queue
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

from arena_desktop.engines.worker import descendants
from arena_desktop.temporary import child_folder, surroundings

log = logging.getLogger(__name__)

LONGEST_REPLY = 4 * 2**20
OLD_LOG = 4 * 2**20
BLOCK = 65536
READER_S = 5.0
MARK = "ARENA_SPEECH_PROCESS"
"""In the environment of a child and of all that it starts: by this its programs are known when it has fallen before
they did, and is no longer there to be their parent.
"""
PIPE = 4096
"""Bytes that every system's pipe takes at once."""


class ChildDied(Exception):  # says what happened
    """The child ended before it answered. ``status`` as subprocess gives it: negative for a signal."""

    def __init__(self, status: int) -> None:
        super().__init__(f"ended with status {status}")
        self.status = status


class ChildHung(Exception):
    """The child did not answer in time. It has been killed."""


class Child:
    """A child process. Calls other than :meth:`kill` come from one thread at a time; :meth:`kill` from any.

    ``argv`` starts it; ``environment`` is its whole environment; ``directory`` its working directory; its fd 2 appends
    to ``log_file``. What it puts into the folder for temporary files goes when it does. Raises OSError if the program
    can't be started.
    """

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str], directory: Path, log_file: Path) -> None:
        self._mark = secrets.token_hex(8)
        self._files = child_folder()
        _turn_over(log_file)
        try:
            with log_file.open("ab") as errors:
                self._process = subprocess.Popen(
                    argv,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    env={**environment, **surroundings(self._files), MARK: self._mark},
                    cwd=directory,
                    start_new_session=True,
                    creationflags=_creation_flags(),
                )
        except OSError:
            self._clear()
            raise
        self._replies: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._killing = threading.Lock()
        self._killed = False
        self._last_id = 0
        self._ended = threading.Event()
        self._reader = threading.Thread(target=self._read, name="speech-replies", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether it is known to be gone."""
        return self._ended.is_set()

    def greeting(self, deadline_s: float) -> dict[str, Any]:
        """The message that says that the child is ready; comes once, first."""
        return self._answer(0, deadline_s)

    def ask(self, request: dict[str, Any], deadline_s: float) -> dict[str, Any]:
        """Send ``request``, wait for its reply. Raises :class:`ChildDied` or :class:`ChildHung`; either way the child
        is gone.
        """
        self._last_id += 1
        line = json.dumps({**request, "id": self._last_id, "deadline": deadline_s}).encode("ascii") + b"\n"
        guard = threading.Timer(deadline_s, self.kill)
        if len(line) > PIPE:  # only such a line could block, and only if the child doesn't read
            guard.start()
        try:
            cast(BinaryIO, self._process.stdin).write(line)
            cast(BinaryIO, self._process.stdin).flush()
        except (OSError, ValueError):  # ValueError: closed by a kill from another thread
            raise ChildDied(self.kill()) from None
        finally:
            guard.cancel()
        return self._answer(self._last_id, deadline_s)

    def kill(self) -> int:
        """End the child and everything it started; returns its exit status. May be called again, and while another
        thread waits in :meth:`ask`.
        """
        with self._killing:
            if not self._killed:
                self._killed = True
                _kill_all(self._process, self._mark)
                self._process.wait()
                self._reader.join(READER_S)
                with contextlib.suppress(OSError):  # what was not flushed has nobody to go to
                    cast(BinaryIO, self._process.stdin).close()
                if self._reader.is_alive():  # an engine's process that left the group still holds the pipe
                    log.warning("a process started by an engine outlived the speech process")
                else:
                    cast(BinaryIO, self._process.stdout).close()
                self._clear()
            return self._process.returncode

    def _clear(self) -> None:
        if self._files is not None:
            shutil.rmtree(self._files, ignore_errors=True)

    def _answer(self, number: int, deadline_s: float) -> dict[str, Any]:
        end = time.monotonic() + deadline_s
        while True:
            try:
                message = self._replies.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                self.kill()
                raise ChildHung from None
            if message is None:
                self._replies.put(None)  # for whoever asks next
                raise ChildDied(self.kill())
            if message.get("id") == number:
                return message

    def _read(self) -> None:
        """Lines from the child, until it ends or talks nonsense."""
        source = cast(BinaryIO, self._process.stdout)
        pending = b""
        try:
            while len(pending) < LONGEST_REPLY and (block := os.read(source.fileno(), BLOCK)):
                *lines, pending = (pending + block).split(b"\n")
                for line in lines:
                    message = json.loads(line)
                    if not isinstance(message, dict):
                        raise TypeError("a message is an object")
                    self._replies.put(message)
        except (OSError, ValueError, TypeError) as error:
            log.warning("a speech process sent what is no message (%s)", type(error).__name__)
        self._ended.set()
        self._replies.put(None)


def _turn_over(log_file: Path) -> None:
    """Begin a new log when the old one is long; the one before stays beside it."""
    with contextlib.suppress(OSError):  # not there yet, or in use on Windows: then the child cuts it one day
        if log_file.stat().st_size > OLD_LOG:
            log_file.replace(log_file.with_suffix(".old.log"))


def _creation_flags() -> int:
    if sys.platform == "win32":
        return (
            subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.BELOW_NORMAL_PRIORITY_CLASS
        )
    return 0


def _kill_all(process: "subprocess.Popen[bytes]", mark: str) -> None:
    """Kill the child with its descendants. It isn't reaped yet, so its number can't be anybody else's.

    On Linux also those that left its group. It is stopped first and goes last, for as long as it is there they are its
    own.
    """
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)  # noqa: S607
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process.pid, signal.SIGSTOP)
    left = descendants.end(lambda: descendants.below(process.pid))
    with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS refuses where only a zombie is left
        os.killpg(process.pid, signal.SIGKILL)
    left |= descendants.end(lambda: descendants.marked(MARK, mark) - {process.pid})
    if left:
        log.warning("processes that an engine started can't be ended: %s", sorted(left))
