"""What ``votes import`` and ``votes merge`` say of what they were given, as a person reads it."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from arena_desktop.cli.main import main
from arena_desktop.domain.times import time_text
from arena_desktop.domain.vote_filter import VoteFilter
from arena_desktop.services.vote_export import export_votes
from tests.helpers.vote_logs import START_US, draft, foreign_record, open_log, write_lines

HEART, MICHAEL = "hexgrad/Kokoro-82M#af_heart", "hexgrad/Kokoro-82M#am_michael"
Output = pytest.CaptureFixture[str]


def run(capsys: Output, *words: object) -> tuple[int, str, str]:
    status = main(list(map(str, words)))
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.mark.parametrize("form", ["csv", "pairs", "lmarena"])
def test_what_was_exported_for_others_is_known_again(tmp_path: Path, capsys: Output, form: str) -> None:
    with open_log(tmp_path) as log:
        log.append_vote(draft(model_a={"repo_id": HEART}, model_b={"repo_id": MICHAEL}, conditions={}))
    out = tmp_path / "out"
    assert run(capsys, "--data-dir", tmp_path, "votes", "export", "-o", out, "--format", form)[0] == 0
    status, said, _ = run(capsys, "--data-dir", tmp_path, "votes", "import", out, "--dry-run")
    assert status == 0
    assert said.startswith("Would import 1 new record;")
    assert "they count twice" in said


def test_contributors_for_programs_say_their_schema(tmp_path: Path, capsys: Output) -> None:
    _, said, _ = run(capsys, "--data-dir", tmp_path, "votes", "contributors", "--json")
    assert json.loads(said)["schema"] == 1


def test_numbers_are_of_distinct_records_and_agree(tmp_path: Path, capsys: Output) -> None:
    """Two exports that overlap, one with what is private, and one of them twice: one station with three votes."""
    step = 1_000_000_000
    times = iter((START_US, START_US + step, START_US + 2 * step))
    with open_log(tmp_path / "log", clock=lambda: next(times)) as log:
        for vote, silent in (("a", False), ("b", True), ("b", True)):
            log.append_vote(draft(vote=vote, conditions={"silent": silent}))
        export_votes(log, tmp_path / "whole")
        export_votes(log, tmp_path / "public", VoteFilter(since=time_text(START_US + step)), public=True)
    files = [tmp_path / name for name in ("public", "whole", "whole")]
    for command in (["import", "--dry-run"], ["merge", "--dry-run", "-o", tmp_path / "out"]):
        _, said, _ = run(capsys, "--data-dir", tmp_path / "b", "votes", command[0], *files, *command[1:])
        assert "5 further copies" in said
        assert "3 votes in english (3), by 1 listener, from 1 station" in said
        assert "yes (2), no (1)" in said
        _, said, _ = run(capsys, "--data-dir", tmp_path / "b", "votes", command[0], *files, *command[1:], "--json")
        found = json.loads(said)
        assert (found["new"], found["already"], found["copies"]) == (3, 5, 5)
        assert [one["records"] for one in found["findings"]["stations"]] == [3]
        assert found["findings"]["models"] == [["x/one", 3], ["x/two", 3]]
    assert run(capsys, "--data-dir", tmp_path / "b", "votes", "import", *files)[1].startswith(
        "Imported 3 new records; 0 already here, 5 further copies in the files."
    )
    assert run(capsys, "--data-dir", tmp_path / "b", "votes", "import", files[0])[1].startswith(
        "Imported 0 new records; 2 already here."
    )


def test_a_clock_that_ran_back_did_so_once(tmp_path: Path, capsys: Output) -> None:
    times = enumerate(("2026-03-01", "2026-03-03", "2026-03-02"), 1)
    records = [
        foreign_record(id=f"01900000-0000-7000-8000-00000000000{n}", seq=n, at=f"{day}T10:00:00.000000Z")
        for n, day in times
    ]
    file = write_lines(tmp_path / "f", [*records, *records])
    said = run(capsys, "--data-dir", tmp_path, "votes", "import", file)[1]
    assert "Clocks ran back on stations 5c0cbb54 (1×)" in said


ODD = "\x1b]0;gone\x07\x1b[2J\u202edlog\u2028new\nline\x9b"


@pytest.mark.parametrize(
    "words",
    [
        ["import", "--dry-run"],
        ["merge", "--dry-run", "-o", "out"],
        ["import"],
        ["import", "--add-models"],
        ["contributors"],
        ["verify"],
        ["sync"],
    ],
)
def test_no_file_steers_the_terminal(tmp_path: Path, capsys: Output, words: list[str]) -> None:
    shared = tmp_path / "shared"
    station = shared / "5c0cbb54-6d3c-4f43-9a4e-000000000001"
    station.mkdir(parents=True)
    records = [
        foreign_record(model_a={"repo_id": ODD}, arena=ODD, listener=ODD, conditions={"question": ODD}),
        foreign_record(id=ODD, vote=ODD, station_id=ODD),
        foreign_record(vote="tie", listener=ODD, model_a={"repo_id": HEART}, model_b={"repo_id": MICHAEL}),
        {"arena": "english", "model_a": ODD, "model_b": "x", "winner": "tie", "judge": ODD},
    ]
    file = write_lines(station / "000000000001.jsonl", records)
    odd = write_lines(tmp_path / f"{ODD}.jsonl", records)
    what = [shared] if words[0] == "sync" else [file, odd]
    _, out, err = run(capsys, "--data-dir", tmp_path / "data", "votes", words[0], *what, *words[1:])
    said = out + err
    assert said
    assert not [char for char in said.replace("\n", "") if char < " " or char in "\x7f\x9b\u202e\u2028"]
    assert not [line for line in said.splitlines() if line.startswith("line")]


def _battles(path: Path, *names: str) -> Path:
    return write_lines(path, [{"model_a": one, "model_b": two, "winner": "tie"} for one, two in pairwise(names)])


def test_models_that_are_added_are_not_said_to_be_missing(tmp_path: Path, capsys: Output) -> None:
    file = _battles(tmp_path / "f", "x/new", HEART, "x/newer")
    words = ["--data-dir", tmp_path / "a", "votes", "import", file, "--map", "arena=:english"]
    assert "wait until" in run(capsys, *words, "--dry-run")[1]
    _, said, _ = run(capsys, *words, "--add-models")
    assert "Added 2 models as rating-only." in said
    assert "Their votes count from the next command on." in said
    assert "wait until" not in said


def test_a_model_called_as_the_roster_does_is_no_second_one(tmp_path: Path, capsys: Output) -> None:
    file = _battles(tmp_path / "f", "kokoro  heart", MICHAEL)
    words = ["--data-dir", tmp_path / "a", "votes", "import", file, "--map", "arena=:english"]
    hint = f'write in aliases.yaml, under aliases: "kokoro heart": {HEART}'
    assert hint in run(capsys, *words, "--dry-run")[1].replace("  ", " ")
    _, said, _ = run(capsys, *words, "--add-models")
    assert hint in said.replace("  ", " ")
    assert "Added" not in said
    assert not (tmp_path / "a" / "models.yaml").exists()


def test_the_same_file_read_otherwise_is_told_with_the_way_out(tmp_path: Path, capsys: Output) -> None:
    file = _battles(tmp_path / "f", MICHAEL, HEART)
    words = ["--data-dir", tmp_path / "a", "votes", "import", file, "--map"]
    assert run(capsys, *words, "arena=:english")[0] == 0
    for options in (["--dry-run"], []):
        status, out, err = run(capsys, *words, "arena=:spanish", *options)
        assert status == 1
        assert "1 conflict" in err
        assert "no policy can pick one. Use the same --map as before" in out
        assert "(--source NAME)" in out
    assert run(capsys, *words, "arena=:spanish", "--source", "again")[0] == 0


def test_a_named_listener_of_another_program_is_shown_with_the_log(tmp_path: Path, capsys: Output) -> None:
    battles = [{"model_a": HEART, "model_b": MICHAEL, "winner": "tie", "judge": "Ann", "n": n} for n in range(3)]
    file = write_lines(tmp_path / "f", battles)
    words = ["--data-dir", tmp_path / "a", "votes"]
    run(capsys, *words, "import", file, "--map", "arena=:english", "--source", "lab")
    assert ", from «lab»\n" in run(capsys, *words, "contributors")[1]
    found = json.loads(run(capsys, *words, "contributors", "--json")[1])
    assert found["arenas"][0]["contributors"][0]["source"] == "lab"


def test_small_things_are_said_as_they_are(tmp_path: Path, capsys: Output) -> None:
    words = ["--data-dir", tmp_path / "a", "votes"]
    file = _battles(tmp_path / "f", MICHAEL, HEART)
    said = run(capsys, *words, "import", file, "--map", "arena=:english")[1]
    assert "1 record says no time" in said
    assert "is a file, not a folder" in run(capsys, *words, "sync", file)[2]
    assert run(capsys, *words, "export", "-o", "-")[0] == 2
    for option in ("--study", "--until"):
        _, _, err = run(capsys, *words, "export", "-o", tmp_path / "out", option, "1999-01-01")
        assert err == "arena-desktop: no vote is of this study and time (--study, --since, --until).\n"
