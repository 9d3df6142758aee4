"""The file beneath the log: append-only, migrated step by step, and words instead of tracebacks."""

import json
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.canonical import canonical_text
from arena_desktop.domain.legacy import LegacyFile
from arena_desktop.store.database import Database
from arena_desktop.store.migrate import Step, shipped_steps, statements
from arena_desktop.store.rows import row_of
from arena_desktop.store.sql_errors import StoreError
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import draft, foreign_record, open_log

NEEDED = "record, id, hash, type, label, legacy_index, silent"
SAME_NAME = "SELECT '{}', id, hash, 'x', '', -1, 0 FROM records WHERE position = 1"


@pytest.fixture
def raw(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A plain connection to a log of two votes, as any tool could open one."""
    with open_log(tmp_path) as log:
        log.append_vote(draft(vote="a"))
        log.append_vote(draft(vote="b"))
    connection = sqlite3.connect(tmp_path / "votes.sqlite", isolation_level=None)
    yield connection
    connection.close()


def _content(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    return connection.execute("SELECT * FROM records ORDER BY position").fetchall()


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM records",
        "DELETE FROM records WHERE position = 1",
        'UPDATE records SET record = replace(record, \'"vote":"a"\', \'"vote":"b"\')',
        "UPDATE records SET record = json_set(record, '$.listener', 'l-x')",
        "UPDATE records SET record = json_remove(record, '$.private_hash')",
        "UPDATE records SET record = json_set(record, '$.extra', 1)",
        "UPDATE records SET record = '{}'",
        "UPDATE records SET record = 'no json'",
        "UPDATE records SET record = NULL",
        "UPDATE records SET position = position + 100",
        "UPDATE records SET id = 'x'",
        "UPDATE records SET hash = 'x'",
        "UPDATE records SET type = 'x'",
        "UPDATE records SET at = 'x'",
        "UPDATE records SET at = NULL",
        "UPDATE records SET station_id = 'x'",
        "UPDATE records SET seq = 9",
        "UPDATE records SET arena = 'x'",
        "UPDATE records SET model_a = 'x'",
        "UPDATE records SET model_b = 'x'",
        "UPDATE records SET listener = 'x'",
        "UPDATE records SET study = 'x'",
        "UPDATE records SET reveal = 'x'",
        "UPDATE records SET silent = 1",
        "UPDATE records SET retracts = 'x'",
        "UPDATE OR REPLACE records SET position = 2 WHERE position = 1",
        "INSERT OR REPLACE INTO records SELECT * FROM records WHERE position = 1",
        f"INSERT OR REPLACE INTO records (position, {NEEDED}) VALUES (1, '{{}}', 'x', 'x', 'x', '', -1, 0)",
        f"INSERT OR REPLACE INTO records ({NEEDED}) {SAME_NAME}",
        f"INSERT INTO records ({NEEDED}) {SAME_NAME} ON CONFLICT (id, hash) DO UPDATE SET record = '{{}}'",
    ],
)
def test_no_statement_changes_or_removes_a_record(raw: sqlite3.Connection, sql: str) -> None:
    before = _content(raw)
    with pytest.raises(sqlite3.DatabaseError, match=r"append-only|malformed JSON|NOT NULL"):
        raw.execute(sql)
    assert _content(raw) == before


OLD = {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": "a", "n": 1}
SIGNATURE = "B" * 85 + "A=="
FILLS = [
    # (what the record is made of first, what is changed, whether that completes it)
    ("ours", {}, {"private": ...}, False),
    ("ours", {}, {"private": {"salt": "00"}}, False),
    ("ours", {"private": ...}, {"private": {"salt": "00", "text": None, "note": "hush"}}, True),
    ("ours", {"private": ...}, {"private": "x"}, False),
    ("ours", {"private": ..., "private_hash": None}, {"private": {}}, False),
    ("ours", {}, {"sig": SIGNATURE}, True),
    ("ours", {"sig": SIGNATURE}, {"sig": ...}, False),
    ("ours", {"sig": SIGNATURE}, {"sig": None}, False),
    ("ours", {"sig": SIGNATURE}, {"sig": "A"}, False),
    ("ours", {"sig": SIGNATURE}, {"sig": "C" + SIGNATURE[1:]}, False),
    ("ours", {"sig": SIGNATURE}, {"sig": "A" + SIGNATURE[1:]}, True),
    ("ours", {"sig": "A"}, {"sig": SIGNATURE}, True),
    ("ours", {"sig": "A" * 85 + "B=="}, {"sig": SIGNATURE}, True),
    ("ours", {}, {"original": {}}, False),
    ("ours", {}, {"source": {"label": "x"}}, False),
    ("ours", {}, {"legacy_index": 3}, False),
    ("legacy", {}, {"original": ...}, False),
    ("legacy", {}, {"original": {}}, False),
    ("legacy", {}, {"original": {**OLD, "n": 2}}, False),
    ("legacy", {}, {"original": {**OLD, "n": 0}}, True),
    ("legacy", {}, {"original": {**OLD, "more": 2}}, True),
    ("legacy", {"original": ...}, {"original": OLD}, True),
    ("legacy", {"original": "ab"}, {"original": "a"}, False),
    ("legacy", {}, {"legacy_index": 6}, False),
    ("legacy", {}, {"legacy_index": 4}, True),
    ("legacy", {}, {"legacy_index": ...}, False),
    ("legacy", {}, {"legacy_index": "4"}, False),
    ("legacy", {}, {"source": {"label": "n", "format": "jsonl"}}, False),
    ("legacy", {}, {"source": {"label": "l", "format": "jsonl"}}, True),
    ("legacy", {}, {"source": {"label": "m", "format": "json"}}, True),
    ("legacy", {}, {"source": ...}, False),
    ("legacy", {}, {"source": "a"}, False),
    ("legacy", {}, {"private": {}}, False),
]


def _changed(record: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in {**record, **changes}.items() if value is not ...}


@pytest.mark.parametrize(("kind", "first", "changes", "allowed"), FILLS)
def test_exactly_what_copies_can_add_to_each_other_may_change(
    tmp_path: Path, kind: str, first: dict[str, Any], changes: dict[str, Any], allowed: bool
) -> None:
    record = foreign_record()
    if kind == "legacy":
        found = LegacyFile("m", "jsonl").normalise(OLD, 5)
        assert isinstance(found, dict)
        record = found
    record = _changed(record, first)
    new = row_of(_changed(record, changes))
    with open_log(tmp_path) as log:
        log.insert(record)
        sql = "UPDATE records SET record = ?, label = ?, legacy_index = ?"
        if allowed:
            log.database.run(sql, (new[0], new[5], new[6]))
            assert list(log.records()) == [json.loads(new[0])]
        else:
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                log.database.run(sql, (new[0], new[5], new[6]))
            assert list(log.records()) == [record]


@pytest.mark.parametrize("column", ["label = 'x'", "label = ''", "legacy_index = 3", "record = record || ' '"])
def test_columns_do_not_part_from_their_record(tmp_path: Path, column: str) -> None:
    found = LegacyFile("m", "jsonl").normalise(OLD, 5)
    assert isinstance(found, dict)
    with open_log(tmp_path) as log:
        log.insert(found)
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            log.database.run(f"UPDATE records SET {column}")


CHANGED = "CREATE TRIGGER records_are_never_deleted BEFORE DELETE ON records BEGIN SELECT 1; END"


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TRIGGER records_are_never_deleted",
        "DROP TRIGGER records_are_only_completed; DROP TRIGGER records_are_never_changed",
        f"DROP TRIGGER records_are_never_deleted; {CHANGED}",
    ],
)
def test_guards_that_were_removed_are_put_back(
    tmp_path: Path, raw: sqlite3.Connection, sql: str, expect_log: Callable[[str], None]
) -> None:
    triggers = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
    before = raw.execute(triggers).fetchall()
    raw.executescript(sql)
    expect_log("were missing or changed: records_are")
    with open_log(tmp_path):
        assert raw.execute(triggers).fetchall() == before


# --- migrations ---------------------------------------------------------------------------------------------------

SECOND = Step(
    2, "ALTER TABLE records ADD COLUMN colour TEXT;\nCREATE TABLE extra (x);\nINSERT INTO extra VALUES (7);\n"
)
HALF = Step(2, "CREATE TABLE extra (x);\nINSERT INTO extra VALUES (7);\nINSERT INTO nowhere VALUES (1);\n")


def _version(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    finally:
        connection.close()


def test_a_step_is_applied_once_with_a_copy_beside(tmp_path: Path) -> None:
    path = tmp_path / "votes.sqlite"
    with open_log(tmp_path) as log:
        record = log.append_vote(draft())
    for _ in range(2):
        with Database(path, steps=(*shipped_steps(), SECOND)) as database:
            assert database.rows("SELECT x FROM extra") == [(7,)]
            assert database.rows("SELECT record, colour FROM records") == [(canonical_text(record), None)]
    assert _version(path) == 2
    assert [found.name for found in tmp_path.glob("*backup*")] == ["votes.sqlite.v1.backup"]
    assert _version(tmp_path / "votes.sqlite.v1.backup") == 1
    with VoteLog(Database(tmp_path / "votes.sqlite.v1.backup"), here="x") as copy:
        assert list(copy.records()) == [record]


def test_a_step_that_fails_half_way_leaves_the_old_version(tmp_path: Path) -> None:
    path = tmp_path / "votes.sqlite"
    with open_log(tmp_path) as log:
        record = log.append_vote(draft())
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        Database(path, steps=(*shipped_steps(), HALF))
    assert _version(path) == 1
    with open_log(tmp_path) as log:
        assert list(log.records()) == [record]
        assert log.database.rows("SELECT name FROM sqlite_master WHERE name = 'extra'") == []


def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "votes.sqlite"
    Database(path, steps=(*shipped_steps(), SECOND)).close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"newer version .*schema 2; this one knows 1"):
        Database(path)
    assert path.read_bytes() == before


def test_the_shipped_steps_are_numbered_from_one() -> None:
    assert [step.version for step in shipped_steps()] == list(range(1, len(shipped_steps()) + 1))


def test_statements_keep_triggers_whole() -> None:
    sql = "CREATE TABLE t (x);\n-- why; because\nCREATE TRIGGER r BEFORE DELETE ON t\nBEGIN\n SELECT 1;\nEND;\nSELECT 2"
    assert [text.count("\n") for text in statements(sql)] == [1, 5, 0]


# --- odd files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to be one" * 40, os.urandom(5000), b"x"])
def test_a_file_that_is_no_database_is_refused_unchanged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "votes.sqlite"
    path.write_bytes(content)
    with pytest.raises(StoreError, match="no vote log"):
        Database(path)
    assert path.read_bytes() == content


def test_another_programs_database_is_refused_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "votes.sqlite"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE theirs (x)")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        Database(path)
    assert path.read_bytes() == before


def test_a_damaged_log_says_so(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        for _ in range(50):
            log.append_vote(draft())
    path = tmp_path / "votes.sqlite"
    data = bytearray(path.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(StoreError, match="damaged"), open_log(tmp_path) as log:
        list(log.records())


def test_a_cut_off_log_says_so(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        for _ in range(50):
            log.append_vote(draft())
    path = tmp_path / "votes.sqlite"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(StoreError, match="damaged"), open_log(tmp_path) as log:
        list(log.records())


def test_a_folder_in_place_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "votes.sqlite").mkdir()
    with pytest.raises(StoreError, match="can't be opened"):
        Database(tmp_path / "votes.sqlite")


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("x", encoding="utf-8")
    with pytest.raises(StoreError, match="can't be made"):
        Database(tmp_path / "data" / "votes.sqlite")


def test_the_folder_and_the_file_are_for_their_owner_alone(tmp_path: Path) -> None:
    with open_log(tmp_path / "new") as log:
        log.append_vote(draft())
        modes = {found.name: stat.S_IMODE(found.stat().st_mode) for found in (tmp_path / "new").iterdir()}
        assert os.name == "nt" or stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
        assert os.name == "nt" or set(modes.values()) == {0o600}, modes


def test_a_locked_log_is_waited_for_then_said(tmp_path: Path) -> None:
    with open_log(tmp_path) as holder, VoteLog(Database(tmp_path / "votes.sqlite", patience=0.05), here="x") as other:
        with holder.database.write(), pytest.raises(StoreError, match="locked for too long"):
            other.append_vote(draft())
        assert other.append_vote(draft())["seq"] == 1


def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        kept = [log.append_vote(draft())]
        pages = log.database.rows("PRAGMA page_count")[0][0]
        log.database.run(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(StoreError, match="disk is full"):
            kept.extend(log.append_vote(draft()) for _ in range(100))
        assert list(log.records()) == kept
        log.database.run("PRAGMA max_page_count = 100000")
        kept.append(log.append_vote(draft()))
        assert list(log.records()) == kept
        assert [record["seq"] for record in kept] == list(range(1, len(kept) + 1))


def test_a_bug_is_not_dressed_up(tmp_path: Path) -> None:
    with open_log(tmp_path) as log, pytest.raises(sqlite3.OperationalError, match="no such table"):
        log.database.rows("SELECT * FROM nonsense")


def test_votes_are_synced_to_the_disk(tmp_path: Path) -> None:
    with Database(tmp_path / "votes.sqlite") as database:
        assert database.rows("PRAGMA journal_mode") == [("wal",)]
        assert database.rows("PRAGMA synchronous") == [(2,)]
        assert database.rows("PRAGMA fullfsync") == [(1,)]
