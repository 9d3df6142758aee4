"""An import and whoever votes meanwhile: nobody waits for files to be read, and nothing is lost on either side."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.errors import ArenaError
from arena_desktop.services.cancelling import Cancelled
from arena_desktop.services.exchange import ImportReport, import_votes, prepared_import, verify_log
from arena_desktop.store.database import Database
from arena_desktop.store.incoming import Incoming
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import ROSTER, draft, foreign_record, open_log, write_lines

VOTE = {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": "a"}


def _legacy(path: Path, number: int) -> Path:
    return write_lines(path, [{**VOTE, "note": n} for n in range(number)])


def _impatient(folder: Path) -> VoteLog:
    """Another program on the same log: it finds at once that the file is locked."""
    return VoteLog(Database(folder / "votes.sqlite", patience=0.0), here=str(folder))


def _after_settling(monkeypatch: pytest.MonkeyPatch, action: Any) -> None:
    settle = Incoming.settle

    def and_then(incoming: Incoming, *arguments: Any) -> None:
        settle(incoming, *arguments)
        monkeypatch.setattr(Incoming, "settle", settle)
        action()

    monkeypatch.setattr(Incoming, "settle", and_then)


def test_votes_are_cast_while_an_import_reads(tmp_path: Path) -> None:
    path = _legacy(tmp_path / "old", 1000)
    with open_log(tmp_path) as log, _impatient(tmp_path) as window:
        seen = []

        def vote(records: int) -> None:
            seen.append(records)
            window.append_vote(draft())

        report = import_votes(log, [path], roster=ROSTER, progress=vote)
        assert (report.new, report.already, report.skipped) == (1000, 0, [])
        assert seen == [250, 500, 750, 1000]
        assert log.count() == 1004
        assert verify_log(log).ok


def test_a_file_that_turns_out_unreadable_leaves_nothing_but_the_votes_cast_meanwhile(tmp_path: Path) -> None:
    path = _legacy(tmp_path / "old", 250)
    with open_log(tmp_path) as log, _impatient(tmp_path) as window:

        def vote(_: int) -> None:
            window.append_vote(draft())

        with pytest.raises(ArenaError, match="absent can't be read"):
            import_votes(log, [path, tmp_path / "absent"], roster=ROSTER, progress=vote)
        assert [record["seq"] for record in log.records()] == [1]


@pytest.mark.parametrize("phase", ["reading", "storing"])
def test_stopping_an_import_leaves_the_log_as_it_was(tmp_path: Path, phase: str) -> None:
    path = _legacy(tmp_path / "old", 2500)

    def stop(done: int) -> None:
        if done >= 2000:
            raise Cancelled

    with open_log(tmp_path) as log, _impatient(tmp_path) as window:
        log.append_vote(draft())
        before = log.log_hash()
        reading, storing = (stop, None) if phase == "reading" else (None, stop)
        with pytest.raises(Cancelled):
            import_votes(log, [path], roster=ROSTER, progress=reading, storing=storing)
        assert log.log_hash() == before
        assert log.database.rows("SELECT name FROM temp.sqlite_schema") == []
        window.append_vote(draft())  # no lock was left
        assert import_votes(log, [path], roster=ROSTER).new == 2500
        assert verify_log(log).ok


def test_a_preview_may_be_stored_or_left(tmp_path: Path) -> None:
    path = _legacy(tmp_path / "old", 3)
    with open_log(tmp_path) as log, open_log(tmp_path) as window:
        with prepared_import(log, [path], roster=ROSTER) as prepared:
            assert (prepared.preview().new, log.count()) == (3, 0)
        with prepared_import(log, [path], roster=ROSTER) as prepared:
            preview = prepared.preview()
            import_votes(window, [_legacy(tmp_path / "part", 1)], roster=ROSTER)
            report = prepared.store()
        assert (preview.new, preview.already, report.new, report.already) == (3, 0, 2, 1)
        assert log.count() == 3


def test_a_dry_run_needs_no_lock(tmp_path: Path) -> None:
    path = _legacy(tmp_path / "old", 3)
    with _impatient(tmp_path) as log, open_log(tmp_path) as window:
        import_votes(log, [_legacy(tmp_path / "part", 2)], roster=ROSTER)
        before = log.log_hash()
        with window.database.write():
            report = import_votes(log, [path, path], roster=ROSTER, dry_run=True)
        assert (report.new, report.already) == (1, 5)
        assert log.log_hash() == before
        done = import_votes(log, [path, path], roster=ROSTER)
        assert done == report


def test_what_another_import_stored_meanwhile_is_here_already(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _legacy(tmp_path / "old", 5)
    with open_log(tmp_path) as log, open_log(tmp_path) as other:
        reports: list[ImportReport] = []
        _after_settling(
            monkeypatch,
            lambda: reports.append(import_votes(other, [_legacy(tmp_path / "part", 3)], roster=ROSTER)),
        )
        report = import_votes(log, [path], roster=ROSTER)
        assert (reports[0].new, report.new, report.already) == (3, 2, 3)
        assert any(note.startswith("3 of the votes without a station were here already") for note in report.notes)
        assert log.count() == 5
        assert verify_log(log).ok


@pytest.mark.parametrize("first", ["public", "private"])
def test_copies_are_completed_whenever_the_other_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    record = foreign_record()
    bare = {key: value for key, value in record.items() if key != "private"}
    copies = {
        "public": write_lines(tmp_path / "public", [bare]),
        "private": write_lines(tmp_path / "private", [record]),
    }
    (second,) = set(copies) - {first}
    with open_log(tmp_path) as log, open_log(tmp_path) as other:
        _after_settling(monkeypatch, lambda: import_votes(other, [copies[first]], roster=ROSTER))
        report = import_votes(log, [copies[second]], roster=ROSTER)
        assert (report.new, report.already) == (0, 1)
        assert list(log.records()) == [record]
        assert verify_log(log).ok


def test_a_conflict_with_what_was_stored_meanwhile_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = foreign_record(), foreign_record(vote="tie")
    with open_log(tmp_path) as log, open_log(tmp_path) as other:
        theirs = write_lines(tmp_path / "one", [one])
        _after_settling(monkeypatch, lambda: import_votes(other, [theirs], roster=ROSTER))
        report = import_votes(log, [write_lines(tmp_path / "two", [VOTE, two])], roster=ROSTER)
        assert [(conflict.id, conflict.lines) for conflict in report.conflicts] == [(two["id"], [2])]
        assert log.count() == 3


def test_the_station_is_left_when_its_own_records_come_in(tmp_path: Path) -> None:
    with open_log(tmp_path) as log, open_log(tmp_path) as window:
        station = window.append_vote(draft())["station_id"]
        lost = foreign_record(station_id=station, seq=2)
        report = import_votes(log, [write_lines(tmp_path / "lost", [lost])], roster=ROSTER)
        assert any("Records of this very station" in note for note in report.notes)
        assert window.append_vote(draft())["station_id"] != station


def test_nothing_of_an_import_stays_behind(tmp_path: Path) -> None:
    with open_log(tmp_path / "log") as log:
        for _ in range(2):
            import_votes(log, [_legacy(tmp_path / "old", 3)], roster=ROSTER)
        assert log.database.rows("SELECT name FROM temp.sqlite_schema") == []
        assert {found.suffix for found in (tmp_path / "log").iterdir()} <= {".sqlite", ".sqlite-wal", ".sqlite-shm"}


def test_the_report_is_the_same_for_copies_within_one_import(tmp_path: Path) -> None:
    record = foreign_record()
    path = write_lines(tmp_path / "twice", [record, VOTE, record, VOTE])
    with open_log(tmp_path / "log") as log:
        report = import_votes(log, [path, path], roster=ROSTER)
        assert json.dumps(report.as_json()["conflicts"]) == "[]"
        # Two equal votes in one file are two votes; in a second reading of the file they are the same two.
        assert (report.new, report.already) == (3, 5)
