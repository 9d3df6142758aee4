"""What a check of a log found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from arena_desktop.domain.records import seq_of
from arena_desktop.domain.signing import fingerprint
from arena_desktop.services.trust import KeyState


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong. ``line`` counts from 1, the header included; None where it doesn't apply."""

    file: str
    line: int | None
    id: str | None
    station_id: str | None
    seq: int | None
    fault: str


@dataclass(frozen=True)
class StationFound:
    """One station in one file, and how its records are signed."""

    file: str
    station_id: str
    keys: KeyState

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        keys = self.keys
        return {
            "file": self.file,
            "station_id": self.station_id,
            "signing": str(keys.signing),
            "public_key": keys.public_key,
            "fingerprint": None if keys.public_key is None else fingerprint(keys.public_key),
            "known": keys.known,
            "since": keys.since,
            "signed": keys.signed,
            "unsigned": keys.unsigned,
            "forged": keys.forged,
            "unchecked": keys.unchecked,
        }


@dataclass
class VerifyReport:
    """``notes`` are sentences about what is no fault; ``damaged``: it is the database that doesn't hold what was put
    there.
    """

    records: int = 0
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    stations: list[StationFound] = field(default_factory=list)
    damaged: bool = False

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def as_json(self) -> dict[str, Any]:
        """The shape that the command line promises."""
        return {
            "schema": 1,
            "ok": self.ok,
            "records": self.records,
            "faults": [vars(fault) for fault in self.faults],
            "stations": [station.as_json() for station in self.stations],
        }


class Faults:
    """Collects the faults of one file."""

    def __init__(self, report: VerifyReport, file: str) -> None:
        self._report = report
        self._file = file
        self._suspects: set[str] = set()

    def add(self, fault: str, record: Mapping[str, Any] | None = None, line: int | None = None) -> None:
        """Note a fault, of a record if one is given."""
        found = record or {}
        name = found.get("id")
        if isinstance(name, str):
            self._suspects.add(name)
        station = found.get("station_id")
        self.place(fault, line, name, station if isinstance(station, str) else None, seq_of(found))

    def place(self, fault: str, line: int | None, name: Any, station: Any, seq: Any) -> None:
        """Note a fault at a place in a chain."""
        self._report.faults.append(Fault(self._file, line, name, station, seq, fault))

    def sign(self, station: str, keys: KeyState) -> None:
        """Note how a station's records are signed."""
        self._report.stations.append(StationFound(self._file, station, keys))

    def has(self, record_id: str) -> bool:
        """Whether a fault of this record is known already: what follows from it needs no mention."""
        return record_id in self._suspects
