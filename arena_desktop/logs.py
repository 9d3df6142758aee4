"""The log file. It never says which model stands on which side before the vote: nothing above WARNING about a battle is
written.
"""

import logging
import logging.handlers

from arena_desktop.paths import AppPaths

SIZE = 2_000_000
KEPT = 3


def write_log(paths: AppPaths) -> logging.Handler | None:
    """Send warnings and errors of the program to ``arena-desktop.log``; None when the folder can't be written (then
    nothing is).

    A program that can't write its log must still run: what matters is also said on screen.
    """
    try:
        paths.logs.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(
            paths.logs / "arena-desktop.log", maxBytes=SIZE, backupCount=KEPT, encoding="utf-8", delay=True
        )
    except OSError:
        logging.getLogger("arena_desktop").addHandler(logging.NullHandler())
        return None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.setLevel(logging.INFO)
    root = logging.getLogger("arena_desktop")
    root.setLevel(logging.INFO)
    root.addHandler(handler)
    return handler
