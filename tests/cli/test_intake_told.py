"""What ``votes import`` and ``votes merge`` say of what they were given, as a person reads it."""

import json
from pathlib import Path

import pytest

from arena_desktop.cli.main import main
from tests.helpers.vote_logs import draft, open_log

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
