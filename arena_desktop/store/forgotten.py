"""Listeners who withdrew from this data directory: who they are, and deleting what the log holds of them for good.

Their pseudonyms stand twice: in the database, where the log's guards look, and in a small file beside it, for a
database may be lost, recovered or put back from an older copy. Whoever is in the file and not in the database is
forgotten again (:func:`catch_up`). No name is kept.
"""

import contextlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena_desktop.domain.canonical import canonical_text
from arena_desktop.domain.forgetting import is_forgotten, names_person
from arena_desktop.errors import ArenaError
from arena_desktop.store.bounded import reason
from arena_desktop.store.database import Database
from arena_desktop.store.listeners import is_pseudonym
from arena_desktop.store.small_files import Clock, Damaged, read_json_object, set_aside, utc_now, write_json
from arena_desktop.store.sql_errors import StoreError
from arena_desktop.store.stored_text import stored_record

_SCHEMA = 1
_PAGE = 500
_ELSEWHERE = (
    "station_id IS NULL AND listener IS NOT ?2 AND json_valid(record) AND json_type(record, '$.original') IS NOT NULL"
)
"""Other programs' votes whose original record may name the listener in its own way."""
_log = logging.getLogger(__name__)


class ForgottenFile:
    """The file beside the database at ``path``."""

    def __init__(self, path: Path, clock: Clock = utc_now) -> None:
        self.path = path.with_name(f"{path.name}.forgotten")
        self._clock = clock

    def all(self) -> frozenset[str]:
        """The pseudonyms. A damaged file is set aside: the database knows them, too."""
        try:
            values = read_json_object(self.path) or {"forgotten": []}
            names = values.get("forgotten")
            if not isinstance(names, list) or not all(isinstance(one, str) and is_pseudonym(one) for one in names):
                raise Damaged("it is no list of pseudonyms")
        except Damaged as damage:
            _log.warning("%s is damaged (%s) and was set aside", self.path, damage)
            with contextlib.suppress(OSError):
                set_aside(self.path, self._clock())
            return frozenset()
        return frozenset(names)

    def add(self, *pseudonyms: str) -> None:
        """Note more of them. :class:`ArenaError` if it can't be written."""
        try:
            write_json(self.path, {"schema": _SCHEMA, "forgotten": sorted(self.all() | set(pseudonyms))})
        except OSError as error:
            raise ArenaError(
                f"Who is forgotten can't be noted in {self.path} ({reason(error)}).",
                "Check that the data directory can be written and has room.",
            ) from error


@dataclass(frozen=True)
class Erased:
    """What was deleted in a log: the private part of ``records``, the ``originals`` of other programs' votes.
    ``sounds``: SHA-256 of the clips that spoke the listener's own texts. ``damaged`` records could not be read.
    """

    records: int = 0
    originals: int = 0
    sounds: frozenset[str] = frozenset()
    damaged: int = 0


def all_forgotten(database: Database) -> frozenset[str]:
    """The pseudonyms, and the ids of legacy votes, of which the log keeps nothing private."""
    return frozenset(row[0] for row in database.rows("SELECT name FROM forgotten"))


def erase(database: Database, pseudonym: str, name: str = "") -> Erased:
    """Delete what is private in the records of a listener, and the originals of legacy votes that name the listener by
    pseudonym or ``name``. One transaction; nothing of that comes back by an import or a merge.

    What was deleted may still lie in unused parts of the file: see :func:`scrub`.
    """
    database.run("PRAGMA secure_delete = ON")
    run = database.run
    records = originals = damaged = 0
    sounds: set[str] = set()
    with database.write():
        run("INSERT OR IGNORE INTO forgotten VALUES (?)", (pseudonym,))
        for position, record in _concerned(database, pseudonym):
            if record is None:
                damaged += 1
                continue
            if "station_id" not in record and record.get("listener") != pseudonym:
                if not names_person(record["original"], pseudonym, name):
                    continue
                run("INSERT OR IGNORE INTO forgotten VALUES (?)", (record["id"],))
            sounds |= _sounds_of(record)
            records += record.pop("private", None) is not None
            originals += record.pop("original", None) is not None
            run("UPDATE records SET record = ? WHERE position = ?", (canonical_text(record), position))
    return Erased(records, originals, frozenset(sounds), damaged)


def scrub(database: Database) -> str | None:
    """Make sure that nothing deleted is left in the unused parts of the database's files; why not, as a sentence, if
    that can't be done now. Rewrites the whole file.
    """
    try:
        database.run("PRAGMA secure_delete = ON")
        database.run("VACUUM")
        busy = database.row("PRAGMA wal_checkpoint(TRUNCATE)")
    except StoreError as error:
        return f"Remains may still lie in unused parts of the file: {error.message}"
    if busy is not None and busy[0]:
        return (
            f"Remains may still lie in {database.path}-wal: another program has the log open and is reading it."
            " Close it and do this again."
        )
    return None


def catch_up(database: Database, file: ForgottenFile) -> list[str]:
    """Make the database and the file know the same people: whoever is not forgotten in the database yet (it was
    recovered, or put back from an older copy) is forgotten again. Returns what was done, in sentences.
    """
    here = frozenset(name for name in all_forgotten(database) if is_pseudonym(name))
    noted = file.all()
    if here - noted:
        file.add(*here)
    for pseudonym in sorted(noted - here):
        erase(database, pseudonym)
    if not noted - here:
        return []
    trouble = scrub(database)
    who = "a listener who was" if len(noted - here) == 1 else f"{len(noted - here)} listeners who were"
    note = f"The log held private parts of {who} forgotten here; they have been deleted again."
    return [note] if trouble is None else [note, trouble]


def keeps_nothing_of(database: Database, record: dict[str, Any]) -> bool:
    """Whether nothing private of this record may be kept in the log."""
    if database.row("SELECT 1 FROM forgotten LIMIT 1") is None:
        return False
    return is_forgotten(record, all_forgotten(database))


def _concerned(database: Database, pseudonym: str) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """(position, record) of everything that may have to be changed; None for what can't be read."""
    for which in ("listener = ?2", _ELSEWHERE):
        last = 0
        sql = (
            "SELECT position, id, CAST(record AS BLOB) FROM records"  # noqa: S608 — constants
            f" WHERE position > ?1 AND {which} ORDER BY position LIMIT {_PAGE}"
        )
        while page := database.rows(sql, (last, pseudonym)):
            for row in page:
                try:
                    yield row[0], stored_record(database.path, *row)
                except StoreError:
                    yield row[0], None
            last = page[-1][0]


def _sounds_of(record: dict[str, Any]) -> set[str]:
    private = record.get("private")
    clips = (private.get(f"clip_{side}_sha256") for side in "ab") if isinstance(private, dict) else ()
    return {clip for clip in clips if isinstance(clip, str)}
