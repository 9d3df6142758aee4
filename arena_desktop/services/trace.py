"""The ``--trace`` file: when things happened, for measuring from outside. It never says which model plays."""

import json
import threading
import time
from pathlib import Path
from typing import TextIO

from arena_desktop.errors import ArenaError


class Trace:
    """JSON Lines ``{"ns", "event", "battle"}`` flushed per line; ``ns`` is CLOCK_MONOTONIC. Without a path nothing is
    written.

    Events may come from any thread.
    """

    def __init__(self, path: Path | None) -> None:
        self._lock = threading.Lock()
        self._file: TextIO | None = None
        if path is not None:
            try:
                self._file = path.open("a", encoding="utf-8")
            except OSError as error:
                raise ArenaError(
                    f"The trace file {path} can't be written ({error.strerror}).", "Name another file after --trace."
                ) from error

    def event(self, event: str, battle: int | None = None, **more: str) -> None:
        """Write one event; ``battle`` counts from 1, None for start, first_paint and quit."""
        line = {"ns": time.monotonic_ns(), "event": event, "battle": battle, **more}
        with self._lock:
            if self._file is not None:
                self._file.write(json.dumps(line) + "\n")
                self._file.flush()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None
