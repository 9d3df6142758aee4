"""Taking the records of files into the log: what is here already stays as it is, what is new is added, all or
nothing.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena_desktop.domain.merging import stored_form
from arena_desktop.domain.records import VOTE, private_matches, type_of
from arena_desktop.domain.roster import Roster
from arena_desktop.domain.times import DAY_US, canonical_us
from arena_desktop.services.vote_files import Found, found_records
from arena_desktop.store.formats.votes_file import open_votes
from arena_desktop.store.vote_log import VoteLog


@dataclass(frozen=True)
class Skip:
    """A record that was not taken. ``reason`` is one of the fixed texts; ``detail`` may say more."""

    file: str
    line: int
    reason: str
    detail: str = ""


@dataclass(frozen=True)
class Conflict:
    """Different records under one id. ``files`` and ``lines`` say, in step, where the import met them."""

    id: str
    files: list[str]
    lines: list[int]


@dataclass
class ImportReport:
    """What an import did, or would do. ``notes`` are sentences for the reader."""

    new: int = 0
    already: int = 0
    skipped: list[Skip] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    unknown_models: list[str] = field(default_factory=list)
    unknown_arenas: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The shape that the command line promises."""
        return {
            "schema": 1,
            "new": self.new,
            "already": self.already,
            "skipped": [{"file": skip.file, "line": skip.line, "reason": skip.reason} for skip in self.skipped],
            "conflicts": [{"id": one.id, "files": one.files, "lines": one.lines} for one in self.conflicts],
            "unknown_models": self.unknown_models,
            "unknown_arenas": self.unknown_arenas,
        }


def import_votes(
    log: VoteLog,
    files: Sequence[Path],
    *,
    roster: Roster,
    dry_run: bool = False,
    source: str = "",
    forgotten: Collection[str] = (),
    progress: Callable[[int], None] | None = None,
) -> ImportReport:
    """Import ``files`` in one transaction. If one of them can't be read, nothing is imported.

    ``source`` names the log that legacy records come from. Of listeners in ``forgotten`` nothing private is taken.
    ``progress`` is told the number of records seen, now and then.
    """
    run = _Import(log, roster, source, forgotten, progress)
    with log.database.rehearse() if dry_run else log.database.write():
        for path in files:
            run.take_file(path)
        run.finish(files)
    return run.report


class _Import:
    def __init__(
        self,
        log: VoteLog,
        roster: Roster,
        source: str,
        forgotten: Collection[str],
        progress: Callable[[int], None] | None,
    ) -> None:
        self.report = ImportReport()
        self._log = log
        self._roster = roster
        self._source = source
        self._forgotten = forgotten
        self._progress = progress
        self._station = log.station_id()
        self._latest = log.now_us() + DAY_US
        self._models: set[str] = set()
        self._arenas: set[str] = set()
        self._counts: Counter[str] = Counter()

    def take_file(self, path: Path) -> None:
        """Import one file."""
        with open_votes(path) as file:
            records = 0
            for found in found_records(file, self._source):
                records += 1
                self._take(path, found)
                if self._progress is not None and records % 1000 == 0:
                    self._progress(1000)
            promised = None if file.header is None else file.header.get("records")
        if isinstance(promised, int) and promised != records:
            self.report.notes.append(
                f"{path} should hold {promised} records by its header but holds {records}: it may have been cut off or"
                " edited (votes verify tells more)."
            )

    def finish(self, files: Sequence[Path]) -> None:
        """Say what the whole import showed."""
        report = self.report
        known = self._log.conflicts()
        if known:
            report.conflicts = self._conflicts(files, known)
        report.unknown_models = sorted(self._models - set(self._roster.models))
        report.unknown_arenas = sorted(self._arenas - set(self._roster.arenas))
        if self._counts["own station"]:
            self._log.leave_station()
        for key, text in _NOTES.items():
            if self._counts[key]:
                report.notes.append(text.format(n=self._counts[key]))

    def _take(self, path: Path, found: Found) -> None:
        if found.record is None:
            self.report.skipped.append(Skip(str(path), found.line, found.reason, found.detail))
            return
        listener = found.record.get("listener")
        record = stored_form(found.record, isinstance(listener, str) and listener in self._forgotten)
        self._notice(found.record)
        if self._log.insert_or_merge(record):
            self.report.new += 1
            self._counts["own station"] += self._station is not None and record.get("station_id") == self._station
        else:
            self.report.already += 1
            self._counts["legacy already"] += found.legacy

    def _notice(self, record: Mapping[str, Any]) -> None:
        if type_of(record) == VOTE:
            for side in ("model_a", "model_b"):
                model = record.get(side)
                name = model.get("repo_id") if isinstance(model, dict) else None
                if isinstance(name, str):
                    self._models.add(name)
            if isinstance(record.get("arena"), str):
                self._arenas.add(record["arena"])
        at = canonical_us(record.get("at"))
        self._counts["clock jump"] += at is not None and at > self._latest
        self._counts["private"] += record.get("private") is not None and not private_matches(record)

    def _conflicts(self, files: Sequence[Path], known: set[str]) -> list[Conflict]:
        """Where the records under shared ids stand; worth a second look at the files, since it hardly ever happens."""
        places: dict[str, Conflict] = {}
        for path in files:
            with open_votes(path) as file:
                for found in found_records(file, self._source):
                    if found.record is not None and found.record["id"] in known:
                        name = found.record["id"]
                        conflict = places.setdefault(name, Conflict(name, [], []))
                        conflict.files.append(str(path))
                        conflict.lines.append(found.line)
        return [places[name] for name in sorted(places)]


_NOTES = {
    "legacy already": (
        "{n} of the votes without a station were here already. If they come from another log, import them again under a"
        " name of its own (--source NAME)."
    ),
    "clock jump": "{n} records lie more than 24 hours in the future: the clock of their machine was wrong.",
    "private": "The private part of {n} records doesn't belong to them and was left out.",
    "own station": (
        "{n} records of this very station came from elsewhere (a restored or copied data directory?). New votes here"
        " will be written under a new station."
    ),
}
