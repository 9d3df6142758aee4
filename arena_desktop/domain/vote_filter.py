"""Picking votes for an export, and with them whatever else speaks of them."""

from collections.abc import Container, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from arena_desktop.domain.records import is_uuid
from arena_desktop.domain.times import iso_us, time_text
from arena_desktop.errors import UsageError

_OWN_KEYS = frozenset({"id", "station_id", "session_id", "hash", "prev_hash", "private_hash", "listener"})


@dataclass(frozen=True)
class VoteFilter:
    """Which votes; None picks all. ``since`` (inclusive) and ``until`` (exclusive) are canonical times."""

    arena: str | None = None
    study: str | None = None
    listener: str | None = None
    since: str | None = None
    until: str | None = None

    def options(self) -> dict[str, str] | None:
        """The options in use, as they stand in a file's header; None if there are none."""
        return {key: value for key, value in asdict(self).items() if value is not None} or None


def filter_time(text: str | None, option: str) -> str | None:
    """The canonical time for a date or date-time as typed (UTC without a zone)."""
    if text is None:
        return None
    us = iso_us(text)
    if us is None:
        raise UsageError(f"{option}: {text!r} is no date or time.", "Write it like 2026-01-31 or 2026-01-31T18:30.")
    return time_text(us)


def speaks_of(record: Mapping[str, Any], votes: Container[str], studies: Container[str]) -> bool:
    """Whether a record that is no vote names one of these votes, or one of these studies, in a key of any name.

    It must hold for types that are yet to come: any text, or list of texts, that is the id of such a vote counts.
    """
    study = record.get("study")
    named = study.get("id") if isinstance(study, dict) else study
    if isinstance(named, str) and named in studies:
        return True
    for key, value in record.items():
        found = value if isinstance(value, list) else [value]
        if key not in _OWN_KEYS and any(is_uuid(item) and item in votes for item in found):
            return True
    return False
