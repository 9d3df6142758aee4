"""One command of a set-up: its lines as they come, ended within a moment when it is no longer wanted, and never left
behind.
"""

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from arena_desktop.engines.environments import asking, tether
from arena_desktop.engines.interpreter import OWN_VARIABLES

TICK_S = 0.2
READER_S = 5.0
LONGEST_LINE = 10_000
ELSEWHERE = ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_REQUIRE_VIRTUALENV", "PIP_PYTHON", "PIP_DRY_RUN")
"""Settings of pip by which it would install into another place, or not at all."""


def surroundings(scratch: Path, base: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of such a command: the user's own with pip's settings, without what leads a Python astray.
    Unfinished files lie in ``scratch``.
    """
    found = dict(base)
    for name in (*OWN_VARIABLES, *ELSEWHERE):
        found.pop(name, None)
    return found | {
        "TMPDIR": str(scratch),
        "TEMP": str(scratch),
        "TMP": str(scratch),
        "PIP_USER": "0",
        "PIP_NO_INPUT": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PYTHONNOUSERSITE": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONUTF8": "1",
    }


def run(
    python: str,
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    line: Callable[[str], None],
    tick: Callable[[], None],
    log: IO[str],
    kept: int | None = None,
) -> int:
    """Run ``command`` under the tether (which ``python`` runs); returns its status.

    ``line`` gets each line of its output, ``tick`` is called some five times a second; if one of the two raises, the
    command is killed with all its descendants and the exception goes on. ``kept`` is a file descriptor that the
    command holds open as long as it lives (a lock). Raises OSError if it can't be started.
    """
    log.write("$ " + " ".join(command) + "\n")
    log.flush()
    process = subprocess.Popen(
        [python, str(Path(tether.__file__).absolute()), *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=dict(environment),
        start_new_session=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        pass_fds=() if kept is None or os.name == "nt" else (kept,),
        creationflags=_creation_flags(),
    )
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    reader = threading.Thread(target=_read, args=(process.stdout, lines), name="set-up-lines", daemon=True)
    reader.start()
    try:
        while True:
            tick()
            try:
                found = lines.get(timeout=TICK_S)
            except queue.Empty:
                continue
            if found is None:
                return process.wait()
            log.write(found)
            line(found.rstrip())
    except BaseException:
        asking.end(process)
        raise
    finally:
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        process.wait()
        reader.join(READER_S)
        log.flush()


def _read(source: IO[str] | None, lines: "queue.SimpleQueue[str | None]") -> None:
    if source is not None:
        with source:
            while text := source.readline(LONGEST_LINE):
                lines.put(text)
    lines.put(None)


def _creation_flags() -> int:
    if sys.platform == "win32":
        return subprocess.CREATE_NO_WINDOW | subprocess.BELOW_NORMAL_PRIORITY_CLASS
    return 0
