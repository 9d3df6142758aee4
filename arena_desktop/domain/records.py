"""The records of the vote log: which keys they have, how a new one is made, and how any one is recognised and checked.

A record of ours belongs to a station's chain. A legacy record was cast elsewhere; it is kept in a form of its own (see
:mod:`arena_desktop.domain.legacy`) that has no station.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from arena_desktop.domain.canonical import (
    MAX_INTEGER,
    CanonicalError,
    canonical_text,
    decimal4,
    private_hash,
    probability_text,
    record_hash,
)
from arena_desktop.domain.votes import Vote

VOTE = "vote"
RETRACTION = "retraction"
RULES = "elo-1"
RETRACTION_REASONS = ("undo", "mistake", "technical", "withdrawn", "other")

_MODEL = (
    "repo_id", "name", "revision", "voice", "engine", "engine_version", "weights_hash", "settings_hash",
    "reference_sha256", "device", "dtype", "clip_sha256", "rtf", "take",
)  # fmt: skip
PARTS: Mapping[str, tuple[str, ...]] = {
    "model_a": _MODEL,
    "model_b": _MODEL,
    "prompt": ("id", "sha256", "category", "language", "text"),
    "conditions": (
        "question", "gate", "playback", "autoplay", "reveal", "text_hidden", "silent", "target_lufs",
    ),
    "listening": (
        "first_played", "plays_a", "plays_b", "heard_a", "heard_b", "switches", "opened_at", "rt_ms", "rate",
        "underflows", "volume_db", "reveals_before",
    ),
    "levels": ("gain_a_db", "gain_b_db"),
    "policy": ("pair", "probability", "seed"),
}  # fmt: skip
STUDY = ("id", "plan_hash", "trial", "kind")
PRIVATE = ("text", "text_sha256", "clip_a_sha256", "clip_b_sha256", "device", "note")
SINGLE = ("arena", "vote", "listener", "session_id", "app_version")
_OF_A_DRAFT = {*SINGLE, *PARTS, "study", "private", "type", "rules"}

_HASH = re.compile(r"[0-9a-f]{64}")
_UUID = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


@dataclass(frozen=True)
class Envelope:
    """What the log adds to a draft: identity, place in the station's chain, time, and the salt of the private part."""

    id: str
    station_id: str
    seq: int
    at: str
    prev_hash: str
    salt: str


class Kind(Enum):
    """What a value found in a file is."""

    OURS = "ours"
    LEGACY = "legacy"
    """A legacy record in the form in which a log keeps it."""
    FOREIGN = "foreign"
    """Anything else: perhaps a vote that another program wrote."""


def kind_of(value: Any) -> Kind:
    """Tell records of ours and kept legacy records from everything else, by their keys alone."""
    if not isinstance(value, dict) or "type" not in value or "hash" not in value or not is_uuid(value.get("id")):
        return Kind.FOREIGN
    if "station_id" in value and "seq" in value:
        return Kind.OURS
    kept = value["type"] == VOTE and isinstance(value.get("source"), dict) and _is_count(value.get("legacy_index"))
    return Kind.LEGACY if kept and "station_id" not in value and "seq" not in value else Kind.FOREIGN


def is_uuid(value: Any) -> bool:
    """Whether ``value`` is a UUID as text."""
    return isinstance(value, str) and _UUID.fullmatch(value) is not None


def hash_matches(record: Mapping[str, Any]) -> bool:
    """Whether the record's content is what its hash was made from."""
    try:
        return bool(record_hash(record) == record.get("hash"))
    except CanonicalError:
        return False


def private_matches(record: Mapping[str, Any]) -> bool:
    """Whether the record carries the private part that its ``private_hash`` was made from."""
    private = record.get("private")
    return isinstance(private, dict) and private_hash(private) == record.get("private_hash")


def type_of(record: Mapping[str, Any]) -> str:
    """The record's type as text, whatever it is."""
    kind = record.get("type")
    return kind if isinstance(kind, str) else canonical_text(kind)


def seq_of(record: Mapping[str, Any]) -> int | None:
    """The record's number in its station's chain, None if it has none."""
    seq = record.get("seq")
    if isinstance(seq, float) and seq.is_integer():
        seq = int(seq)  # 50.0 has the canonical form, and so the hash, of 50
    return seq if _is_count(seq) and seq else None


def no_place(record: Mapping[str, Any]) -> str | None:
    """Why a record of ours has no place in any station's chain, None if it has one."""
    if not isinstance(record.get("station_id"), str):
        return f"station_id is {_shown(record.get('station_id'))}"
    return f"seq is {_shown(record.get('seq'))}" if seq_of(record) is None else None


def no_link(record: Mapping[str, Any]) -> str | None:
    """Why a record with a place in a chain can't hang on to any record before it, None if it may."""
    previous = record.get("prev_hash")
    if isinstance(previous, str) and (previous == "" or _HASH.fullmatch(previous)):
        return None
    return f"prev_hash is {_shown(previous)}" if "prev_hash" in record else "there is no prev_hash"


OrderKey = tuple[bool, str, str, int, str, str]


def canonical_key(record: Mapping[str, Any]) -> OrderKey:
    """Sorts records into canonical order: (at, label, legacy_index, id, hash), a null ``at`` first."""
    at, label, index, record_id, digest = order_columns(record)
    return (at is not None, at or "", label, index, record_id, digest)


def order_columns(record: Mapping[str, Any]) -> tuple[str | None, str, int, str, str]:
    """The five values that canonical order is made from. An ``at`` that is no text counts as null."""
    at = record.get("at")
    label, index = "", -1
    if "station_id" not in record:
        source = record.get("source")
        found = source.get("label") if isinstance(source, dict) else None
        label = found if isinstance(found, str) else ""
        position = record.get("legacy_index")
        index = position if isinstance(position, int) and _is_count(position) else -1
    return (at if isinstance(at, str) else None, label, index, str(record["id"]), str(record["hash"]))


def vote_record(draft: Mapping[str, Any], envelope: Envelope) -> dict[str, Any]:
    """The full record of a vote.

    ``draft`` holds what the listener and the program know; parts and keys that it leaves out become null. Numbers are
    rounded as the log holds them; text and hashes of an own prompt (id ``own:…``) are moved into the private part.
    ``ValueError``: the draft is no vote.
    """
    unknown = set(draft) - _OF_A_DRAFT
    if unknown or draft.get("type", VOTE) != VOTE:
        raise ValueError(f"no draft of a vote: {sorted(unknown) or draft.get('type')}")
    record: dict[str, Any] = {key: draft.get(key) for key in SINGLE}
    for key, template in PARTS.items():
        record[key] = _part(key, draft.get(key), template)
    record["study"] = None if draft.get("study") is None else _part("study", draft["study"], STUDY)
    record["rules"] = draft.get("rules", RULES)
    private = _part("private", draft.get("private"), PRIVATE)
    _check_vote(record)
    _as_text(record["policy"])
    _hide_own_text(record, private)
    return _sealed({"type": VOTE, **record}, private, envelope)


def retraction_record(
    retracts: str, listener: str | None, reason: str, note: str | None, envelope: Envelope
) -> dict[str, Any]:
    """The full record that takes a vote back."""
    if reason not in RETRACTION_REASONS:
        raise ValueError(f"unknown reason: {reason!r}")
    body = {"type": RETRACTION, "listener": listener, "retracts": retracts, "reason": reason}
    return _sealed(body, {**dict.fromkeys(PRIVATE), "note": note}, envelope)


def _sealed(body: dict[str, Any], private: dict[str, Any], envelope: Envelope) -> dict[str, Any]:
    private = {**_plain(private), "salt": envelope.salt}
    record: dict[str, Any] = {
        **_plain(body),
        "id": envelope.id,
        "station_id": envelope.station_id,
        "seq": envelope.seq,
        "at": envelope.at,
        "prev_hash": envelope.prev_hash,
        "private": private,
        "private_hash": private_hash(private),
    }
    record["hash"] = record_hash(record)
    return record


def _part(name: str, value: Any, template: tuple[str, ...]) -> dict[str, Any]:
    given: dict[str, Any] = {} if value is None else dict(value)
    if name.startswith("model_") and set(given) == {"handle"}:
        return given  # a sealed study: names come later, in a record of their own
    unknown = set(given) - set(template)
    if unknown:
        raise ValueError(f"unknown keys in {name}: {sorted(unknown)}")
    return {**dict.fromkeys(template), **given}


def _check_vote(record: Mapping[str, Any]) -> None:
    Vote(record["vote"])
    if not isinstance(record["arena"], str) or not record["arena"]:
        raise ValueError("a vote needs an arena")
    names = [record[side].get("handle", record[side].get("repo_id")) for side in ("model_a", "model_b")]
    if not all(isinstance(name, str) and name for name in names) or names[0] == names[1]:
        raise ValueError(f"a vote needs two models: {names}")


def _as_text(policy: dict[str, Any]) -> None:
    if isinstance(policy["probability"], (int, float)):
        policy["probability"] = probability_text(policy["probability"])
    if isinstance(policy["seed"], int):
        policy["seed"] = str(policy["seed"])


def _hide_own_text(record: dict[str, Any], private: dict[str, Any]) -> None:
    prompt = record["prompt"]
    if not str(prompt["id"]).startswith("own:"):
        return
    public = [
        (prompt, "text", "text"),
        (prompt, "sha256", "text_sha256"),
        (record["model_a"], "clip_sha256", "clip_a_sha256"),
        (record["model_b"], "clip_sha256", "clip_b_sha256"),
    ]
    for part, key, hidden in public:
        if part.get(key) is not None:
            private[hidden] = part[key]
            part[key] = None


def _plain(value: Any) -> Any:
    """``value`` with every number as the log holds it, enumerations as their text, in plain JSON types."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (int, float)):
        return decimal4(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    raise ValueError(f"not a value for the log: {value!r}")


def _shown(value: Any) -> str:
    text = canonical_text(value)
    return text if len(text) <= 60 else text[:60] + "…"


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_INTEGER
