"""Looking for votes in the log, the newest first."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arena_desktop.store.stored_text import stored_record
from arena_desktop.store.vote_log import VoteLog

_WHERE = (
    "type = 'vote' AND position <= ?1 AND (?2 = '' OR arena = ?2) AND (?3 = '' OR listener = ?3)"
    " AND (?4 = '' OR at >= ?4) AND (?5 = '' OR at < ?5)"
    " AND (?6 = '' OR (?7 = '' AND ?6 IN (model_a, model_b)) OR (model_a = ?6 AND model_b = ?7)"
    " OR (model_a = ?7 AND model_b = ?6))"
    " AND id NOT IN (SELECT value FROM json_each(?8))"
)
_NEWEST = "at DESC, label DESC, legacy_index DESC, id DESC, hash DESC"


@dataclass(frozen=True)
class Wanted:
    """Which votes; empty texts pick all. ``model`` alone: its votes; with ``other``: the meetings of the two.

    ``upto``: records that came in later are not looked at. ``without``: ids of votes that must not be seen.
    """

    upto: int
    without: Sequence[str] = ()
    arena: str = ""
    listener: str = ""
    since: str = ""
    until: str = ""
    model: str = ""
    other: str = ""


@dataclass(frozen=True)
class Facets:
    """What the votes of a log differ by, each sorted."""

    arenas: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    listeners: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


class VoteSearch:
    """Searches one moment of a log (see :meth:`VoteLog.moment`)."""

    def __init__(self, then: VoteLog) -> None:
        self._database = then.database

    def count(self, wanted: Wanted) -> int:
        """How many votes there are."""
        found = self._database.row(f"SELECT count(*) FROM records WHERE {_WHERE}", _values(wanted))  # noqa: S608 — constants
        assert found is not None
        return int(found[0])

    def newest(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        """The votes, in canonical order backwards; :class:`StoreError` at one that is damaged."""
        sql = f"SELECT position, id, CAST(record AS BLOB) FROM records WHERE {_WHERE} ORDER BY {_NEWEST}"  # noqa: S608 — constants
        for row in self._database.stream(sql, _values(wanted)):
            yield stored_record(self._database.path, *row)

    def facets(self) -> Facets:
        """What there is to choose from."""
        category = (
            "SELECT DISTINCT CASE WHEN json_valid(record) THEN json_extract(record, '$.prompt.category') END"
            " FROM records WHERE type = 'vote'"
        )
        return Facets(
            self._texts("SELECT DISTINCT arena FROM records WHERE type = 'vote'"),
            self._texts(
                "SELECT model_a FROM records WHERE type = 'vote' UNION SELECT model_b FROM records WHERE type = 'vote'"
            ),
            self._texts("SELECT DISTINCT listener FROM records WHERE type = 'vote'"),
            self._texts(category),
        )

    def _texts(self, sql: str) -> tuple[str, ...]:
        return tuple(sorted(row[0] for row in self._database.rows(sql) if isinstance(row[0], str) and row[0]))


def _values(wanted: Wanted) -> tuple[Any, ...]:
    return (
        wanted.upto,
        wanted.arena,
        wanted.listener,
        wanted.since,
        wanted.until,
        wanted.model,
        wanted.other,
        json.dumps(list(wanted.without)),
    )
