"""Files that are cut off, that are none, or that are small and stand for a great deal."""

import gzip
import json
import os
import re
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.domain.canonical import canonical
from arena_desktop.domain.stations import subtract
from arena_desktop.errors import ArenaError
from arena_desktop.services import vote_intake
from arena_desktop.services.exchange import import_votes, read_votes, verify_files
from arena_desktop.store.formats import json_array, votes_file
from arena_desktop.store.formats.votes_file import Entry, open_votes
from tests.helpers.vote_logs import ROSTER, foreign_record, open_log

VOTE = {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": "a"}
LINE = json.dumps(VOTE).encode() + b"\n"


def _entries(path: Path) -> list[Entry]:
    with open_votes(path) as file:
        return list(file.entries())


# --- cut off -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
@pytest.mark.parametrize("size", [2, 3, 4, 5, 9, 12])
def test_a_packed_file_cut_in_its_first_bytes_is_no_empty_file(
    tmp_path: Path, pack: Callable[[bytes], bytes], size: int
) -> None:
    path = tmp_path / "cut"
    path.write_bytes(pack(LINE)[:size])
    assert _entries(path)[-1].trouble
    with open_log(tmp_path) as log, pytest.raises(ArenaError, match="damaged or cut off"):
        import_votes(log, [path], roster=ROSTER)
    with pytest.raises(ArenaError, match="damaged or cut off"):
        read_votes(path, silent=False)
    assert not verify_files([path]).ok


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_packed_file_of_nothing_is_an_empty_file(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "empty"
    path.write_bytes(pack(b""))
    assert _entries(path) == []
    path.write_bytes(gzip.compress(b"") + b"\0" * 3000)  # padded, as some disks and tapes do
    assert _entries(path) == []


def test_records_before_the_damage_are_taken_and_the_damage_is_told(tmp_path: Path) -> None:
    path = tmp_path / "cut"
    whole = gzip.compress(LINE * 3)
    path.write_bytes(whole[:-3])  # only the check sum is gone
    with open_log(tmp_path) as log:
        report = import_votes(log, [path], roster=ROSTER)
    assert report.new == 3
    assert [skip.line for skip in report.skipped] == [4]
    assert "cut off" in report.skipped[0].detail


# --- no files ------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["fifo", "device", "socket", "folder"])
def no_file(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "odd"
    if request.param == "device":
        yield Path("/dev/zero")
    elif request.param == "socket":
        # Short, since a socket's path may not be long.
        with tempfile.TemporaryDirectory() as short, socket.socket(socket.AF_UNIX) as server:
            server.bind(f"{short}/s")
            yield Path(short) / "s"
    else:
        os.mkfifo(path) if request.param == "fifo" else path.mkdir()
        yield path


def test_what_is_no_file_is_refused_at_once(tmp_path: Path, no_file: Path) -> None:
    with open_log(tmp_path / "log") as log, pytest.raises(ArenaError, match=re.escape(f"{no_file} is a ")):
        import_votes(log, [no_file], roster=ROSTER)
    with pytest.raises(ArenaError, match=re.escape(f"{no_file} is a ")):
        read_votes(no_file, silent=False)
    with pytest.raises(ArenaError, match=re.escape(f"{no_file} is a ")):
        verify_files([no_file])


# --- small and enormous (the suite's time limit fails them when each byte costs a step) -----------------------------


@pytest.mark.timeout(30)
@pytest.mark.parametrize("before", [b"", LINE, b"\xef\xbb\xbf"])
@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b" \n", b"\t\t\n\n"])
def test_blank_lines_without_end(tmp_path: Path, before: bytes, blank: bytes) -> None:
    times = 5_000_000 // len(blank)
    (tmp_path / "f").write_bytes(gzip.compress(before + blank * times + LINE, 1))
    entries = _entries(tmp_path / "f")
    ends = times * blank.count(b"\n")
    assert [entry.line for entry in entries] == ([1, ends + 2] if before == LINE else [ends + 1])
    assert entries[-1].value == VOTE


@pytest.mark.timeout(30)
@pytest.mark.parametrize("start", [b"", b"[1,"])
@pytest.mark.parametrize("mark", [b"[", b'{"a":', b'[{"":'])
def test_brackets_without_end(tmp_path: Path, start: bytes, mark: bytes) -> None:
    content = start + mark * (10_000_000 // len(mark))
    (tmp_path / "f").write_bytes(gzip.compress(content, 1))
    entries = _entries(tmp_path / "f")
    assert len(entries) <= 2
    assert entries[-1].trouble


@pytest.mark.timeout(30)
@pytest.mark.parametrize("inside", [b"[],", b'"",', b"{},[[]],", b"[[[]]],", b",", b"[[[[[]]]]],"])
def test_an_element_of_countless_parts(tmp_path: Path, inside: bytes) -> None:
    content = b"[[" + inside * (9_000_000 // len(inside)) + b"0]," + LINE + b"]"
    (tmp_path / "f").write_bytes(gzip.compress(content, 1))
    first, second = _entries(tmp_path / "f")
    assert "longer than" in (first.trouble or "")
    assert second.value == VOTE


@pytest.mark.parametrize("inside", [b'"%d":0', b'"%d":[]', b'"%d":{}'])
def test_a_record_of_countless_parts_is_not_unfolded(tmp_path: Path, inside: bytes) -> None:
    many = b"{" + b",".join(inside % number for number in range(200_000)) + b"}\n"
    (tmp_path / "f").write_bytes(many + LINE)
    first, second = _entries(tmp_path / "f")
    assert "parts" in (first.trouble or "")
    assert second.value == VOTE


def test_skipped_records_beyond_number_are_counted_by_their_reasons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vote_intake, "_MOST_SKIPS", 3)
    (tmp_path / "f").write_bytes((LINE + LINE.replace(b'"a"', b'"draw"')) * 5)
    with open_log(tmp_path) as log:
        report = import_votes(log, [tmp_path / "f"], roster=ROSTER)
    assert [skip.line for skip in report.skipped] == [2, 4, 6]
    assert "2 more records than are listed were skipped: unknown vote." in report.notes


@pytest.mark.timeout(30)
def test_long_strings_are_not_looked_through_again_and_again(tmp_path: Path) -> None:
    string = b'"' + b"x" * 7_900_000 + b'"'
    (tmp_path / "f").write_bytes(gzip.compress(b"[" + b",".join([string] * 3 + [LINE]) + b"]", 1))
    entries = _entries(tmp_path / "f")
    assert [len(entry.value) for entry in entries[:3]] == [7_900_000] * 3
    assert entries[3].value == VOTE


@pytest.mark.timeout(30)
@pytest.mark.parametrize("content", [b"1\n" * 1_000_000, b"[" + b"{}," * 1_000_000, b"[" + b"," * 1_000_000])
def test_rubbish_without_end_is_given_up(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "f").write_bytes(gzip.compress(content, 1))
    with open_log(tmp_path) as log, pytest.raises(ArenaError, match="is no file of votes"):
        import_votes(log, [tmp_path / "f"], roster=ROSTER)


def test_rubbish_among_votes_is_only_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(votes_file, "_MOST_RUBBISH", 3)
    (tmp_path / "f").write_bytes((LINE + b"1\n") * 20 + b"1\n" * 3)
    assert sum(isinstance(entry.value, dict) for entry in _entries(tmp_path / "f")) == 20
    (tmp_path / "f").write_bytes((LINE + b"1\n") * 20 + b"1\n" * 4)
    with pytest.raises(ArenaError, match="of its first 44 records"):
        _entries(tmp_path / "f")


def test_a_deep_element_ends_an_array_only_far_beyond_any_record(tmp_path: Path) -> None:
    deep = json_array._DEEPEST - 1
    (tmp_path / "f").write_bytes(b"[" + b"[" * deep + b"]" * deep + b"," + LINE + b"]")
    first, second = _entries(tmp_path / "f")
    assert first.trouble
    assert second.value == VOTE
    (tmp_path / "f").write_bytes(b"[" + LINE + b"," + b"[" * (deep + 50) + b"]" * (deep + 50) + b"," + LINE + b"]")
    first, second = _entries(tmp_path / "f")
    assert first.value == VOTE
    assert "deeper than" in (second.trouble or "")


# --- stations ------------------------------------------------------------------------------------------------------

_runs = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 8)).map(lambda pair: [pair[0], sum(pair)]), max_size=12)


@settings(max_examples=300)
@given(runs=_runs, holes=_runs)
def test_what_holes_leave_of_runs(runs: list[list[int]], holes: list[list[int]]) -> None:
    apart: list[list[int]] = []
    for low, high in sorted(runs):
        if not apart or low > apart[-1][1]:
            apart.append([low, high])
    numbers = {n for low, high in apart for n in range(low, high + 1)}
    numbers -= {n for low, high in holes for n in range(low, high + 1)}
    left = subtract(apart, holes)
    assert [n for low, high in left for n in range(low, high + 1)] == sorted(numbers)


@pytest.mark.timeout(30)
def test_a_header_with_very_many_gaps(tmp_path: Path) -> None:
    record = foreign_record()
    number = 120_000
    station = {
        "first_seq": 1,
        "last_hash": "f" * 64,
        "last_seq": number,
        "missing": [[seq, seq] for seq in range(2, number, 2)],
    }
    header = {
        "filter": None,
        "format": "arena-votes/1",
        "records": 1,
        "rules": "elo-1",
        "stations": {record["station_id"]: station},
    }
    (tmp_path / "f").write_bytes(canonical(header) + b"\n" + canonical(record) + b"\n")
    report = verify_files([tmp_path / "f"])
    assert {fault.fault.split(":")[0] for fault in report.faults} == {"removed"}
    assert len(report.faults) == number // 2 - 1  # the last two numbers are one run
