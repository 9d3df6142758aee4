"""A folder that several machines share: what goes in, what comes out, and what may go wrong with it."""

import contextlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from arena_desktop.domain.canonical import canonical, read_json
from arena_desktop.domain.records import private_matches
from arena_desktop.services.cancelling import Cancelled
from arena_desktop.services.exchange import import_votes
from arena_desktop.services.sync import SyncReport, sync_folder
from arena_desktop.store.sync_folder import SyncFolder
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.program import command
from tests.helpers.vote_logs import ROSTER, draft, foreign_record, hashes, open_log, write_lines

OLD = {"model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": "a", "arena": "english"}


def sync(log: VoteLog, folder: Path, **options: object) -> SyncReport:
    return sync_folder(log, folder, roster=ROSTER, **options)  # type: ignore[arg-type]


def segments(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*.jsonl"))


def lines(folder: Path) -> list[bytes]:
    return [line for path in segments(folder) for line in path.read_bytes().splitlines()]


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    folder = tmp_path / "shared"
    folder.mkdir()
    return folder


def test_two_machines_have_each_others_votes(tmp_path: Path, shared: Path) -> None:
    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b:
        vote = a.append_vote(draft())
        b.append_vote(draft(vote="b", listener="l-bbbbbbbbbbbbbbbb"))
        a.append_retraction(vote["id"], vote["listener"], "mistake")
        assert sync(a, shared).exported == 2
        report = sync(b, shared)
        assert (report.imported.new, report.exported, report.stations) == (2, 1, [a.station_id()])
        assert sync(a, shared).imported.new == 1
        assert a.log_hash() == b.log_hash()
        for log in (a, b):
            again = sync(log, shared)
            assert (again.exported, again.imported.new, again.imported.already, again.problems) == (0, 0, 0, [])


def test_a_segment_is_what_the_format_says(tmp_path: Path, shared: Path) -> None:
    with open_log(tmp_path / "a") as log:
        votes = [log.append_vote(draft()) for _ in range(3)]
        legacy = write_lines(tmp_path / "old.json", [OLD])
        import_votes(log, [legacy], roster=ROSTER)
        sync(log, shared)
        (path,) = segments(shared)
        assert path == shared / str(log.station_id()) / "000000000001.jsonl"
        found = [read_json(line) for line in path.read_bytes().splitlines()]
        stored = [{key: value for key, value in vote.items() if key != "private"} for vote in votes]
        assert found[:3] == stored
        assert (found[3]["source"], found[3]["original"]) == ({"label": "", "format": "jsonl"}, OLD)
        assert path.read_bytes() == b"".join(canonical(record) + b"\n" for record in found)


def test_an_open_segment_grows_and_a_full_one_is_closed(
    tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena_desktop.services.sync_out.SEGMENT_BYTES", 4000)
    with open_log(tmp_path / "a") as log, open_log(tmp_path / "b") as other:
        for _ in range(7):
            log.append_vote(draft())
            sync(log, shared)
        numbers = [int(path.name[:12]) for path in segments(shared)]
        counts = [len(path.read_bytes().splitlines()) for path in segments(shared)]
        assert len(numbers) > 2
        assert numbers == [1 + sum(counts[:place]) for place in range(len(counts))]
        assert all(path.stat().st_size <= 4000 for path in segments(shared))
        sync(other, shared)
        assert other.log_hash() == log.log_hash()


def test_what_came_from_the_folder_is_not_sent_back_but_goes_on_to_another(tmp_path: Path, shared: Path) -> None:
    second = tmp_path / "second"
    second.mkdir()
    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b, open_log(tmp_path / "c") as c:
        a.append_vote(draft())
        sync(a, shared)
        assert sync(b, shared).exported == 0
        assert sync(b, second).exported == 1
        c.append_vote(draft())
        sync(c, second)
        sync(b, second)
        assert sync(b, shared).exported == 1
        sync(a, shared)
        assert a.log_hash() == b.log_hash() == c.log_hash()


def test_what_was_imported_from_a_file_is_sent(tmp_path: Path, shared: Path) -> None:
    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b:
        import_votes(a, [write_lines(tmp_path / "f.jsonl", [foreign_record()])], roster=ROSTER)
        assert sync(a, shared).exported == 1
        assert [path.parent.name for path in segments(shared)] == [a.station_id()]
        sync(b, shared)
        assert a.log_hash() == b.log_hash()


def test_a_legacy_record_that_was_completed_reaches_the_others(tmp_path: Path, shared: Path) -> None:
    old = OLD
    filler = [{**old, "vote": "b"}]
    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b:
        import_votes(a, [write_lines(tmp_path / "late.json", [*filler, old])], roster=ROSTER)
        sync(a, shared)
        sync(b, shared)
        import_votes(a, [write_lines(tmp_path / "early.json", [old])], roster=ROSTER)
        sync(a, shared)
        sync(b, shared)
        assert list(a.texts())
        assert [text for _, text in a.texts()] == [text for _, text in b.texts()]


def test_private_parts_stay_here_unless_they_are_asked_for(tmp_path: Path, shared: Path) -> None:
    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b:
        a.append_vote(draft(private={"note": "hush"}))
        sync(a, shared)
        assert not any(b"hush" in line for line in lines(shared))
        sync(b, shared)
        assert "private" not in next(b.records())
        sync(a, shared, private=True)
        sync(b, shared)
        assert private_matches(next(b.records()))
        assert sync(a, shared, private=True).exported == 0


def test_private_parts_go_when_they_are_no_longer_shared(tmp_path: Path, shared: Path) -> None:
    with open_log(tmp_path / "a") as a:
        a.append_vote(draft(private={"note": "hush"}))
        sync(a, shared, private=True)
        assert any(b"hush" in line for line in lines(shared))
        report = sync(a, shared)
        assert not any(b"hush" in line for line in lines(shared))
        assert report.notes
        assert report.exported == 0
        assert sync(a, shared).notes == []


def test_nothing_private_of_a_forgotten_listener_is_left_in_own_segments(tmp_path: Path, shared: Path) -> None:
    with open_log(tmp_path / "a") as a:
        a.append_vote(draft(private={"note": "hush"}))
        a.append_vote(draft(listener="l-bbbbbbbbbbbbbbbb", private={"note": "said aloud"}))
        sync(a, shared, private=True)
        sync(a, shared, private=True, forgotten=["l-aaaaaaaaaaaaaaaa"])
        assert not any(b"hush" in line for line in lines(shared))
        assert any(b"said aloud" in line for line in lines(shared))
        with open_log(tmp_path / "b") as b:
            sync(b, shared, forgotten=["l-bbbbbbbbbbbbbbbb"])
            assert not any("private" in record for record in b.records())


def test_a_half_copied_segment_is_read_as_far_as_it_goes(tmp_path: Path, shared: Path) -> None:
    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b:
        for _ in range(3):
            a.append_vote(draft())
        sync(a, shared)
        (path,) = segments(shared)
        whole = path.read_bytes()
        path.write_bytes(whole[:-10])
        report = sync(b, shared)
        assert report.imported.new == 2
        assert [problem.reason for problem in report.problems] == [
            "its last line is cut off: the lines before it are used, the rest once it is whole"
        ]
        assert sync(b, shared).problems == report.problems
        path.write_bytes(whole)
        report = sync(b, shared)
        assert (report.imported.new, report.imported.already, report.problems) == (1, 0, [])
        assert a.log_hash() == b.log_hash()


@pytest.mark.parametrize(
    "name",
    [
        "000000000001 (Anna's conflicted copy 2026-03-01).jsonl",
        "000000000001.sync-conflict-20260301-101112-ABCDEFG.jsonl",
        "000000000001-DESKTOP-1234.jsonl",
        "000000000001 (1).jsonl",
    ],
)
def test_a_conflicted_copy_is_read_reported_and_left(tmp_path: Path, shared: Path, name: str) -> None:
    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b:
        a.append_vote(draft())
        sync(a, shared)
        (path,) = segments(shared)
        path.rename(path.with_name(name))
        report = sync(b, shared)
        assert report.imported.new == 1
        assert [problem.file.partition("/")[2] for problem in report.problems] == [name]
        assert path.with_name(name).exists()


def test_foreign_files_are_left_alone(tmp_path: Path, shared: Path) -> None:
    (shared / "holiday.jpg").write_bytes(b"\xff\xd8")
    (shared / ".stfolder").mkdir()
    (shared / "5c0cbb54-6d3c-4f43-9a4e-000000000009").mkdir()
    inside = shared / "5c0cbb54-6d3c-4f43-9a4e-000000000009"
    (inside / "notes.txt").write_text("hello")
    (inside / "000000000001.jsonl").write_bytes(b'{"vote": "a"}\nno json\n' + b"\x00" * 10 + b"\n")
    with open_log(tmp_path / "a") as log:
        report = sync(log, shared)
        assert report.imported.new == 0
        assert log.count() == 0
        assert [(skip.line, skip.reason) for skip in report.imported.skipped] == [
            (1, "no record that a log wrote"),
            (2, "unreadable"),
            (3, "unreadable"),
        ]
        assert "holiday.jpg" in report.notes[0]
        assert "notes.txt" in report.notes[0]
        assert len(sync(log, shared).problems) == 3


def test_a_segment_that_was_tampered_with_is_reported(tmp_path: Path, shared: Path) -> None:
    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b:
        for _ in range(3):
            a.append_vote(draft())
        sync(a, shared)
        (path,) = segments(shared)
        data = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(data[0] + data[1].replace(b'"vote":"a"', b'"vote":"b"') + data[2])
        report = sync(b, shared)
        assert report.imported.new == 2
        assert [(skip.file, skip.line, skip.reason) for skip in report.imported.skipped] == [
            (f"{a.station_id()}/000000000001.jsonl", 2, "hash does not match")
        ]
        assert [problem.reason for problem in report.problems] == ["line 2: hash does not match"]
        assert sync(b, shared).problems == report.problems
        mended = sync(a, shared)
        assert mended.exported == 1, "what was spoiled is written again"
        sync(b, shared)
        assert a.log_hash() == b.log_hash()


def test_what_was_removed_from_the_folder_is_written_again(tmp_path: Path, shared: Path) -> None:
    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b:
        a.append_vote(draft())
        sync(a, shared)
        shutil.rmtree(shared / str(a.station_id()))
        report = sync(a, shared)
        assert report.exported == 1
        assert "written again" in report.notes[0]
        sync(b, shared)
        assert a.log_hash() == b.log_hash()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with open_log(tmp_path / "a") as log, pytest.raises(Exception, match="is not there"):
        sync(log, tmp_path / "nowhere")


def test_a_moved_folder_is_not_filled_with_what_it_holds(tmp_path: Path, shared: Path) -> None:
    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b:
        for log in (a, b):
            log.append_vote(draft())
        sync(a, shared)
        sync(b, shared)
        sync(a, shared)
        moved = shared.rename(tmp_path / "moved")
        assert sync(a, moved).exported == 0
        assert sync(b, moved).exported == 0


def test_a_copied_data_directory_goes_on_as_another_station(tmp_path: Path, shared: Path) -> None:
    with open_log(tmp_path / "a") as a:
        a.append_vote(draft())
        sync(a, shared)
        a.append_vote(draft())
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b:
        station = a.station_id()
        assert sync(b, shared).exported == 1, "the vote that the folder lacked"
        b.append_vote(draft())
        sync(b, shared)
        assert b.station_id() != station
        assert {path.parent.name for path in segments(shared)} == {station, b.station_id()}
        sync(a, shared)
        sync(b, shared)
        assert a.log_hash() == b.log_hash()
        assert a.station_id() == station


def test_an_older_copy_put_back_forks_and_loses_nothing(tmp_path: Path, shared: Path) -> None:
    with open_log(tmp_path / "a") as a:
        a.append_vote(draft())
        sync(a, shared)
        station = a.station_id()
    shutil.copytree(tmp_path / "a", tmp_path / "older")
    with open_log(tmp_path / "a") as a:
        gone = a.append_vote(draft(vote="b"))
        sync(a, shared)
    shutil.rmtree(tmp_path / "a")
    shutil.copytree(tmp_path / "older", tmp_path / "a")
    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b:
        fork = a.append_vote(draft(vote="tie"))
        assert (fork["station_id"], fork["seq"]) == (station, gone["seq"])
        report = sync(a, shared)
        (note,) = [note for note in report.notes if note.startswith("Fork: ")]
        assert note.startswith(f"Fork: different records hold place {fork['seq']} of station {station}. Perhaps ")
        assert "both count" not in note
        assert {gone["hash"], fork["hash"]} <= set(hashes(a))
        assert a.station_id() != station
        sync(b, shared)
        assert a.log_hash() == b.log_hash()


def test_an_interrupted_write_is_cleared_and_repeated(tmp_path: Path, shared: Path) -> None:
    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b:
        a.append_vote(draft())
        sync(a, shared)
        (path,) = segments(shared)
        left = path.with_name(".000000000001.jsonl.0123abcd.partial")
        left.write_bytes(b"{")
        a.append_vote(draft())
        # The segment was renamed, and the program ended before the database knew.
        with a.database.write():
            a.database.run("UPDATE sync_files SET hash = hash")
        before = a.database.rows("SELECT * FROM sync_files"), a.database.rows("SELECT * FROM sync_spans")
        sync(a, shared)
        with a.database.write():
            for table, rows in zip(("sync_files", "sync_spans"), before, strict=True):
                a.database.run(f"DELETE FROM {table}")
                for row in rows:
                    a.database.run(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        report = sync(a, shared)
        assert (report.exported, len(lines(shared))) == (0, 2)
        assert not left.exists()
        sync(b, shared)
        assert a.log_hash() == b.log_hash()


def test_a_folder_that_can_only_be_read_still_gives(
    tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from arena_desktop.errors import ArenaError

    def refuse(*_: object) -> None:
        raise ArenaError("the folder can't be written to")

    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b:
        a.append_vote(draft())
        b.append_vote(draft())
        sync(a, shared)
        monkeypatch.setattr("arena_desktop.store.sync_folder.SyncFolder.write", refuse)
        report = sync(b, shared)
        assert report.imported.new == 1
        assert (report.exported, report.unfinished) == (0, "the folder can't be written to")
        monkeypatch.undo()
        assert sync(b, shared).exported == 1


def test_a_folder_that_goes_away_in_the_middle_leaves_what_was_read(
    tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        with open_log(tmp_path / name) as log:
            log.append_vote(draft())
            sync(log, shared)
    away = tmp_path / "away"
    read = SyncFolder.read

    def pull(self: SyncFolder, name: str) -> bytes:
        data = read(self, name)
        if shared.exists():
            shared.rename(away)
        return data

    with open_log(tmp_path / "c") as log:
        log.append_vote(draft())
        monkeypatch.setattr(SyncFolder, "read", pull)
        report = sync(log, shared)
        monkeypatch.undo()
        assert (report.imported.new, report.exported) == (1, 0)
        assert "went away" in report.unfinished
        assert not shared.exists(), "the folder is not made anew"
        away.rename(shared)
        report = sync(log, shared)
        assert (report.imported.new, report.exported, report.unfinished) == (1, 1, "")


def test_what_ends_the_work_leaves_what_can_go_on(tmp_path: Path, shared: Path) -> None:
    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b:
        for _ in range(300):
            a.append_vote(draft())
        sync(a, shared)

        def stop(done: int) -> None:
            raise Cancelled

        with pytest.raises(Cancelled):
            sync(b, shared, progress=stop)
        assert b.count() == 0
        assert sync(b, shared).imported.new == 300
        assert a.log_hash() == b.log_hash()


def test_several_processes_synchronise_one_log_at_once(tmp_path: Path, shared: Path) -> None:
    data = tmp_path / "data"
    with VoteLog.open(data / "votes.sqlite") as log:
        for _ in range(200):
            log.append_vote(draft())
    words = command("--data-dir", str(data), "votes", "sync", str(shared), "--json")
    running = [subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
    reports = []
    for process in running:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        reports.append(json.loads(out))
    assert sum(report["exported"] for report in reports) == 200
    assert len(set(lines(shared))) == len(lines(shared)) == 200


def test_a_killed_synchronisation_loses_and_doubles_nothing(tmp_path: Path, shared: Path) -> None:
    data = tmp_path / "data"
    with VoteLog.open(data / "votes.sqlite") as log:
        for _ in range(500):
            log.append_vote(draft())
    words = command("--data-dir", str(data), "votes", "sync", str(shared))
    for tenth in range(8):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.3 + tenth / 10)
        process.kill()
        process.wait()
    with VoteLog.open(data / "votes.sqlite") as log, open_log(tmp_path / "b") as b:
        sync(log, shared)
        sync(b, shared)
        assert log.log_hash() == b.log_hash()
        assert len(set(lines(shared))) == len(lines(shared)) == 500
    assert not list(shared.glob("*/.*")), "temporary files are cleared"


def test_what_the_first_machine_wrote_since_is_another_station_s_to_its_copy(tmp_path: Path, shared: Path) -> None:
    with open_log(tmp_path / "a") as a:
        a.append_vote(draft())
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    with open_log(tmp_path / "a") as a, open_log(tmp_path / "b") as b:
        a.append_vote(draft())
        sync(a, shared)
        report = sync(b, shared)
        assert (report.imported.new, report.imported.notes) == (1, [])
        assert report.stations == [a.station_id()]
