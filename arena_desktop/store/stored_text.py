"""Reading back what the database keeps of a record."""

from pathlib import Path
from typing import Any

from arena_desktop.domain.canonical import CanonicalError, read_stored
from arena_desktop.store.damage_sign import leave_sign
from arena_desktop.store.sql_errors import DamagedError


def stored_record(path: Path, position: int, name: str, text: Any) -> dict[str, Any]:
    """The record whose canonical form (UTF-8) lies in the row at ``position`` under the id ``name``.

    :class:`DamagedError` if the row was damaged: then ``text`` may be anything.
    """
    try:
        record = read_stored(text) if isinstance(text, bytes) else None
    except CanonicalError:
        record = None
    if not isinstance(record, dict) or record.get("id") != name or not isinstance(record.get("hash"), str):
        leave_sign(path)
        raise DamagedError(
            f"The record at position {position} in {path} (id {name}) is damaged: its text can't be read.",
            "Close the program and start it again: it then takes the record from a backup, if one has it, recovers all"
            " others and keeps the damaged file. (votes verify names every damaged record.)",
        )
    return record
