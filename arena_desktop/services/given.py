"""What a file that somebody drops on the window is."""

from pathlib import Path

from arena_desktop.store.given_files import Given
from arena_desktop.store.given_files import given_as as _given_as

__all__ = ["Given", "given_as"]


def given_as(path: str) -> Given:
    """Votes, sentences, or perhaps either. Reads the beginning of the file alone; never raises."""
    return _given_as(Path(path))
