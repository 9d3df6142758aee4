"""The log file. It never says which model stands on which side before the vote: nothing about a battle is written."""

import contextlib
import logging
from collections.abc import Iterator

from arena_desktop.paths import AppPaths

SIZE = 2_000_000
KEPT = 3


class LogFile:
    """Sends the program's warnings and errors to ``arena-desktop.log`` until it is closed.

    A program that can't write its log must still run: what matters is also said on screen.
    """

    def __init__(self, paths: AppPaths) -> None:
        from logging.handlers import RotatingFileHandler  # brings sockets and pickling: not before the first paint

        class Quiet(RotatingFileHandler):
            def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 — the name is Python's
                """A full disk must not put a traceback on the terminal."""

        self._logger = logging.getLogger("arena_desktop")
        self._handler: logging.Handler
        try:
            paths.logs.mkdir(parents=True, exist_ok=True)
            self._handler = Quiet(
                paths.logs / "arena-desktop.log", maxBytes=SIZE, backupCount=KEPT, encoding="utf-8", delay=True
            )
        except OSError:
            self._handler = logging.NullHandler()
        self._handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._handler.setLevel(logging.INFO)
        self._logger.setLevel(logging.INFO)
        self._logger.addHandler(self._handler)

    def close(self) -> None:
        """Write no more."""
        self._logger.removeHandler(self._handler)
        self._handler.close()


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Where there is no log file, Python would write warnings to the terminal on its own: not inside this block."""
    logger, handler = logging.getLogger("arena_desktop"), logging.NullHandler()
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
