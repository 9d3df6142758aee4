"""The first line of an ``arena-votes/1`` file, read with suspicion."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from arena_desktop.domain.canonical import MAX_INTEGER
from arena_desktop.domain.records import RULES
from arena_desktop.domain.stations import StationTally, subtract
from arena_desktop.domain.times import canonical_us
from arena_desktop.domain.vote_filter import VoteFilter

FORMAT = "arena-votes/1"
_KEYS = {"filter", "format", "records", "rules", "stations"}
_HASH = re.compile(r"[0-9a-f]{64}")
_STATION_KEYS = {"first_seq", "last_hash", "last_seq", "missing"}


@dataclass(frozen=True)
class Promise:
    """What a header says about one station."""

    first_seq: int
    last_seq: int
    last_hash: str
    missing: tuple[tuple[int, int], ...]

    @property
    def present(self) -> list[tuple[int, int]]:
        """The runs of numbers that should be in the file."""
        return subtract([(1, self.last_seq)], self.missing)


def make_header(records: int, tallies: Mapping[str, StationTally], chosen: Mapping[str, str] | None) -> dict[str, Any]:
    """The header of a file with these records. ``chosen``: the options that picked its votes, None for a whole log."""
    return {
        "filter": None if chosen is None else dict(chosen),
        "format": FORMAT,
        "records": records,
        "rules": RULES,
        "stations": {station: tally.summary() for station, tally in tallies.items()},
    }


def key_fault(header: Mapping[str, Any]) -> str | None:
    """Why these are not the keys of a header, or None."""
    absent, strange = sorted(_KEYS - set(header)), sorted(set(header) - _KEYS)
    if absent:
        return f"the header lacks {', '.join(absent)}"
    return f"the header has unknown keys: {', '.join(strange)}" if strange else None


def value_faults(header: Mapping[str, Any]) -> list[str]:
    """What no header says, but for its stations; the keys are right."""
    faults = []
    if header["rules"] != RULES:
        faults.append(f"the header names the rules {header['rules']!r:.40}, not {RULES!r}")
    if header["filter"] is not None and not _is_filter(header["filter"]):
        faults.append("the header's filter is none that an export has")
    if type(header["records"]) is not int:
        faults.append("the header's number of records is no whole number")
    return faults


def promise_fault(promise: Promise) -> str | None:
    """What no header says of one station, or None."""
    expected = 0
    for low, high in promise.missing:
        if low <= expected or high < low or high >= promise.last_seq:
            return "the gaps are not in order, overlap, touch each other or reach beyond the last record"
        expected = high + 1
    if promise.first_seq != promise.present[0][0]:
        return f"seq {promise.first_seq} is named as the first"
    return None if _HASH.fullmatch(promise.last_hash) else "the hash of the last record is none"


def _is_filter(value: Any) -> bool:
    if not isinstance(value, dict) or not value or not set(value) <= {field.name for field in fields(VoteFilter)}:
        return False
    times = [value[key] for key in ("since", "until") if key in value]
    return all(isinstance(text, str) for text in value.values()) and all(canonical_us(at) is not None for at in times)


def read_promise(value: Any) -> Promise | None:
    """A station's entry, None if it doesn't have the right shape."""
    if not isinstance(value, dict) or set(value) != _STATION_KEYS or not isinstance(value["missing"], list):
        return None
    numbers = [value["first_seq"], value["last_seq"]]
    for run in value["missing"]:
        if not isinstance(run, list) or len(run) != 2:
            return None
        numbers += run
    if not isinstance(value["last_hash"], str) or not all(type(n) is int and 1 <= n <= MAX_INTEGER for n in numbers):
        return None
    missing = tuple((low, high) for low, high in value["missing"])
    return Promise(value["first_seq"], value["last_seq"], value["last_hash"], missing)
