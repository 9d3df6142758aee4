"""A small file beside the database that says: damage was met, look closely before this is opened again."""

import contextlib
from pathlib import Path


def sign_of(path: Path) -> Path:
    """Where the sign for the database at ``path`` lies."""
    return path.with_name(f"{path.name}.damage-met")


def leave_sign(path: Path) -> None:
    """Leave word for whoever opens the database at ``path`` next."""
    with contextlib.suppress(OSError):  # then reading will meet the damage again
        sign_of(path).touch(mode=0o600)


def take_sign(path: Path) -> None:
    """The word has been heeded."""
    with contextlib.suppress(OSError):
        sign_of(path).unlink()
