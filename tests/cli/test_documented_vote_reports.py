"""docs/command-line.md says which keys the reports about votes and ratings have: real ones have these and no others."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena_desktop.cli.main import main
from tests.cli.test_documented_reports import same
from tests.helpers.documented import read, sketch
from tests.helpers.rich_logs import MODELS, QUESTION, rich_log
from tests.helpers.vote_logs import write_lines

Report = Callable[..., Any]


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    """A file of everything that a log holds, with a line that is no vote."""
    log = rich_log(tmp_path / "rich")
    lines = [*log.records(), {"arena": "english", "model_a": "x/one", "model_b": "x/two", "vote": "perhaps"}]
    log.close()
    return write_lines(tmp_path / "votes.jsonl", lines)


@pytest.fixture
def report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Report:
    """Runs a command; gives what --json printed."""
    models = [{"repo_id": name, "name": name.upper(), "params_m": 10, "params": "10M"} for name in MODELS]
    arenas = [{"id": "english", "models": list(MODELS), "question": QUESTION}]
    roster = tmp_path / "roster.yaml"
    roster.write_text(yaml.safe_dump({"schema": 1, "models": models, "arenas": arenas}))

    def run(*words: str, status: int = 0) -> Any:
        options = ["--data-dir", str(tmp_path / "data"), "--roster", str(roster)]
        assert main([*options, *words, "--json"]) == status, capsys.readouterr().err
        return json.loads(capsys.readouterr().out)

    return run


def test_votes_in_and_out(report: Report, votes: Path, tmp_path: Path) -> None:
    looked = report("votes", "import", str(votes), "--dry-run", status=1)
    taken = report("votes", "import", str(votes), status=1)
    found = [{"schema": 1, **one.pop("findings")} for one in (looked, taken)]
    same(sketch("votes merge"), *found, unseen=(".variants[]", ".aliases[]", ".chains[]"))
    same(sketch("votes import"), looked, taken)
    exported = report("votes", "export", "-o", str(tmp_path / "out.jsonl"))
    same(sketch("votes export"), exported)
    same(sketch("votes verify"), report("votes", "verify"), unseen=(".faults[]",))


def test_keys_and_a_shared_folder(report: Report, votes: Path, tmp_path: Path) -> None:
    created = report("votes", "keys", "create")
    same(sketch("votes keys", number=1), created)
    report("votes", "import", str(votes), status=1)
    same(sketch("votes keys"), report("votes", "keys"), unseen=(".unused[]",))
    (tmp_path / "shared").mkdir()
    same(sketch("votes sync"), report("votes", "sync", str(tmp_path / "shared")), unseen=(".problems[]",))


def test_people(report: Report, votes: Path) -> None:
    report("votes", "import", str(votes), status=1)
    same(
        sketch("votes contributors"),
        report("votes", "contributors"),
        unseen=(".arenas[].contributors[].other_weights[]", ".arenas[].contributors[].excluded[]"),
    )
    listed = report("listeners", "list")
    same(sketch("listeners list"), listed)
    gone = listed["listeners"][0]["pseudonym"]
    same(sketch("listeners forget"), report("listeners", "forget", gone, "--yes"))


def test_ratings(report: Report, votes: Path) -> None:
    report("votes", "import", str(votes), status=1)
    board = sketch("leaderboard")
    assert board.objects, "the board's report is not documented"
    fitted = report("leaderboard")
    elo = report("leaderboard", "--method", "elo")
    for name, number in (("elo", 1), ("rating", 2)):
        rows = (elo if name == "elo" else fitted)["rows"]
        assert rows
        same(sketch("leaderboard", number=number), *({**row, "schema": 1} for row in rows))
    for one in (fitted, elo):
        one["rows"] = []
    same(board, fitted, elo)
    same(sketch("audit"), report("audit"), unseen=(".findings[].figures",))
    same(sketch("ratings replay"), report("ratings", "replay", str(votes)))


def test_recovery_of_a_sound_log(report: Report, votes: Path) -> None:
    report("votes", "import", str(votes), status=1)
    assert (
        list(
            read('{"records", "damaged_file"}').differences(
                {key: value for key, value in report("votes", "recover").items() if key != "schema"}
            )
        )
        == []
    )
