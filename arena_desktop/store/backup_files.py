"""The copies of the vote log in the folder ``backups``: their names, which are kept, and reading one.

A copy is a whole database of its own. Put in the log's place by hand it goes on under a new station, for it doesn't
know what was written after it.
"""

import contextlib
import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

NEWEST_KEPT = 3
WEEKS_KEPT = 4
MOST_BYTES = 2_000_000_000
"""All copies together, but for the newest one, which is kept however large it is."""

_NAME = re.compile(r"votes-(\d{8}T\d{6})Z\.sqlite")


@dataclass(frozen=True)
class Backup:
    """One copy: when it was taken (UTC), its size in bytes, the position of its last record, and the station that it
    was written under with the number of that station's last record. The last two are None where it can't be read.
    """

    path: Path
    at: datetime
    size: int
    last_position: int | None
    end: tuple[str, int] | None


def backup_name(at: datetime) -> str:
    """The file name of a copy taken at ``at`` (UTC)."""
    return f"votes-{at:%Y%m%dT%H%M%S}Z.sqlite"


def list_backups(folder: Path) -> list[Backup]:
    """The copies in ``folder``, newest first."""
    return [_looked_into(path, at, size) for path, at, size in named_backups(folder)]


def named_backups(folder: Path) -> list[tuple[Path, datetime, int]]:
    """Path, time and size of the copies in ``folder``, newest first; none is opened."""
    found = []
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            name = _NAME.fullmatch(path.name)
            if name is not None and path.is_file():
                with contextlib.suppress(ValueError):
                    at = datetime.strptime(name[1], "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
                    found.append((path, at, path.stat().st_size))
    return sorted(found, key=lambda one: one[1], reverse=True)


def superfluous(copies: Sequence[tuple[Path, datetime, int]]) -> list[Path]:
    """Which of the copies (newest first) rotation removes: all but the newest three and, before them, the newest of
    each week that lies at most four weeks back, as long as they have room.
    """
    kept: list[tuple[Path, int]] = [(path, size) for path, _, size in copies[:NEWEST_KEPT]]
    weeks: set[tuple[int, int]] = set()
    for path, at, size in copies[NEWEST_KEPT:]:
        week = at.isocalendar()[:2]
        young = copies[0][1] - at <= timedelta(weeks=WEEKS_KEPT)
        if young and week not in weeks and len(weeks) < WEEKS_KEPT:
            weeks.add(week)
            kept.append((path, size))
    room, names = MOST_BYTES, set()
    for number, (path, size) in enumerate(kept):
        room -= size
        if number == 0 or room >= 0:
            names.add(path)
    return [path for path, _, _ in copies if path not in names]


def backup_rows(path: Path) -> Iterator[tuple[int, str, str, bytes]]:
    """(position, id, hash, canonical form) of every record in a copy. ``sqlite3.Error`` where it is damaged."""
    with contextlib.closing(_open(path)) as connection:
        rows = connection.execute("SELECT position, id, hash, CAST(record AS BLOB) FROM records ORDER BY position")
        while some := rows.fetchmany(1000):
            yield from some


def _looked_into(path: Path, at: datetime, size: int) -> Backup:
    try:
        with contextlib.closing(_open(path)) as connection:
            (last,) = connection.execute("SELECT coalesce(max(position), 0) FROM records").fetchone()
            known = dict(connection.execute("SELECT key, value FROM meta WHERE key IN ('station_id', 'last_seq')"))
    except sqlite3.Error:
        return Backup(path, at, size, None, None)
    station, seq = known.get("station_id"), known.get("last_seq", 0)
    end = (station, seq) if isinstance(station, str) and isinstance(seq, int) else None
    return Backup(path, at, size, int(last), end)


def _open(path: Path) -> sqlite3.Connection:
    """For reading alone: neither the copy nor anything beside it is touched."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
