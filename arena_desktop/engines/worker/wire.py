"""JSON lines between parent and child, on descriptors that no library knows."""

from __future__ import annotations

import contextlib
import io
import json
import os
import queue
import sys
import threading
from typing import Any

from .process import leave


class Channel:
    """Requests in, replies out. Requests are read by a thread of their own, so that the parent's end is noticed even
    while an engine speaks.
    """

    def __init__(self, requests: int, replies: int) -> None:
        self._requests = requests
        self._replies = replies
        self._queue: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="requests", daemon=True).start()

    @classmethod
    def claim(cls) -> Channel:
        """Take fds 0 and 1 away (copies that no child process inherits); fd 0 becomes the null device, fd 1 the log on
        fd 2.
        """
        requests, replies = os.dup(0), os.dup(1)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(2, 1)
        os.close(null)
        if sys.platform == "win32":
            _tell_windows(requests, replies)
        sys.stdout, sys.stderr = _log(1), _log(2)
        return cls(requests, replies)

    def next(self) -> dict[str, Any]:
        """The next request; waits for it."""
        return self._queue.get()

    def reply(self, message: dict[str, Any]) -> None:
        """Send one message. Without a parent there is nobody to tell: the child ends."""
        data = memoryview(json.dumps(message).encode("ascii") + b"\n")
        try:
            while data:
                data = data[os.write(self._replies, data) :]
        except OSError:
            leave()

    def _read(self) -> None:
        pending = b""
        while True:
            try:
                block = os.read(self._requests, 65536)
            except OSError:
                block = b""
            if not block:
                leave()
            *lines, pending = (pending + block).split(b"\n")
            for line in lines:
                self._queue.put(json.loads(line))


class _Log(io.RawIOBase):
    """The log as a stream: what can't be written to it (a full disk) is lost, and nobody's work ends for it."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def write(self, data: Any) -> int:
        with contextlib.suppress(OSError):
            os.write(self._descriptor, data)
        return len(data)


def _log(descriptor: int) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BufferedWriter(_Log(descriptor)), "utf-8", "backslashreplace", line_buffering=True)


def _tell_windows(requests: int, replies: int) -> None:
    """C libraries on Windows ask the system, not fd 0, 1, 2, for the standard handles."""
    if sys.platform == "win32":
        import ctypes
        import msvcrt

        for fd in (requests, replies):
            msvcrt.setmode(fd, os.O_BINARY)
        for number, fd in ((-10, 0), (-11, 1), (-12, 2)):
            ctypes.windll.kernel32.SetStdHandle(number, ctypes.c_void_p(msvcrt.get_osfhandle(fd)))
