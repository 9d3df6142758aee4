"""A record whose hash is right but that no chain can hold is named: nobody slips one in beside a chain."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.canonical import canonical, record_hash
from arena_desktop.services.exchange import export_votes, import_votes, verify_files, verify_log
from tests.helpers.vote_logs import ROSTER, draft, open_log

_ODD = (
    [{"seq": seq} for seq in ("3", 0, -1, 1.5, True, None, [3], {"n": 3}, 2.0**53, 1e300)]
    + [{"station_id": station} for station in (None, 7, True, ["a"], {"a": 1})]
    + [{"prev_hash": previous} for previous in (None, 0, False, "None", "F" * 64, [""])]
)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    folder = tmp_path_factory.mktemp("places")
    with open_log(folder) as log:
        for vote in ("a", "b", "tie", "both_bad", "a"):
            log.append_vote(draft(vote=vote))
        export_votes(log, folder / "export.jsonl")
    return (folder / "export.jsonl").read_bytes().splitlines(keepends=True)


def _resealed(line: bytes, changes: dict[str, Any]) -> tuple[bytes, str]:
    record = {**json.loads(line), **changes}
    record["hash"] = record_hash(record)
    return canonical(record) + b"\n", record["id"]


def _named(report: Any, record_id: str) -> list[str]:
    return [fault.fault for fault in report.faults if fault.id == record_id and fault.fault.startswith("inserted: it ")]


@pytest.mark.parametrize("changes", _ODD, ids=repr)
def test_a_substitute_outside_the_chain_is_named_in_a_file_and_in_the_log(
    tmp_path: Path, exported: list[bytes], changes: dict[str, Any]
) -> None:
    line, record_id = _resealed(exported[3], changes)
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join([*exported[:3], line, *exported[4:]]))
    (why,) = _named(verify_files([path]), record_id)
    assert next(iter(changes)) in why
    with open_log(tmp_path / "other") as log:
        assert import_votes(log, [path], roster=ROSTER).new == 5  # its hash is right
        report = verify_log(log)
        assert _named(report, record_id) == [why]
        assert not report.damaged  # it is what was put there
        json.dumps(report.as_json())


@pytest.mark.parametrize("changes", _ODD, ids=repr)
def test_it_is_named_where_nothing_else_is_wrong(
    tmp_path: Path, exported: list[bytes], changes: dict[str, Any]
) -> None:
    """A station of its own, a header that knows of it: no gap and no neighbour gives it away."""
    station = {"station_id": "6390551d-6dc2-4b04-aec2-0f6aaf99d59b", "seq": 2, **changes}
    with open_log(tmp_path / "log") as log:
        path = tmp_path / "one.jsonl"
        line, record_id = _resealed(exported[3], station)
        path.write_bytes(line)
        import_votes(log, [path], roster=ROSTER)
        export_votes(log, tmp_path / "made.jsonl")
        assert _named(verify_log(log), record_id)
    report = verify_files([tmp_path / "made.jsonl"])
    assert len(_named(report, record_id)) == 1
    assert len(report.faults) == 1


def test_a_number_written_as_a_fraction_is_that_number(tmp_path: Path, exported: list[bytes]) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(exported).replace(b'"seq":3,', b'"seq":3.0,'))
    assert [fault.fault for fault in verify_files([path]).faults] == ["edited: the line is not in canonical form"]
    with open_log(tmp_path / "other") as log:
        import_votes(log, [path], roster=ROSTER)
        assert verify_log(log).ok
        export_votes(log, tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == b"".join(exported)
