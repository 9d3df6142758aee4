"""The first line of an ``arena-votes/1`` file, read with suspicion."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena_desktop.domain.canonical import MAX_INTEGER
from arena_desktop.domain.records import RULES
from arena_desktop.domain.stations import StationTally, subtract

FORMAT = "arena-votes/1"
_KEYS = {"filter", "format", "records", "rules", "stations"}
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
