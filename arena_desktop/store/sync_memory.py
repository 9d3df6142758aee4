"""What a database remembers of a sync folder: which of its records lie there, and what has been read of each file.

Kept in the database itself, so that it is true after a crash, in a copy, and in an older copy that was put back. Losing
it costs time and repeated lines, never a record.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena_desktop.store.stored_text import stored_record
from arena_desktop.store.vote_log import VoteLog

_PAGE = 500
Span = tuple[int, int]
"""Positions from the first to the last, both included."""


@dataclass(frozen=True)
class Known:
    """What is known of a file: its first ``whole`` bytes are ``lines`` lines, have this ``hash`` and these
    ``problems``. Read when it looked like ``state``.
    """

    state: str
    whole: int
    lines: int
    hash: str
    problems: tuple[str, ...] = ()


class SyncMemory:
    """What the database of ``log`` remembers of the folder at ``path``. Methods that write need a write transaction."""

    def __init__(self, log: VoteLog, path: str) -> None:
        self._log = log
        self._database = log.database
        self._path = path
        found = self._database.row("SELECT id FROM sync_folders WHERE path = ?", (path,))
        self.new = found is None
        if found is None:
            with self._database.write():
                self._database.run("INSERT OR IGNORE INTO sync_folders (path) VALUES (?)", (path,))
            found = self._database.row("SELECT id FROM sync_folders WHERE path = ?", (path,))
        assert found is not None
        self._folder = int(found[0])

    # --- how own segments are kept -----------------------------------------------------------------------------------

    def manner(self) -> tuple[bool, str]:
        """Whether own segments hold private parts, and which listeners (as a hash) they were cleared of."""
        found = self._database.row("SELECT private, forgotten FROM sync_folders WHERE id = ?", (self._folder,))
        assert found is not None
        return bool(found[0]), str(found[1])

    def set_manner(self, private: bool, forgotten: str) -> None:
        """Note both."""
        self._database.run(
            "UPDATE sync_folders SET private = ?, forgotten = ? WHERE id = ?", (int(private), forgotten, self._folder)
        )

    # --- files -------------------------------------------------------------------------------------------------------

    def files(self) -> dict[str, Known]:
        """What is known of each file, by its name."""
        rows = self._database.rows(
            "SELECT name, state, whole, lines, hash, problems FROM sync_files WHERE folder = ?", (self._folder,)
        )
        return {
            name: Known(state, whole, lines, digest, tuple(json.loads(problems)))
            for name, state, whole, lines, digest, problems in rows
        }

    def know(self, files: Mapping[str, Known]) -> None:
        """Note what was read or written."""
        for name, known in files.items():
            self._database.run(
                "INSERT OR REPLACE INTO sync_files VALUES (?, ?, ?, ?, ?, ?, ?)",
                (self._folder, name, known.state, known.whole, known.lines, known.hash, json.dumps(known.problems)),
            )

    def forget_files(self, names: Iterable[str]) -> None:
        """They are gone, or not what they were: whatever is there is read from its start."""
        for name in names:
            self._database.run("DELETE FROM sync_files WHERE folder = ? AND name = ?", (self._folder, name))

    # --- positions ---------------------------------------------------------------------------------------------------

    def stations(self) -> list[str]:
        """The stations as which this database wrote into the folder."""
        rows = self._database.rows(
            "SELECT DISTINCT station FROM sync_spans WHERE folder = ? AND station <> ''", (self._folder,)
        )
        return [row[0] for row in rows]

    def note_new(self, count: int) -> Span | None:
        """The last ``count`` records of the log came from this folder; their positions."""
        if not count:
            return None
        last = self._log.last_position()
        self._join("", [(last - count + 1, last)])
        return last - count + 1, last

    def note_held(self, station: str, records: Iterable[tuple[str, str]]) -> None:
        """The folder holds these records (id, hash), in segments that this database wrote as ``station`` ("" for: in
        another's).
        """
        places = []
        for name in records:
            row = self._database.row("SELECT position FROM records WHERE id = ? AND hash = ?", name)
            places += [] if row is None else [int(row[0])]
        self.note_written(station, places)

    def note_written(self, station: str, positions: Iterable[int]) -> None:
        """The records at these positions lie in the segments of ``station``."""
        self._join(station, [(position, position) for position in positions])

    def forget_written(self, station: str) -> None:
        """The segments that were written as ``station`` are not what they were: ask the files again."""
        self._database.run("DELETE FROM sync_spans WHERE folder = ? AND station = ?", (self._folder, station))

    def missing(self) -> list[Span]:
        """The positions of records that the folder lacks."""
        gaps: list[Span] = []
        after = 1
        for first, last in _joined(self._spans(None)):
            if first > after:
                gaps.append((after, first - 1))
            after = max(after, last + 1)
        end = self._log.last_position()
        return [*gaps, (after, end)] if after <= end else gaps

    def written(self) -> list[Span]:
        """The positions of records in segments that this database wrote."""
        return _joined(
            [
                (int(first), int(last))
                for first, last in self._database.rows(
                    "SELECT first, last FROM sync_spans WHERE folder = ? AND station <> '' ORDER BY first",
                    (self._folder,),
                )
            ]
        )

    def completed(self, *, private: bool) -> tuple[list[int], int]:
        """The positions of records that were completed since the folder was last given such ones, and the mark to set
        when that has been done again. ``private``: also if only the private part came.
        """
        rows = self._database.rows(
            "SELECT n, position FROM completed WHERE n > (SELECT completed FROM sync_folders WHERE id = ?)"
            " AND (NOT private OR ?) ORDER BY n",
            (self._folder, int(private)),
        )
        newest = self._database.row("SELECT coalesce(max(n), 0) FROM completed")
        assert newest is not None
        return sorted({int(row[1]) for row in rows}), int(newest[0])

    def set_completed(self, mark: int) -> None:
        """Note that records completed up to ``mark`` have been written."""
        self._database.run("UPDATE sync_folders SET completed = ? WHERE id = ?", (mark, self._folder))

    def records(self, spans: Sequence[Span]) -> Iterator[tuple[int, bytes, dict[str, Any]]]:
        """(position, canonical form, record) of the records at these positions, in their order. No lock is held in
        between.
        """
        for first, last in spans:
            at = first - 1
            while page := self._database.rows(
                "SELECT position, id, CAST(record AS BLOB) FROM records WHERE position > ? AND position <= ?"
                " ORDER BY position LIMIT ?",
                (at, last, _PAGE),
            ):
                for row in page:
                    yield int(row[0]), row[2], stored_record(self._database.path, *row)
                at = int(page[-1][0])

    def forks(self, span: Span) -> list[tuple[str, int]]:
        """(station, seq) of records at these positions whose place in the chain another record claims, too."""
        return [
            (str(row[0]), int(row[1]))
            for row in self._database.rows(
                "SELECT DISTINCT r.station_id, r.seq FROM records AS r WHERE r.position BETWEEN ? AND ?"
                " AND r.station_id IS NOT NULL AND r.seq IS NOT NULL AND EXISTS (SELECT 1 FROM records AS o"
                " WHERE o.station_id = r.station_id AND o.seq = r.seq AND o.hash <> r.hash) ORDER BY 1, 2",
                span,
            )
        ]

    # --- inside ------------------------------------------------------------------------------------------------------

    def _spans(self, station: str | None) -> list[Span]:
        return [
            (int(first), int(last))
            for first, last in self._database.rows(
                "SELECT first, last FROM sync_spans WHERE folder = ? AND (?2 IS NULL OR station = ?2) ORDER BY first",
                (self._folder, station),
            )
        ]

    def _join(self, station: str, more: Collection[Span]) -> None:
        if not more:
            return
        spans = _joined(sorted([*self._spans(station), *more]))
        self.forget_written(station)
        for first, last in spans:
            self._database.run("INSERT INTO sync_spans VALUES (?, ?, ?, ?)", (self._folder, station, first, last))


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Spans in order of their starts, those that touch made one."""
    joined: list[Span] = []
    for first, last in spans:
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined
