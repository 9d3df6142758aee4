"""The records of a log that announce a station's key."""

from collections.abc import Iterator
from typing import Any

from arena_desktop.domain.signing import KEY
from arena_desktop.store.stored_text import stored_record
from arena_desktop.store.vote_log import VoteLog


def key_records(log: VoteLog) -> Iterator[dict[str, Any]]:
    """All of them, each station's in the order of its chain. :class:`StoreError` at one that is damaged."""
    sql = (
        "SELECT position, id, CAST(record AS BLOB) FROM records WHERE type = ? AND station_id IS NOT NULL"
        " ORDER BY station_id, seq, hash"
    )
    for row in log.database.stream(sql, (KEY,)):
        yield stored_record(log.database.path, *row)
