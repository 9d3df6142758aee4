"""The keys that the records of a database announce for a station."""

from arena_desktop.domain.signing import KEY, MOST_KEYS, Announcement, announcement, first_announcements
from arena_desktop.store.database import Database
from arena_desktop.store.stored_text import stored_record

_FIRST = (
    "SELECT position, id, CAST(record AS BLOB) FROM records WHERE type = ? AND station_id = ? AND seq IS NOT NULL"
    " ORDER BY seq, hash LIMIT ?"
)


def announced_in(database: Database, station: str) -> list[Announcement]:
    """The first announcements of a station. :class:`StoreError` at a record that is damaged."""
    rows = database.rows(_FIRST, (KEY, station, MOST_KEYS))
    found = (announcement(stored_record(database.path, *row)) for row in rows)
    return first_announcements(filter(None, found))
