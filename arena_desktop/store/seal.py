"""Small files of ours that nobody reads by looking: encrypted under a key that lies beside them."""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from functools import cached_property

_NONCE = 12


class Seal:
    """Encrypts (AES-GCM) under a key made from ``secret`` for one ``purpose``. Thread-safe.

    It keeps an honest listener blind, no more: whoever has the data directory has the key.
    """

    def __init__(self, secret: Callable[[], bytes], purpose: bytes) -> None:
        self._secret = secret
        self._purpose = purpose

    def name(self, of: str) -> str:
        """A name of 24 hex digits for the file of ``of``, from which that can't be told."""
        return self._digest(b"name", of.encode()).hex()[:24]

    def close(self, name: str, data: bytes) -> bytes:
        """``data``, sealed for the file ``name``."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = secrets.token_bytes(_NONCE)
        return nonce + AESGCM(self._digest(b"seal")).encrypt(nonce, data, name.encode())

    def open(self, name: str, sealed: bytes) -> bytes:
        """What was sealed for the file ``name``. Raises ValueError if this was damaged, or sealed elsewhere."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        if len(sealed) <= _NONCE:
            raise ValueError("it is no sealed file")
        try:
            return AESGCM(self._digest(b"seal")).decrypt(sealed[:_NONCE], sealed[_NONCE:], name.encode())
        except InvalidTag as error:
            raise ValueError("it was damaged, or sealed elsewhere") from error

    @cached_property
    def _made(self) -> bytes:
        return hmac.digest(self._secret(), self._purpose, hashlib.sha256)

    def _digest(self, what: bytes, of: bytes = b"") -> bytes:
        return hmac.digest(self._made, what + b"\0" + of, hashlib.sha256)
