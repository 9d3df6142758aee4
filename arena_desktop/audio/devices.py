"""The names of this machine's sound outputs.

A sound process is asked, so that no other process loads a sound library.
"""

import json
import secrets
import subprocess
from pathlib import Path

from arena_desktop.audio.child import host_command, host_environment, no_console
from arena_desktop.errors import ArenaError

PATIENCE = 15.0
"""Seconds that the sound system has to answer."""


def list_devices(runtime_dir: Path) -> tuple[str, ...]:
    """Names of all outputs, in the system's order; a player takes such a name.

    Waits for the answer, some tenths of a second. Raises :class:`ArenaError` where the sound library is missing or does
    not answer.
    """
    path = runtime_dir / f"{secrets.token_hex(8)}.outputs"
    try:
        runtime_dir.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b" ")  # that there is room is seen here and not taken for the sound system's fault
        path.unlink()
    except OSError as error:
        raise ArenaError(
            f"The list of sound devices can't be had: {runtime_dir} can't be written to ({error.strerror or error}).",
            "Change the rights of the data directory, and look whether its disk is full.",
        ) from error
    try:
        subprocess.run(
            [*host_command(), "--outputs", str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=host_environment(),
            creationflags=no_console(),
            timeout=PATIENCE,
            check=True,
        )
        report = json.loads(path.read_text(encoding="utf-8"))
    except (subprocess.SubprocessError, OSError, ValueError) as error:
        raise ArenaError(
            "The list of sound devices can't be had: the sound system does not answer.", "Try again."
        ) from error
    finally:
        path.unlink(missing_ok=True)
    if "names" not in report:
        raise ArenaError(report["message"], report["remedy"])
    return tuple(report["names"])
