"""How gathered records fit together in the chains of their stations: asked in SQL, so that a million take seconds."""

from dataclasses import dataclass

from arena_desktop.store.statements import Statements

MOST_CHAINS = 1000
"""So many stations are told of."""
_LONGEST = 200

_INDEX = "CREATE INDEX temp.arrival_by_place ON arrival (station_id, seq, hash)"
_OUTSIDE = (
    "SELECT count(DISTINCT hash) FROM temp.arrival WHERE legacy_index = -1 AND (station_id IS NULL OR seq IS NULL)"
)
_BEFORE = "SELECT 1 FROM {} AS p WHERE p.station_id = a.station_id AND p.seq = a.seq - 1"
_BROKEN = (
    "SELECT a.station_id, count(DISTINCT a.hash) AS broken, min(a.seq), 0, NULL FROM temp.arrival AS a"
    " WHERE a.station_id IS NOT NULL AND a.seq IS NOT NULL AND ((a.seq = 1 AND a.previous IS NOT '') OR (a.seq > 1"
    " AND {unmatched} AND ({known}))) GROUP BY a.station_id"
)
_FORKED = (
    "SELECT station_id, 0, NULL, count(*), min(seq) FROM (SELECT station_id, seq FROM temp.arrival"
    " WHERE station_id IS NOT NULL AND seq IS NOT NULL GROUP BY station_id, seq HAVING min(hash) <> max(hash){more})"
    " GROUP BY station_id"
)
# Those that the log has already can't begin a fork, and it would take long to look each of them up.
_WITH_LOG = (
    " UNION SELECT a.station_id, a.seq FROM temp.fresh AS f CROSS JOIN temp.arrival AS a ON a.n = f.n"
    " CROSS JOIN main.records AS o ON o.station_id = a.station_id AND o.seq = a.seq WHERE o.hash <> a.hash"
)
_ALL = (
    "SELECT substr(station_id, 1, {longest}), sum(broken), min(first), sum(forks), min(forked) FROM"
    " (SELECT station_id, broken, first, forks, forked FROM told) GROUP BY station_id"
    " ORDER BY sum(broken) + sum(forks) DESC, station_id LIMIT {most}"
)


@dataclass(frozen=True)
class ChainFound:
    """What doesn't fit together in one station's chain: ``broken`` records name another hash than that of the record
    before them, the first at seq ``first_broken``; ``forks`` places are held by different records, the first at
    ``first_fork``.
    """

    station_id: str
    broken: int
    first_broken: int | None
    forks: int
    first_fork: int | None


@dataclass(frozen=True)
class ChainsFound:
    """``outside``: records of stations that have no place in any chain. ``chains``: those in which something doesn't
    fit, the worst first, at most :data:`MOST_CHAINS`.
    """

    outside: int = 0
    chains: tuple[ChainFound, ...] = ()


def arrived_chains(sql: Statements, *, with_log: bool) -> ChainsFound:
    """Look at what :class:`arena_desktop.store.gathering.Gathering` holds in ``sql``, once it is settled. ``with_log``:
    beside the records of the log there, which have been set apart from the new ones (in ``temp.fresh``).
    """
    sql.run(_INDEX)
    tables = ["temp.arrival", *(["main.records"] if with_log else [])]
    before = [_BEFORE.format(table) for table in tables]
    broken = _BROKEN.format(
        unmatched=" AND ".join(f"NOT EXISTS ({one} AND p.hash = a.previous)" for one in before),
        known=" OR ".join(f"EXISTS ({one})" for one in before),
    )
    forked = _FORKED.format(more=_WITH_LOG if with_log else "")
    told = f"WITH told (station_id, broken, first, forks, forked) AS ({broken} UNION ALL {forked}) "
    rows = sql.rows(told + _ALL.format(longest=_LONGEST, most=MOST_CHAINS))
    return ChainsFound(sql.number(_OUTSIDE), tuple(ChainFound(*row) for row in rows))
