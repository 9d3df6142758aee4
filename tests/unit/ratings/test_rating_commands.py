"""``leaderboard`` and ``ratings replay`` as they are called."""

import argparse
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.cli import leaderboard, ratings
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.domain.vote_filter import VoteFilter
from arena_desktop.errors import ArenaError
from arena_desktop.services.board import Board
from arena_desktop.services.exchange import export_votes, import_votes
from tests.helpers.rating_vectors import ELO, FIT, load, record
from tests.helpers.vote_logs import draft, foreign_record, open_log, write_lines

CASES = {
    **{
        name: {**case, "registry": load("small_logs.json")["registry"]}
        for name, case in load("small_logs.json")["cases"].items()
    },
    "random_500": load("random_500.json"),
    "mixed_import": load("mixed_import.json"),
}


def roster_of(registry: Any) -> Roster:
    return Roster(
        {model["repo_id"]: ModelSpec(**model) for model in registry["models"]},
        {arena: ArenaSpec(arena, tuple(models)) for arena, models in registry["arenas"].items()},
    )


class App:
    """The program, as far as these commands know it."""

    def __init__(self, roster: Roster, board: Board | None = None, silent: bool = False) -> None:
        self.roster = roster
        self.silent = silent
        self._board = board

    @property
    def board(self) -> Board:
        assert self._board is not None, "the log was opened though a file was named"
        return self._board


def run(app: App, *words: str) -> int:
    parser = argparse.ArgumentParser()
    subparsers = parser.add_subparsers(required=True)
    leaderboard.add_parser(subparsers)
    ratings.add_parser(subparsers)
    args = parser.parse_args(words)
    status: int = args.func(args, app)
    return status


def as_lines(records: list[Any]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in records)


def as_array(records: list[Any]) -> bytes:
    return json.dumps(records, indent=1).encode()


@pytest.mark.parametrize("write", [as_lines, as_array, lambda records: gzip.compress(as_lines(records))])
@pytest.mark.parametrize("name", CASES)
def test_a_replayed_file_gives_the_known_numbers(
    name: str, write: Callable[[list[Any]], bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = CASES[name]
    file = tmp_path / "votes"
    file.write_bytes(write(case.get("records") or [record(*line) for line in case["log"]]))
    app = App(roster_of(case["registry"]))
    assert run(app, "ratings", "replay", str(file), "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert list(report) == ["schema", "applied", "skipped", "arenas", "other_records"]
    assert report["schema"] == 1
    assert report["applied"] == case["expected"]["applied"]
    assert {str(skip["index"]): skip["reason"] for skip in report["skipped"]} == case.get("skipped", {})
    assert report["other_records"] == {}
    for arena, known in case["expected"]["arenas"].items():
        numbers = report["arenas"][arena]
        assert list(numbers) == ["total_battles", "models", "pairs", "rows", "bradley_terry"]
        assert numbers["total_battles"] == known["total_battles"]
        assert numbers["pairs"] == known["pairs"]
        assert [row["repo_id"] for row in numbers["rows"]] == [row["repo_id"] for row in known["rows"]]
        assert numbers["bradley_terry"] == pytest.approx(known["bt_optimum"], rel=0, abs=FIT)
        for repo_id, tally in known["models"].items():
            assert numbers["models"][repo_id] == {**tally, "elo": pytest.approx(tally["elo"], rel=0, abs=ELO)}
        for method in ("elo", "bt"):
            assert run(app, "leaderboard", "--from", str(file), "--arena", arena, "--method", method, "--json") == 0
            rows = json.loads(capsys.readouterr().out)["rows"]
            if method == "elo":
                assert rows == numbers["rows"]
            else:
                assert {row["repo_id"]: row["rating"] for row in rows} == pytest.approx(known["bt_optimum"], abs=FIT)


ROSTER = Roster(
    {name: ModelSpec(name, name) for name in ("x/one", "x/two", "x/three")},
    {"english": ArenaSpec("english", ("x/one", "x/two", "x/three"), question="Which?")},
)


def test_a_file_of_ours_is_replayed_in_canonical_order_without_what_was_taken_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_log(tmp_path) as log:
        votes = [log.append_vote(draft(vote=vote)) for vote in ("a", "a", "tie", "b")]
        log.append_retraction(votes[1]["id"], votes[1]["listener"], "undo")
        export_votes(log, tmp_path / "votes.jsonl", VoteFilter(), public=False)
    header, *lines = (tmp_path / "votes.jsonl").read_bytes().splitlines(keepends=True)
    turned = tmp_path / "turned.jsonl"
    turned.write_bytes(header + b"".join(reversed(lines)) + lines[0])
    reports = []
    for file in (tmp_path / "votes.jsonl", turned):
        assert run(App(ROSTER), "ratings", "replay", str(file), "--json") == 0
        reports.append(json.loads(capsys.readouterr().out))
    assert reports[0]["applied"] == 3
    assert reports[0]["skipped"] == [{"index": 1, "reason": "retracted"}]
    assert reports[0]["other_records"] == {"retraction": 1}
    assert reports[1]["arenas"] == reports[0]["arenas"]
    # Without the header the file is taken as it lies: in file order, the repeat counts, the retraction doesn't.
    headless = tmp_path / "headless.jsonl"
    headless.write_bytes(b"".join(lines) + lines[0])
    assert run(App(ROSTER), "ratings", "replay", str(headless), "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["applied"], report["skipped"], report["other_records"]) == (5, [], {"retraction": 1})


def test_the_leaderboard_of_the_log_as_table_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open_log(tmp_path) as log:
        for vote in ("a", "a", "both_bad"):
            log.append_vote(draft(vote=vote))
        log.append_vote(draft(arena="attic"))
        app = App(ROSTER, Board(ROSTER, log))
        assert run(app, "leaderboard") == 0
        table = capsys.readouterr()
        assert run(app, "leaderboard", "--json") == 0
        data = capsys.readouterr()
        assert run(app, "leaderboard", "--method", "elo") == 0
        elo = capsys.readouterr().out
        written = tmp_path / "board.json"
        assert run(app, "leaderboard", "--format", "json", "-o", str(written)) == 0
        assert capsys.readouterr().out == ""
    found = json.loads(data.out)
    assert written.read_text(encoding="utf-8") == data.out
    assert [row["repo_id"] for row in found["rows"]] == ["x/one", "x/two", "x/three"]
    lines = table.out.splitlines()
    first = next(index for index, line in enumerate(lines) if line.endswith("  model")) + 1
    rows = lines[first : first + 3]
    assert [line.rsplit("  ", 1)[1] for line in rows] == ["x/one (x/one)", "x/two (x/two)", "x/three (x/three)"]
    assert rows[0].split()[0] == "1–2"
    assert "67 %" in rows[0]
    assert rows[2].split()[0] == "–"
    # What is left out is said in both forms, and never among the JSON.
    said = (
        "1 vote is left out of all boards: it names an arena that is not in the roster (attic)."
        " Give the roster that has it with --roster."
    )
    assert said in lines
    assert data.err.strip() == said
    leader = next(line for line in elo.splitlines() if line.endswith("(x/one)"))
    assert leader.split()[0] == "1038"


def test_silent_votes_of_a_file_count_only_when_silent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "votes.jsonl"
    with open_log(tmp_path) as log:
        log.append_vote(draft(conditions={"question": "Which?", "silent": True}))
        export_votes(log, file, VoteFilter(), public=False)
    for silent, applied in ((False, 0), (True, 1)):
        app = App(ROSTER, silent=silent)
        assert run(app, "ratings", "replay", str(file), "--json") == 0
        assert json.loads(capsys.readouterr().out)["applied"] == applied
        assert run(app, "leaderboard", "--from", str(file), "--json") == 0
        assert sum(row["battles"] for row in json.loads(capsys.readouterr().out)["rows"]) == 2 * applied


def test_a_replay_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "votes.jsonl"
    file.write_bytes(as_lines([record("english", "x/one", "x/two", "a"), None, record("attic", "x/one", "x/two", "a")]))
    assert run(App(ROSTER), "ratings", "replay", str(file)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 votes applied, 2 skipped: 1 × not an object, 1 × unknown arena"
    assert lines[2] == "english: 1 battles"
    assert "1024.0" in lines[4]


@pytest.mark.parametrize(
    ("words", "error", "named"),
    [
        (("leaderboard", "--arena", "attic"), ArenaError, "'attic'"),
        (("leaderboard", "--from", "no/such/file"), ArenaError, "no/such/file"),
        (("ratings", "replay", "no/such/file"), ArenaError, "no/such/file"),
        (("leaderboard", "-o", "no/such/folder/board"), ArenaError, "no/such/folder/board"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    words: tuple[str, ...], error: type[ArenaError], named: str, tmp_path: Path
) -> None:
    with open_log(tmp_path) as log, pytest.raises(error, match=named):
        run(App(ROSTER, Board(ROSTER, log)), *words)


@pytest.mark.parametrize("form", ["words", "--json"])
def test_retractions_without_effect_are_named(tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    vote = foreign_record()
    idle = foreign_record(
        type="retraction",
        retracts=vote["id"],
        id="01900000-0000-7000-8000-00000000cccc",
        station_id="5c0cbb54-6d3c-4f43-9a4e-000000000009",
        listener="l-else",
    )
    options = [] if form == "words" else [form]
    said = f"1 retraction has no effect: {idle['id']} (another listener's vote on another station)."
    with open_log(tmp_path) as log:
        import_votes(log, [write_lines(tmp_path / "f", [vote, idle])], roster=ROSTER)
        export_votes(log, tmp_path / "f")
        app = App(ROSTER, Board(ROSTER, log))
        for words in (
            ["leaderboard"],
            ["leaderboard", "--from", str(tmp_path / "f")],
            ["ratings", "replay", str(tmp_path / "f")],
        ):
            assert run(app, *words, *options) == 0
            found = capsys.readouterr()
            assert (found.err if options else found.out).splitlines().count(said) == 1
            assert not options or json.loads(found.out)["schema"] == 1
