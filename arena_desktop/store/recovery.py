"""A new log out of a damaged one: everything readable goes into a new file, which takes the damaged one's place in a
row of renamings. Until the first of them nothing is changed; from it on, whoever opens the log next carries them on.
"""

import contextlib
import json
import os
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from arena_desktop.domain.canonical import canonical, read_stored
from arena_desktop.domain.merging import stored_form
from arena_desktop.domain.stations import subtract, tally_stations
from arena_desktop.store.backup_files import Backup, backup_rows
from arena_desktop.store.bounded import reason
from arena_desktop.store.chain_mark import ChainMark
from arena_desktop.store.damage_sign import take_sign
from arena_desktop.store.database import Database
from arena_desktop.store.recovery_report import Damage, Recovery, count_of, joined
from arena_desktop.store.rows import COLUMNS, row_of
from arena_desktop.store.salvage import Trace, Wreck, whole_record
from arena_desktop.store.small_files import sync_folder, write_whole
from arena_desktop.store.sql_errors import StoreError, worded
from arena_desktop.store.vote_log import VoteLog

_BESIDE = ("-wal", "-shm", "")
"""The files of a database; the one that tells whether all were renamed comes last."""
_PLACED = f"INSERT INTO records (position, {', '.join(COLUMNS)}) VALUES ({', '.join('?' * (len(COLUMNS) + 1))})"  # noqa: S608
_LOST_PLACES = (
    "SELECT DISTINCT station, seq FROM trace_place AS t WHERE NOT EXISTS (SELECT 1 FROM records AS r"
    " WHERE r.station_id = t.station AND r.seq = t.seq)"
    " AND NOT EXISTS (SELECT 1 FROM records AS r WHERE r.position = t.position) ORDER BY station, seq"
)
_LOST_NAMES = (
    "SELECT DISTINCT id FROM trace_name AS t WHERE NOT EXISTS (SELECT 1 FROM records AS r"
    " WHERE r.id = t.id AND r.hash = t.hash)"
    " AND NOT EXISTS (SELECT 1 FROM records AS r WHERE r.position = t.position)"
    " AND t.position NOT IN (SELECT position FROM trace_place) ORDER BY id"
)


def recover(path: Path, damage: Damage, backups: Sequence[Backup], forgotten: Collection[str], now: datetime) -> None:
    """Put a sound log in the place of the damaged one at ``path``, which is kept beside it.

    ``backups``, newest first, give what the file no longer does. ``damage`` says what is wrong. What
    became of it is told by :func:`take_news`. The log at ``path`` must not be open anywhere. :class:`StoreError` when
    it can't be done; then nothing was changed, and it can be done again.
    """
    partial = _partial(path)
    _clear(partial)
    path.touch(mode=0o600)
    try:
        aside = _free_name(path, now)
        with Wreck(path) as wreck, VoteLog(Database(partial), here="") as log:
            found = _gather(log, wreck, path, damage, aside, backups, forgotten)
        _to_disk(partial)
        write_whole(aside.with_name(f"{aside.name}.txt"), found.report().encode())
        partial.replace(_complete(path))
        sync_folder(path.parent)
    except (OSError, StoreError) as error:
        _clear(partial)
        why = reason(error) if isinstance(error, OSError) else error.message
        raise StoreError(
            f"{path} is damaged ({damage.clause}), and what is readable could not be recovered into a new file: {why}",
            f"Nothing was changed. Make room for another {_megabytes(path)} MB on the disk and start again.",
        ) from error
    settle(path)


def settle(path: Path) -> None:
    """Carry on a recovery that was cut short: its renamings are done, or what it left half written is removed."""
    complete = _complete(path)
    try:
        if complete.exists():
            aside = path.with_name(_news_of(complete)["aside"])
            _sweep(path)
            for ending in _BESIDE:
                source = path.with_name(path.name + ending)
                if source.exists():
                    source.rename(aside.with_name(aside.name + ending))
            complete.rename(path)
            sync_folder(path.parent)
            take_sign(path)
        _clear(_partial(path))
    except OSError as error:
        raise StoreError(
            f"{path} was damaged and has been recovered, but can't be renamed ({reason(error)}).",
            "Give yourself write permission on its folder and start again.",
        ) from error


@dataclass(frozen=True)
class News:
    """A recovery that nobody was told of yet: where the damaged file lies now, and the sentences for the user."""

    damaged_file: Path
    notes: tuple[str, ...]


def take_news(database: Database) -> News | None:
    """What there is to tell of a recovery. Asked once: after that it has been told."""
    row = database.row("SELECT value FROM meta WHERE key = 'recovery'")
    if row is None:
        return None
    if database.refusal is None:  # else it is told again
        with database.write():
            database.run("DELETE FROM meta WHERE key = 'recovery'")
    found = json.loads(row[0])
    return News(database.path.with_name(found["aside"]), tuple(found["notes"]))


def _gather(
    log: VoteLog,
    wreck: Wreck,
    path: Path,
    damage: Damage,
    aside: Path,
    backups: Sequence[Backup],
    forgotten: Collection[str],
) -> Recovery:
    database = log.database
    for pragma in ("journal_mode = OFF", "synchronous = OFF"):  # it is synced as a whole, or thrown away
        database.rows(f"PRAGMA {pragma}")
    database.run("CREATE TABLE temp.trace_place (station, seq, position)")
    database.run("CREATE TABLE temp.trace_name (id, hash, position)")
    database.run("CREATE TABLE temp.loose (record, ahead)")
    with database.write():
        counts = {"file": 0, "ahead": 0}
        for found in wreck.contents():
            if isinstance(found, Trace):
                _note(database, found)
            elif found.position is None:  # it must not take another one's position
                database.run("INSERT INTO temp.loose VALUES (?, ?)", (canonical(found.record), found.written_ahead))
            elif _store(log, found.record, found.position, forgotten):
                counts["ahead" if found.written_ahead else "file"] += 1
        loose = 0
        for text, ahead in database.rows("SELECT record, ahead FROM temp.loose"):
            new = _store(log, read_stored(text), None, forgotten)
            counts["ahead" if ahead else "file"] += new
            loose += new
        from_backups, unread = _from_backups(log, backups, forgotten)
        database.run("CREATE INDEX temp.placed ON trace_place (position)")
        own = _own_stations(wreck, path, backups)
        recovery = Recovery(
            path=path,
            damage=damage,
            aside=aside,
            from_file=counts["file"],
            from_ahead=counts["ahead"],
            from_backups=from_backups,
            unread_backups=unread,
            lost=_lost(log, own),
            lost_ids=[row[0] for row in database.stream(_LOST_NAMES)],
            absent={},
        )
        _judge_gaps(log, recovery, loose)
        news = {"aside": aside.name, "notes": recovery.sentences()}
        database.run("INSERT INTO meta VALUES ('recovery', ?)", (json.dumps(news),))
        mark = ChainMark(path).read()
        if mark is not None:  # what it names may be lost; that has been said, and a new station begins anyway
            database.run("INSERT INTO meta VALUES ('mark', ?)", (json.dumps(mark),))
    return recovery


def _store(log: VoteLog, record: dict[str, Any], position: int | None, forgotten: Collection[str]) -> bool:
    """Take a whole record over, if possible at the position it had; whether it was not here yet."""
    listener = record.get("listener")
    record = stored_form(record, isinstance(listener, str) and listener in forgotten)
    database = log.database
    if _is_here(database, record["id"], record["hash"]):
        log.insert_or_merge(record)
        return False
    if position is None or database.row("SELECT 1 FROM records WHERE position = ?", (position,)) is not None:
        log.insert(record)
    else:
        database.run(_PLACED, (position, *row_of(record)))
    return True


def _is_here(database: Database, name: str, digest: str) -> bool:
    return database.row("SELECT 1 FROM records WHERE id = ? AND hash = ?", (name, digest)) is not None


def _note(database: Database, trace: Trace) -> None:
    if trace.station is not None:
        database.run("INSERT INTO temp.trace_place VALUES (?, ?, ?)", (trace.station, trace.seq, trace.position))
    else:
        database.run("INSERT INTO temp.trace_name VALUES (?, ?, ?)", (trace.id, trace.hash, trace.position))


def _from_backups(
    log: VoteLog, backups: Sequence[Backup], forgotten: Collection[str]
) -> tuple[dict[str, int], list[str]]:
    """How many records each backup gave, and which could not be read to their end."""
    gave: dict[str, int] = {}
    unread = []
    for backup in backups:
        count = 0
        try:
            for position, name, digest, text in backup_rows(backup.path):
                if not _is_here(log.database, name, digest):
                    record = whole_record(text)
                    count += record is not None and _store(log, record, position, forgotten)
        except sqlite3.Error:
            unread.append(backup.path.name)
        if count:
            gave[backup.path.name] = count
    return gave, unread


def _own_stations(wreck: Wreck, path: Path, backups: Sequence[Backup]) -> dict[str, int]:
    """The stations that this database wrote under, as far as it is known, each with a number it had reached."""
    own = dict(wreck.knowledge.stations)
    ends = [backup.end for backup in backups if backup.end is not None]
    mark = ChainMark(path).read()
    for station, seq in [*ends, *([mark[:2]] if mark is not None else [])]:
        own[station] = max(seq, own.get(station, 0))
    return own


def _lost(log: VoteLog, own: dict[str, int]) -> dict[str, list[tuple[int, int]]]:
    """The places that surely held a record and are empty: an index names them, or this database had written them."""
    runs: dict[str, list[tuple[int, int]]] = {}
    for station, seq in log.database.stream(_LOST_PLACES):
        runs.setdefault(station, []).append((seq, seq))
    tallies = tally_stations(place for _, *place in log.places())
    for station, last in own.items():
        here = tallies[station].ranges if station in tallies else []
        runs.setdefault(station, []).extend(subtract([(1, max(last, here[-1][1] if here else 0))], here))
    return {station: joined(found) for station, found in sorted(runs.items()) if found}


def _judge_gaps(log: VoteLog, recovery: Recovery, loose: int) -> None:
    """Tell the gaps in other stations' chains that the damage made from those that were there before.

    A log has every position from its first record to its last. Where at least as many positions are empty as numbers
    are absent beside those surely lost, the damage made all these gaps. ``loose``: records that left their position.
    """
    absent = _absent(log, recovery.lost)
    empty = log.database.number("SELECT coalesce(max(position), 0) - count(*) FROM records") - loose
    if empty - count_of(recovery.lost) < count_of(absent):
        recovery.absent.update(absent)
        return
    for station, runs in absent.items():
        recovery.lost[station] = joined([*recovery.lost.get(station, []), *runs])


def _absent(log: VoteLog, lost: dict[str, list[tuple[int, int]]]) -> dict[str, list[tuple[int, int]]]:
    """The gaps of which nobody can say whether there ever was something."""
    tallies = tally_stations(place for _, *place in log.places())
    left = {station: subtract(tally.missing, lost.get(station, [])) for station, tally in sorted(tallies.items())}
    return {station: runs for station, runs in left.items() if runs}


def _news_of(complete: Path) -> dict[str, Any]:
    with worded(complete), contextlib.closing(sqlite3.connect(complete, isolation_level=None)) as connection:
        found: dict[str, Any] = json.loads(
            connection.execute("SELECT value FROM meta WHERE key = 'recovery'").fetchone()[0]
        )
    return found


def _to_disk(partial: Path) -> None:
    with partial.open("rb+") as handle:
        os.fsync(handle.fileno())


def _sweep(path: Path) -> None:
    """A ``-wal`` without content, and its index, which a look at the database leaves behind, are nothing to keep."""
    ahead = path.with_name(f"{path.name}-wal")
    if not ahead.exists() or ahead.stat().st_size == 0:
        path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
        ahead.unlink(missing_ok=True)


def _free_name(path: Path, now: datetime) -> Path:
    """A name beside ``path`` that neither a file nor what belongs to one has."""
    stem = f"{path.name}.damaged-{now:%Y%m%dT%H%M%S}"
    return next(name for name in _numbered(path, stem) if not any(path.parent.glob(f"{name.name}*")))


def _numbered(path: Path, stem: str) -> Iterator[Path]:
    yield path.with_name(stem)
    count = 1
    while True:
        count += 1
        yield path.with_name(f"{stem}-{count}")


def _clear(partial: Path) -> None:
    for ending in (*_BESIDE, "-journal"):
        with contextlib.suppress(FileNotFoundError):
            partial.with_name(partial.name + ending).unlink()


def _partial(path: Path) -> Path:
    return path.with_name(f"{path.name}.recovering")


def _complete(path: Path) -> Path:
    return path.with_name(f"{path.name}.recovered")


def _megabytes(path: Path) -> int:
    try:
        return 1 + path.stat().st_size // 1_000_000
    except OSError:
        return 1
