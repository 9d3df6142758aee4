"""Records on their way into the log. They wait in scratch tables, so that nobody else's vote has to wait while they
are read and checked; then all of them are taken over in one transaction.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any, Self

from arena_desktop.domain.canonical import canonical_text, read_stored
from arena_desktop.domain.merging import merge_copies
from arena_desktop.store.announced import announced_in
from arena_desktop.store.arrived_chains import ChainsFound, arrived_chains
from arena_desktop.store.gathering import Gathering, Place
from arena_desktop.store.rows import COLUMNS
from arena_desktop.store.stored_text import stored_record
from arena_desktop.store.vote_log import VoteLog

_NAMES = ", ".join(COLUMNS)
_TABLES = {
    "met": "(n INTEGER, position INTEGER, same INTEGER)",  # records of the log that have an incoming one's id
    "fresh": "(n INTEGER PRIMARY KEY)",  # incoming ones that the log doesn't have
    "fuller": "(n INTEGER PRIMARY KEY)",  # incoming ones that can complete the copy in the log
}
_MEET = (
    "INSERT INTO temp.met SELECT a.n, r.position, r.hash = a.hash FROM temp.arrival AS a"
    " CROSS JOIN main.records AS r ON r.id = a.id WHERE a.n NOT IN (SELECT n FROM temp.copy)"
)
_FRESH = (
    "INSERT INTO temp.fresh SELECT n FROM temp.arrival WHERE n NOT IN (SELECT n FROM temp.copy)"
    " AND n NOT IN (SELECT n FROM temp.met WHERE same)"
)
_DIFFERENT = (
    "SELECT m.rowid, m.n, g.record, r.position, r.id, CAST(r.record AS BLOB) FROM temp.met AS m"
    " CROSS JOIN temp.gathered AS g ON g.n = m.n CROSS JOIN main.records AS r ON r.position = m.position"
    " WHERE m.rowid > ? AND m.same AND g.record <> r.record ORDER BY m.rowid LIMIT 500"
)
# Records that another program stored after :meth:`Incoming.settle` had looked.
_LATE = (
    "SELECT a.n, r.position, r.hash = a.hash FROM main.records AS r CROSS JOIN temp.arrival AS a ON a.id = r.id"
    " WHERE r.position > ? AND a.n NOT IN (SELECT n FROM temp.copy)"
)
_TAKE_OVER = (
    f"INSERT INTO main.records ({_NAMES}) SELECT {_NAMES} FROM temp.fresh AS f"  # noqa: S608 — constants
    " CROSS JOIN temp.gathered AS g ON g.n = f.n WHERE f.n > ? AND f.n <= ? ORDER BY f.n"
)
_KEYS_FIRST = (
    f"INSERT INTO main.records ({_NAMES}) SELECT {_NAMES} FROM temp.gathered"  # noqa: S608 — constants
    " WHERE n IN (SELECT n FROM temp.announcing) AND n IN (SELECT n FROM temp.fresh) ORDER BY n"
)
_OTHERS_IN_CONFLICT = "SELECT a.id FROM temp.met AS m JOIN temp.arrival AS a ON a.n = m.n WHERE NOT m.same"
_STEP = 1000


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
    """Takes over what is ``gathered``: :meth:`settle`, then :meth:`store` inside a write transaction of the log's
    database (or :meth:`foresee`, which writes nothing).
    """

    def __init__(self, log: VoteLog) -> None:
        self.gathered = Gathering(log.database, partial(announced_in, log.database))
        self.chains = ChainsFound()
        """How the records fit together and with those of the log, as :meth:`settle` found it."""
        self._log = log
        self._database = log.database
        self._seen = 0

    def __enter__(self) -> Self:
        self.gathered.__enter__()
        self._drop()
        for table, columns in _TABLES.items():
            self._database.run(f"CREATE TABLE temp.{table} {columns}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._drop()
        self.gathered.__exit__(kind, error, trace)

    def settle(self, replaced: Callable[[Any, Any], None] = lambda before, after: None) -> None:
        """Find out which records are in the log and which of those can complete the copy there. ``replaced``: see
        :meth:`Gathering.settle`.
        """
        self.gathered.settle(replaced)
        self._seen = self._log.last_position()
        self._database.run(_MEET)
        self._database.run(_FRESH)
        self.chains = arrived_chains(self._database, with_log=True)
        last = 0
        while page := self._database.rows(_DIFFERENT, (last,)):
            fuller = [(n,) for _, n, text, *held in page if self._completes(text, held)]
            with self._database.together():
                self._database.run_many("INSERT OR IGNORE INTO temp.fuller VALUES (?)", fuller)
            last = page[-1][0]

    def foresee(self) -> Taken:
        """What :meth:`store` would do."""
        return self._count()

    def store(self, progress: Callable[[int], None] | None = None) -> Taken:
        """Take the records into the log. Inside a write transaction. ``progress`` is told how many of them are done."""
        late = self._database.rows(_LATE, (self._seen,))
        self._database.run_many("INSERT INTO temp.met VALUES (?, ?, ?)", late)
        here = [(n,) for n, _, same in late if same]
        self._database.run_many("DELETE FROM temp.fresh WHERE n = ?", here)
        # The copies in the log are looked at anew: they, too, may have changed since.
        self._database.run_many("INSERT OR IGNORE INTO temp.fuller VALUES (?)", here)
        taken = self._count()
        # By the keys of the log it is decided which signatures the copies there have.
        self._database.run(_KEYS_FIRST)
        self._database.run("DELETE FROM temp.fresh WHERE n IN (SELECT n FROM temp.announcing)")
        for low in range(0, self.gathered.count, _STEP):
            high = min(low + _STEP, self.gathered.count)
            self._database.run(_TAKE_OVER, (low, high))
            self._complete(low, high)
            if progress is not None:
                progress(high)
        return taken

    def conflicts(self) -> Iterator[Place]:
        """Where the records stand whose id another one has, here or in the log; in the order of the files."""
        return self.gathered.conflicts(_OTHERS_IN_CONFLICT)

    def _completes(self, text: str, held: list[Any]) -> bool:
        stored = stored_record(self._database.path, *held)
        merged = merge_copies(stored, read_stored(text.encode()), self.gathered.rank)
        completed: bool = canonical_text(merged).encode() != held[2]
        return completed

    def _complete(self, low: int, high: int) -> None:
        """Complete copies in the log."""
        sql = (
            "SELECT g.record FROM temp.fuller AS f CROSS JOIN temp.gathered AS g ON g.n = f.n"
            " WHERE f.n > ? AND f.n <= ? ORDER BY f.n"
        )
        for (text,) in self._database.rows(sql, (low, high)):
            self._log.insert_or_merge(read_stored(text.encode()))

    def _count(self) -> Taken:
        number = self._database.number
        new = number("SELECT count(*) FROM temp.fresh")
        own = number(
            "SELECT count(*) FROM temp.fresh AS f CROSS JOIN temp.arrival AS a ON a.n = f.n WHERE a.station_id = ?",
            (self._log.station_id(),),
        )
        legacy = number("SELECT count(*) FROM temp.arrival WHERE legacy AND n NOT IN (SELECT n FROM temp.fresh)")
        return Taken(new, self.gathered.count - new, legacy, own)

    def _drop(self) -> None:
        for table in _TABLES:
            self._database.run(f"DROP TABLE IF EXISTS temp.{table}")
