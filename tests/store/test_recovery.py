"""A damaged log: what is readable is recovered, the rest comes from a backup, and the user is told exactly what."""

import os
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.services.exchange import verify_log
from arena_desktop.store.backups import Backups
from arena_desktop.store.damage_sign import leave_sign, sign_of
from arena_desktop.store.opening import OpenedLog, open_log
from arena_desktop.store.sql_errors import DamagedError, StoreError
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.damaged_logs import PAGE, change, closed_log, crashed_log, leaf_pages, set_aside
from tests.helpers.vote_logs import draft, foreign_record

VOTES = 60


def _path(folder: Path) -> Path:
    return folder / "votes.sqlite"


def _hashes(log: VoteLog) -> list[str]:
    return [record["hash"] for record in log.records()]


def _lost(note: str) -> set[int]:
    """The numbers that a note names as lost."""
    found = re.search(r"missing \(station \S+: seq ([\d–, ]+)\)", note)
    runs = found[1].split(", ") if found else []
    return {n for run in runs for n in range(int(run.split("–")[0]), int(run.split("–")[-1]) + 1)}


def _cut_in_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _zero_a_page(path: Path) -> None:
    leaves = leaf_pages(path.read_bytes())
    change(path, leaves[len(leaves) // 2], bytes(PAGE))


def _zero_a_sector(path: Path) -> None:
    leaves = leaf_pages(path.read_bytes())
    change(path, leaves[len(leaves) // 2], bytes(512))


def _shift_a_page(path: Path) -> None:
    leaves = leaf_pages(path.read_bytes())
    data = path.read_bytes()
    change(path, leaves[4], data[leaves[4] + 1 : leaves[4] + PAGE])


def _no_header(path: Path) -> None:
    change(path, 0, bytes(100))


def _other_page_size(path: Path) -> None:
    change(path, 16, b"\x20\x00")


def _no_first_page(path: Path) -> None:
    change(path, 0, os.urandom(PAGE))


def _no_schema(path: Path) -> None:
    change(path, 100, bytes(PAGE - 100))


def _another_programs_mark(path: Path) -> None:
    change(path, 68, b"XXXX")


def _noise_in_every_fourth_page(path: Path) -> None:
    for place in range(PAGE, path.stat().st_size, 4 * PAGE):
        change(path, place, os.urandom(PAGE))


DAMAGES = [
    _cut_in_half, _zero_a_page, _zero_a_sector, _shift_a_page, _no_header, _other_page_size, _no_first_page, _no_schema,
    _another_programs_mark, _noise_in_every_fourth_page,
]  # fmt: skip


def _open_twice(path: Path, backups: Path | None = None) -> OpenedLog:
    """Open the log as a user does who is told to start again: damage in the middle shows only when it is read."""
    try:
        log = open_log(path, backups=backups)
        list(log.records())
        verify_log(log)
    except DamagedError:
        log.close()
        log = open_log(path, backups=backups)
    return log


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_readable_is_recovered_and_what_is_not_is_named(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    records = closed_log(tmp_path, VOTES)
    damage(_path(tmp_path))
    broken = _path(tmp_path).read_bytes()
    leave_sign(_path(tmp_path))
    with open_log(_path(tmp_path)) as log:
        (note,) = log.notes
        here = _hashes(log)
        lost = _lost(note)
        assert set(here) == {record["hash"] for record in records if record["seq"] not in lost}
        assert f"{len(here)} records were recovered into a new one ({len(here)} from the file itself)" in note
        assert ("No record is known to be lost" in note) == (not lost)
        assert len(here) > VOTES // 4
        vote = log.append_vote(draft())
        assert (vote["seq"], vote["station_id"] == records[0]["station_id"]) == (1, False)
    (aside,) = set_aside(tmp_path)
    assert aside.read_bytes() == broken
    assert log.damaged_file == aside
    assert str(aside) in note
    assert not sign_of(_path(tmp_path)).exists()
    report = aside.with_name(f"{aside.name}.txt").read_text("utf-8")
    assert f"{len(here)} records were recovered" in report
    assert "What SQLite says:" in report
    assert "full report" not in report
    for raw in ("***", "btree", "Tree", "malformed", "database"):  # SQLite's words are for the report
        assert raw not in note.replace(str(tmp_path), "")
    with open_log(_path(tmp_path)) as again:
        assert again.notes == ()
        assert again.damaged_file is None
        assert again.count() == len(here) + 1


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_backup_gives_back_what_the_file_no_longer_does(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    records = closed_log(tmp_path, VOTES)
    backups = tmp_path / "backups"
    copy = Backups(_path(tmp_path), backups).take()
    assert copy is not None
    damage(_path(tmp_path))
    leave_sign(_path(tmp_path))
    with open_log(_path(tmp_path), backups=backups) as log:
        (note,) = log.notes
        assert _hashes(log) == [record["hash"] for record in records]
        assert "No record is known to be lost" in note
        numbers = re.search(rf"\((\d+) from the file itself(?:, (\d+) from the backup {copy.name})?\)", note)
        assert numbers is not None, note
        assert int(numbers[1]) + int(numbers[2] or 0) == VOTES
        assert verify_log(log).ok


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found_without_a_hint(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    records = closed_log(tmp_path, VOTES)
    copy = Backups(_path(tmp_path), tmp_path / "backups").take()
    assert copy is not None
    damage(_path(tmp_path))
    with _open_twice(_path(tmp_path), tmp_path / "backups") as log:
        assert _hashes(log) == [record["hash"] for record in records]
        assert len(set_aside(tmp_path)) == 1


def test_a_flipped_byte_in_a_record_costs_that_record_alone(tmp_path: Path) -> None:
    records = closed_log(tmp_path, VOTES)
    place = _path(tmp_path).read_bytes().index(records[20]["id"].encode())
    change(_path(tmp_path), place - 2, b"\x00")  # the quotation mark before the id: no JSON any more
    with pytest.raises(DamagedError, match="start it again"), open_log(_path(tmp_path)) as log:
        list(log.records())
    with open_log(_path(tmp_path)) as log:
        (note,) = log.notes
        assert "1 record is not what its hash says" in note
        assert f"{VOTES - 1} records were recovered" in note
        assert _lost(note) == {records[20]["seq"]}


def test_a_record_whose_text_was_altered_is_found_when_asked_for(tmp_path: Path) -> None:
    records = closed_log(tmp_path, VOTES)
    Backups(_path(tmp_path), tmp_path / "backups").take()
    data = _path(tmp_path).read_bytes()
    place = data.index(b'"vote":"a"', data.index(records[20]["id"].encode()))
    change(_path(tmp_path), place, b'"vote":"b"')
    with open_log(_path(tmp_path)) as log:
        assert len(_hashes(log)) == VOTES
        assert not verify_log(log).ok
    leave_sign(_path(tmp_path))
    with open_log(_path(tmp_path), backups=tmp_path / "backups") as log:
        assert list(log.records()) == records
        assert f"{VOTES - 1} from the file itself, 1 from the backup" in log.notes[0]


def test_damage_in_an_index_costs_nothing(tmp_path: Path) -> None:
    records = closed_log(tmp_path, VOTES)
    data = _path(tmp_path).read_bytes()
    for place in range(PAGE, len(data), PAGE):
        if data[place] == 0x0A and records[5]["id"].encode() in data[place : place + PAGE]:
            change(_path(tmp_path), place + 3, b"\xff\xff")
    with _open_twice(_path(tmp_path)) as log:
        assert "No record is known to be lost" in log.notes[0]
        assert list(log.records()) == records


@pytest.mark.parametrize("place", [10, 32 + 24 + 900, 32 + 10 * (24 + PAGE) + 24 + 500, 32 + 10 * (24 + PAGE) + 17])
def test_a_damaged_wal_is_not_dropped_from_the_damage_on(tmp_path: Path, place: int) -> None:
    records = crashed_log(tmp_path, 20)
    wal = tmp_path / "votes.sqlite-wal"
    data = wal.read_bytes()
    change(wal, place, bytes([data[place] ^ 0xFF]))
    broken = (_path(tmp_path).read_bytes(), wal.read_bytes())
    with open_log(_path(tmp_path)) as log:
        (note,) = log.notes
        assert "its -wal, where the newest votes wait, was damaged" in note
        lost = _lost(note)
        assert len(lost) <= 1
        assert set(_hashes(log)) == {record["hash"] for record in records if record["seq"] not in lost}
        assert re.search(r"20 from the file itself, (19|20) from its -wal", note), note
    aside, aside_wal = (found for found in set_aside(tmp_path) if not found.name.endswith("-shm"))
    assert (aside.read_bytes(), aside_wal.read_bytes()) == broken


def test_a_torn_end_of_the_wal_is_what_a_power_cut_leaves(tmp_path: Path) -> None:
    records = crashed_log(tmp_path, 20)
    wal = tmp_path / "votes.sqlite-wal"
    os.truncate(wal, wal.stat().st_size - 100)
    with open_log(_path(tmp_path)) as log:
        assert [record["seq"] for record in log.records()] == list(range(1, 40))
        (note,) = log.notes  # the vote was confirmed, so somebody must hear of it
        assert f"station {records[0]['station_id']} had come to seq 40, and seq 39 is the last here" in note
    assert not set_aside(tmp_path)


def test_a_whole_wal_is_taken_in_without_a_word(tmp_path: Path) -> None:
    records = crashed_log(tmp_path, 20)
    with open_log(_path(tmp_path)) as log:
        assert (log.notes, list(log.records())) == ((), records)


def test_a_missing_wal_is_told(tmp_path: Path) -> None:
    crashed_log(tmp_path, 20)
    (tmp_path / "votes.sqlite-wal").unlink()
    with open_log(_path(tmp_path)) as log:
        (note,) = log.notes
        assert "had come to seq 40, and seq 20 is the last here" in note
        assert log.append_vote(draft())["seq"] == 1
    with open_log(_path(tmp_path)) as log:
        assert log.notes == ()


def test_a_wal_alone_is_recovered(tmp_path: Path) -> None:
    records = crashed_log(tmp_path, 20)
    _path(tmp_path).unlink()
    with open_log(_path(tmp_path)) as log:
        assert "20 from its -wal" in log.notes[0]
        assert _lost(log.notes[0]) == set(range(1, 21))
        assert list(log.records()) == records[20:]


@pytest.mark.parametrize("content", [b"", os.urandom(8 * PAGE), b"x" * 100])
def test_a_file_of_which_nothing_is_left_comes_back_from_the_backup(tmp_path: Path, content: bytes) -> None:
    records = closed_log(tmp_path, VOTES)
    Backups(_path(tmp_path), tmp_path / "backups").take()
    later = closed_log(tmp_path, 2)
    _path(tmp_path).write_bytes(content)
    with open_log(_path(tmp_path), backups=tmp_path / "backups") as log:
        assert list(log.records()) == records
        assert _lost(log.notes[0]) == {record["seq"] for record in later}
    (aside,) = set_aside(tmp_path)
    assert aside.read_bytes() == content


def test_records_without_a_station_are_recovered_and_counted(tmp_path: Path) -> None:
    with VoteLog.open(_path(tmp_path)) as log:
        for number in range(40):
            log.append_vote(draft())
            log.insert(foreign_record(id=f"01900000-0000-7000-8000-{number:012d}", seq=2 * number + 1))
    _zero_a_page(_path(tmp_path))
    with _open_twice(_path(tmp_path)) as log:
        count = int(re.search(r"([\d]+) records? (?:is|are) missing", log.notes[0])[1])  # type: ignore[index]
        assert log.count() + count == 80
        # The holes of the other station were there before.
        report = log.damaged_file.with_name(f"{log.damaged_file.name}.txt").read_text("utf-8")  # type: ignore[union-attr]
        assert "nothing tells whether they ever were: seq 2, 4, " in report


def test_of_a_forgotten_listener_nothing_private_comes_back(tmp_path: Path) -> None:
    records = closed_log(tmp_path, VOTES)
    _zero_a_page(_path(tmp_path))
    leave_sign(_path(tmp_path))
    with open_log(_path(tmp_path), forgotten=lambda: {records[0]["listener"]}) as log:
        assert log.count() > VOTES // 2
        assert not any("private" in record for record in log.records())


# --- files that are none of ours, or not to be touched ------------------------------------------------------------


def _newer(path: Path) -> None:
    closed_log(path.parent, 3)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def _anothers(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (_newer, "newer version"),
        (_anothers, "another program"),
        (lambda path: path.write_bytes(b"some text that is no database" * 500), "no vote log"),
        (lambda path: path.write_bytes(b"x"), "no vote log"),
        (lambda path: path.mkdir(), "can't be opened"),
    ],
)
def test_what_is_no_damaged_log_is_refused_and_left_alone(
    tmp_path: Path, make: Callable[[Path], Any], words: str
) -> None:
    make(_path(tmp_path))
    before = _path(tmp_path).read_bytes() if _path(tmp_path).is_file() else None
    for _ in range(2):
        with pytest.raises(StoreError, match=words):
            open_log(_path(tmp_path))
    assert before is None or _path(tmp_path).read_bytes() == before
    assert not set_aside(tmp_path)


def test_an_empty_file_is_a_new_log(tmp_path: Path) -> None:
    _path(tmp_path).touch()
    with open_log(_path(tmp_path)) as log:
        assert (log.notes, log.count()) == ((), 0)


def test_a_missing_log_is_told_where_copies_are(tmp_path: Path) -> None:
    closed_log(tmp_path, 3)
    copy = Backups(_path(tmp_path), tmp_path / "backups").take()
    _path(tmp_path).unlink()
    with open_log(_path(tmp_path), backups=tmp_path / "backups") as log:
        assert log.count() == 0
        assert str(copy) in log.notes[0]


def test_a_sign_without_damage_is_taken_away(tmp_path: Path) -> None:
    closed_log(tmp_path, 3)
    leave_sign(_path(tmp_path))
    with open_log(_path(tmp_path)) as log:
        assert "every record is whole" in log.notes[0]
        assert log.count() == 3
    with open_log(_path(tmp_path)) as log:
        assert log.notes == ()


def test_lost_guards_are_put_back_and_told(tmp_path: Path, expect_log: Callable[[str], None]) -> None:
    closed_log(tmp_path, 3)
    with sqlite3.connect(_path(tmp_path)) as connection:
        connection.execute("DROP TRIGGER records_are_never_deleted")
    connection.close()
    expect_log("were missing or changed")
    with open_log(_path(tmp_path)) as log:
        assert "Guards" in log.notes[0]


def test_a_gap_in_a_chain_from_elsewhere_that_the_damage_made_is_told_whole(tmp_path: Path) -> None:
    with VoteLog.open(_path(tmp_path)) as log:
        for number in range(80):
            log.insert(foreign_record(id=f"01900000-0000-7000-8000-{number:012d}", seq=number + 1))
    data = _path(tmp_path).read_bytes()
    indexes = [place for place in range(PAGE, len(data), PAGE) if data[place] == 0x0A]
    leaves = leaf_pages(data)
    for page in [*indexes, *leaves[len(leaves) // 2 : len(leaves) // 2 + 2]]:
        change(_path(tmp_path), page, bytes(PAGE))
    with _open_twice(_path(tmp_path)) as log:
        gone = set(range(1, 81)) - {record["seq"] for record in log.records()}
        assert gone
        assert _lost(log.notes[0]) == gone
        assert f"{len(gone)} records are missing" in log.notes[0]
