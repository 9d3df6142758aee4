"""What the bare libraries need for the work of an import and of a merge: the floor that both are measured against.

A bare import parses each line with orjson, hashes its canonical bytes with SHA-256, compares, takes the columns out of
the record without looking at any, and inserts it into the log's own table with the log's own indexes, WAL and sync, in
one transaction. A bare merge does the same into a scratch table that knows copies by (id, hash), and writes the lines
in canonical order. Neither checks what a line is, looks for NaN, repeated keys or large numbers, keeps a better copy,
finds conflicts, guards the table by triggers, stages anything so that others may vote, or tells what it found.
"""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from arena_desktop.store.migrate import shipped_steps, statements
from arena_desktop.store.rows import COLUMNS, INSERT

_MARKS = ", ".join("?" * len(COLUMNS))
_NAMES = ", ".join(COLUMNS)


def bare_import(path: Path, database: Path) -> int:
    """Insert the records of the file at ``path`` into a new ``database``; how many."""
    connection = sqlite3.connect(database, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        for step in shipped_steps():
            for statement in statements(step.sql):
                if "CREATE TRIGGER" not in statement:
                    connection.execute(statement)
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(INSERT, _rows(path))
        connection.execute("COMMIT")
        return int(connection.execute("SELECT count(*) FROM records").fetchone()[0])
    finally:
        connection.close()


def bare_merge(paths: Sequence[Path], out: Path) -> int:
    """Write the records of the files at ``paths``, each once, to ``out``, without a header; how many."""
    connection = sqlite3.connect("", isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(f"CREATE TABLE records (n INTEGER PRIMARY KEY, {_NAMES}, UNIQUE (id, hash))")
        connection.execute("BEGIN")
        for path in paths:
            connection.executemany(
                f"INSERT OR IGNORE INTO records ({_NAMES}) VALUES ({_MARKS})",  # noqa: S608 — constants
                _rows(path),
            )
        connection.execute("CREATE INDEX in_order ON records (at, label, legacy_index, id, hash)")
        connection.execute("COMMIT")
        written = 0
        with out.open("wb") as stream:
            for (text,) in connection.execute(
                "SELECT record FROM records INDEXED BY in_order ORDER BY at, label, legacy_index, id, hash"
            ):
                stream.write(text.encode() + b"\n")
                written += 1
        return written
    finally:
        connection.close()


def _rows(path: Path) -> Iterator[tuple[Any, ...]]:
    with path.open("rb") as stream:
        next(stream)  # the header
        for line in stream:
            record = orjson.loads(line)
            digest = record.pop("hash")
            record.pop("private")
            if hashlib.sha256(orjson.dumps(record, option=orjson.OPT_SORT_KEYS)).hexdigest() != digest:
                raise ValueError("a record's hash does not match")
            yield (
                line[:-1].decode(), record["id"], digest, record["type"], record["at"], "", -1, record["station_id"],
                record["seq"], record["arena"], record["model_a"]["repo_id"], record["model_b"]["repo_id"],
                record["listener"], record["study"], record["conditions"]["reveal"],
                int(record["conditions"]["silent"]), None,
            )  # fmt: skip
