"""Signatures of a station: an Ed25519 key, announced by a record in the station's own chain, signs each record's hash.

One station, one key: the first key that a chain announces is its key, and who wants another one begins another station.
``cryptography`` is imported where a key or a signature is really used, for most logs have none.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from arena_desktop.domain.canonical import record_hash, sha256_hex
from arena_desktop.domain.records import Envelope, seq_of

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KEY = "key"
"""The type of the record that announces a station's key."""

_KEY_BYTES, _SIGNATURE_BYTES = 32, 64
_HASH = re.compile(r"[0-9a-f]{64}")
_MOST_READY = 1000

MOST_KEYS = 16
"""So many announcements of one station, the first in its chain, are looked at where copies of a record meet: anybody
can write more of them, and each costs time at each record."""


class Signer(Protocol):
    """Whoever holds a private key. ``public_key`` is base64 of 32 bytes."""

    @property
    def public_key(self) -> str: ...
    def sign(self, digest: str) -> str:
        """The signature (base64) of a record's hash (hexadecimal)."""


def key_record(public_key: str, envelope: Envelope) -> dict[str, Any]:
    """The full record that announces a key. It has no private part."""
    if key_bytes(public_key) is None:
        raise ValueError(f"not a public key: {public_key!r}")
    record: dict[str, Any] = {
        "type": KEY,
        "public_key": public_key,
        "id": envelope.id,
        "station_id": envelope.station_id,
        "seq": envelope.seq,
        "at": envelope.at,
        "prev_hash": envelope.prev_hash,
    }
    record["hash"] = record_hash(record)
    return record


def announced_key(record: Mapping[str, Any]) -> str | None:
    """The public key that a record of a station announces, None if it announces none that could be one."""
    key = record.get("public_key")
    return key if record.get("type") == KEY and "station_id" in record and key_bytes(key) is not None else None


def key_bytes(text: Any) -> bytes | None:
    """The 32 bytes of a public key written in base64, None for anything else."""
    return _decoded(text, _KEY_BYTES)


def fingerprint(public_key: str) -> str:
    """What people compare to know a key: the first 32 hexadecimal digits of the SHA-256 of its bytes, in fours."""
    digits = sha256_hex(key_bytes(public_key) or b"")[:32]
    return "-".join(digits[start : start + 4] for start in range(0, 32, 4))


class Announcement(NamedTuple):
    """A key that a station's record announces, and where: the smallest announcement of a station counts."""

    seq: int
    hash: str
    public_key: str


def announcement(record: Mapping[str, Any]) -> Announcement | None:
    """What the record announces; None if it has no place in a chain or no key."""
    key, seq = announced_key(record), seq_of(record)
    return None if key is None or seq is None else Announcement(seq, str(record["hash"]), key)


def first_announcements(found: Iterable[Announcement]) -> list[Announcement]:
    """The first :data:`MOST_KEYS` of a station's announcements, each once, in their order."""
    return sorted(set(found))[:MOST_KEYS]


class SignatureCheck:
    """Says of signatures whether they fit a hash and a public key; keeps the keys it has met ready."""

    def __init__(self) -> None:
        self._keys: dict[str, Ed25519PublicKey | None] = {}

    def fits(self, public_key: str, digest: str, signature: Any) -> bool:
        """Whether ``signature`` (base64) is one of this key over the 32 bytes of ``digest``. Never raises."""
        data = _decoded(signature, _SIGNATURE_BYTES)
        if data is None or not _HASH.fullmatch(digest):
            return False
        if public_key not in self._keys:
            if len(self._keys) >= _MOST_READY:
                self._keys.clear()
            self._keys[public_key] = _loaded(public_key)
        key = self._keys[public_key]
        return key is not None and _is_signed(key, data, bytes.fromhex(digest))


class AnnouncedRank:
    """Ranks signatures by the keys that their station announced: one by its first key before one by a later, any before
    one by none (see :func:`arena_desktop.domain.merging.merge_copies`).

    ``announced`` gives a station's first announcements, as :func:`first_announcements` does.
    """

    def __init__(self, announced: Callable[[str], Sequence[Announcement]]) -> None:
        self._announced = announced
        self._check = SignatureCheck()

    def __call__(self, record: Mapping[str, Any], signature: str) -> int:
        """The lower the better; the same for all where no key is known."""
        station = record.get("station_id")
        digest = str(record["hash"])
        keys = dict.fromkeys(one.public_key for one in self._announced(station)) if isinstance(station, str) else ()
        for place, key in enumerate(keys):
            if self._check.fits(key, digest, signature):
                return place
        return MOST_KEYS


def _loaded(public_key: str) -> "Ed25519PublicKey | None":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    data = key_bytes(public_key)
    return None if data is None else Ed25519PublicKey.from_public_bytes(data)


def _is_signed(key: "Ed25519PublicKey", signature: bytes, message: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        key.verify(signature, message)
    except InvalidSignature:
        return False
    return True


def _decoded(text: Any, size: int) -> bytes | None:
    """The bytes behind base64 text if they are ``size`` many and this is the one way to write them."""
    if not isinstance(text, str):
        return None
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if len(data) == size and base64.b64encode(data).decode() == text else None
