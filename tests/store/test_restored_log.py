"""A database put back from an older copy goes on under a new station; nothing else makes one begin."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arena_desktop.services.exchange import import_votes, verify_log
from tests.helpers.vote_logs import ROSTER, draft, open_log, write_lines

MARK = "votes.sqlite.mark"


def _vote(folder: Path, times: int = 1) -> list[tuple[str, int]]:
    with open_log(folder) as log:
        records = [log.append_vote(draft()) for _ in range(times)]
        assert verify_log(log).ok
        return [(record["station_id"], record["seq"]) for record in records]


def test_an_older_copy_put_back_in_place_begins_a_new_station(tmp_path: Path) -> None:
    ((first, _),) = _vote(tmp_path)
    shutil.copy(tmp_path / "votes.sqlite", tmp_path / "aside")
    assert _vote(tmp_path, 2) == [(first, 2), (first, 3)]
    for _ in range(2):
        shutil.copy(tmp_path / "aside", tmp_path / "votes.sqlite")
        (second, seq), (again, next_seq) = _vote(tmp_path, 2)
        assert (seq, again, next_seq) == (1, second, 2)
        assert second != first
        assert _vote(tmp_path) == [(second, 3)]


def test_a_copy_from_before_another_station_began_is_noticed(tmp_path: Path) -> None:
    ((first, _),) = _vote(tmp_path)
    shutil.copy(tmp_path / "votes.sqlite", tmp_path / "aside")
    with open_log(tmp_path) as log:
        log.append_vote(draft())
        log.begin_station()
        second = log.append_vote(draft())["station_id"]
    shutil.copy(tmp_path / "aside", tmp_path / "votes.sqlite")
    ((third, seq),) = _vote(tmp_path)
    assert third not in (first, second)
    assert seq == 1


def test_what_was_lost_can_be_imported_again_without_a_fork(tmp_path: Path) -> None:
    _vote(tmp_path)
    shutil.copy(tmp_path / "votes.sqlite", tmp_path / "aside")
    with open_log(tmp_path) as log:
        lost = write_lines(tmp_path / "lost.jsonl", [log.append_vote(draft()), log.append_vote(draft())])
    shutil.copy(tmp_path / "aside", tmp_path / "votes.sqlite")
    _vote(tmp_path)
    with open_log(tmp_path) as log:
        assert import_votes(log, [lost], roster=ROSTER).new == 2
        assert verify_log(log).ok


def test_a_database_that_knows_more_than_its_mark_goes_on(tmp_path: Path) -> None:
    """As after a kill between the commit and the mark."""
    ((first, _),) = _vote(tmp_path)
    mark = (tmp_path / MARK).read_bytes()
    _vote(tmp_path)
    (tmp_path / MARK).write_bytes(mark)
    assert _vote(tmp_path) == [(first, 3)]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense",
        b"[]",
        b"[" * 5000,
        json.dumps({"station_id": "\ud800", "seq": 2**70, "hash": ""}).encode(),
        None,
    ],
)
def test_a_mark_that_says_nothing_is_passed_over_and_made_anew(tmp_path: Path, content: bytes | None) -> None:
    ((first, _),) = _vote(tmp_path)
    (tmp_path / MARK).unlink()
    if content is not None:
        (tmp_path / MARK).write_bytes(content)
    assert _vote(tmp_path) == [(first, 2)]
    assert json.loads((tmp_path / MARK).read_bytes())["seq"] == 2


def test_a_mark_that_can_not_be_written_stops_nothing(tmp_path: Path) -> None:
    ((first, _),) = _vote(tmp_path)
    (tmp_path / MARK).unlink()
    (tmp_path / MARK).mkdir()
    assert _vote(tmp_path) == [(first, 2)]
    assert not list(tmp_path.glob("*.new")) + list(tmp_path.glob(".*.new"))


def test_a_mark_that_stays_wrong_begins_one_station_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((first, _),) = _vote(tmp_path)
    mark = {"station_id": first, "seq": 9, "hash": "00"}
    (tmp_path / MARK).write_text(json.dumps(mark), encoding="utf-8")
    monkeypatch.setattr(Path, "replace", _refuse)
    found = _vote(tmp_path, 2) + _vote(tmp_path)
    assert [seq for _, seq in found] == [1, 2, 3]
    assert {station for station, _ in found} != {first}


def _refuse(path: Path, target: Path) -> None:
    raise PermissionError(13, "refused", str(path))


def test_connections_that_write_at_once_stay_in_one_station(tmp_path: Path) -> None:
    _vote(tmp_path)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(_vote, [tmp_path] * 2, [20] * 2))
    with open_log(tmp_path) as log:
        assert len({record["station_id"] for record in log.records()}) == 1
        assert log.count() == 41
        assert verify_log(log).ok
