"""Records on their way into the log. They wait in a scratch table, so that nobody else's vote has to wait while they
are read and checked; then all of them are taken over in one short transaction.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from arena_desktop.domain.canonical import canonical_text, read_stored
from arena_desktop.domain.merging import merge_copies
from arena_desktop.store.rows import COLUMNS, row_of
from arena_desktop.store.stored_text import stored_record
from arena_desktop.store.vote_log import VoteLog

_NAMES = ", ".join(COLUMNS)
# SQLite keeps these tables in a private file that vanishes with the connection; writing to them locks nothing.
_RECORDS = (
    f"CREATE TABLE temp.incoming (n INTEGER PRIMARY KEY, {_NAMES}, plain INTEGER, copies INTEGER,"
    " here INTEGER DEFAULT 0, fuller INTEGER DEFAULT 0, UNIQUE (id, hash))"
)
_PLACES = "CREATE TABLE temp.incoming_place (id, file INTEGER, line INTEGER)"
_HELD = (
    "SELECT i.n, CASE WHEN i.record <> r.record THEN i.record END, r.position, r.id, CAST(r.record AS BLOB)"
    " FROM temp.incoming AS i CROSS JOIN main.records AS r ON r.id = i.id AND r.hash = i.hash"
    " WHERE i.n > ? ORDER BY i.n LIMIT 500"
)
_CONFLICTS = (
    "SELECT p.id, p.file, p.line FROM temp.incoming_place AS p WHERE p.id IN (SELECT i.id FROM temp.incoming AS i"
    " WHERE EXISTS (SELECT 1 FROM main.records AS r WHERE r.id = i.id AND r.hash <> i.hash)"
    " OR EXISTS (SELECT 1 FROM temp.incoming AS o WHERE o.id = i.id AND o.hash <> i.hash)) ORDER BY p.rowid"
)
# Records that another program stored after :meth:`Incoming.settle` had looked.
_LATE = (
    "SELECT i.n FROM main.records AS r CROSS JOIN temp.incoming AS i ON i.id = r.id AND i.hash = r.hash"
    " WHERE r.position > ? AND i.here = 0"
)


@dataclass(frozen=True)
class Place:
    """Where a record of a conflict stands: the file's number, and the line in it."""

    id: str
    file: int
    line: int


@dataclass(frozen=True)
class Taken:
    """What became of the records: ``new`` ones, and copies of what was ``already`` here or had come before. Of the
    latter ``legacy`` had been made from another program's votes. ``own``: new ones of this database's own station.
    """

    new: int
    already: int
    legacy: int
    own: int


class Incoming:
    """Collects checked records in their stored form: any number of :meth:`add`, then :meth:`settle`, then
    :meth:`store` inside a write transaction of the log's database (or :meth:`foresee`, which writes nothing).
    """

    def __init__(self, log: VoteLog) -> None:
        self._log = log
        self._database = log.database
        self._seen = 0

    def __enter__(self) -> Self:
        self._drop()
        for sql in ("PRAGMA temp.synchronous = OFF", _RECORDS, _PLACES):
            self._database.run(sql)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._drop()

    def add(self, record: dict[str, Any], file: int, line: int, *, legacy: bool) -> None:
        """Take in a record that stands on a line of a file. ``legacy``: it was made from another program's vote."""
        run = self._database.run
        run("INSERT INTO temp.incoming_place VALUES (?, ?, ?)", (record["id"], file, line))
        held = self._database.row(
            "SELECT n, record FROM temp.incoming WHERE id = ? AND hash = ?", (record["id"], record["hash"])
        )
        if held is None:
            marks = ", ".join("?" * (len(COLUMNS) + 2))
            run(
                f"INSERT INTO temp.incoming ({_NAMES}, plain, copies) VALUES ({marks})",  # noqa: S608 — constants
                (*row_of(record), int(legacy), 0),
            )
            return
        n, text = held
        merged = row_of(merge_copies(read_stored(text.encode()), record))
        run(
            "UPDATE temp.incoming SET record = ?, label = ?, legacy_index = ?, copies = copies + ? WHERE n = ?",
            (merged[0], merged[5], merged[6], int(legacy), n),
        )

    def settle(self) -> None:
        """Find out which records are in the log and which of those can complete the copy there."""
        newest = self._database.row("SELECT max(position) FROM main.records")
        assert newest is not None
        self._seen = newest[0] or 0
        last = 0
        while page := self._database.rows(_HELD, (last,)):
            for n, text, *held in page:
                fuller = text is not None and self._completes(text, held)
                self._database.run("UPDATE temp.incoming SET here = 1, fuller = ? WHERE n = ?", (int(fuller), n))
            last = page[-1][0]
        self._database.run("CREATE INDEX temp.incoming_state ON incoming (here, station_id)")
        self._database.run("CREATE INDEX temp.incoming_fuller ON incoming (n) WHERE fuller")

    def foresee(self) -> Taken:
        """What :meth:`store` would do."""
        return self._count([])

    def store(self) -> Taken:
        """Take the records into the log. Inside a write transaction."""
        late = [n for (n,) in self._database.rows(_LATE, (self._seen,))]
        taken = self._count(late)
        self._database.run(
            f"INSERT INTO main.records ({_NAMES}) SELECT {_NAMES} FROM temp.incoming AS i"  # noqa: S608
            f" WHERE here = 0 AND n NOT IN ({_LATE}) ORDER BY n",
            (self._seen,),
        )
        # The copies in the log are looked at anew: they, too, may have changed since.
        for n in late:
            self._merge("n = ?", n)
        last: int | None = 0
        while last is not None:
            last = self._merge("fuller AND n > ? ORDER BY n LIMIT 500", last)
        return taken

    def conflicts(self) -> Iterator[Place]:
        """Where the records stand whose id another one has, here or in the log; in the order of the files."""
        for row in self._database.stream(_CONFLICTS):
            yield Place(*row)

    def _completes(self, text: str, held: list[Any]) -> bool:
        stored = stored_record(self._database.path, *held)
        merged = merge_copies(stored, read_stored(text.encode()))
        completed: bool = canonical_text(merged).encode() != held[2]
        return completed

    def _merge(self, which: str, number: int) -> int | None:
        """Complete copies in the log; returns the number of the last record that was picked."""
        page = self._database.rows(f"SELECT n, record FROM temp.incoming WHERE {which}", (number,))  # noqa: S608
        for _, text in page:
            self._log.insert_or_merge(read_stored(text.encode()))
        return page[-1][0] if page else None

    def _count(self, late: list[int]) -> Taken:
        station = self._log.station_id()
        fresh = self._number("SELECT count(*) FROM temp.incoming WHERE here = 0")
        own = self._number("SELECT count(*) FROM temp.incoming WHERE here = 0 AND station_id = ?", station)
        legacy = self._number("SELECT coalesce(sum(copies), 0) FROM temp.incoming")
        legacy += self._number("SELECT count(*) FROM temp.incoming WHERE here = 1 AND plain")
        for n in late:
            legacy += self._number("SELECT plain FROM temp.incoming WHERE n = ?", n)
            own -= self._number("SELECT count(*) FROM temp.incoming WHERE n = ? AND station_id = ?", n, station)
        every = self._number("SELECT count(*) FROM temp.incoming_place")
        return Taken(fresh - len(late), every - fresh + len(late), legacy, own)

    def _number(self, sql: str, *parameters: Any) -> int:
        found = self._database.row(sql, parameters)
        assert found is not None
        return int(found[0])

    def _drop(self) -> None:
        for table in ("incoming", "incoming_place"):
            self._database.run(f"DROP TABLE IF EXISTS temp.{table}")
