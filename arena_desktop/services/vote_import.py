"""Taking the records of files into the log: what is here already stays as it is, what is new is added, all or
nothing.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from arena_desktop.domain.merging import stored_form
from arena_desktop.domain.reading import idle_note
from arena_desktop.domain.records import VOTE, private_matches, type_of
from arena_desktop.domain.roster import Roster
from arena_desktop.domain.times import DAY_US, canonical_us
from arena_desktop.services.import_findings import Findings, ImportFindings
from arena_desktop.services.vote_files import Found, found_records
from arena_desktop.store.formats.votes_file import open_votes
from arena_desktop.store.incoming import Incoming, Taken
from arena_desktop.store.retractions import idle_retractions
from arena_desktop.store.vote_log import VoteLog

NO_MAPPING: Mapping[str, str] = MappingProxyType({})


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
    findings: ImportFindings = field(default_factory=ImportFindings)

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


class PreparedImport:
    """Files that were read and checked, and wait in a scratch table. Ask it in the thread of its log."""

    def __init__(self, log: VoteLog, incoming: Incoming, run: "_Import") -> None:
        self._log = log
        self._incoming = incoming
        self._run = run

    def preview(self) -> ImportReport:
        """What :meth:`store` would do. Writes nothing and locks nothing."""
        return self._run.finish(self._incoming.foresee())

    def store(self) -> ImportReport:
        """Take the records into the log in one transaction, all or nothing. Locks the log as long as that takes."""
        with self._log.database.write():
            taken = self._incoming.store()
            if taken.own:
                self._log.leave_station()
        report = self._run.finish(taken)
        idle = idle_note(idle_retractions(self._log))
        report.notes += [] if idle is None else [f"In this log {idle}"]
        return report


@contextmanager
def prepared_import(
    log: VoteLog,
    files: Sequence[Path],
    *,
    roster: Roster,
    source: str = "",
    mapping: Mapping[str, str] = NO_MAPPING,
    forgotten: Collection[str] = (),
    progress: Callable[[int], None] | None = None,
) -> Iterator[PreparedImport]:
    """Read and check ``files``; the log is not locked meanwhile. :class:`ArenaError` if one of them can't be read.

    ``source`` names the log that legacy records come from, ``mapping`` says which column of a table (or key of another
    program's record) holds which field of a vote. Of listeners in ``forgotten`` nothing private is taken. ``progress``
    is told, now and then, how many records have been read so far; what it raises ends the work.
    """
    with Incoming(log) as incoming:
        run = _Import(log, incoming, files, roster, source, mapping, forgotten, progress)
        for number in range(len(files)):
            run.read_file(number)
        incoming.settle()
        yield PreparedImport(log, incoming, run)


def import_votes(
    log: VoteLog,
    files: Sequence[Path],
    *,
    roster: Roster,
    dry_run: bool = False,
    source: str = "",
    mapping: Mapping[str, str] = NO_MAPPING,
    forgotten: Collection[str] = (),
    progress: Callable[[int], None] | None = None,
) -> ImportReport:
    """Import ``files``, all or nothing: if one of them can't be read, nothing is imported. See
    :func:`prepared_import`.
    """
    with prepared_import(
        log, files, roster=roster, source=source, mapping=mapping, forgotten=forgotten, progress=progress
    ) as prepared:
        return prepared.preview() if dry_run else prepared.store()


class _Import:
    """The reading of the files, and what it showed."""

    def __init__(
        self,
        log: VoteLog,
        incoming: Incoming,
        files: Sequence[Path],
        roster: Roster,
        source: str,
        mapping: Mapping[str, str],
        forgotten: Collection[str],
        progress: Callable[[int], None] | None,
    ) -> None:
        self._incoming = incoming
        self._files = files
        self._roster = roster
        self._source = source
        self._mapping = mapping
        self._forgotten = forgotten
        self._progress = progress
        self._latest = log.now_us() + DAY_US
        self._read = 0
        self._skipped: list[Skip] = []
        self._cut: list[str] = []
        self._models: set[str] = set()
        self._arenas: set[str] = set()
        self._counts: Counter[str] = Counter()
        self._findings = Findings(self._latest)

    def read_file(self, number: int) -> None:
        """Read one file; ``number`` counts them from 0."""
        path = self._files[number]
        with open_votes(path, self._mapping) as file:
            before = self._read
            for found in found_records(file, self._source):
                self._read += 1
                self._take(number, path, found)
                if self._progress is not None and self._read % 250 == 0:
                    self._progress(self._read)
            promised = None if file.header is None else file.header.get("records")
        records = self._read - before
        if isinstance(promised, int) and promised != records:
            self._cut.append(
                f"{path} should hold {promised} records by its header but holds {records}: it may have been cut off or"
                " edited (votes verify tells more)."
            )

    def finish(self, taken: Taken) -> ImportReport:
        """What the whole import did, or would do."""
        counts = self._counts | Counter({"legacy already": taken.legacy, "own station": taken.own})
        return ImportReport(
            new=taken.new,
            already=taken.already,
            skipped=self._skipped,
            conflicts=self._conflicts(),
            unknown_models=sorted(self._models - set(self._roster.models)),
            unknown_arenas=sorted(self._arenas - set(self._roster.arenas)),
            notes=[*self._cut, *(text.format(n=counts[key]) for key, text in _NOTES.items() if counts[key])],
            findings=self._findings.result(),
        )

    def _take(self, number: int, path: Path, found: Found) -> None:
        if found.record is None:
            self._skipped.append(Skip(str(path), found.line, found.reason, found.detail))
            return
        listener = found.record.get("listener")
        record = stored_form(found.record, isinstance(listener, str) and listener in self._forgotten)
        self._notice(found.record)
        self._findings.notice(record)
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

    def _conflicts(self) -> list[Conflict]:
        places: dict[str, Conflict] = {}
        for place in self._incoming.conflicts():
            conflict = places.setdefault(place.id, Conflict(place.id, [], []))
            conflict.files.append(str(self._files[place.file]))
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
