"""The key behind the ids of own texts: whoever has only an export can't guess a text from its id."""

import secrets
from pathlib import Path

from arena_desktop.errors import ArenaError
from arena_desktop.store.small_files import write_new

_LENGTH = 32


class TextKey:
    """The key in the file ``path``, made at first use. Without it own texts get other ids, so it is never replaced."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def key(self) -> bytes:
        """The 32 random bytes."""
        try:
            if not self._path.exists():
                # Never in place of a key that another process has just made.
                write_new(self._path, secrets.token_bytes(_LENGTH))
            key = self._path.read_bytes()
        except OSError as error:
            raise ArenaError(
                f"The key for own texts, {self._path}, can't be read or made ({error.strerror}).",
                "Check that you may write in the data directory and that the disk is not full.",
            ) from error
        if len(key) != _LENGTH:
            raise ArenaError(
                f"The key for own texts, {self._path}, is damaged ({len(key)} bytes instead of {_LENGTH}).",
                "Put a backup in its place, or remove it; own texts then get new ids.",
            )
        return key
