"""What the log holds of each listener."""

from arena_desktop.store.vote_log import VoteLog


def votes_by_listener(log: VoteLog) -> dict[str, tuple[int, str | None]]:
    """How many votes each pseudonym cast, and when the newest was."""
    rows = log.database.rows(
        "SELECT listener, count(*), max(at) FROM records WHERE type = 'vote' AND listener IS NOT NULL GROUP BY listener"
    )
    return {row[0]: (int(row[1]), row[2]) for row in rows}


def is_in_log(log: VoteLog, pseudonym: str) -> bool:
    """Whether a record names this listener."""
    return log.database.row("SELECT 1 FROM records WHERE listener = ? LIMIT 1", (pseudonym,)) is not None
