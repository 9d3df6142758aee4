"""Copies of the log: taken beside its use, checked before they count, rotated, and fit to be put back by hand."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena_desktop.services.exchange import verify_log
from arena_desktop.store import backup_files
from arena_desktop.store.backup_files import list_backups, named_backups, superfluous
from arena_desktop.store.backup_thread import BackupThread
from arena_desktop.store.backups import Backups, Stopped, other_copies
from arena_desktop.store.damage_sign import sign_of
from arena_desktop.store.opening import open_log
from arena_desktop.store.sql_errors import DamagedError, StoreError
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.damaged_logs import PAGE, change, closed_log, leaf_pages
from tests.helpers.vote_logs import draft

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


class Days:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def days() -> Days:
    return Days()


def _path(folder: Path) -> Path:
    return folder / "votes.sqlite"


def _backups(folder: Path, clock: Callable[[], datetime] | None = None) -> Backups:
    return Backups(_path(folder), folder / "backups", clock=clock or (lambda: datetime.now(UTC)))


def test_a_copy_is_a_whole_log_in_one_file_for_its_owner_alone(tmp_path: Path) -> None:
    records = closed_log(tmp_path, 30)
    copy = _backups(tmp_path).take()
    assert copy is not None
    assert [found.name for found in (tmp_path / "backups").iterdir() if found.name != ".lock"] == [copy.name]
    if os.name != "nt":
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700
    (found,) = list_backups(tmp_path / "backups")
    assert (found.last_position, found.end) == (30, (records[0]["station_id"], 30))
    with VoteLog.open(copy) as log:
        assert list(log.records()) == records


def test_votes_go_on_while_a_copy_is_taken(tmp_path: Path) -> None:
    records = closed_log(tmp_path, 400)
    steps = 0
    with VoteLog.open(_path(tmp_path)) as log:

        def vote(seconds: float) -> bool:
            nonlocal steps
            steps += 1
            records.append(log.append_vote(draft()))
            return True

        copy = _backups(tmp_path).take(vote)
        assert steps > 2
        assert list(log.records()) == records
    assert copy is not None
    with VoteLog.open(copy) as held:
        assert list(held.records()) == records[:400]  # one moment, and not begun anew at every vote


def test_a_copy_is_due_when_the_log_changed_and_once_a_day(tmp_path: Path, days: Days) -> None:
    backups = _backups(tmp_path, days)
    assert not backups.due()  # no log
    with VoteLog.open(_path(tmp_path)) as log:
        assert not backups.due()  # nothing in it
        log.append_vote(draft())
        assert backups.due()
        copy = backups.take()
        assert copy is not None
        os.utime(_path(tmp_path), (NOON.timestamp() - 1, NOON.timestamp() - 1))
        days.now += timedelta(days=2)
        assert not backups.due()  # nothing new
        log.append_vote(draft())
        assert backups.due()
        days.now = NOON + timedelta(hours=3)
        assert not backups.due()  # too soon
        days.now = NOON - timedelta(days=3)
        assert backups.due()  # the clock had been ahead


def test_the_last_three_and_one_a_week_for_a_month_are_kept(tmp_path: Path, days: Days) -> None:
    backups = _backups(tmp_path, days)
    with VoteLog.open(_path(tmp_path)) as log:
        for day in range(60):
            days.now = NOON + timedelta(days=day)
            log.append_vote(draft())
            backups.take()
    ages = [(days.now - at).days for _, at, _ in named_backups(tmp_path / "backups")]
    assert ages[:3] == [0, 1, 2]
    assert len(ages) <= 7
    weeks = [(days.now - timedelta(days=age)).isocalendar()[:2] for age in ages[3:]]
    assert len(set(weeks)) == len(weeks) >= 3
    assert 14 <= max(ages) <= 28


def test_copies_have_a_bounded_room_but_for_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    copies = [(Path(f"{n}"), NOON - timedelta(days=n), 400) for n in range(3)]
    monkeypatch.setattr(backup_files, "MOST_BYTES", 1000)
    assert superfluous(copies) == [Path("2")]
    monkeypatch.setattr(backup_files, "MOST_BYTES", 10)
    assert superfluous(copies) == [Path("1"), Path("2")]


def test_a_damaged_log_pushes_out_no_copy(tmp_path: Path) -> None:
    closed_log(tmp_path, 60)
    copy = _backups(tmp_path).take()
    leaves = leaf_pages(_path(tmp_path).read_bytes())
    change(_path(tmp_path), leaves[len(leaves) // 2], bytes(PAGE))
    with pytest.raises(DamagedError, match="start it again"):
        Backups(_path(tmp_path), tmp_path / "backups", clock=lambda: datetime.now(UTC) + timedelta(days=1)).take()
    assert [path for path, _, _ in named_backups(tmp_path / "backups")] == [copy]
    assert sign_of(_path(tmp_path)).exists()
    with open_log(_path(tmp_path), backups=tmp_path / "backups") as log:
        assert "No record is known to be lost" in log.notes[0]
        assert log.count() == 60


def test_a_copy_that_is_given_up_leaves_nothing(tmp_path: Path) -> None:
    closed_log(tmp_path, 100)
    with pytest.raises(Stopped):
        _backups(tmp_path).take(lambda seconds: False)
    assert [found.name for found in (tmp_path / "backups").iterdir()] == [".lock"]


def test_what_a_crash_left_half_written_is_removed(tmp_path: Path) -> None:
    closed_log(tmp_path, 5)
    (tmp_path / "backups").mkdir()
    for name in (".votes-20260101T000000Z.sqlite.partial", ".votes-20260101T000000Z.sqlite.partial-journal"):
        (tmp_path / "backups" / name).write_bytes(b"half")
    copy = _backups(tmp_path).take()
    assert copy is not None
    assert {found.name for found in (tmp_path / "backups").iterdir()} == {".lock", copy.name}


def test_two_programs_do_not_copy_at_once(tmp_path: Path) -> None:
    closed_log(tmp_path, 100)
    inner: list[Path | None] = []

    def other(seconds: float) -> bool:
        if not inner:
            inner.append(_backups(tmp_path).take())
        return True

    assert _backups(tmp_path).take(other) is not None
    assert inner == [None]


FULL = """
import resource, sys
from pathlib import Path
from arena_desktop.errors import ArenaError
from arena_desktop.store.backups import Backups
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
try:
    Backups(Path(sys.argv[1]) / "votes.sqlite", Path(sys.argv[1]) / "backups").take()
except ArenaError as error:
    print(error)
"""


@pytest.mark.skipif(os.name == "nt", reason="no file size limits")
def test_a_full_disk_is_said_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    closed_log(tmp_path, 100)
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, check=True, cwd=root
    )
    assert "No copy of the vote log could be made" in done.stdout
    assert "Votes are stored all the same" in done.stdout
    assert [found.name for found in (tmp_path / "backups").iterdir()] == [".lock"]


def test_a_disk_with_too_little_room_is_not_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed_log(tmp_path, 5)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: type("Usage", (), {"free": 7_000_000}))
    with pytest.raises(StoreError, match="7 MB free"):
        _backups(tmp_path).take()


# --- put back by hand ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("with_mark", [True, False])
@pytest.mark.parametrize("votes_after", [0, 2])
def test_a_copy_put_back_goes_on_under_a_new_station(tmp_path: Path, with_mark: bool, votes_after: int) -> None:
    records = closed_log(tmp_path, 5)
    copy = _backups(tmp_path).take()
    assert copy is not None
    if votes_after:
        closed_log(tmp_path, votes_after)
    if not with_mark:
        (tmp_path / "votes.sqlite.mark").unlink()
    shutil.copy(copy, _path(tmp_path))
    with open_log(_path(tmp_path)) as log:
        assert list(log.records()) == records
        told = [note for note in log.notes if "an older copy was put in its place" in note]
        assert bool(told) == (with_mark and votes_after > 0)
        vote = log.append_vote(draft())
        assert (vote["seq"], vote["station_id"] == records[0]["station_id"]) == (1, False)
        assert verify_log(log).ok
    with open_log(_path(tmp_path)) as log:
        assert log.append_vote(draft())["station_id"] == vote["station_id"]


# --- what must be forgotten ----------------------------------------------------------------------------------------


def test_after_a_forgetting_no_copy_holds_what_was_forgotten(tmp_path: Path, days: Days) -> None:
    closed_log(tmp_path, 20)
    backups = _backups(tmp_path, days)
    first = backups.take()
    days.now += timedelta(days=1)
    with VoteLog.open(_path(tmp_path)) as log:
        log.append_vote(draft(private={"note": "the neighbour's dog"}))
        second = backups.take()
        assert second is not None
        assert b"neighbour" in second.read_bytes()
        triggers = log.database.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        for name, _ in triggers:
            log.database.run(f"DROP TRIGGER {name}")
        log.database.run("UPDATE records SET record = json_remove(record, '$.private')")
        for _, sql in triggers:
            log.database.run(sql)
        days.now += timedelta(days=1)
        assert backups.replace_all() == [second, first]
        (kept,) = named_backups(tmp_path / "backups")
        assert b"neighbour" not in kept[0].read_bytes()


def test_other_copies_beside_the_log_are_named(tmp_path: Path) -> None:
    for name in ("votes.sqlite.damaged-1", "votes.sqlite.damaged-1.txt", "votes.sqlite.v1.backup", "votes.sqlite.mark"):
        (tmp_path / name).touch()
    assert [found.name for found in other_copies(_path(tmp_path))] == [
        "votes.sqlite.damaged-1",
        "votes.sqlite.v1.backup",
    ]


# --- on its own thread -----------------------------------------------------------------------------------------------


def test_a_short_log_is_copied_before_the_program_ends(tmp_path: Path) -> None:
    closed_log(tmp_path, 20)
    said: list[str] = []
    BackupThread(_backups(tmp_path), said.append, delay=3600).close()
    assert len(named_backups(tmp_path / "backups")) == 1
    BackupThread(_backups(tmp_path), said.append).close()
    assert len(named_backups(tmp_path / "backups")) == 1
    assert said == []


def test_a_copy_that_takes_too_long_at_the_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed_log(tmp_path, 20)
    monkeypatch.setattr("arena_desktop.store.backup_thread._AT_THE_END_S", 0.0)
    begun, go_on = threading.Event(), threading.Event()
    backups = _backups(tmp_path)
    refuse = backups._refuse_full_disk

    def slow() -> None:
        begun.set()
        go_on.wait(20)
        refuse()

    monkeypatch.setattr(backups, "_refuse_full_disk", slow)
    thread = BackupThread(backups, lambda note: None)
    begun.wait(20)
    stop = thread._stop.set

    def stop_and_let_go() -> None:
        stop()
        go_on.set()

    monkeypatch.setattr(thread._stop, "set", stop_and_let_go)
    thread.close()
    assert [found.name for found in (tmp_path / "backups").iterdir()] == [".lock"]


def test_no_copy_is_a_note_not_a_failure(tmp_path: Path) -> None:
    closed_log(tmp_path, 20)
    (tmp_path / "backups").write_text("in the way", encoding="utf-8")
    said: list[str] = []
    BackupThread(_backups(tmp_path), said.append).close()
    assert len(said) == 1
    assert "No copy of the vote log could be made" in said[0]


def test_the_newest_state_is_what_is_copied_from_the_wal_too(tmp_path: Path) -> None:
    with VoteLog.open(_path(tmp_path)) as log:
        log.append_vote(draft())
        assert (tmp_path / "votes.sqlite-wal").stat().st_size > 0
        copy = _backups(tmp_path).take()
        assert copy is not None
        with sqlite3.connect(copy) as connection:
            assert connection.execute("SELECT count(*) FROM records").fetchone() == (1,)
        connection.close()
