"""The first half of a synchronisation: the lines of a sync folder that were not read yet come into the log."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Protocol

from arena_desktop.domain.roster import Roster
from arena_desktop.services.findings_words import chain_sentences
from arena_desktop.services.sync_report import Problem, SyncReport
from arena_desktop.services.vote_import import Conflict, ImportReport, Skip, prepared_import
from arena_desktop.store.bounded import reason
from arena_desktop.store.sync_folder import Listing, Segment, SyncFolder, whole_lines
from arena_desktop.store.sync_memory import Known, Span, SyncMemory
from arena_desktop.store.sync_spool import Key, SyncSpool
from arena_desktop.store.vote_log import VoteLog

_BATCH = 64_000_000
"""Bytes that are imported in one transaction."""
_NAMED = 5
_CUT = "its last line is cut off: the lines before it are used, the rest once it is whole"


class Count(Protocol):
    """Is told how many records a part of the work has done so far, and when the part is over."""

    def __call__(self, done: int) -> None: ...
    def settle(self, done: int) -> None: ...


class _Batch:
    """Lines that are imported together, and what is then known of their files."""

    def __init__(self, spool: SyncSpool) -> None:
        self.spool = spool
        self.known: dict[str, Known] = {}
        self.wrong: dict[str, dict[int, str]] = {}
        self.held: list[tuple[str, str, list[Key]]] = []


class SyncIn:
    """Reads the folder's segments into ``log`` and reports to ``report``."""

    def __init__(
        self,
        log: VoteLog,
        folder: SyncFolder,
        memory: SyncMemory,
        roster: Roster,
        forgotten: Collection[str],
        count: Count,
        report: SyncReport,
    ) -> None:
        self._log = log
        self._folder = folder
        self._memory = memory
        self._roster = roster
        self._forgotten = forgotten
        self._count = count
        self._report = report
        self._files = memory.files()
        self._brought: list[Span] = []
        self._gone: set[str] = set()

    def run(self, listing: Listing) -> None:
        """Take in whatever is new in the folder."""
        self._look_over(listing)
        mine = {*self._memory.stations(), *filter(None, [self._log.station_id()])}
        # A folder that holds segments of ours and that is not known under this path has been moved. What it holds of
        # others counts as having come from it, or all of that would be written back to it.
        moved = not self._files and any(one.station in mine for one in listing.segments)
        self._drop_lost(listing, mine)
        waiting = [one for one in listing.segments if not self._is_known(one)]
        while waiting:
            with SyncSpool() as spool:
                batch = _Batch(spool)
                while waiting and spool.size < _BATCH:
                    if not self._read(waiting.pop(0), batch, mine, moved=moved):
                        waiting.clear()
                self._import(batch)
        self._tell(listing)

    def _look_over(self, listing: Listing) -> None:
        """Say what is odd in the folder."""
        add = self._report.problems.append
        for name, why in listing.closed:
            add(Problem(name, why))
        for one in listing.segments:
            if one.copy:
                add(Problem(one.name, "a copy that a cloud drive made: it is read like any other"))
        if listing.strange:
            rest = len(listing.strange) - _NAMED
            names = ", ".join(listing.strange[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")
            self._report.notes.append(f"In the folder lies what is no segment; it was left alone: {names}.")
        here = {one.name for one in listing.segments}
        closed = [name for name, _ in listing.closed]
        gone = [
            name for name in self._files if name not in here and not any(name.startswith(folder) for folder in closed)
        ]
        for name in gone:
            add(Problem(name, "it is gone from the folder; what it held has stayed in this log"))
        if gone:
            with self._log.database.write():
                self._memory.forget_files(gone)
        self._gone = set(gone)

    def _drop_lost(self, listing: Listing, mine: set[str]) -> None:
        """Segments of ours that are gone or changed: what they held is looked up anew, and written again if need be."""
        here = {one.name: one for one in listing.segments}
        for station in sorted(mine):
            names = [name for name in self._files if name.startswith(f"{station}/")]
            lost = [name for name in names if name in self._gone or not self._still_holds(here.get(name), name)]
            if lost:
                with self._log.database.write():
                    self._memory.forget_written(station)
                    self._memory.forget_files(names)
                for name in names:
                    del self._files[name]
                self._report.notes.append(
                    f"What this machine had written to {station} in the folder was changed or removed there; what is"
                    " missing is written again."
                )

    def _still_holds(self, segment: Segment | None, name: str) -> bool:
        """Whether a file begins with what is known of it (also where that can't be told)."""
        known = self._files[name]
        if segment is None or segment.state == known.state:
            return True
        try:
            return _begins_with(self._folder.read(segment.name), known)
        except OSError:
            return True

    def _is_known(self, segment: Segment) -> bool:
        known = self._files.get(segment.name)
        return known is not None and known.state == segment.state

    def _read(self, segment: Segment, batch: _Batch, mine: set[str], *, moved: bool) -> bool:
        """Add what is new in a segment to the batch; False when the folder has gone."""
        try:
            data = self._folder.read(segment.name)
        except OSError as error:
            if not self._folder.is_there():
                self._report.unfinished = "The folder went away while it was read; the next time goes on from there."
                return False
            self._report.problems.append(Problem(segment.name, f"it can't be read ({reason(error)})"))
            return True
        known = self._files.get(segment.name)
        if known is None or not _begins_with(data, known):
            known = Known("", 0, 0, "")
        end = whole_lines(data)
        keep: list[Key] | None = [] if segment.station in mine or moved else None
        wrong = batch.spool.add(segment.name, known.lines + 1, data[known.whole : end], keep)
        if keep:
            batch.held.append((segment.name, segment.station if segment.station in mine else "", keep))
        batch.wrong[segment.name] = dict(wrong)
        self._report.imported.skipped += [Skip(segment.name, line, why) for line, why in wrong]
        lines = known.lines + data.count(b"\n", known.whole, end)
        digest = hashlib.sha256(data[:end]).hexdigest()
        batch.known[segment.name] = Known(segment.state, end, lines, digest, known.problems)
        return True

    def _import(self, batch: _Batch) -> None:
        spool = batch.spool
        spool.close()
        if not spool.lines:
            if batch.known:
                with self._log.database.write():
                    self._remember(batch, 0)
            return
        with prepared_import(
            self._log, [spool.path], roster=self._roster, forgotten=self._forgotten, progress=self._count
        ) as prepared:
            for skip in prepared.preview().skipped:
                name, line = spool.place(skip.line)
                batch.wrong[name][line] = skip.reason
            part = prepared.store(alongside=lambda new: self._remember(batch, new))
        self._count.settle(spool.lines)
        self._report.add(_located(part, spool))
        self._report.notes += chain_sentences(part.findings, "votes verify")

    def _remember(self, batch: _Batch, new: int) -> None:
        """Note what was read, in the transaction that takes it in."""
        span = self._memory.note_new(new)
        if span is not None:
            self._brought.append(span)
        own = {*self._memory.stations(), self._log.station_id()}
        for name, station, records in batch.held:
            wrong = batch.wrong[name]
            self._memory.note_held(
                station,
                [
                    (record, digest)
                    for line, record, digest, of in records
                    if line not in wrong and (station or of not in own)
                ],
            )
        known = {
            name: replace(one, problems=(*one.problems, *_shortened(batch.wrong[name])))
            for name, one in batch.known.items()
        }
        self._memory.know(known)
        self._files.update(known)

    def _tell(self, listing: Listing) -> None:
        """Say what is wrong in the files, whenever they were read, and which records do not fit together."""
        for one in listing.segments:
            known = self._files.get(one.name)
            if known is None:
                continue
            self._report.problems += [Problem(one.name, text) for text in known.problems]
            if one.size > known.whole and one.state == known.state:
                self._report.problems.append(Problem(one.name, _CUT))
        forks = [fork for span in self._brought for fork in self._memory.forks(span)]
        for station, seq in forks[:_NAMED]:
            self._report.notes.append(
                f"Fork: different records hold place {seq} of station {station}. Perhaps a data directory was copied,"
                " or an older one was put back, and voted on; perhaps somebody made records anew. All are kept; those"
                " that share an id don't count, the others do."
            )
        if len(forks) > _NAMED:
            self._report.notes.append(f"So do {len(forks) - _NAMED} more places (votes verify names them).")


def _begins_with(data: bytes, known: Known) -> bool:
    return len(data) >= known.whole and hashlib.sha256(data[: known.whole]).hexdigest() == known.hash


def _shortened(wrong: Mapping[int, str]) -> list[str]:
    texts = [f"line {line}: {why}" for line, why in sorted(wrong.items())]
    rest = len(texts) - _NAMED
    return [*texts[:_NAMED], *([f"and {rest} more lines like these"] if rest > 0 else [])]


def _located(part: ImportReport, spool: SyncSpool) -> ImportReport:
    """The report with places in the segments instead of the spool."""

    def skip(one: Skip) -> Skip:
        name, line = spool.place(one.line)
        return replace(one, file=name, line=line)

    def conflict(one: Conflict) -> Conflict:
        places = [spool.place(line) for line in one.lines]
        return Conflict(one.id, [name for name, _ in places], [line for _, line in places])

    return replace(
        part, skipped=[skip(one) for one in part.skipped], conflicts=[conflict(one) for one in part.conflicts]
    )
