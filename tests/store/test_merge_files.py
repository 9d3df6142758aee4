"""Merging files into a file: the same bytes as the export of a log that imported them, and nothing lost on the way."""

import gzip
import itertools
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from arena_desktop.cli.main import build_parser
from arena_desktop.domain.canonical import canonical, read_json
from arena_desktop.errors import ArenaError, UsageError
from arena_desktop.services.cancelling import Cancelled
from arena_desktop.services.exchange import export_votes, import_votes, merge_files, verify_files
from tests.helpers.vote_logs import ROSTER, draft, foreign_record, open_log, vectors, write_lines

VOTE = {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "gone"}, "vote": "a"}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Two logs that exchanged a few votes, one of them public, and a file of another program."""
    with open_log(tmp_path / "one") as one, open_log(tmp_path / "two") as two:
        first = [one.append_vote(draft()) for _ in range(3)]
        export_votes(one, tmp_path / "first.jsonl")
        import_votes(two, [tmp_path / "first.jsonl"], roster=ROSTER)
        two.append_vote(draft(vote="tie"))
        two.append_retraction(first[1]["id"], "l-aaaaaaaaaaaaaaaa", "mistake", "slipped")
        one.append_vote(draft(vote="both_bad"))
        export_votes(one, tmp_path / "one.jsonl.gz")
        export_votes(two, tmp_path / "two.jsonl.zst", public=True)
    records = [item["record"] if isinstance(item, dict) and "record" in item else item for item in _mixed()]
    legacy = write_lines(tmp_path / "old.jsonl", [*records, VOTE, VOTE, {**VOTE, "at": 5}])
    return [tmp_path / "one.jsonl.gz", tmp_path / "two.jsonl.zst", legacy]


def _mixed() -> list[Any]:
    return list(vectors("mixed_import.json")["records"])


def _exported(folder: Path, files: list[Path]) -> bytes:
    with open_log(folder) as log:
        import_votes(log, files, roster=ROSTER)
        export_votes(log, folder / "out.jsonl")
    return (folder / "out.jsonl").read_bytes()


def test_it_gives_what_a_log_would_export_in_any_order(tmp_path: Path, files: list[Path]) -> None:
    expected = _exported(tmp_path / "log", files)
    for number, order in enumerate(itertools.permutations(files)):
        out = tmp_path / f"{number}.jsonl"
        merge_files(order, out)
        assert out.read_bytes() == expected
    assert b'"slipped"' not in expected  # it came from a public export alone
    assert verify_files([tmp_path / "0.jsonl"]).ok


def test_packed_files_hold_the_same(tmp_path: Path, files: list[Path]) -> None:
    for name in ("plain", "packed.gz", "packed.zst"):
        merge_files(files, tmp_path / name)
    plain = (tmp_path / "plain").read_bytes()
    assert gzip.decompress((tmp_path / "packed.gz").read_bytes()) == plain
    assert zstandard.ZstdDecompressor().decompressobj().decompress((tmp_path / "packed.zst").read_bytes()) == plain
    merge_files([tmp_path / "packed.gz", tmp_path / "packed.zst", tmp_path / "plain"], tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == plain


def test_the_report_is_that_of_an_import_into_an_empty_log(tmp_path: Path, files: list[Path]) -> None:
    clash = write_lines(tmp_path / "clash", [foreign_record(), foreign_record(vote="tie")])
    cut = tmp_path / "cut"
    cut.write_bytes(canonical({**foreign_record(), "vote": "tie"}) + b'\n{"type": "vo')
    every = [*files, clash, cut, clash]
    with open_log(tmp_path / "log") as log:
        imported = import_votes(log, every, roster=ROSTER)
    merged = merge_files(every, tmp_path / "out", roster=ROSTER)
    assert merged.as_json() == imported.as_json()
    assert merged.findings == imported.findings
    assert len(merged.conflicts) == 1
    assert {skip.reason for skip in merged.skipped if skip.file == str(cut)} == {
        "hash does not match",
        "not an object",
    }
    assert "gone" in merged.unknown_models


def test_every_file_may_come_from_another_log(tmp_path: Path) -> None:
    one, two = (write_lines(tmp_path / name, [VOTE]) for name in ("one", "two"))
    assert merge_files([one, two], tmp_path / "same").new == 1
    report = merge_files([one, two], tmp_path / "apart", sources={two: "theirs"})
    assert (report.new, report.already) == (2, 0)
    lines = (tmp_path / "apart").read_bytes().splitlines()[1:]
    assert [read_json(line)["source"]["label"] for line in lines] == ["", "theirs"]


def test_the_header_names_what_is_missing(tmp_path: Path) -> None:
    station = foreign_record()["station_id"]
    records = [foreign_record(id=f"01900000-0000-7000-8000-00000000000{n}", seq=n) for n in (2, 3, 7)]
    merge_files([write_lines(tmp_path / "some", records)], tmp_path / "out")
    header = json.loads((tmp_path / "out").read_bytes().splitlines()[0])
    assert header["records"] == 3
    assert header["filter"] is None
    assert header["stations"][station]["missing"] == [[1, 1], [4, 6]]


@pytest.mark.parametrize("name", ["in.jsonl", "link"])
def test_no_file_is_merged_into_itself(tmp_path: Path, name: str) -> None:
    path = write_lines(tmp_path / "in.jsonl", [VOTE, 5])
    (tmp_path / "link").symlink_to(path)
    before = path.read_bytes()
    with pytest.raises(ArenaError, match="one of the files to be merged"):
        merge_files([path], tmp_path / name)
    assert path.read_bytes() == before


def test_nothing_is_written_when_a_file_cannot_be_read_or_somebody_says_stop(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in", [{**VOTE, "note": n} for n in range(1500)])
    out = tmp_path / "out"
    out.write_bytes(b"as it was")

    def stop(done: int) -> None:
        raise Cancelled

    with pytest.raises(ArenaError, match="absent can't be read"):
        merge_files([path, tmp_path / "absent"], out)
    with pytest.raises(Cancelled):
        merge_files([path], out, progress=stop)
    with pytest.raises(Cancelled):
        merge_files([path], out, writing=stop)
    merge_files([path], out, dry_run=True, writing=stop)
    assert out.read_bytes() == b"as it was"
    assert {found.name for found in tmp_path.iterdir()} == {"in", "out"}


class App:
    """What the command asks of the program: no log."""

    roster = ROSTER


def _run(*words: object) -> int:
    args = build_parser("votes").parse_args(["votes", "merge", *map(str, words)])
    status: int = args.func(args, App())
    return status


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = write_lines(tmp_path / "a=b", [VOTE]), write_lines(tmp_path / "c", [VOTE])
    out = tmp_path / "out.jsonl"
    assert _run(one, two, "-o", out, "--dry-run") == 0
    assert capsys.readouterr().out.startswith(f"Would write 1 record to {out}; 1 further copy left out.\n")
    assert not out.exists()
    assert _run(one, two, one, "-o", out, "--source", f"{one}=x=y", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert {key: report[key] for key in ("schema", "new", "already", "unknown_models")} == {
        "schema": 1,
        "new": 2,
        "already": 1,
        "unknown_models": ["gone"],
    }
    assert b'"label":"x=y"' in out.read_bytes()
    with pytest.raises(UsageError, match="no file to be merged"):
        _run(one, "-o", out, "--source", "d=x")


def test_a_conflict_is_kept_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_lines(tmp_path / "in", [foreign_record(), foreign_record(vote="tie")])
    assert _run(path, "-o", tmp_path / "out") == 1
    assert "1 conflict: different records under one id" in capsys.readouterr().err
    assert len((tmp_path / "out").read_bytes().splitlines()) == 3


def test_it_leaves_no_database(tmp_path: Path) -> None:
    merge_files([write_lines(tmp_path / "in", [VOTE])], tmp_path / "out")
    assert {found.name for found in tmp_path.iterdir()} == {"in", "out"}
