"""Keys that are the same each time, and what anybody can put in the place of a signature."""

import base64

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

JUNK = ("+" * 85 + "A==", "z" * 85 + "w==")
"""Signatures by nobody: one smaller, one larger than any true one."""


class FixedSigner:
    """A signer whose key follows from a number."""

    def __init__(self, number: int) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(bytes([number] * 32))

    @property
    def public_key(self) -> str:
        return base64.b64encode(self._key.public_key().public_bytes_raw()).decode()

    def sign(self, digest: str) -> str:
        return base64.b64encode(self._key.sign(bytes.fromhex(digest))).decode()
