"""The records that a filter picks from a log: its votes, and with them whatever speaks of them. Nothing is held."""

from collections.abc import Iterator
from typing import Any

from arena_desktop.domain.records import VOTE
from arena_desktop.domain.signing import announced_key
from arena_desktop.domain.vote_filter import VoteFilter, speaks_of
from arena_desktop.store.stored_text import stored_record
from arena_desktop.store.vote_log import VoteLog

_PICKED_VOTE = (
    "(type = 'vote' AND (?1 IS NULL OR arena = ?1) AND (?2 IS NULL OR study = ?2) AND (?3 IS NULL OR listener = ?3)"
    " AND (?4 IS NULL OR at >= ?4) AND (?5 IS NULL OR at < ?5))"
)
_RECORD = "CAST(record AS BLOB)"
"""As bytes, so that damaged text doesn't stop the query."""
_CANONICAL_ORDER = "at, label, legacy_index, id, hash"


class Picked:
    """The records of ``log``, or those of them that ``chosen`` picks. ``log`` is one moment of a log
    (:meth:`VoteLog.moment`): what is read twice must be the same.
    """

    def __init__(self, log: VoteLog, chosen: VoteFilter) -> None:
        self._log = log
        self._all = chosen.options() is None
        self._parameters = (chosen.arena, chosen.study, chosen.listener, chosen.since, chosen.until)
        self._ids = _Known(self, "id = ?6")
        self._studies = _Known(self, "study = ?6")
        self._stations = _Known(self, "station_id = ?6")

    def places(self) -> Iterator[tuple[str | None, int | None, str] | None]:
        """For every record of the log (station_id, seq, hash), each station's in the order of its chain; None for one
        that is not picked.
        """
        needed = "NULL" if self._all else f"CASE WHEN type <> 'vote' THEN {_RECORD} END"
        columns = f"station_id, seq, hash, type, {_PICKED_VOTE}, position, id, {needed}"
        # Two queries, for one over both would have to sort: only the records of stations have an index.
        for where in ("station_id IS NULL", "station_id IS NOT NULL ORDER BY station_id, seq"):
            for station, seq, digest, *row in self._stream(columns, where):
                yield (station, seq, digest) if self._takes(*row) else None

    def texts(self) -> Iterator[bytes | None]:
        """For every record of the log, in canonical order, its canonical form; None for one that is not picked.

        :class:`StoreError` at a picked one that is damaged.
        """
        needed = _RECORD if self._all else f"CASE WHEN type <> 'vote' OR {_PICKED_VOTE} THEN {_RECORD} END"
        for row in self._stream(f"type, {_PICKED_VOTE}, position, id, {needed}", f"1 ORDER BY {_CANONICAL_ORDER}"):
            if self._takes(*row):
                self._record(*row[2:])  # a damaged one must not be passed on as if it were whole
                yield row[-1]
            else:
                yield None

    def has_vote(self, where: str, value: object) -> bool:
        """Whether a vote is picked for which ``where`` holds (SQL, with ``value`` as its ``?6``)."""
        sql = f"SELECT 1 FROM records WHERE {where} AND {_PICKED_VOTE} LIMIT 1"  # noqa: S608 — constants
        return self._log.database.row(sql, (*self._parameters, value)) is not None

    def _stream(self, columns: str, where: str) -> Iterator[tuple[Any, ...]]:
        return self._log.database.stream(
            f"SELECT {columns} FROM records WHERE {where}",  # noqa: S608 — constants
            self._parameters,
        )

    def _takes(self, kind: str, picked: int, position: int, name: str, text: Any) -> bool:
        if self._all or kind == VOTE:
            return self._all or bool(picked)
        record = self._record(position, name, text)
        if announced_key(record) is not None and record["station_id"] in self._stations:
            return True  # without its key the signatures of a station can't be checked
        return speaks_of(record, self._ids, self._studies)

    def _record(self, position: int, name: str, text: Any) -> dict[str, Any]:
        return stored_record(self._log.database.path, position, name, text)


class _Known:
    """What picked votes have in one column, looked up one by one."""

    def __init__(self, picked: Picked, where: str) -> None:
        self._picked = picked
        self._where = where

    def __contains__(self, value: object) -> bool:
        return self._picked.has_vote(self._where, value)
