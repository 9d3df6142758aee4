"""Which keys this version of the program knows in a record. Others are kept and passed on, whatever they mean."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from arena_desktop.domain import records
from arena_desktop.domain.records import RETRACTION, VOTE, type_of
from arena_desktop.domain.signing import KEY

Keys = Mapping[str, tuple[str, ...]]
"""The keys of a record; those of an object that it holds, () where the value is none of ours to look into."""

_PRIVATE = ("salt", *records.PRIVATE)
_ENVELOPE = dict.fromkeys(("type", "id", "station_id", "seq", "at", "prev_hash", "hash", "sig"), ())
_WITH_PRIVATE: Keys = {"private_hash": (), "private": _PRIVATE}
_LEGACY_MODEL = ("repo_id", "voice")
_HANDLE = "handle"
"""All that a study says of a model whose name is still sealed."""

KNOWN: Mapping[str, Keys] = MappingProxyType(
    {
        VOTE: {
            **_ENVELOPE,
            **dict.fromkeys((*records.SINGLE, "rules"), ()),
            **records.PARTS,
            "model_a": (*records.PARTS["model_a"], _HANDLE),
            "model_b": (*records.PARTS["model_b"], _HANDLE),
            "study": records.STUDY,
            **_WITH_PRIVATE,
        },
        RETRACTION: {**_ENVELOPE, **dict.fromkeys(("listener", "retracts", "reason"), ()), **_WITH_PRIVATE},
        KEY: {**_ENVELOPE, "public_key": ()},
    }
)
"""The keys of each type of record that a station writes."""
LEGACY: Keys = MappingProxyType(
    {
        **dict.fromkeys(("type", "id", "at", "arena", "vote", "listener", "hash", "legacy_index", "original"), ()),
        "prompt": records.PARTS["prompt"],
        "model_a": _LEGACY_MODEL,
        "model_b": _LEGACY_MODEL,
        "source": ("label", "format"),
    }
)
"""The keys of a vote that another program wrote, as a log keeps it."""


def strange_keys(record: Mapping[str, Any]) -> Iterator[str]:
    """The keys of a record that this version doesn't know, as paths; all of a record of a type that it doesn't know."""
    known = KNOWN.get(type_of(record), {}) if "station_id" in record else LEGACY
    for key, value in record.items():
        if key not in known:
            yield key
        elif isinstance(value, dict) and known[key]:
            yield from (f"{key}.{inner}" for inner in value if inner not in known[key])
