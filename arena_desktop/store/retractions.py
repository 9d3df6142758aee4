"""The retractions of a log that have no effect."""

from collections.abc import Iterator

from arena_desktop.domain.reading import why_idle
from arena_desktop.domain.records import RETRACTION, VOTE
from arena_desktop.store.sql_errors import StoreError
from arena_desktop.store.stored_text import stored_record
from arena_desktop.store.vote_log import VoteLog


def idle_retractions(log: VoteLog) -> list[tuple[str, str]]:
    """(id, reason) of every retraction without effect, as :func:`arena_desktop.domain.reading.countable` tells them.

    Reads the retractions and the votes they name, nothing else.
    """
    return list(_idle(log))


def _idle(log: VoteLog) -> Iterator[tuple[str, str]]:
    conflicts = log.conflicts()
    sql = (
        "SELECT r.position, r.id, CAST(r.record AS BLOB), v.position, v.id, CAST(v.record AS BLOB) FROM records AS r"
        " LEFT JOIN records AS v ON v.position ="
        " (SELECT max(position) FROM records WHERE id = r.retracts AND type = ?) WHERE r.type = ?"
    )
    for *retraction, position, name, text in log.database.stream(sql, (VOTE, RETRACTION)):
        try:
            record = stored_record(log.database.path, *retraction)
            vote = None if position is None else stored_record(log.database.path, position, name, text)
        except StoreError:
            yield str(retraction[1]), "it or its vote is damaged in the database"
            continue
        reason = why_idle(record, vote, record["id"] in conflicts)
        if reason is not None:
            yield record["id"], reason
