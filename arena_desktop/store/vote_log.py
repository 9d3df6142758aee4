"""The vote log: records appended durably to this station's chain, and read back in canonical order."""

import hashlib
import json
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from arena_desktop.domain.merging import merge_copies, stored_form
from arena_desktop.domain.reading import may_retract
from arena_desktop.domain.records import (
    RETRACTION,
    VOTE,
    order_columns,
    retraction_record,
    type_of,
    vote_record,
)
from arena_desktop.domain.signing import AnnouncedRank
from arena_desktop.errors import ArenaError
from arena_desktop.store.announced import announced_in
from arena_desktop.store.database import Database
from arena_desktop.store.forgotten import all_forgotten, keeps_nothing_of
from arena_desktop.store.own_chain import OwnChain
from arena_desktop.store.rows import COLUMNS, INSERT, row_of
from arena_desktop.store.station_key import StationKey
from arena_desktop.store.stations import begin_station, current_station, fingerprint, remembered_end
from arena_desktop.store.stored_text import stored_record

_ORDER = "at, label, legacy_index, id, hash"
_STORED = "position, id, CAST(record AS BLOB)"
"""What :meth:`VoteLog._read` needs of a row. As bytes, so that damaged text doesn't stop the query."""
_PAGE = 500


def _now_us() -> int:
    return time.time_ns() // 1000


class VoteLog:
    """The records in a database. Owned by one thread; other processes may write to the same file.

    ``here`` is the fingerprint of this machine and folder (by default taken from the file's path), ``clock`` gives
    microseconds since 1970, ``entropy`` random bytes.
    """

    def __init__(
        self,
        database: Database,
        *,
        here: str | None = None,
        clock: Callable[[], int] = _now_us,
        entropy: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self.database = database
        self._here = fingerprint(database.path) if here is None else here
        self._clock = clock
        self._chain = OwnChain(database, self._here, clock, entropy)
        self._rank = AnnouncedRank(partial(announced_in, database))
        self._in_a_moment = False

    @classmethod
    def open(cls, path: Path) -> Self:
        """The log in the file at ``path``, which is made when it isn't there."""
        return cls(Database(path))

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- writing ---------------------------------------------------------------------------------------------------

    def append_vote(self, draft: Mapping[str, Any], held_back: Collection[str] = ()) -> dict[str, Any]:
        """Store a vote and return its full record. On the disk when this returns.

        ``listening.reveals_before`` is filled in when the draft leaves it null. ``held_back``: ids of votes whose
        names this listener has not been shown yet.
        """
        with self.database.write(patiently=True):
            record = vote_record(self._with_reveals(draft, held_back), self._chain.envelope())
            self._chain.append(record)
        self._chain.written(record)
        return record

    def append_retraction(
        self, vote_id: str, listener: str | None, reason: str, note: str | None = None
    ) -> dict[str, Any]:
        """Take a vote back and return the retraction's record. :class:`ArenaError` (nothing written) where it
        wouldn't count.
        """
        with self.database.write(patiently=True):
            record = retraction_record(vote_id, listener, reason, note, self._chain.envelope())
            self._refuse_idle(vote_id, record)
            self._chain.append(record)
        self._chain.written(record)
        return record

    def sign_from_now_on(self) -> bool:
        """Have this station sign each record from now on: makes its key and announces it in the chain. False if it
        signs already.
        """
        made = self.key.create()
        self.key.signer()  # what can't be used is said here and not with the next vote
        with self.database.write():
            self._chain.envelope()
        return made

    @property
    def key(self) -> StationKey:
        """The key by which this station signs, if it was made."""
        return self._chain.key

    def begin_station(self) -> None:
        """Go on under a new station id: after a restore or a recovery."""
        with self.database.write():
            begin_station(self.database, self._here)

    def settle_station(self) -> str:
        """The id that the next record will be written under; begins a new one in a copied or restored database."""
        with self.database.write():
            return self._chain.station()

    def insert(self, record: dict[str, Any]) -> None:
        """Store a checked record that is not here yet, as it is. Inside a write transaction of :attr:`database`."""
        self.database.run(INSERT, row_of(record))

    def insert_or_merge(self, record: dict[str, Any]) -> bool:
        """Store a checked record, or complete the copy that is here. Whether it was new. Inside a write transaction."""
        if keeps_nothing_of(self.database, record):
            record = stored_form(record, forgotten=True)
        held = self.database.row(
            f"SELECT {_STORED} FROM records WHERE id = ? AND hash = ?",  # noqa: S608 — constants
            (record["id"], record["hash"]),
        )
        if held is None:
            self.insert(record)
            return True
        merged = row_of(merge_copies(self._read(held), record, self._rank))
        if merged[0].encode() != held[2]:
            self.database.run(
                "UPDATE records SET record = ?, label = ?, legacy_index = ? WHERE id = ? AND hash = ?",
                (merged[0], merged[5], merged[6], record["id"], record["hash"]),
            )
        return False

    def leave_station(self) -> None:
        """Like :meth:`begin_station`, inside a write transaction: records of this very station came from elsewhere, so
        its chain may go on there.
        """
        begin_station(self.database, self._here)

    # --- reading ---------------------------------------------------------------------------------------------------

    def records(self) -> Iterator[dict[str, Any]]:
        """Every record, in canonical order, streaming. :class:`StoreError` at one that is damaged."""
        for row in self._pages():
            yield self._read(row)

    def texts(self) -> Iterator[tuple[int, bytes]]:
        """(position, canonical form) of every record, like :meth:`records`."""
        for row in self._pages():
            self._read(row)  # a damaged one must not be passed on as if it were whole
            yield row[0], row[2]

    def _pages(self) -> Iterator[tuple[Any, ...]]:
        """:data:`_STORED` of every record, in canonical order; page by page, so no lock is held in between, unless one
        is held anyway.
        """
        if self._in_a_moment:
            yield from self.database.stream(f"SELECT {_STORED} FROM records ORDER BY {_ORDER}")  # noqa: S608 — constants
            return
        page = self.database.rows(
            f"SELECT {_ORDER}, {_STORED} FROM records WHERE at IS NULL ORDER BY {_ORDER} LIMIT {_PAGE}"  # noqa: S608
        )
        while page:
            yield from (row[5:] for row in page)
            page = self.database.rows(
                f"SELECT {_ORDER}, {_STORED} FROM records WHERE at IS NULL"  # noqa: S608
                f" AND (label, legacy_index, id, hash) > (?, ?, ?, ?) ORDER BY {_ORDER} LIMIT {_PAGE}",
                page[-1][1:5],
            )
        page = self.database.rows(
            f"SELECT {_ORDER}, {_STORED} FROM records WHERE at IS NOT NULL ORDER BY {_ORDER} LIMIT {_PAGE}"  # noqa: S608
        )
        while page:
            yield from (row[5:] for row in page)
            page = self.database.rows(
                f"SELECT {_ORDER}, {_STORED} FROM records"  # noqa: S608
                f" WHERE ({_ORDER}) > (?, ?, ?, ?, ?) ORDER BY {_ORDER} LIMIT {_PAGE}",
                page[-1][:5],
            )

    def record(self, record_id: str) -> dict[str, Any] | None:
        """The record with this id, None if there is none (of several in conflict the one with the smallest hash)."""
        found = self.copies(record_id)
        return found[0] if found else None

    def copies(self, record_id: str) -> list[dict[str, Any]]:
        """All records with this id, by hash: more than one is a conflict."""
        rows = self.database.rows(
            f"SELECT {_STORED} FROM records WHERE id = ? ORDER BY hash",  # noqa: S608 — constants
            (record_id,),
        )
        return [self._read(row) for row in rows]

    def last_position(self) -> int:
        """The position of the record that came in last, 0 in an empty log."""
        return self._number("SELECT coalesce(max(position), 0) FROM records")

    def is_short(self, records: int) -> bool:
        """Whether there are at most so many records; asks nothing of a long log."""
        return self.database.row("SELECT 1 FROM records WHERE position > ? LIMIT 1", (records,)) is None

    def count(self) -> int:
        """How many records there are."""
        return self._number("SELECT count(*) FROM records")

    def log_hash(self) -> str:
        """SHA-256 of all record hashes in canonical order, joined by line feeds."""
        digest = hashlib.sha256()
        joint = b""
        for (record_hash,) in self.database.stream(f"SELECT hash FROM records ORDER BY {_ORDER}"):  # noqa: S608
            digest.update(joint + record_hash.encode())
            joint = b"\n"
        return digest.hexdigest()

    def data_version(self) -> tuple[int, int]:
        """Changes whenever this log or another process has written."""
        return self.database.data_version()

    def is_last(self, record: Mapping[str, Any]) -> bool:
        """Whether no record comes after this one in canonical order."""
        last = self.database.row(f"SELECT {_ORDER} FROM records ORDER BY {_ORDER.replace(',', ' DESC,')} DESC LIMIT 1")  # noqa: S608
        return last is not None and tuple(last) == order_columns(record)

    def station_id(self) -> str | None:
        """The id that this database writes under, None before its first record."""
        return current_station(self.database)

    def reveals_before(self, listener: str | None, model_a: str, model_b: str, held_back: Collection[str] = ()) -> int:
        """How often this listener has seen which of these two models was which, after a vote between them."""
        unseen = json.dumps(sorted(held_back))
        return sum(
            self._number(
                "SELECT count(*) FROM records WHERE type = 'vote' AND listener = ? AND model_a = ? AND model_b = ?"
                " AND reveal IN ('each', 'set') AND id NOT IN (SELECT value FROM json_each(?))",
                (listener, *pair, unseen),
            )
            for pair in ((model_a, model_b), (model_b, model_a))
        )

    def forgotten(self) -> frozenset[str]:
        """The listeners of whom nothing private is kept, by pseudonym, and such legacy votes, by id."""
        return all_forgotten(self.database)

    def now_us(self) -> int:
        """What the log's clock says: microseconds since 1970."""
        return self._clock()

    def conflicts(self) -> set[str]:
        """The ids that several different records share."""
        return {row[0] for row in self.database.rows("SELECT id FROM records GROUP BY id HAVING count(*) > 1")}

    def retractions(self) -> Iterator[dict[str, Any]]:
        """The records that take something back, in any order: all of them that name a record by its id."""
        for row in self.database.stream(
            f"SELECT {_STORED} FROM records WHERE retracts IS NOT NULL"  # noqa: S608 — constants
        ):
            yield self._read(row)

    @contextmanager
    def moment(self) -> Iterator["VoteLog"]:
        """The log as it is at this moment, for reading: over a connection of its own, so that it may be written to
        meanwhile.
        """
        with self.database.another() as apart, apart.snapshot():
            then = VoteLog(apart, here=self._here)
            then._in_a_moment = True
            yield then

    def put_off_tidying(self) -> None:
        """From now on :meth:`tidy` moves what was written from the -wal into the file, and the commit of a vote no
        longer does it on the way (SQLite's usual 1,000 pages; here not before 8,000).
        """
        self.database.row("PRAGMA wal_autocheckpoint = 8000")

    def tidy(self) -> None:
        """Move what was written since into the file itself; what others are reading is left for another time."""
        self.database.row("PRAGMA wal_checkpoint(PASSIVE)")

    def has_votes(self, *, arena: str | None = None, listener: str | None = None) -> bool:
        """Whether there is a vote in this arena, by this listener."""
        sql = (
            "SELECT 1 FROM records WHERE type = 'vote' AND (?1 IS NULL OR arena = ?1) AND (?2 IS NULL OR listener = ?2)"
        )
        return self.database.row(f"{sql} LIMIT 1", (arena, listener)) is not None

    def places(self) -> Iterator[tuple[int, str | None, int | None, str]]:
        """(position, station_id, seq, hash) of every record, each station's in the order of its chain."""
        yield from self.database.stream("SELECT position, station_id, seq, hash FROM records ORDER BY station_id, seq")

    def stored_rows(self) -> Iterator[tuple[Any, ...]]:
        """Every record as it lies in the table (see :data:`arena_desktop.store.rows.COLUMNS`), damaged ones too: bytes
        that are no UTF-8 stand in the texts as lone surrogates.
        """
        sql = f"SELECT {', '.join(COLUMNS)} FROM records ORDER BY position"  # noqa: S608 — constants
        yield from self.database.stream(sql, damaged_text=True)

    def remembered_end(self) -> tuple[str | None, int]:
        """The current station, and the number of its last record as noted apart from the records."""
        return remembered_end(self.database)

    # --- inside ----------------------------------------------------------------------------------------------------

    def _with_reveals(self, draft: Mapping[str, Any], held_back: Collection[str]) -> Mapping[str, Any]:
        listening = dict(draft.get("listening") or {})
        a, b = ((draft.get(side) or {}).get("repo_id") for side in ("model_a", "model_b"))
        if listening.get("reveals_before") is None and draft.get("listener") is not None and a and b:
            listening["reveals_before"] = self.reveals_before(draft["listener"], a, b, held_back)
        return {**draft, "listening": listening}

    def _refuse_idle(self, vote_id: str, retraction: Mapping[str, Any]) -> None:
        found = self.copies(vote_id)
        if not found:
            raise ArenaError(
                f"No vote with the id {vote_id} is in this log.", "Look the id up in an export of the log."
            )
        if len(found) > 1:
            raise ArenaError(f"Different records share the id {vote_id}, so none of them counts anyway.")
        (vote,) = found
        if type_of(vote) != VOTE:
            raise ArenaError(
                f"The record {vote_id} is no vote but of type {type_of(vote)!r}.", "Name the id of a vote."
            )
        if not may_retract(retraction, vote):
            raise ArenaError(
                f"The vote {vote_id} was cast by another listener on another machine, so it can't be taken back here.",
                "To leave it out of ratings, exclude it in a policy file (leaderboard --policy).",
            )
        rows = self.database.rows(
            f"SELECT {_STORED} FROM records WHERE retracts = ? AND type = ?",  # noqa: S608 — constants
            (vote_id, RETRACTION),
        )
        if any(may_retract(self._read(row), vote) for row in rows):
            raise ArenaError(f"The vote {vote_id} has been taken back already.")

    def _read(self, row: tuple[Any, ...]) -> dict[str, Any]:
        return stored_record(self.database.path, *row)

    def _number(self, sql: str, parameters: tuple[Any, ...] = ()) -> int:
        found = self.database.row(sql, parameters)
        assert found is not None
        return int(found[0])
