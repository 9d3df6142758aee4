"""The records of a log that announce a station's key, and whether a station uses one."""

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


def is_there(log: VoteLog, station: str) -> bool:
    """Whether the log holds a record of the station's chain."""
    sql = "SELECT 1 FROM records WHERE station_id = ? AND seq IS NOT NULL LIMIT 1"
    return log.database.row(sql, (station,)) is not None


def is_signed(log: VoteLog, station: str) -> bool:
    """Whether any record of the station's chain carries a signature, be it true or not."""
    sql = (
        "SELECT 1 FROM records WHERE station_id = ? AND seq IS NOT NULL AND json_type(record, '$.sig') IS NOT NULL"
        " LIMIT 1"
    )
    return log.database.row(sql, (station,)) is not None
