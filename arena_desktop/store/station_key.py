"""The private key by which this data directory signs its records, in a file that only its owner may read."""

import base64
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from arena_desktop.domain.signing import Signer
from arena_desktop.errors import ArenaError
from arena_desktop.store.bounded import read_bounded, reason
from arena_desktop.store.small_files import write_new

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FILE_NAME = "station-key.pem"
"""Beside the database."""
_LARGEST = 10_000
_log = logging.getLogger(__name__)


class StationKey:
    """The Ed25519 key in the file ``path`` (PEM, PKCS #8, unencrypted). Nothing is signed until it has been made.

    It belongs to the data directory: whoever copies that copies the key, and no export holds it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[int, int, int] | None = None
        self._signer: Signer | None = None

    def create(self) -> bool:
        """Make the key; False if there is one. Raises :class:`ArenaError`."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        try:
            return write_new(self.path, pem)
        except OSError as error:
            raise ArenaError(
                f"The station's key can't be kept in {self.path} ({reason(error)}).",
                "Check that you may write in the data directory and that the disk is not full.",
            ) from error

    def signer(self) -> Signer | None:
        """Whoever signs with the key, None where there is none. Looks at the file each time and reads it when it has
        changed. :class:`ArenaError` if it can't be used.
        """
        try:
            found = self.path.stat()
        except FileNotFoundError:
            self._seen = self._signer = None
            return None
        except OSError as error:
            raise self._unusable(reason(error)) from error
        seen = (found.st_mtime_ns, found.st_size, found.st_ino)
        if seen != self._seen:
            self._signer = self._read()
            self._seen = seen
        return self._signer

    def _read(self) -> Signer:
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        try:
            data = read_bounded(self.path, _LARGEST)
            key = None if data is None else load_pem_private_key(data, password=None)
        except OSError as error:
            raise self._unusable(reason(error)) from error
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise self._unusable("it holds no private key in PEM without a password") from error
        if not isinstance(key, Ed25519PrivateKey):
            raise self._unusable("it holds no Ed25519 key")
        return _PrivateKey(key)

    def _unusable(self, why: str) -> ArenaError:
        return ArenaError(
            f"The station's key {self.path} can't be used: {why}.",
            "Put a backup in its place, or move it away and make another one (votes keys create).",
        )


class _PrivateKey:
    def __init__(self, key: "Ed25519PrivateKey") -> None:
        self._key = key
        self._public = base64.b64encode(key.public_key().public_bytes_raw()).decode()

    @property
    def public_key(self) -> str:
        return self._public

    def sign(self, digest: str) -> str:
        return base64.b64encode(self._key.sign(bytes.fromhex(digest))).decode()
