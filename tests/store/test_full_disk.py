"""A full or refusing disk, missing rights, missing memory: never taken for damage, and the votes can still be read."""

import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.store import opening
from arena_desktop.store.backups import Backups
from arena_desktop.store.damage_sign import leave_sign, sign_of
from arena_desktop.store.database import Database
from arena_desktop.store.opening import examine, open_log
from arena_desktop.store.sql_errors import DamagedError, RefusedError, StoreError
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.damaged_logs import closed_log, crashed_log
from tests.helpers.small_disk import LimitedFiles, SmallDisk, small_disk
from tests.helpers.vote_logs import draft
from tests.helpers.voting_child import finish, start

VOTES = 30
ROOM = 20_000
"""Bytes: less than the index of a -wal."""
READING: list[tuple[str, ...]] = [
    ("leaderboard", "--arena", "english"),
    ("votes", "verify"),
    ("votes", "contributors"),
    ("listeners", "list"),
]
WRITING: list[tuple[str, ...]] = [("votes", "keys", "create"), ("votes", "retract", "0" * 36)]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no file size limits")


@pytest.fixture(params=[False, True], ids=["limit", "disk"])
def disk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "small", 3, mounted=request.param) as found:
        yield found


def _content(folder: Path) -> dict[str, bytes]:
    """What must not change: the database and the newest votes that wait beside it."""
    ahead = folder / "votes.sqlite-wal"
    waiting = {ahead.name: ahead.read_bytes()} if ahead.exists() and ahead.stat().st_size else {}
    return {"votes.sqlite": (folder / "votes.sqlite").read_bytes(), **waiting}


def _left(folder: Path) -> list[str]:
    return [found.name for found in folder.iterdir() if "damage" in found.name or "recover" in found.name]


@pytest.mark.parametrize("make", [closed_log, crashed_log])
def test_a_sound_log_on_a_full_disk_can_be_read_and_is_not_called_damaged(
    disk: SmallDisk, tmp_path: Path, make: Callable[[Path, int], list[dict[str, Any]]]
) -> None:
    records = make(disk.folder, VOTES)
    for name in ("cache", "logs"):
        (disk.folder / name).mkdir()
    (disk.folder / "votes.sqlite-shm").unlink(missing_ok=True)
    before = _content(disk.folder)
    with disk.full(0):
        for words in (*READING, *WRITING):
            done = _run(disk, *words)
            assert "damaged" not in done.stderr, done.stderr
            assert "Traceback" not in done.stderr
            assert "bug" not in done.stderr
            assert ("new ones can't be stored" in done.stderr) or words not in READING, done.stderr
            assert done.returncode == (0 if words in READING else 1), (words, done.stderr)
            assert _content(disk.folder) == before
            assert not _left(disk.folder)
        out = tmp_path / "out.jsonl"
        done = _run(disk, "votes", "export", "-o", str(out))
        assert "damaged" not in done.stderr, done.stderr
        assert done.returncode == isinstance(disk, LimitedFiles), done.stderr  # there no file may grow anywhere
        if not isinstance(disk, LimitedFiles):
            assert out.read_bytes().count(b"\n") == len(records) + 1
    with open_log(disk.folder / "votes.sqlite") as log:
        assert log.notes == ()
        assert list(log.records()) == records
        log.append_vote(draft())


def _run(disk: SmallDisk, *words: str) -> "subprocess.CompletedProcess[str]":
    """On the disk that is full already."""
    return disk.run(ROOM if isinstance(disk, LimitedFiles) else None, "--data-dir", str(disk.folder), *words)


def _broken(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("the machine won't")
    error.sqlite_errorcode = code
    error.sqlite_errorname = "?"
    return error


def _fails(error: Exception, follows: Exception | None) -> Callable[..., Any]:
    def fail(*arguments: object) -> None:
        try:
            raise error
        finally:
            if follows is not None:
                raise follows

    return fail


CODES = [
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PROTOCOL,
]  # fmt: skip
ERRORS = [*map(_broken, CODES), MemoryError()]


def _use(path: Path, records: list[dict[str, Any]]) -> StoreError:
    """Read the log as far as it can be, and write to it: what is said to that."""
    try:
        log = open_log(path)
    except StoreError as error:
        return error
    with log:
        assert "can't be stored" in log.notes[-1]
        assert list(log.records()) == records
        with pytest.raises(RefusedError) as said:
            log.append_vote(draft())
        return said.value


@pytest.mark.parametrize("error", ERRORS, ids=[str(code) for code in (*CODES, "memory")])
@pytest.mark.parametrize("follows", [None, _broken(sqlite3.SQLITE_ERROR)], ids=["alone", "followed"])
@pytest.mark.parametrize("sign", [False, True])
def test_what_the_machine_refuses_never_leads_to_a_recovery(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, follows: Exception | None, sign: bool
) -> None:
    records = closed_log(tmp_path, 3)
    path = tmp_path / "votes.sqlite"
    if sign:
        leave_sign(path)
    before = _content(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Database, "_prepare", _fails(error, follows))
        patch.setattr(opening, "recover", lambda *_: pytest.fail("a sound log was to be recovered"))
        said = _use(path, records)
    assert not isinstance(said, DamagedError)
    assert "damaged" not in said.message
    assert _content(tmp_path) == before
    assert not _left(tmp_path)


def test_a_closer_look_that_the_machine_refuses_finds_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed_log(tmp_path, 3)
    path = tmp_path / "votes.sqlite"
    leave_sign(path)
    monkeypatch.setattr(opening, "connect_reading", _fails(_broken(sqlite3.SQLITE_IOERR_READ), None))
    with pytest.raises(StoreError) as said:
        examine(path)
    assert not isinstance(said.value, DamagedError)
    with pytest.raises(StoreError):
        open_log(path)
    assert not [name for name in _left(tmp_path) if not name.endswith("-met")]
    assert sign_of(path).exists()  # nobody has looked yet


def test_others_go_on_writing_while_one_only_reads(tmp_path: Path) -> None:
    closed_log(tmp_path, 3)
    path = tmp_path / "votes.sqlite"
    with Database.reading(path, StoreError("full")) as database:
        reader = VoteLog(database)
        assert reader.count() == 3
        for count in (13, 23):
            ids, refused = finish(start(path, 10))  # the last to close it moves its votes from the -wal into the file
            assert not refused
            assert reader.count() == count == len(list(reader.records()))
            assert [record["id"] for record in reader.records()][-10:] == ids


class _FailingCheck(sqlite3.Connection):
    def execute(self, sql: str, *rest: Any) -> sqlite3.Cursor:
        if "integrity_check" in sql:
            raise _broken(sqlite3.SQLITE_IOERR_READ)
        return super().execute(sql, *rest)


def test_a_copy_that_can_not_be_checked_says_nothing_about_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed_log(tmp_path, 3)
    with VoteLog.open(tmp_path / "votes.sqlite"), monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=_FailingCheck))
        with pytest.raises(StoreError, match="No copy of the vote log") as said:
            Backups(tmp_path / "votes.sqlite", tmp_path / "backups").take()
    assert not isinstance(said.value, DamagedError)
    assert not _left(tmp_path)
