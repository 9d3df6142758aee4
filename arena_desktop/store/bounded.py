"""Reading a file that anybody may have put there: never more than was asked for, never from what has no end."""

import stat
from pathlib import Path


def read_bounded(path: Path, most: int) -> bytes | None:
    """The bytes of a regular file, None if there are more than ``most``.

    Raises OSError, also for what is no regular file (a pipe or a device might never end).
    """
    if "\0" in str(path):
        raise OSError(None, "the path holds a NUL character")
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(None, "it is no regular file")
    with path.open("rb") as file:
        data = file.read(most + 1)
    return None if len(data) > most else data


def read_head(path: Path, most: int) -> bytes:
    """The first ``most`` bytes of a regular file, or all there are. Raises OSError, as :func:`read_bounded` does."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(None, "it is no regular file")
    with path.open("rb") as file:
        return file.read(most)


def reason(error: OSError) -> str:
    """What the system says is wrong, in words and on one line."""
    return " ".join((error.strerror or str(error) or type(error).__name__).split())
