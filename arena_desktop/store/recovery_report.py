"""What a recovery found, in words: where each record came from, and which are gone."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_NEW_STATION = "New votes go on under a new station."
_RUNS = 8
"""How many runs of numbers a sentence names; the report beside the damaged file names all."""


@dataclass(frozen=True)
class Damage:
    """What is wrong with a log: a ``clause`` for people, and what SQLite says to it, for whoever looks closer."""

    clause: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recovery:
    """What became of the damaged log at ``path``, which is ``aside`` now.

    ``lost``: by station, the runs [from, to] of numbers that surely had a record; ``absent``: those that are not here,
    where nothing tells whether they ever were. ``lost_ids``: records of which no more than the id is known.
    """

    path: Path
    damage: Damage
    aside: Path
    from_file: int
    from_ahead: int
    from_backups: dict[str, int]
    unread_backups: list[str]
    lost: dict[str, list[tuple[int, int]]]
    lost_ids: list[str]
    absent: dict[str, list[tuple[int, int]]]

    @property
    def records(self) -> int:
        """How many records the new log has."""
        return self.from_file + self.from_ahead + sum(self.from_backups.values())

    def sentences(self) -> list[str]:
        """What the user must know, in a few sentences."""
        where = f"The damaged file is kept as {self.aside}, with a full report in {self.aside.name}.txt."
        return [" ".join((self._found(), self._gone(_RUNS), where, _NEW_STATION))]

    def report(self) -> str:
        """All that is known, for the file beside the damaged one."""
        where = f"The damaged file is kept as {self.aside}. {_NEW_STATION}"
        lines = [self._found(), self._gone(None), *self._unread(), *self._absences(), where]
        return "\n\n".join([*lines, *self._details(), *self._ids()]) + "\n"

    def _found(self) -> str:
        sources = [f"{self.from_file:,} from the file itself"] if self.from_file or not self.records else []
        if self.from_ahead:
            sources.append(f"{self.from_ahead:,} from its -wal")
        sources += [f"{count:,} from the backup {name}" for name, count in self.from_backups.items()]
        return (
            f"The vote log {self.path} was damaged: {self.damage.clause}. {_count(self.records, 'record')}"
            f" {'was' if self.records == 1 else 'were'} recovered into a new one ({', '.join(sources)})."
        )

    def _gone(self, most: int | None) -> str:
        """The ids, of these or of records that belong to no station, stand in the report alone."""
        gone, ids = count_of(self.lost), len(self.lost_ids)
        named = "their ids stand below" if most is None else "the report names their ids"
        places = "; ".join(f"station {station}: {_runs(runs, most)}" for station, runs in self.lost.items())
        if gone:
            return f"{_count(gone, 'record')} {'is' if gone == 1 else 'are'} missing ({places})."
        if ids:
            return f"{_count(ids, 'record')} {'is' if ids == 1 else 'are'} missing; {named}."
        return "No record is known to be lost."

    def _unread(self) -> list[str]:
        return [f"The backup {name} could not be read to its end." for name in self.unread_backups]

    def _absences(self) -> list[str]:
        if not self.absent:
            return []
        places = [f"{_runs(runs, None)} of station {station}" for station, runs in self.absent.items()]
        return [f"Not in this log, and nothing tells whether they ever were: {', '.join(places)}."]

    def _details(self) -> list[str]:
        return ["What SQLite says:\n" + "\n".join(self.damage.details)] if self.damage.details else []

    def _ids(self) -> list[str]:
        return ["Known by their id alone:\n" + "\n".join(self.lost_ids)] if self.lost_ids else []


def joined(runs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs in any order as few ascending ones."""
    whole: list[tuple[int, int]] = []
    for low, high in sorted(runs):
        if whole and low <= whole[-1][1] + 1:
            whole[-1] = (whole[-1][0], max(high, whole[-1][1]))
        else:
            whole.append((low, high))
    return whole


def count_of(places: dict[str, list[tuple[int, int]]]) -> int:
    """How many numbers the runs hold."""
    return sum(high - low + 1 for runs in places.values() for low, high in runs)


def _runs(runs: list[tuple[int, int]], most: int | None) -> str:
    shown = [str(low) if low == high else f"{low}–{high}" for low, high in runs[:most]]
    rest = len(runs) - len(shown)
    return "seq " + ", ".join(shown) + (f" and {rest:,} more runs" if rest else "")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
