"""What is kept of several copies of one record: copies may differ only in what the hash does not cover."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from arena_desktop.domain.canonical import canonical_text
from arena_desktop.domain.records import private_matches

LEGACY_ONLY = frozenset({"source", "legacy_index", "original"})
"""Keys that a record of a station doesn't have."""
_SIGNATURE = re.compile(r"[A-Za-z0-9+/]{85}[AQgw]==")
"""Base64 of 64 bytes."""

Rank = Callable[[Mapping[str, Any], str], int]
"""How far a signature (of the right form) of a record can be believed: the lower the better."""


def no_key(_record: Mapping[str, Any], _signature: str) -> int:
    """The rank where no key is known: all signatures are alike."""
    return 0


def stored_form(record: Mapping[str, Any], forgotten: bool = False) -> dict[str, Any]:
    """The record as a log keeps it: without a private part that doesn't match ``private_hash``, without the keys of
    legacy records if it belongs to a station, and, of a listener who was forgotten here, without the private part and
    the original record.
    """
    kept = dict(record)
    if "station_id" in kept:
        for key in LEGACY_ONLY:
            kept.pop(key, None)
    if "private" in kept and (forgotten or not private_matches(kept)):
        del kept["private"]
    if forgotten:
        kept.pop("original", None)
    return kept


def merge_copies(one: Mapping[str, Any], other: Mapping[str, Any], rank: Rank = no_key) -> dict[str, Any]:
    """One record from two stored forms with the same hash. Commutative, associative, idempotent.

    ``rank`` is asked only where two different texts, both of the form of a signature, meet: checking one takes longer
    than all the rest.
    """
    merged = {**other, **one}
    if "sig" in one and "sig" in other and one["sig"] != other["sig"]:
        merged["sig"] = _better_signature(one, other, rank)
    for key, better in (("source", _smaller), ("legacy_index", _lower), ("original", _fuller)):
        if key in one and key in other:
            merged[key] = min(one[key], other[key], key=better)
    return merged


def _better_signature(one: Mapping[str, Any], other: Mapping[str, Any], rank: Rank) -> Any:
    """Anybody can put any text there, so what can be no signature gives way to what can, and that to what is one."""
    found = [copy["sig"] for copy in (one, other) if _is_signature(copy["sig"])]
    if len(found) < 2:
        return found[0] if found else min(one["sig"], other["sig"], key=_smaller)
    return min(found, key=lambda signature: (rank(one, signature), signature))


def _is_signature(value: Any) -> bool:
    return isinstance(value, str) and _SIGNATURE.fullmatch(value) is not None


def _smaller(value: Any) -> tuple[Any, ...]:
    return (value is None, canonical_text(value))


def _lower(value: Any) -> tuple[Any, ...]:
    plain = isinstance(value, int) and not isinstance(value, bool)
    return (not plain, value if plain else 0, canonical_text(value))


def _fuller(value: Any) -> tuple[Any, ...]:
    text = canonical_text(value)
    return (-len(text), text)
