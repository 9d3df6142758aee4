"""A record as a row: its canonical form, and the columns derived from it."""

from collections.abc import Mapping
from typing import Any

from arena_desktop.domain.canonical import canonical_text
from arena_desktop.domain.reading import is_silent
from arena_desktop.domain.records import RETRACTION, VOTE, order_columns, seq_of, type_of

COLUMNS = (
    "record", "id", "hash", "type", "at", "label", "legacy_index", "station_id", "seq", "arena", "model_a", "model_b",
    "listener", "study", "reveal", "silent", "retracts",
)  # fmt: skip
INSERT = f"INSERT INTO records ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608 — constants


def row_of(record: dict[str, Any], text: str | None = None) -> tuple[Any, ...]:
    """The values of :data:`COLUMNS` for a record; ``text``: its canonical form where that is known already."""
    at, label, legacy_index, record_id, digest = order_columns(record)
    kind = type_of(record)
    is_vote = kind == VOTE
    return (
        canonical_text(record) if text is None else text,
        record_id,
        digest,
        kind,
        at,
        label,
        legacy_index,
        _text(record.get("station_id")),
        seq_of(record),
        _text(record.get("arena")) if is_vote else None,
        _inner(record, "model_a", "repo_id") if is_vote else None,
        _inner(record, "model_b", "repo_id") if is_vote else None,
        _text(record.get("listener")),
        study_of(record),
        _inner(record, "conditions", "reveal"),
        int(is_silent(record)),
        _text(record.get("retracts")) if kind == RETRACTION else None,
    )


def study_of(record: Mapping[str, Any]) -> str | None:
    """The study that a record names, whichever way it does."""
    return _inner(record, "study", "id") or _text(record.get("study"))


def _inner(record: Mapping[str, Any], part: str, key: str) -> str | None:
    found = record.get(part)
    value = found.get(key) if isinstance(found, dict) else None
    return value if isinstance(value, str) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
