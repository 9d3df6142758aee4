"""The command line's promises: exit statuses, one line an error, never a traceback, nothing outside its directory."""

import json
import logging
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from arena_desktop import __version__
from arena_desktop.cli.main import COMMANDS, find_command, main
from tests.helpers.program import command, run


def one_line(text: str) -> str:
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text


@pytest.mark.parametrize(
    "words",
    [
        ["frobnicate"],
        ["--no-such-option"],
        ["synth"],
        ["--speed", "4"],
        ["--silent", "--speed", "0"],
        ["--silent", "--speed", "nan"],
        ["votes"],
        ["leaderboard", "--method", "guess"],
        ["leaderboard", "--js"],
        ["--data-dir", "", "leaderboard"],
        ["--trace", "t.jsonl", "leaderboard"],
        ["votes", "retract", "\udcff"],
        ["votes", "verify", "--data-dir", "x"],
        ["--listener", "", "leaderboard"],
        ["votes", "export", "--listener", ""],
        ["environments", "make", ""],
        ["environments", "make", "xtts", "--name", ""],
        ["environments", "remove", ""],
        ["doctor", "--remove-environment", ""],
    ],
)
def test_wrong_usage_is_one_line_and_status_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    one_line(capsys.readouterr().err)


def test_what_cannot_be_done_is_one_line_and_status_1(tmp_path: Path) -> None:
    done = run("--data-dir", str(tmp_path), "synth", "no/such-model", "--text", "Hello.", "-o", str(tmp_path / "o.wav"))
    assert done.returncode == 1
    assert "no/such-model" in one_line(done.stderr)
    assert done.stdout == ""


def test_a_data_directory_that_cannot_be_made_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a-file"
    file.write_text("in the way", encoding="utf-8")
    assert main(["--data-dir", str(file), "votes", "export", "-o", str(tmp_path / "out.jsonl")]) == 1
    assert str(file) in one_line(capsys.readouterr().err)


def test_every_command_and_the_program_have_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    overview = capsys.readouterr().out
    for name in COMMANDS:
        assert name in overview
        assert main([name, "--help"]) == 0
        assert name in capsys.readouterr().out


def test_the_programs_own_files_are_never_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data-dir", str(tmp_path), "votes", "verify"]) == 0
    before = (tmp_path / "votes.sqlite").read_bytes()
    capsys.readouterr()
    for name in ("votes.sqlite", "votes.sqlite-wal", "own-text.key", "settings.json", "cache/clips/x.wav"):
        for words in (["leaderboard"], ["votes", "export"], ["synth", "SVOX Pico US", "--text", "Hello."]):
            assert main(["--data-dir", str(tmp_path), *words, "-o", str(tmp_path / name)]) == 1
            assert "keeps for itself" in one_line(capsys.readouterr().err)
    link = tmp_path.parent / "link.sqlite"
    link.symlink_to(tmp_path / "votes.sqlite")
    assert main(["--data-dir", str(tmp_path), "leaderboard", "-o", str(link)]) == 1
    assert (tmp_path / "votes.sqlite").read_bytes() == before


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == f"arena-desktop {__version__}"


def test_the_value_of_an_option_is_not_taken_for_the_command() -> None:
    assert find_command(["--data-dir", "votes", "--listener", "synth", "leaderboard"]) == "leaderboard"
    assert find_command(["--silent", "--trace", "models"]) is None


def test_nothing_outside_the_data_directory_is_touched(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    environment = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home / "x"), "XDG_CACHE_HOME": str(home / "c")}
    piper = ["synth", "rhasspy/piper-voices#en_US-joe-medium", "--text", "Hello there.", "-o", str(tmp_path / "o.wav")]
    for words in (["leaderboard"], ["models", "list"], ["votes", "verify"], piper):
        done = subprocess.run(
            command("--data-dir", str(tmp_path / "data"), *words),
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
    assert list(home.iterdir()) == []


def test_a_reader_that_goes_away_ends_a_command_quietly(tmp_path: Path) -> None:
    process = subprocess.Popen(
        command("--data-dir", str(tmp_path), "leaderboard", "--json"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    said = process.stderr.read().decode()
    process.wait(60)
    process.stderr.close()
    assert "Traceback" not in said


def test_json_has_its_schema(tmp_path: Path) -> None:
    done = run("--data-dir", str(tmp_path), "leaderboard", "--json")
    assert json.loads(done.stdout)["schema"] == 1


def test_a_command_says_that_the_settings_were_damaged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "settings.json").write_text("{")
    assert main(["--data-dir", str(tmp_path), "models", "list"]) == 0
    (name,) = [entry.name for entry in tmp_path.iterdir() if entry.name.startswith("settings.json.bad")]
    (said,) = [line for line in capsys.readouterr().err.splitlines() if "settings" in line]
    assert said.startswith("arena-desktop: note: The settings in ")
    assert name in said


def test_the_doctor_reports_to_the_end_where_the_data_directory_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert main(["--data-dir", str(tmp_path / "file"), "doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    levels = {one["area"]: one["level"] for one in report["findings"]}
    assert (report["ok"], levels["data"], levels["engines"], levels["roster"]) == (False, "fault", "fault", "ok")


def test_a_bug_is_one_line_and_its_traceback_goes_to_the_log(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    expect_log: Callable[[str], None],
) -> None:
    from arena_desktop.store.vote_log import VoteLog

    def broken(log: VoteLog) -> int:
        raise ZeroDivisionError("by nothing")

    expect_log("a command failed")
    monkeypatch.setattr(VoteLog, "log_hash", broken)
    assert main(["--data-dir", str(tmp_path), "leaderboard", "--json"]) == 1
    assert "ZeroDivisionError" in one_line(capsys.readouterr().err)
    assert "Traceback" in (tmp_path / "logs" / "arena-desktop.log").read_text("utf-8")
    assert logging.getLogger("arena_desktop").handlers == []
