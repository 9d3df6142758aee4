"""``leaderboard`` in every format: the same log gives the same bytes, on any machine, and the command that an export
names gives them again.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from arena_desktop.cli.main import main
from arena_desktop.domain.roster import Roster
from arena_desktop.paths import app_paths
from arena_desktop.services.exports import FORMATS
from arena_desktop.store.roster_file import load_roster
from tests.helpers.boards import votes_between
from tests.helpers.vote_logs import draft, open_log

MANY = """
import sys
from arena_desktop.cli.main import main
home, out, *formats = sys.argv[1:]
sys.exit(max(main(["--data-dir", home, "leaderboard", "--format", form, "-o", f"{out}/{form}"]) for form in formats))
"""


def shipped(home: Path) -> Roster:
    return load_roster(app_paths(home).roster, None)


def fill(home: Path, count: int = 20, *, silent: bool = False) -> None:
    """A log of some votes in the first arena of the roster that the program brings along, one of them taken back."""
    arena = next(iter(shipped(home).arenas.values()))
    home.mkdir(parents=True, exist_ok=True)
    with open_log(home) as log:
        conditions = {"question": arena.question, "gate": 0.9, "silent": silent, "target_lufs": -23.0}
        for vote in votes_between(arena.models[:4], count):
            sides = {
                side: {"repo_id": vote[side]["repo_id"], "rtf": 0.25, "device": "cpu"}
                for side in ("model_a", "model_b")
            }
            known = {key: vote[key] for key in ("vote", "listener", "prompt")}
            stored = log.append_vote(draft(arena=arena.id, conditions=conditions, **sides, **known))
        log.append_retraction(stored["id"], stored["listener"], "mistake")


def written(home: Path, out: Path, *options: str, method: str = "rating") -> dict[str, bytes]:
    out.mkdir(exist_ok=True)
    for form in FORMATS:
        words = ["--data-dir", str(home), *options, "leaderboard", "--method", method, "--format", form]
        assert main([*words, "-o", str(out / form)]) == 0
    return {form: (out / form).read_bytes() for form in FORMATS}


def export(home: Path, file: Path) -> None:
    assert main(["--data-dir", str(home), "votes", "export", "-o", str(file)]) == 0


@pytest.mark.parametrize(("method", "silent"), [("rating", False), ("elo", True)])
def test_the_command_of_an_export_makes_it_again(
    method: str, silent: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    fill(home, silent=silent)
    known = written(home, tmp_path / "known", *(["--silent"] if silent else []), method=method)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    export(home, elsewhere / "votes.jsonl")
    monkeypatch.chdir(elsewhere)
    monkeypatch.setenv("ARENA_DESKTOP_HOME", str(tmp_path / "bare"))
    for form, content in known.items():
        (command,) = set(re.findall(r"arena-desktop (?:--silent )?leaderboard .*? -o [\w.-]+", content.decode("utf-8")))
        words = shlex.split(command)
        assert main(words[1:]) == 0
        assert Path(words[-1]).read_bytes() == content, form


def test_the_command_names_a_roster_that_the_program_does_not_bring_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    roster = "models: [{repo_id: x/a, name: A}, {repo_id: x/b, name: B}]\narenas: [{id: one, models: [x/a, x/b]}]\n"
    (tmp_path / "mine.yaml").write_text(roster)
    line = (LINE % ("x/a", "x/b")).replace("english", "one")
    (tmp_path / "votes.jsonl").write_text(line * 5)
    home = ["--data-dir", str(tmp_path / "home")]
    words = [*home, "--roster", "mine.yaml", "leaderboard", "--from", "votes.jsonl", "--format", "md", "-o", "first.md"]
    assert main(words) == 0
    found = Path("first.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"`(arena-desktop .*?)`", found)
    assert command.startswith("arena-desktop --roster models.yaml leaderboard ")
    (tmp_path / "mine.yaml").rename("models.yaml")
    words = shlex.split(command)
    assert main([*home, *words[1:]]) == 0
    assert Path(words[-1]).read_text(encoding="utf-8") == found


def test_the_same_votes_give_the_same_bytes_after_an_import(tmp_path: Path) -> None:
    fill(tmp_path / "one")
    export(tmp_path / "one", tmp_path / "votes.jsonl")
    assert main(["--data-dir", str(tmp_path / "two"), "votes", "import", str(tmp_path / "votes.jsonl")]) == 0
    assert written(tmp_path / "two", tmp_path / "b") == written(tmp_path / "one", tmp_path / "a")


def test_neither_zone_nor_language_nor_process_shows_in_an_export(tmp_path: Path) -> None:
    home = tmp_path / "home"
    fill(home)
    known = written(home, tmp_path / "here")
    there = tmp_path / "there"
    there.mkdir()
    odd = {"TZ": "Pacific/Kiritimati", "LANG": "C", "LC_ALL": "C", "PYTHONHASHSEED": "77", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-c", MANY, str(home), str(there), *FORMATS],
        env={**os.environ, **odd},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert {form: (there / form).read_bytes() for form in FORMATS} == known


def test_standard_output_gets_the_bytes_of_the_file(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    home = tmp_path / "home"
    fill(home, 5)
    known = written(home, tmp_path / "known")
    capfdbinary.readouterr()
    for form, content in known.items():
        assert main(["--data-dir", str(home), "leaderboard", "--format", form]) == 0
        assert capfdbinary.readouterr().out == content, form


def test_an_unknown_format_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["leaderboard", "--format", "xlsx"]) == 2
    assert "xlsx" in capsys.readouterr().err


LINE = '{"arena": "english", "model_a": {"repo_id": "%s"}, "model_b": {"repo_id": "%s"}, "vote": "a"}\n'
READS_FILES = (["leaderboard", "--from"], ["audit", "--from"])


@pytest.mark.parametrize("words", READS_FILES)
@pytest.mark.parametrize(
    ("content", "place"), [("{bro\n", "line 1"), ('[7, {"a": 1}]', "element 1"), ('\n{"a": 1}\nx\n', "line 2")]
)
def test_a_file_without_any_record_is_no_file_of_votes(
    words: list[str], content: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(content)
    assert main(["--data-dir", str(tmp_path / "home"), *words, str(file)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert f"{file}, {place}: " in line
    assert '"model_a": {"repo_id"' in line


@pytest.mark.parametrize("words", READS_FILES)
def test_bad_lines_among_votes_are_counted_and_an_empty_file_is_an_empty_board(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, home = tmp_path / "votes.jsonl", tmp_path / "home"
    one, two, *_ = next(iter(shipped(home).arenas.values())).models
    file.write_text(LINE % (one, two) + "{bro\n" * 3)
    assert main(["--data-dir", str(home), *words, str(file)]) == 0
    assert "Left out of all boards: 3 lines that are no JSON objects.\n" in capsys.readouterr().out
    file.write_text("")
    assert main(["--data-dir", str(home), *words, str(file)]) == 0
    assert "no votes yet" in capsys.readouterr().out.lower()


def test_votes_on_models_of_another_roster_are_said_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "votes.jsonl"
    file.write_text("".join(LINE % (f"x/m-{n}", f"x/m-{n + 1}") for n in range(7)) * 200)
    assert main(["--data-dir", str(tmp_path / "home"), "leaderboard", "--from", str(file)]) == 0
    found = capsys.readouterr().out
    assert main(["--data-dir", str(tmp_path / "home"), "audit", "--from", str(file)]) == 0
    assert "There are votes, but none counts here. There is nothing to audit." in capsys.readouterr().out
    assert "No vote counts here" in found.splitlines()[0]
    assert (
        "1,400 votes are left out of all boards: they name models that are not in the roster"
        " (x/m-0, x/m-1, x/m-2, x/m-3, x/m-4, … and 3 more). Give the roster that has them with --roster.\n"
    ) in found
