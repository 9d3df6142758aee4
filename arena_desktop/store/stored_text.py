"""Reading back what the database keeps of a record."""

from pathlib import Path
from typing import Any

from arena_desktop.domain.canonical import CanonicalError, read_stored
from arena_desktop.store.sql_errors import StoreError


def stored_record(path: Path, position: int, name: str, text: Any) -> dict[str, Any]:
    """The record whose canonical form (UTF-8) lies in the row at ``position`` under the id ``name``.

    :class:`StoreError` if the row was damaged: then ``text`` may be anything.
    """
    try:
        record = read_stored(text) if isinstance(text, bytes) else None
    except CanonicalError:
        record = None
    if not isinstance(record, dict) or record.get("id") != name or not isinstance(record.get("hash"), str):
        raise StoreError(
            f"The record at position {position} in {path} (id {name}) is damaged: its text can't be read.",
            "Run votes verify, which names every damaged record; then put a backup in the file's place, or move the"
            " file away and import your last export.",
        )
    return record
