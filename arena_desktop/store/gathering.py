"""Records of files, gathered in scratch tables until it is known which of them are copies of one record.

What is large lies apart from what is searched and sorted, so that finding copies, conflicts and the canonical order
touches little, and a record's text is written once and read once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from arena_desktop.domain.canonical import read_stored
from arena_desktop.domain.merging import merge_copies
from arena_desktop.domain.signing import KEY, MOST_KEYS, AnnouncedRank, Announcement, announcement, first_announcements
from arena_desktop.store.rows import COLUMNS, row_of
from arena_desktop.store.statements import Statements
from arena_desktop.store.waiting_rows import WaitingRows

# SQLite keeps these tables in a private file that vanishes with the connection; writing to them locks nothing.
_TABLES = {
    "gathered": f"(n INTEGER PRIMARY KEY, {', '.join(COLUMNS)})",
    "arrival": (
        "(n INTEGER PRIMARY KEY, id, hash, at, label, legacy_index, station_id, seq, file, line, legacy, previous)"
    ),
    "copy": "(n INTEGER PRIMARY KEY, first)",
    "announcing": "(station_id, seq, hash, n, PRIMARY KEY (station_id, seq, hash, n)) WITHOUT ROWID",  # keys
}
_GATHER = f"INSERT INTO temp.gathered VALUES ({', '.join('?' * (len(COLUMNS) + 1))})"  # noqa: S608 — constants
_ARRIVE = "INSERT INTO temp.arrival VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_FIND_COPIES = (
    "INSERT INTO temp.copy SELECT n, first FROM (SELECT n, min(n) OVER (PARTITION BY id, hash) AS first"
    " FROM temp.arrival) WHERE n > first ORDER BY n"
)
_DIFFERENT_COPIES = (
    "SELECT c.n, c.first FROM temp.copy AS c CROSS JOIN temp.gathered AS one ON one.n = c.n"
    " CROSS JOIN temp.gathered AS two ON two.n = c.first"
    " WHERE c.n > ? AND one.record <> two.record ORDER BY c.n LIMIT 500"
)
_IN_ORDER = (
    "CREATE TABLE temp.ordered AS SELECT n FROM temp.arrival WHERE n NOT IN (SELECT n FROM temp.copy)"
    " ORDER BY at, label, legacy_index, id, hash"
)
_PLACES = (
    "SELECT DISTINCT station_id, seq, hash FROM temp.arrival WHERE station_id IS NOT NULL AND seq IS NOT NULL"
    " ORDER BY station_id, seq, hash"
)
_STEPS_BACK = (
    "SELECT station_id, count(*) FROM (SELECT station_id, at, lag(at) OVER (PARTITION BY station_id ORDER BY seq, n)"
    " AS before FROM temp.arrival WHERE station_id IS NOT NULL AND typeof(seq) = 'integer' AND at LIKE '____-%Z'"
    " AND n NOT IN (SELECT n FROM temp.copy)) WHERE at < before GROUP BY station_id"
)
_CONFLICTING = "SELECT id FROM temp.arrival GROUP BY id HAVING min(hash) <> max(hash)"
_ANNOUNCED = (
    "SELECT g.record FROM (SELECT min(n) AS n FROM temp.announcing WHERE station_id = ? GROUP BY seq, hash"
    " ORDER BY seq, hash LIMIT ?) AS a CROSS JOIN temp.gathered AS g ON g.n = a.n"
)
_WAITING = 250
_MOST_STATIONS = 1000


@dataclass(frozen=True)
class Place:
    """Where a record of a conflict stands: the file's number, and the line in it. ``legacy``: another program's."""

    id: str
    file: int
    line: int
    legacy: bool = False


class Gathering:
    """Any number of :meth:`add`, then :meth:`settle`, then questions. ``sql``: the connection whose private tables
    are used; outside a transaction until :meth:`settle` is done.

    Records are numbered in the order they were added, from 1; of copies the first one's number stands for all.
    ``announced`` gives the keys of a station that are known beside those that its records here announce.
    """

    def __init__(self, sql: Statements, announced: Callable[[str], Sequence[Announcement]] = lambda _: ()) -> None:
        self.rank = AnnouncedRank(self._keys)
        """Of signatures, by all these keys. From :meth:`settle` on."""
        self._announced = announced
        self._known: dict[str, list[Announcement]] = {}
        self._sql = sql
        self._keyed: list[tuple[Any, ...]] = []
        self._n = 0
        self._rows: WaitingRows[tuple[Any, ...]] = WaitingRows(_WAITING)
        self._arrivals: list[tuple[Any, ...]] = []

    def __enter__(self) -> Self:
        self._drop()
        self._sql.run("PRAGMA temp.page_size = 16384")  # a few records fill one
        self._sql.run("PRAGMA temp.synchronous = OFF")
        for table, columns in _TABLES.items():
            self._sql.run(f"CREATE TABLE temp.{table} {columns}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._drop()

    @property
    def count(self) -> int:
        """How many records were added, copies included."""
        return self._n

    def add(self, row: tuple[Any, ...], file: int, line: int, *, legacy: bool, previous: Any) -> None:
        """Take in a checked record in its stored form (as :func:`arena_desktop.store.rows.row_of` gives it) that
        stands on a line of a file. ``legacy``: it was made from another program's vote. ``previous``: the
        hash of the record before it, whatever it gives for one.
        """
        before = previous if isinstance(previous, str) else None
        self._n += 1
        full = self._rows.add((self._n, *row))
        self._arrivals.append((self._n, *row[1:3], *row[4:9], file, line, legacy, before))
        if row[3] == KEY and row[7] is not None and row[8] is not None:
            self._keyed.append((*row[7:9], row[2], self._n))
        if full:
            self._flush()

    def settle(self, replaced: Callable[[Any, Any], None] = lambda before, after: None) -> None:
        """All are here: find the copies, and let the first of them have what the others add. ``replaced`` is told
        what a record was and what has become of it.
        """
        self._flush()
        self._sql.run("CREATE INDEX temp.arrival_by_id ON arrival (id, hash)")
        self._sql.run(_FIND_COPIES)
        last = 0
        while page := self._sql.rows(_DIFFERENT_COPIES, (last,)):
            with self._sql.together():
                for n, first in page:
                    replaced(*self._complete(first, n))
            last = page[-1][0]

    def distinct(self) -> int:
        """How many different records there are."""
        return self._n - self._sql.number("SELECT count(*) FROM temp.copy")

    def copies(self) -> Iterator[Any]:
        """Every record that is a further copy of one that came before, as it came."""
        for (text,) in self._sql.stream(
            "SELECT CAST(g.record AS BLOB) FROM temp.copy AS c CROSS JOIN temp.gathered AS g ON g.n = c.n ORDER BY c.n"
        ):
            yield read_stored(text)

    def steps_back(self) -> dict[str, int]:
        """How often a station's later record, by number, has an earlier time; copies apart."""
        return dict(self._sql.stream(_STEPS_BACK))

    def places(self) -> Iterator[tuple[str, int, str]]:
        """(station_id, seq, hash) of every record that has a place in a chain, each station's in order."""
        yield from self._sql.stream(_PLACES)

    def in_order(self) -> Iterator[bytes]:
        """The canonical text of every record, each once, in canonical order."""
        self._sql.run("DROP TABLE IF EXISTS temp.ordered")
        self._sql.run(_IN_ORDER)
        for (text,) in self._sql.stream(
            "SELECT CAST(g.record AS BLOB) FROM temp.ordered AS o CROSS JOIN temp.gathered AS g ON g.n = o.n"
            " ORDER BY o.rowid"
        ):
            yield text

    def conflicts(self, others: str = "") -> Iterator[Place]:
        """Where the records stand whose id a different one has, too; in the order they were added. ``others``: a query
        for more ids that are in conflict.
        """
        ids = f"{_CONFLICTING} UNION {others}" if others else _CONFLICTING
        for row in self._sql.stream(f"SELECT id, file, line, legacy FROM temp.arrival WHERE id IN ({ids}) ORDER BY n"):  # noqa: S608
            yield Place(*row)

    def _flush(self) -> None:
        with self._sql.together():
            self._sql.run_many(_GATHER, self._rows.rows)
            self._sql.run_many(_ARRIVE, self._arrivals)
            self._sql.run_many("INSERT INTO temp.announcing VALUES (?, ?, ?, ?)", self._keyed)
        self._rows.clear()
        self._arrivals.clear()
        self._keyed.clear()

    def _keys(self, station: str) -> list[Announcement]:
        if station not in self._known:
            rows = self._sql.rows(_ANNOUNCED, (station, MOST_KEYS))
            here = (announcement(read_stored(text.encode())) for (text,) in rows)
            if len(self._known) >= _MOST_STATIONS:
                self._known.clear()
            self._known[station] = first_announcements([*self._announced(station), *filter(None, here)])
        return self._known[station]

    def _complete(self, first: int, n: int) -> tuple[Any, Any]:
        one, two = (
            read_stored(text.encode())
            for (text,) in self._sql.rows(
                "SELECT record FROM temp.gathered WHERE n IN (?, ?) ORDER BY n = ?", (first, n, n)
            )
        )
        whole = merge_copies(one, two, self.rank)
        merged = row_of(whole)
        self._sql.run(
            "UPDATE temp.gathered SET record = ?, label = ?, legacy_index = ? WHERE n = ?",
            (merged[0], merged[5], merged[6], first),
        )
        self._sql.run("UPDATE temp.arrival SET label = ?, legacy_index = ? WHERE n = ?", (merged[5], merged[6], first))
        return one, whole

    def _drop(self) -> None:
        for table in (*_TABLES, "ordered"):
            self._sql.run(f"DROP TABLE IF EXISTS temp.{table}")
