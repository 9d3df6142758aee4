"""Prepared battles between two runs of the program, sealed: nobody who looks through the folder reads who plays."""

import contextlib
import hashlib
import hmac
import json
import logging
import secrets
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena_desktop.store.bounded import read_bounded
from arena_desktop.store.file_lock import FileLock
from arena_desktop.store.small_files import write_whole

log = logging.getLogger(__name__)

MOST_PLACES = 8
"""So many arenas and sources of texts have battles prepared at a time; the oldest go first."""
ENDING = ".sealed"
_LOCK = "in-use"
_LARGEST = 16_000_000
_NONCE = 12


class PlanFiles:
    """One file a place (an arena with its texts) in ``folder``; ``key`` gives the data directory's own secret key.

    A file is JSON, packed and encrypted (AES-GCM) under a key made from that secret, and called by a keyed hash of its
    place. It keeps an honest listener blind, no more: whoever has the data directory has the key. One program at a time
    may use the folder, see :meth:`claim`. What was damaged or sealed elsewhere counts as absent.
    """

    def __init__(self, folder: Path, key: Callable[[], bytes]) -> None:
        self._folder = folder
        self._secret = key
        self._made: bytes | None = None
        self._lock: FileLock | None = None

    def claim(self) -> bool:
        """Take the folder for this program; False while another one has it (or it can't be written to)."""
        if self._lock is None:
            with contextlib.suppress(OSError):
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = FileLock(self._folder / _LOCK)
        return self._lock.alone or self._lock.try_alone()

    def let_go(self) -> None:
        """Let another program use the folder."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def load(self, place: str) -> Any:
        """The JSON value kept for ``place``, None if there is none."""
        return self._open(self._path(place))

    def all(self) -> list[Any]:
        """Every value that is kept."""
        return [value for path in self._paths() if (value := self._open(path)) is not None]

    def save(self, place: str, value: Any) -> None:
        """Keep ``value`` (plain JSON) for ``place``. Raises OSError."""
        path = self._path(place)
        write_whole(path, self._seal(path.name, value))
        for old in sorted(self._paths(), key=_age)[:-MOST_PLACES]:
            old.unlink(missing_ok=True)

    def remove(self, place: str) -> None:
        """Keep nothing for ``place``. Raises OSError."""
        self._path(place).unlink(missing_ok=True)

    def _paths(self) -> list[Path]:
        return list(self._folder.glob(f"*{ENDING}"))

    def _path(self, place: str) -> Path:
        return self._folder / f"{self._digest(b'name', place.encode()).hex()[:24]}{ENDING}"

    def _digest(self, what: bytes, of: bytes = b"") -> bytes:
        if self._made is None:
            self._made = hmac.digest(self._secret(), b"arena-desktop prepared battles", hashlib.sha256)
        return hmac.digest(self._made, what + b"\0" + of, hashlib.sha256)

    def _seal(self, name: str, value: Any) -> bytes:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = secrets.token_bytes(_NONCE)
        data = zlib.compress(json.dumps(value, ensure_ascii=False).encode("utf-8"))
        return nonce + AESGCM(self._digest(b"seal")).encrypt(nonce, data, name.encode())

    def _open(self, path: Path) -> Any:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        try:
            sealed = read_bounded(path, _LARGEST)
            if sealed is None or len(sealed) <= _NONCE:
                raise ValueError("it is no sealed file")
            data = AESGCM(self._digest(b"seal")).decrypt(sealed[:_NONCE], sealed[_NONCE:], path.name.encode())
            return json.loads(zlib.decompress(data))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError, zlib.error, InvalidTag) as error:
            log.info("prepared battles in %s can't be taken up: %s", path, error or type(error).__name__)
            return None


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
