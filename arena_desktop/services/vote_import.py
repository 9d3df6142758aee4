"""Taking the records of files into the log: what is here already stays as it is, what is new is added, all or
nothing.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena_desktop.domain.merging import stored_form
from arena_desktop.domain.reading import idle_note
from arena_desktop.domain.records import VOTE, private_matches, type_of
from arena_desktop.domain.roster import Roster
from arena_desktop.domain.times import DAY_US, canonical_us
from arena_desktop.services.vote_files import Found, found_records
from arena_desktop.store.formats.votes_file import open_votes
from arena_desktop.store.incoming import Incoming, Taken
from arena_desktop.store.retractions import idle_retractions
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
    """Import ``files``, all or nothing: if one of them can't be read, nothing is imported.

    They are read and checked first. Only then the log is locked, for as long as storing takes; a ``dry_run`` never
    locks it. ``source`` names the log that legacy records come from. Of listeners in ``forgotten`` nothing private is
    taken. ``progress`` is told, now and then, how many records have been read so far.
    """
    with Incoming(log) as incoming:
        run = _Import(log, incoming, source, forgotten, progress)
        for number, path in enumerate(files):
            run.read_file(number, path)
        incoming.settle()
        if dry_run:
            taken = incoming.foresee()
        else:
            with log.database.write():
                taken = incoming.store()
                if taken.own:
                    log.leave_station()
        report = run.finish(files, roster, taken)
        idle = None if dry_run else idle_note(idle_retractions(log))
        report.notes += [] if idle is None else [f"In this log {idle}"]
        return report


class _Import:
    """The reading of the files, and what it showed."""

    def __init__(
        self,
        log: VoteLog,
        incoming: Incoming,
        source: str,
        forgotten: Collection[str],
        progress: Callable[[int], None] | None,
    ) -> None:
        self._report = ImportReport()
        self._incoming = incoming
        self._source = source
        self._forgotten = forgotten
        self._progress = progress
        self._latest = log.now_us() + DAY_US
        self._read = 0
        self._models: set[str] = set()
        self._arenas: set[str] = set()
        self._counts: Counter[str] = Counter()

    def read_file(self, number: int, path: Path) -> None:
        """Read one file; ``number`` counts them."""
        with open_votes(path) as file:
            before = self._read
            for found in found_records(file, self._source):
                self._read += 1
                self._take(number, path, found)
                if self._progress is not None and self._read % 250 == 0:
                    self._progress(self._read)
            promised = None if file.header is None else file.header.get("records")
        records = self._read - before
        if isinstance(promised, int) and promised != records:
            self._report.notes.append(
                f"{path} should hold {promised} records by its header but holds {records}: it may have been cut off or"
                " edited (votes verify tells more)."
            )

    def finish(self, files: Sequence[Path], roster: Roster, taken: Taken) -> ImportReport:
        """What the whole import did."""
        report = self._report
        report.new, report.already = taken.new, taken.already
        report.conflicts = self._conflicts(files)
        report.unknown_models = sorted(self._models - set(roster.models))
        report.unknown_arenas = sorted(self._arenas - set(roster.arenas))
        self._counts.update({"legacy already": taken.legacy, "own station": taken.own})
        for key, text in _NOTES.items():
            if self._counts[key]:
                report.notes.append(text.format(n=self._counts[key]))
        return report

    def _take(self, number: int, path: Path, found: Found) -> None:
        if found.record is None:
            self._report.skipped.append(Skip(str(path), found.line, found.reason, found.detail))
            return
        listener = found.record.get("listener")
        record = stored_form(found.record, isinstance(listener, str) and listener in self._forgotten)
        self._notice(found.record)
        self._incoming.add(record, number, found.line, legacy=found.legacy)

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

    def _conflicts(self, files: Sequence[Path]) -> list[Conflict]:
        places: dict[str, Conflict] = {}
        for place in self._incoming.conflicts():
            conflict = places.setdefault(place.id, Conflict(place.id, [], []))
            conflict.files.append(str(files[place.file]))
            conflict.lines.append(place.line)
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
