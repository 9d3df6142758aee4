"""What a file says about the stations whose records it holds: from where to where, and what is missing in between."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class StationTally:
    """One station's numbers in a file: ``ranges`` are the runs [from, to] that are there, ascending."""

    ranges: list[list[int]] = field(default_factory=list)
    last_hash: str = ""

    def add(self, seq: int, record_hash: str) -> None:
        """Count a record. Cheapest in ascending order, right in any."""
        last = self.ranges[-1][1] if self.ranges else 0
        if seq > last or (seq == last and record_hash < self.last_hash):
            self.last_hash = record_hash
        if self.ranges and seq == last + 1:
            self.ranges[-1][1] = seq
        elif not self.ranges or seq > last:
            self.ranges.append([seq, seq])
        else:
            self._insert(seq)

    @property
    def missing(self) -> list[list[int]]:
        """Every run from 1 to the last number that is not there."""
        gaps = []
        expected = 1
        for low, high in self.ranges:
            if low > expected:
                gaps.append([expected, low - 1])
            expected = high + 1
        return gaps

    def summary(self) -> dict[str, Any]:
        """The station's entry in a header."""
        return {
            "first_seq": self.ranges[0][0],
            "last_hash": self.last_hash,
            "last_seq": self.ranges[-1][1],
            "missing": self.missing,
        }

    def _insert(self, seq: int) -> None:
        place = bisect_right(self.ranges, seq, key=lambda run: run[0])
        if place and self.ranges[place - 1][1] >= seq:
            return
        self.ranges.insert(place, [seq, seq])
        if place + 1 < len(self.ranges) and self.ranges[place + 1][0] == seq + 1:
            self.ranges[place][1] = self.ranges.pop(place + 1)[1]
        if place and self.ranges[place - 1][1] == seq - 1:
            self.ranges[place - 1][1] = self.ranges.pop(place)[1]


def tally_stations(places: Iterable[Sequence[Any]]) -> dict[str, StationTally]:
    """The tallies of records given as (station_id, seq, hash); those without a place in a chain are passed over."""
    tallies: dict[str, StationTally] = {}
    for station, seq, record_hash in places:
        if station is not None and seq is not None:
            tallies.setdefault(station, StationTally()).add(seq, record_hash)
    return tallies


def subtract(runs: Sequence[Sequence[int]], holes: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """The parts of ascending ``runs`` that no run of ``holes`` (in any order) covers."""
    left = []
    cuts = _joined(holes)
    first = 0
    for low, high in runs:
        while first < len(cuts) and cuts[first][1] < low:
            first += 1
        at = first
        while at < len(cuts) and cuts[at][0] <= high:
            if low < cuts[at][0]:
                left.append((low, cuts[at][0] - 1))
            low = cuts[at][1] + 1
            at += 1
        if low <= high:
            left.append((low, high))
        # The last cut may reach into the next run; those before it can't.
        first = max(first, at - 1)
    return left


def _joined(runs: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """``runs`` in ascending order, those that overlap made one; a run that ends before it begins is none."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted((low, high) for low, high in runs if low <= high):
        if joined and low <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return joined
