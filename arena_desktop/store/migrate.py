"""Bringing a database file to the schema this program knows, one step at a time."""

import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from arena_desktop.store.sql_errors import StoreError

APPLICATION_ID = 0x4172446B
"""Marks a SQLite file as a vote log of this program ("ArDk")."""


_TRIGGER = re.compile(r"^(?P<sql>CREATE TRIGGER (?P<name>\w+) .*)", re.DOTALL | re.MULTILINE)
_GUARD_TABLE = re.compile(r"^CREATE TABLE forgotten .*", re.DOTALL | re.MULTILINE)
"""What the triggers look things up in. Logs that were begun before it was thought of lack it."""


class ForeignDatabase(StoreError):
    """A database that does not call itself a vote log of this program."""


@dataclass(frozen=True)
class Step:
    """One migration: ``sql`` leads from ``version`` − 1 to ``version``."""

    version: int
    sql: str


def shipped_steps() -> tuple[Step, ...]:
    """The steps in ``store/migrations``: files named ``NNNN_what.sql``."""
    folder = resources.files("arena_desktop.store.migrations")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    return tuple(Step(int(file.name.split("_")[0]), file.read_text(encoding="utf-8")) for file in files)


def refuse_foreign(connection: sqlite3.Connection, path: Path, newest: int) -> None:
    """Raise if the file was written by a newer program or by another one. Changes nothing."""
    # One moment for all three: another process may be making the file right now.
    connection.execute("BEGIN")
    try:
        version = _pragma(connection, "user_version")
        mark = _pragma(connection, "application_id")
        empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    finally:
        if connection.in_transaction:  # a full disk may have kept it from beginning, or ended it
            connection.execute("ROLLBACK")
    if mark != APPLICATION_ID and not (empty and mark == 0 and version == 0):
        raise ForeignDatabase(
            f"{path} is a database of another program.", "Choose another data directory (--data-dir)."
        )
    if version > newest:
        raise StoreError(
            f"{path} was written by a newer version of this program (schema {version}; this one knows {newest}).",
            "Use the newer version; nothing was changed.",
        )


def migrate(connection: sqlite3.Connection, path: Path, steps: Sequence[Step]) -> None:
    """Apply the steps that the file has not seen, each in a transaction together with its version.

    A file that holds an older schema is copied beside itself first. If a step fails, the file is left at the version
    before it.
    """
    found = _pragma(connection, "user_version")
    todo = [step for step in steps if step.version > found]
    if todo and found > 0:
        _back_up(connection, path, found)
    for step in todo:
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have been faster.
            if _pragma(connection, "user_version") == step.version - 1:
                for statement in statements(step.sql):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {step.version}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def mend_triggers(connection: sqlite3.Connection, steps: Sequence[Step]) -> list[str]:
    """Put back the triggers that the steps made and that are gone or changed since; returns their names.

    They guard the log, and any tool that opens the file can remove them.
    """
    wanted = {}
    tables = []
    for step in steps:
        for statement in statements(step.sql):
            found = _TRIGGER.search(statement)
            if found is not None:
                wanted[found["name"]] = found["sql"]
            table = _GUARD_TABLE.search(statement)
            tables += [] if table is None else [table[0].replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS", 1)]
    held = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
    gone = [name for name, sql in wanted.items() if _words(held.get(name, "")) != _words(sql)]
    if gone:
        connection.execute("BEGIN IMMEDIATE")
        try:
            for table_sql in tables:
                connection.execute(table_sql)
            for name in gone:
                connection.execute(f"DROP TRIGGER IF EXISTS {name}")
                connection.execute(wanted[name])
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    return gone


def _words(sql: str) -> list[str]:
    return sql.rstrip().removesuffix(";").split()


def statements(sql: str) -> Iterator[str]:
    """The single statements of a script (``executescript`` would commit on its own)."""
    pending = ""
    for line in sql.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""
    if pending.strip():
        yield pending


def _back_up(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """A copy named ``<file>.v<version>.backup``, complete or not there at all."""
    target = path.with_name(f"{path.name}.v{version}.backup")
    partial = target.with_name(target.name + ".partial")
    partial.unlink(missing_ok=True)
    copy = sqlite3.connect(partial)
    try:
        connection.backup(copy)
    finally:
        copy.close()
    with partial.open("rb+") as handle:
        os.fsync(handle.fileno())
    partial.replace(target)


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
