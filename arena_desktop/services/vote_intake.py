"""Reading files of votes on their way into a log or another file: every record checked, and what was found told."""

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from arena_desktop.domain.checked import stored
from arena_desktop.domain.forgetting import is_forgotten
from arena_desktop.domain.log_header import FORMAT
from arena_desktop.domain.roster import Roster
from arena_desktop.domain.times import DAY_US, canonical_us, time_text
from arena_desktop.services.import_findings import OTHERS, Findings, ImportFindings
from arena_desktop.services.vote_files import Found, found_records
from arena_desktop.store.arrived_chains import ChainsFound
from arena_desktop.store.formats.votes_file import open_votes
from arena_desktop.store.gathering import Gathering, Place
from arena_desktop.store.rows import row_of

_MOST_SKIPS = 100_000
"""So many skipped records are listed one by one; of more the reasons are counted."""
NO_MAPPING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True)
class FileRead:
    """A file that was read: what form its records have, see
    :class:`arena_desktop.store.formats.votes_file.VotesFile`, and how many there are.
    """

    path: str
    form: str
    records: int


@dataclass
class ImportReport:
    """What an import did, or would do. ``notes`` are sentences for the reader. ``already``: records that brought
    nothing new; of them ``copies`` are further copies of what these same files hold.
    """

    new: int = 0
    already: int = 0
    copies: int = 0
    skipped: list[Skip] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    unknown_models: list[str] = field(default_factory=list)
    unknown_arenas: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    findings: ImportFindings = field(default_factory=ImportFindings)
    files: list[FileRead] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The shape that the command line promises."""
        return {
            "schema": 1,
            "new": self.new,
            "already": self.already,
            "copies": self.copies,
            "skipped": [{"file": skip.file, "line": skip.line, "reason": skip.reason} for skip in self.skipped],
            "conflicts": [{"id": one.id, "files": one.files, "lines": one.lines} for one in self.conflicts],
            "unknown_models": self.unknown_models,
            "unknown_arenas": self.unknown_arenas,
        }


class Intake:
    """Reads files one after the other into ``gathered``, and remembers what it saw.

    ``labels``: for each file the name of the log that its legacy records come from. ``mapping`` says which column of a
    table holds which field. Of listeners in ``forgotten`` nothing private is taken. Times more than a day after
    ``now_us`` count as clock jumps. ``progress`` is told, now and then, how many records have been read so far; what it
    raises comes out.
    """

    def __init__(
        self,
        gathered: Gathering,
        files: Sequence[Path],
        labels: Sequence[str],
        *,
        now_us: int,
        mapping: Mapping[str, str] = NO_MAPPING,
        forgotten: Collection[str] = (),
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.read = 0
        """How many records have been read."""
        self.bytes_read = 0
        """How many bytes of the files, packed where they are packed; known when ``progress`` is told."""
        self._gathered = gathered
        self._files = files
        self._labels = labels
        self._mapping = mapping
        self._forgotten = forgotten
        self._progress = progress
        self._latest = time_text(now_us + DAY_US)
        self._skipped: list[Skip] = []
        self._cut: list[str] = []
        self._read_otherwise: set[str] = set()
        self._files_read: list[FileRead] = []
        self._more: Counter[str] = Counter()
        self._jumps = self._strays = self._copies = 0
        self._findings = Findings(now_us + DAY_US)

    def run(self) -> None:
        """Read all files. :class:`ArenaError` if one of them can't be read."""
        for number, path in enumerate(self._files):
            self._read_file(number, path, self._labels[number])

    def replaced(self, before: dict[str, Any], after: dict[str, Any]) -> None:
        """A record became another when its copies were joined."""
        self._findings.withdraw(before)
        self._findings.bring_back(after)

    def settle(self) -> None:
        """The copies are known: from now on every record counts once."""
        copies = 0
        for record in self._gathered.copies():
            copies += 1
            self._findings.withdraw(record)
            at = record.get("at")
            self._jumps -= isinstance(at, str) and at > self._latest and canonical_us(at) is not None
        self._copies = copies
        if copies and self._findings.ran_back:
            self._findings.set_steps_back(self._gathered.steps_back())

    def report(
        self, new: int, conflicts: Iterable[Place], chains: ChainsFound, roster: Roster | None, notes: Mapping[str, int]
    ) -> ImportReport:
        """What was found; ``chains``: how it fits together; ``notes``: more counts, by the keys of :data:`NOTES`.
        Without a roster no name is unknown.
        """
        differing = self._conflicts(conflicts)
        otherwise = {"read otherwise": len(self._read_otherwise)}
        counts = Counter({"clock jump": self._jumps, "private": self._strays, **otherwise, **notes})
        findings = replace(self._findings.result(), outside=chains.outside, chains=chains.chains)
        return ImportReport(
            new=new,
            already=self._gathered.count - new,
            copies=self._copies,
            skipped=self._skipped,
            conflicts=differing,
            unknown_models=[] if roster is None else unknown(findings.models, roster.models),
            unknown_arenas=[] if roster is None else unknown(findings.arenas, roster.arenas),
            notes=[
                *self._cut,
                *self._unlisted(),
                *(text.format(n=counts[key]) for key, text in NOTES.items() if counts[key]),
            ],
            findings=findings,
            files=self._files_read,
        )

    def _read_file(self, number: int, path: Path, label: str) -> None:
        bytes_before = self.bytes_read
        with open_votes(path, self._mapping) as file:
            before = self.read
            for found in found_records(file, label):
                self.read += 1
                self._take(number, path, found)
                if self._progress is not None and self.read % 250 == 0:
                    self.bytes_read = bytes_before + file.place
                    self._progress(self.read)
            self.bytes_read = bytes_before + file.place
            self._cut += [file.note] if file.note else []
            promised = None if file.header is None else file.header.get("records")
            form = file.form if file.header is None else FORMAT
        records = self.read - before
        self._files_read.append(FileRead(str(path), form, records))
        if isinstance(promised, int) and promised != records:
            self._cut.append(
                f"{path} should hold {promised:,} records by its header but holds {records:,}: it may have been cut off"
                " or edited (votes verify tells more)."
            )

    def _take(self, number: int, path: Path, found: Found) -> None:
        if found.record is None:
            if len(self._skipped) < _MOST_SKIPS:
                self._skipped.append(Skip(str(path), found.line, found.reason, found.detail))
            else:
                self._more[found.reason] += 1
            return
        record, text, stray = stored(found.record, found.plain, is_forgotten(found.record, self._forgotten))
        self._strays += stray
        self._notice(record)
        self._gathered.add(
            row_of(record, text), number, found.line, legacy=found.legacy, previous=record.get("prev_hash")
        )

    def _notice(self, record: dict[str, Any]) -> None:
        self._findings.notice(record)
        at = record.get("at")
        if isinstance(at, str) and at > self._latest and canonical_us(at) is not None:
            self._jumps += 1

    def _unlisted(self) -> Iterator[str]:
        for reason, number in sorted(self._more.items()):
            yield f"{number:,} more records than are listed were skipped: {reason}."

    def _conflicts(self, found: Iterable[Place]) -> list[Conflict]:
        places: dict[str, Conflict] = {}
        for place in found:
            conflict = places.setdefault(place.id, Conflict(place.id, [], []))
            conflict.files.append(str(self._files[place.file]))
            conflict.lines.append(place.line)
            if place.legacy:
                self._read_otherwise.add(place.id)
        return [places[name] for name in sorted(places)]


def unknown(found: Iterable[tuple[str, int]], known: Container[str]) -> list[str]:
    """The names that a roster lacks."""
    return sorted(name for name, _ in found if name not in known and name != OTHERS)


NOTES = {
    "read otherwise": (
        "Votes of other programs were read in two ways, as with another --map, {n} of them: they are in conflict with"
        " themselves, none of them counts, and no policy can pick one. Use the same --map as before; if that one was"
        " wrong, import the file with the right one under a name of its own (--source NAME)."
    ),
    "legacy already": (
        "{n:,} of the votes without a station were here already. If they come from another log, import them again under"
        " a name of its own (--source NAME)."
    ),
    "clock jump": "Records that lie more than 24 hours in the future, for the clock of their machine was wrong: {n:,}.",
    "private": "Private parts that don't belong to their records, and were left out: {n:,}.",
    "own station": (
        "Records of this very station that came from elsewhere: {n:,} (a restored or copied data directory?). New votes"
        " will be written under a new station."
    ),
}
