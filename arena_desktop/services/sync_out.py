"""The second half of a synchronisation: what the folder lacks of this log is added to this station's segments."""

import hashlib
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from arena_desktop.domain.canonical import CanonicalError, canonical, read_json
from arena_desktop.domain.forgetting import is_forgotten
from arena_desktop.domain.merging import stored_form
from arena_desktop.errors import ArenaError
from arena_desktop.services.sync_in import Count
from arena_desktop.services.sync_report import SyncReport
from arena_desktop.store.sync_folder import SEGMENT_BYTES, Segment, SyncFolder, cut_lines, first_line
from arena_desktop.store.sync_memory import Known, Span, SyncMemory
from arena_desktop.store.vote_log import VoteLog


class SyncOut:
    """Writes what is missing in ``folder`` and reports to ``report``."""

    def __init__(
        self,
        log: VoteLog,
        folder: SyncFolder,
        memory: SyncMemory,
        private: bool,
        forgotten: Collection[str],
        count: Count,
        report: SyncReport,
    ) -> None:
        self._log = log
        self._folder = folder
        self._memory = memory
        self._private = private
        self._forgotten = frozenset(forgotten)
        self._count = count
        self._report = report
        self._size = SEGMENT_BYTES

    def run(self) -> None:
        """Write what is missing. What the folder refuses is reported."""
        if self._report.unfinished:
            return
        try:
            self._write()
        except _Refused as refusal:
            self._report.unfinished = refusal.error.message
            self._report.remedy = refusal.error.remedy

    def _write(self) -> None:
        was_private, cleared = self._memory.manner()
        forgotten = hashlib.sha256("\n".join(sorted(self._forgotten)).encode()).hexdigest() if self._forgotten else ""
        if was_private and (not self._private or forgotten != cleared):
            self._clear_private()
        completed, mark = self._memory.completed(private=self._private)
        missing = self._memory.missing()
        lacking = {position for first, last in missing for position in completed if first <= position <= last}
        again = [(position, position) for position in completed if position not in lacking]
        if self._private and not was_private:
            again = [*again, *self._with_private(set(completed))]
        if missing or again:
            self._append([*missing, *again])
        if (was_private, cleared) != (self._private, forgotten) or completed:
            with self._log.database.write():
                self._memory.set_manner(self._private, forgotten)
                self._memory.set_completed(mark)

    # --- adding lines ------------------------------------------------------------------------------------------------

    def _append(self, spans: list[Span]) -> None:
        station = self._log.settle_station()
        self._folder.clear_temporary(station)
        segment = self._open_segment(station)
        for position, text, record in self._memory.records(spans):
            line = self._form(text, record) + b"\n"
            if segment.lines and segment.size + len(line) > self._size:
                self._finish(segment)
                segment = _Open(station, segment.first + len(segment.lines))
            segment.add(line, position)
        self._finish(segment)

    def _open_segment(self, station: str) -> "_Open":
        """The last segment, if it is what is known of it and has room; else the next one."""
        first = 1
        last: tuple[int, Known] | None = None
        for name, known in self._memory.files().items():
            start = first_line(name, station)
            if start is not None:
                first = max(first, start + max(known.lines, 1))
                last = max(last or (start, known), (start, known), key=lambda one: one[0])
        if last is None or last[1].whole >= self._size:
            return _Open(station, first)
        start, known = last
        try:
            data = self._folder.read(f"{station}/{start:012d}.jsonl")
        except OSError:
            return _Open(station, first)
        if len(data) != known.whole or hashlib.sha256(data).hexdigest() != known.hash:
            return _Open(station, first)
        segment = _Open(station, start, known.problems)
        segment.keep(data)
        return segment

    def _finish(self, segment: "_Open") -> None:
        if not segment.positions:
            return
        written = self._put(segment.station, segment.first, segment.lines)
        known = _known(written, segment.lines, segment.problems)
        with self._log.database.write():
            self._memory.note_written(segment.station, segment.positions)
            self._memory.know({written.name: known})
        self._report.exported += len(segment.positions)
        self._count(len(segment.positions))
        self._count.settle(len(segment.positions))

    def _put(self, station: str, first: int, lines: list[bytes]) -> Segment:
        try:
            return self._folder.write(station, first, lines)
        except ArenaError as error:
            raise _Refused(error) from error

    def _form(self, text: bytes, record: Mapping[str, Any]) -> bytes:
        """A record as own segments hold it."""
        forgotten = self._is_forgotten(record)
        if forgotten or ("private" in record and not self._private):
            return canonical(_without(record, forgotten))
        return text

    def _is_forgotten(self, record: Mapping[str, Any]) -> bool:
        return is_forgotten(record, self._forgotten)

    # --- the private parts -------------------------------------------------------------------------------------------

    def _with_private(self, besides: set[int]) -> Iterator[Span]:
        """Where those records are that were written without their private part."""
        for position, _, record in self._memory.records(self._memory.written()):
            if "private" in record and position not in besides and not self._is_forgotten(record):
                yield position, position

    def _clear_private(self) -> None:
        """Write own segments anew without private parts that must not be there any more."""
        cleared = 0
        for station in self._memory.stations():
            for name, known in self._memory.files().items():
                if first_line(name, station) is not None:
                    cleared += self._clear_segment(station, name, known)
        if cleared:
            self._report.notes.append(
                f"{cleared} private parts were removed from this machine's segments. Who read them before has them."
            )

    def _clear_segment(self, station: str, name: str, known: Known) -> int:
        try:
            data = self._folder.read(name)
        except OSError as error:
            raise _Refused(ArenaError(f"{name} in the folder can't be read ({error.strerror or error}).")) from error
        lines = list(cut_lines(data))
        cleared = 0
        for number, line in enumerate(lines):
            shorter = self._cleared(line)
            if shorter is not None:
                lines[number] = shorter
                cleared += 1
        if cleared:
            written = self._put(station, first_line(name, station) or 0, lines)
            with self._log.database.write():
                self._memory.know({name: _known(written, lines, known.problems)})
        return cleared

    def _cleared(self, line: bytes) -> bytes | None:
        """The line without what must not be in it, None if it is fine."""
        try:
            record = read_json(line)
        except CanonicalError:
            return None
        if not isinstance(record, dict):
            return None
        forgotten = self._is_forgotten(record)
        shorter = _without(record, forgotten) if forgotten or not self._private else record
        return None if shorter == record else canonical(shorter) + b"\n"


class _Open:
    """A segment that lines are added to."""

    def __init__(self, station: str, first: int, problems: tuple[str, ...] = ()) -> None:
        self.station = station
        self.first = first
        self.problems = problems
        self.lines: list[bytes] = []
        self.positions: list[int] = []
        self.size = 0

    def keep(self, data: bytes) -> None:
        """These lines are there already."""
        self.lines = list(cut_lines(data))
        self.size = len(data)

    def add(self, line: bytes, position: int) -> None:
        """One more line: the record at ``position``."""
        self.lines.append(line)
        self.positions.append(position)
        self.size += len(line)


class _Refused(Exception):
    """The folder can't be written to."""

    def __init__(self, error: ArenaError) -> None:
        super().__init__(error)
        self.error = error


def _known(segment: Segment, lines: list[bytes], problems: tuple[str, ...]) -> Known:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line)
    return Known(segment.state, sum(map(len, lines)), len(lines), digest.hexdigest(), problems)


def _without(record: Mapping[str, Any], forgotten: bool) -> dict[str, Any]:
    kept = stored_form(record, forgotten)
    kept.pop("private", None)
    return kept
