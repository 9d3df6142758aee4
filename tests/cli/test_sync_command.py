"""``votes sync``: what it says, and how it ends."""

import json
from pathlib import Path

import pytest

from arena_desktop.cli.main import main
from tests.helpers.vote_logs import foreign_record, write_lines


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    said = capsys.readouterr()
    return status, said.out, said.err


def test_votes_travel_by_commands_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b, shared = (str(tmp_path / name) for name in ("a", "b", "shared"))
    Path(shared).mkdir()
    file = write_lines(tmp_path / "f.jsonl", [foreign_record()])
    assert run(capsys, "--data-dir", a, "votes", "import", str(file))[0] == 0
    status, out, _ = run(capsys, "--data-dir", a, "votes", "sync", shared, "--json")
    found = json.loads(out)
    assert (status, found["exported"], found["problems"], found["unfinished"]) == (0, 1, [], None)
    status, out, _ = run(capsys, "--data-dir", b, "votes", "sync", shared)
    assert status == 0
    assert out.startswith("1 new record from 1 other station, 0 records added to the folder.\n")


def test_a_conflict_is_told_and_ends_with_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, shared = str(tmp_path / "a"), tmp_path / "shared"
    station = shared / "5c0cbb54-6d3c-4f43-9a4e-000000000001"
    station.mkdir(parents=True)
    write_lines(station / "000000000001.jsonl", [foreign_record(), foreign_record(vote="tie")])
    status, out, err = run(capsys, "--data-dir", a, "votes", "sync", str(shared))
    assert status == 1
    assert "000000000001.jsonl line 1" in out
    assert err.startswith("arena-desktop: 1 conflict:")


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "--data-dir", str(tmp_path / "a"), "votes", "sync", str(tmp_path / "nowhere"))
    assert status == 1
    assert err.count("\n") == 1
    assert "is not there" in err


def test_the_data_directory_is_no_shared_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a = str(tmp_path / "a")
    assert run(capsys, "--data-dir", a, "votes", "sync", a)[0] == 1
