"""The key behind the ids of own texts: whoever has only an export can't guess a text from its id."""

import contextlib
import os
import secrets
from pathlib import Path

from arena_desktop.errors import ArenaError

_LENGTH = 32


class TextKey:
    """The key in the file ``path``, made at first use. Without it own texts get other ids, so it is never replaced."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def key(self) -> bytes:
        """The 32 random bytes."""
        try:
            if not self._path.exists():
                self._make()
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

    def _make(self) -> None:
        """Complete or not there at all, and never in place of a key that another process has just made."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = self._path.with_name(f"{self._path.name}.{secrets.token_hex(4)}.partial")
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        try:
            with os.fdopen(descriptor, "wb") as handle:
                handle.write(secrets.token_bytes(_LENGTH))
                handle.flush()
                os.fsync(handle.fileno())
            with contextlib.suppress(FileExistsError):
                _rename_new(partial, self._path)
        finally:
            partial.unlink(missing_ok=True)


def _rename_new(partial: Path, target: Path) -> None:
    """Give ``partial`` the name ``target`` if nothing has it, else ``FileExistsError``."""
    if os.name == "nt":
        partial.rename(target)  # refuses an existing target there
        return
    try:
        os.link(partial, target)
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links
        if target.exists():
            raise FileExistsError(target) from None
        partial.rename(target)
