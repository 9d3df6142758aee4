"""Whatever byte of a record is changed, verify finds it; and it names what was removed, slipped in or moved."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.domain.canonical import canonical, record_hash
from arena_desktop.domain.order_check import out_of_place
from arena_desktop.domain.stations import StationTally, subtract
from arena_desktop.services.exchange import VoteFilter, export_votes, import_votes, verify_files, verify_log
from tests.helpers.vote_logs import ROSTER, draft, foreign_record, open_log, unguard, write_lines


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The lines of an export: a header, six votes and a retraction of one station, one legacy vote."""
    folder = tmp_path_factory.mktemp("tampering")
    with open_log(folder) as log:
        records = [log.append_vote(draft(vote=vote)) for vote in ("a", "b", "tie", "both_bad", "a", "b")]
        log.append_retraction(records[2]["id"], records[2]["listener"], "mistake", "a slip")
        old = {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": "a"}
        import_votes(log, [write_lines(folder / "old", [{**old, "at": "2025-01-01"}])], roster=ROSTER)
        export_votes(log, folder / "export.jsonl")
    return (folder / "export.jsonl").read_bytes().splitlines(keepends=True)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch") / "log.jsonl"


def _faults(path: Path, lines: list[bytes]) -> list[tuple[int | None, int | None, str]]:
    path.write_bytes(b"".join(lines))
    report = verify_files([path])
    assert report.ok is not bool(report.faults)
    return [(fault.line, fault.seq, fault.fault.partition(":")[0]) for fault in report.faults]


def _unprotected(line: bytes) -> list[range]:
    """Where in a legacy line the parts stand that no hash covers."""
    record, spans = json.loads(line), []
    for key in ("source", "legacy_index", "original"):
        if key in record:
            part = canonical({key: record[key]})[1:-1]
            spans.append(range(line.index(part), line.index(part) + len(part)))
    return spans


def test_an_untouched_file_has_no_fault(scratch: Path, exported: list[bytes]) -> None:
    assert _faults(scratch, exported) == []


@settings(max_examples=300)
@given(data=st.data())
def test_any_changed_byte_of_a_record_is_found(scratch: Path, exported: list[bytes], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, len(exported) - 1))
    line = exported[number].rstrip(b"\n")
    place = data.draw(
        st.integers(0, len(line) - 1).filter(lambda at: not any(at in span for span in _unprotected(line)))
    )
    byte = data.draw(st.integers(0, 255).filter(lambda value: value not in (line[place], 10, 13)))
    changed = line[:place] + bytes([byte]) + line[place + 1 :] + b"\n"
    faults = _faults(scratch, [*exported[:number], changed, *exported[number + 1 :]])
    assert any(found == number + 1 for found, _, _ in faults)


@pytest.mark.parametrize("key", ["salt", "note", "text", "device"])
def test_a_changed_private_part_is_found_by_its_own_hash(scratch: Path, exported: list[bytes], key: str) -> None:
    record = json.loads(exported[-1])
    record["private"][key] = "forged"
    lines = [*exported[:-1], canonical(record) + b"\n"]
    scratch.write_bytes(b"".join(lines))
    (fault,) = verify_files([scratch]).faults
    assert "private_hash" in fault.fault
    assert fault.id == record["id"]


def test_dropping_the_private_part_is_no_fault(scratch: Path, exported: list[bytes]) -> None:
    lines = [exported[0]]
    for line in exported[1:]:
        record = json.loads(line)
        record.pop("private", None)
        record.pop("original", None)
        lines.append(canonical(record) + b"\n")
    assert _faults(scratch, lines) == []


def _resealed(line: bytes, **changes: Any) -> bytes:
    record = {**json.loads(line), **changes}
    record["hash"] = record_hash(record)
    return canonical(record) + b"\n"


@pytest.mark.parametrize("number", [2, 3, 5, 7])
def test_an_edit_with_a_new_hash_is_named_by_its_neighbour(scratch: Path, exported: list[bytes], number: int) -> None:
    lines = exported[:]
    lines[number] = _resealed(lines[number], vote="b" if b'"vote":"a"' in lines[number] else "a")
    assert _faults(scratch, lines) == [(number + 1, number - 1, "edited")]


def test_an_edit_of_the_last_with_a_new_hash_is_named_by_the_header(scratch: Path, exported: list[bytes]) -> None:
    lines = [*exported[:-1], _resealed(exported[-1], reason="other")]
    assert _faults(scratch, lines) == [(9, 7, "edited")]


@pytest.mark.parametrize("number", [2, 5, 8])
def test_a_removed_record_is_named(scratch: Path, exported: list[bytes], number: int) -> None:
    faults = _faults(scratch, exported[:number] + exported[number + 1 :])
    assert (None, number - 1, "removed") in faults
    assert all(kind == "removed" or line == 1 for line, _, kind in faults)


def test_a_removed_legacy_record_shows_in_the_count(scratch: Path, exported: list[bytes]) -> None:
    ((line, _, text),) = _faults(scratch, [exported[0], *exported[2:]])
    assert line == 1
    assert "counts" in text


def test_a_record_slipped_in_is_named(scratch: Path, exported: list[bytes]) -> None:
    stranger = foreign_record(at=json.loads(exported[4])["at"], id="01900000-0000-7000-8000-000000000000")
    lines = sorted(
        [*exported[1:], canonical(stranger) + b"\n"], key=lambda line: (json.loads(line)["at"], json.loads(line)["id"])
    )
    scratch.write_bytes(exported[0] + b"".join(lines))
    assert ("inserted", stranger["id"]) in {
        (fault.fault.partition(":")[0], fault.id) for fault in verify_files([scratch]).faults
    }


def test_a_record_slipped_into_a_chain_is_a_fork(scratch: Path, exported: list[bytes]) -> None:
    twin = _resealed(exported[4], id="01900000-0000-7000-8000-000000000000")
    faults = _faults(scratch, [*exported[:4], twin, *exported[4:]])
    assert [(line, seq) for line, seq, kind in faults if kind == "fork"] == [(5, 3), (6, 3)]


def test_a_record_added_after_the_end_is_named(scratch: Path, exported: list[bytes]) -> None:
    last = json.loads(exported[-1])
    more = _resealed(exported[-1], seq=8, at="2027-01-01T00:00:00.000000Z", prev_hash=last["hash"], id=_ID)
    assert (10, 8, "inserted") in _faults(scratch, [*exported, more])


_ID = "01900000-0000-7000-8000-0000000000ff"


def test_a_repeated_record_is_named(scratch: Path, exported: list[bytes]) -> None:
    faults = _faults(scratch, [*exported, exported[3]])
    assert (10, 2, "inserted") in faults


@pytest.mark.parametrize(("source", "target"), [(2, 8), (7, 3), (4, 5)])
def test_a_moved_record_is_named(scratch: Path, exported: list[bytes], source: int, target: int) -> None:
    lines = exported[:]
    moved = lines.pop(source)
    lines.insert(target, moved)
    faults = _faults(scratch, lines)
    assert [kind for _, _, kind in faults] == ["reordered"]
    if abs(source - target) > 1:
        assert faults[0][0] == target + 1


def test_a_cut_off_file_is_named_and_the_rest_is_used(scratch: Path, exported: list[bytes]) -> None:
    lines = [*exported[:-1], exported[-1][:100]]
    faults = _faults(scratch, lines)
    assert (9, None, "unreadable") in faults
    assert (None, 7, "removed") in faults
    with open_log(scratch.parent / "cut") as log:
        report = import_votes(log, [scratch], roster=ROSTER)
    assert report.new == 7
    assert [(skip.line, skip.reason) for skip in report.skipped] == [(9, "not an object")]
    assert "cut off" in report.skipped[0].detail


def test_a_missing_header_is_named(scratch: Path, exported: list[bytes]) -> None:
    assert _faults(scratch, exported[1:]) == [(1, None, "removed")]


@pytest.mark.parametrize(
    "changes",
    [
        {"records": 3},
        {"records": "x"},
        {"stations": []},
        {"stations": {}},
        {"stations": {"x": 1}},
        {"stations": {"x": {"first_seq": 1, "last_seq": 1, "last_hash": "", "missing": []}}},
        {"stations": {"x": {"first_seq": 1, "last_seq": 2**52, "last_hash": "", "missing": []}}},
        {"stations": {"x": {"first_seq": 1, "last_seq": 5, "last_hash": "", "missing": [[1, 9]]}}},
        {"stations": {"x": {"first_seq": 1, "last_seq": 5, "last_hash": "", "missing": [[1]]}}},
        {"extra": 1},
    ],
)
def test_a_header_that_does_not_fit_is_a_fault(scratch: Path, exported: list[bytes], changes: dict[str, Any]) -> None:
    header = {**json.loads(exported[0]), **changes}
    assert _faults(scratch, [canonical(header) + b"\n", *exported[1:]])


def test_gaps_of_a_filtered_export_are_known(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        for arena in ("english", "other", "english", "other", "other", "english", "other"):
            log.append_vote(draft(arena=arena))
        export_votes(log, tmp_path / "part.jsonl", VoteFilter(arena="english"))
    lines = (tmp_path / "part.jsonl").read_bytes().splitlines(keepends=True)
    (station,) = json.loads(lines[0])["stations"].values()
    assert (station["first_seq"], station["last_seq"], station["missing"]) == (1, 6, [[2, 2], [4, 5]])
    assert _faults(tmp_path / "again.jsonl", lines) == []
    assert (None, 3, "removed") in _faults(tmp_path / "again.jsonl", [lines[0], lines[1], lines[3]])


def test_tampering_with_the_database_itself_is_found(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        records = [log.append_vote(draft()) for _ in range(5)]
        unguard(log)
        log.database.run('UPDATE records SET record = replace(record, \'"vote":"a"\', \'"vote":"b"\') WHERE seq = 2')
        log.database.run("UPDATE records SET listener = 'l-x' WHERE seq = 3")
        log.database.run("DELETE FROM records WHERE seq IN (4, 5)")
        faults = {(fault.seq, fault.id, fault.fault.partition(":")[0]) for fault in verify_log(log).faults}
    assert faults == {
        (2, records[1]["id"], "edited"),
        (3, records[2]["id"], "edited"),
        (4, None, "removed"),
        (5, None, "removed"),
    }


@given(st.lists(st.integers(0, 12)))
def test_the_fewest_are_out_of_place(keys: list[int]) -> None:
    moved = out_of_place(keys)
    rest = [key for index, key in enumerate(keys) if index not in moved]
    assert rest == sorted(rest)
    longest = [0] * len(keys)
    for index, key in enumerate(keys):
        longest[index] = 1 + max((longest[j] for j in range(index) if keys[j] <= key), default=0)
    assert len(rest) == max(longest, default=0)


@given(st.lists(st.integers(1, 30), min_size=1))
def test_a_tally_knows_what_is_missing(seqs: list[int]) -> None:
    tally = StationTally()
    for seq in seqs:
        tally.add(seq, f"h{seq}")
    gaps = {seq for low, high in tally.missing for seq in range(low, high + 1)}
    assert gaps == set(range(1, max(seqs) + 1)) - set(seqs)
    assert all(a[1] + 1 < b[0] for a, b in zip(tally.ranges, tally.ranges[1:], strict=False))
    assert tally.last_hash == f"h{max(seqs)}"
    present = subtract([(1, max(seqs))], tally.missing)
    assert {seq for low, high in present for seq in range(low, high + 1)} == set(seqs)


def _with_crlf(lines: list[bytes]) -> list[bytes]:
    return [*lines[:3], lines[3][:-1] + b"\r\n", *lines[4:]]


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        (_with_crlf, 4, "carriage return"),
        (lambda lines: [lines[0][:-1] + b"\r\n", *lines[1:]], 1, "carriage return"),
        (lambda lines: [*lines[:-1], lines[-1][:-1] + b"\r\n"], 9, "carriage return"),
        (lambda lines: [*lines[:5], b"\n", *lines[5:]], 6, "blank"),
        (lambda lines: [*lines[:5], b" \t\n", *lines[5:]], 6, "blank"),
        (lambda lines: [*lines, b"\n"], 10, "blank"),
        (lambda lines: [b"\n", *lines], 1, "blank"),
        (lambda lines: [b"\xef\xbb\xbf", *lines], 1, "byte order mark"),
        (lambda lines: [*lines[:-1], lines[-1][:-1]], 9, "line feed at the end"),
        (lambda lines: [*lines, b"  "], 10, "line feed at the end"),
    ],
)
def test_what_stands_between_the_lines_is_checked(
    scratch: Path, exported: list[bytes], change: Callable[[list[bytes]], list[bytes]], line: int, said: str
) -> None:
    changed = change(exported)
    scratch.write_bytes(b"".join(changed))
    (fault,) = verify_files([scratch]).faults
    assert (fault.line, said in fault.fault) == (line, True), fault
    scratch.write_bytes(gzip.compress(b"".join(changed)))
    assert [fault.line for fault in verify_files([scratch]).faults] == [line]


def test_where_lines_end_is_seen_across_any_length(scratch: Path, exported: list[bytes]) -> None:
    long = canonical(foreign_record(at="2025-12-01T00:00:00.000000Z", note="x" * 200_000)) + b"\n"
    for filler in range(65_400, 65_540, 7):
        extra = canonical(foreign_record(at="2025-11-01T00:00:00.000000Z", note="y" * filler)) + b"\n"
        scratch.write_bytes(b"".join([exported[0], extra, long, b"\n", exported[1]]))
        assert [fault.line for fault in verify_files([scratch]).faults if "blank" in fault.fault] == [4]


def test_a_line_that_is_cut_off_is_reported_once_and_the_rest_is_checked(scratch: Path, exported: list[bytes]) -> None:
    scratch.write_bytes(b"".join(exported)[:-30])
    report = verify_files([scratch])
    assert [(fault.line, fault.fault.partition(":")[0]) for fault in report.faults if fault.line == 9] == [
        (9, "unreadable")
    ]
    assert report.records == 8


STATION = "5c0cbb54-6d3c-4f43-9a4e-000000000001"


def _header(**changes: Any) -> dict[str, Any]:
    entry = {"first_seq": 3, "last_hash": ..., "last_seq": 3, "missing": [[1, 2]], **changes.pop("entry", {})}
    return {
        "filter": {"arena": "english"},
        "format": "arena-votes/1",
        "records": 1,
        "rules": "elo-1",
        "stations": {STATION: entry},
        **changes,
    }


@pytest.mark.parametrize(
    "changes",
    [
        {"rules": "elo-2"},
        {"rules": None},
        {"rules": 1},
        {"filter": {}},
        {"filter": []},
        {"filter": "arena"},
        {"filter": {"colour": "red"}},
        {"filter": {"arena": 1}},
        {"filter": {"since": "2026-01-01"}},
        {"records": True},
        {"records": "1"},
        {"entry": {"missing": [[2, 2], [1, 1]]}},
        {"entry": {"missing": [[1, 1], [2, 2]]}},
        {"entry": {"missing": [[1, 2], [1, 2]]}},
        {"entry": {"missing": [[1, 2], [2, 1]]}},
        {"entry": {"missing": [[1, 2], [4, 9]]}},
        {"entry": {"first_seq": 1}},
        {"entry": {"last_hash": ""}},
        {"entry": {"last_hash": "A" * 64}},
    ],
)
def test_a_header_has_exactly_one_form(scratch: Path, changes: dict[str, Any]) -> None:
    record = foreign_record(seq=3)

    def write(header: dict[str, Any]) -> None:
        entry = header["stations"][STATION]
        entry["last_hash"] = record["hash"] if entry["last_hash"] is ... else entry["last_hash"]
        write_lines(scratch, [header, record])

    write(_header())
    assert verify_files([scratch]).ok
    write(_header(**changes))
    assert {fault.line for fault in verify_files([scratch]).faults if "header" in fault.fault} >= {1}
