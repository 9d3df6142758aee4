"""The audit in words, as the page shows it and the command prints it."""

import argparse
import json
import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena_desktop.cli import audit as audit_command
from arena_desktop.domain.reading import SILENT
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.ratings.vote_table import VoteTable
from arena_desktop.services.arena_votes import ArenaVotes, RetractedVote
from arena_desktop.services.board import Board
from arena_desktop.services.board_views import AuditLens, AuditLine, AuditView, Severity
from arena_desktop.services.lenses import look
from arena_desktop.services.lenses.audit import WORDINGS, findings
from tests.helpers.audit_boards import PLANTED, board, clean_rows, retracted_wins, table
from tests.helpers.vote_logs import ROSTER, draft, open_log, write_lines

HOME = [110.0, *(-40.0 * n for n in range(8))]


def snapshot(votes: VoteTable, retracted: tuple[RetractedVote, ...] = ()) -> ArenaVotes:
    models = tuple(ModelSpec(model, f"Voice {model[2:]}") for model in votes.models)
    level = np.full(len(models), 1000.0)
    return ArenaVotes(ArenaSpec("english", votes.models), models, votes, level, level, retracted, {})


def audited(votes: ArenaVotes) -> AuditView:
    view = look(votes, AuditLens())
    assert isinstance(view, AuditView)
    return view


@pytest.mark.parametrize("planted", [name for name, (check, _) in PLANTED.items() if check != "retractions"])
def test_what_is_found_is_said_first_with_its_effect_and_a_remedy(planted: str) -> None:
    check, make = PLANTED[planted]
    view = audited(snapshot(make().votes))
    worst = view.lines[0]
    assert worst.check == check
    assert view.sentence.startswith(f"1 finding in 16 checks; the gravest: {worst.title}.")
    for text in (worst.found, worst.effect, worst.remedy):
        assert re.fullmatch(r"[A-Z0-9].*\.", text), text
    assert_readable(view)


def assert_readable(view: AuditView) -> None:
    """Models by name, no number that is none, nothing of the program's own words."""
    for line in view.lines:
        said = [line.found, line.effect, line.remedy, *(f"{label} {number}" for label, number in line.figures)]
        text = re.sub(r"split: {.*?}", "", "\n".join(filter(None, said)))  # what to write into a file, word for word
        assert not re.search(r"m/\d\d|nan|None|True|False|_|\binf\b|  |\.\.", text), text


def test_votes_taken_back_are_seen_and_technical_ones_are_not() -> None:
    made = retracted_wins()
    rows = [row for row in clean_rows(17) if (row.vote, "m/06") in (("a", row.a), ("b", row.b))][:40]
    line = by_check(audited(snapshot(made.votes, tuple(RetractedVote(row, -1, "undo") for row in rows))))["retractions"]
    assert line.severity is Severity.WARNING
    assert "Voice 06's wins" in line.found
    technical = tuple(RetractedVote(row, -1, "technical") for row in rows)
    assert by_check(audited(snapshot(made.votes, technical)))["retractions"].severity is Severity.OK


def by_check(view: AuditView) -> dict[str, AuditLine]:
    return {line.check: line for line in view.lines}


def test_a_clean_board_says_so() -> None:
    view = audited(snapshot(board(clean_rows(102)).votes))
    assert view.sentence == "Nothing was found against this board."
    assert {line.severity for line in view.lines} == {Severity.OK}
    assert_readable(view)


def test_fifteen_votes_say_how_many_more_it_takes() -> None:
    view = audited(snapshot(board(clean_rows(3, 15, strengths=HOME, listeners=1)).votes))
    assert view.sentence.startswith("Nothing was found against this board. ")
    assert view.sentence.endswith("checks can't tell yet.")
    assert by_check(view)["side"].found.startswith("Too few votes to tell; about 50 votes in all needed.")
    assert_readable(view)


def test_no_votes_have_one_sentence() -> None:
    view = audited(snapshot(table([])))
    assert view.sentence == "There are no votes yet. There is nothing to audit."
    assert {line.found for line in view.lines} == {"There are no votes yet."}


def test_names_with_odd_characters_stay_as_they_are() -> None:
    votes = PLANTED["two level leaders"][1]().votes
    models = tuple(ModelSpec(model, f"<b>Ünï «{n}» | {{x}} %s") for n, model in enumerate(votes.models))
    level = np.full(len(models), 1000.0)
    view = audited(ArenaVotes(ArenaSpec("english", votes.models), models, votes, level, level, (), {}))
    assert "<b>Ünï «0» | {x} %s leads" in view.lines[0].found


def test_every_check_is_worded() -> None:
    assert set(WORDINGS) == {check for check, _ in PLANTED.values()}


# --- the command -----------------------------------------------------------------------------------------------------


class App:
    """The program, as far as the command knows it."""

    def __init__(self, roster: Roster, board: Board) -> None:
        self.roster = roster
        self.board = board
        self.silent = False


def run(app: App, *words: str) -> int:
    parser = argparse.ArgumentParser()
    audit_command.add_parser(parser.add_subparsers(required=True))
    args = parser.parse_args(["audit", *words])
    status: int = args.func(args, app)
    return status


@pytest.fixture
def app(tmp_path: Path) -> App:
    log = open_log(tmp_path / "log")
    for n in range(60):
        log.append_vote(
            draft(
                vote="aabb"[n % 4], conditions={**draft()["conditions"], "question": None, "gate": 0.9 - 0.1 * (n % 2)}
            )
        )
    log.append_vote(draft(vote="a", arena="nowhere"))
    return App(ROSTER, Board(ROSTER, log))


def test_json_holds_every_figure_as_a_number(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, "--json") == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert set(report) == {"schema", "arena", "votes", "log_hash", "policy_hash", "policy", "findings"}
    assert (report["schema"], report["arena"], report["votes"]) == (1, "english", 60)
    assert report["log_hash"] == app.board.log_hash
    entries = {entry["check"]: entry for entry in report["findings"]}
    assert len(entries) == 16
    for entry in entries.values():
        assert set(entry) == {"check", "severity", "found", "effect", "remedy", "needed_votes", "figures"}
    assert report["findings"][0]["severity"] == "notice"
    assert report["findings"][0]["check"] == "conditions"
    mixed = entries["conditions"]["figures"]["mixed"][0]
    assert mixed["condition"] == "gate"
    assert mixed["values"] == [["0.9", 30], ["0.8", 30]]
    assert set(entries["side"]["figures"]["elo"]) == {"value", "low", "high"}
    assert "names an arena that is not in the roster (nowhere)" in err


def test_the_text_names_the_findings_with_what_to_do(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app) == 0
    out = capsys.readouterr().out
    assert out.startswith("english, 60 votes. 1 finding in 16 checks; the gravest: Conditions.")
    assert "  notice  Conditions: " in out
    assert "          to do: " in out
    assert "names an arena that is not in the roster (nowhere)" in out


def test_the_same_log_gives_the_same_report(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    run(app, "--json")
    first = capsys.readouterr().out
    run(app, "--json")
    assert capsys.readouterr().out == first


def test_the_votes_of_a_file_are_audited_instead(app: App, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    votes: list[Any] = [
        {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": "a"}
    ] * 3
    assert run(app, "--json", "--from", str(write_lines(tmp_path / "votes.jsonl", votes))) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["votes"] == 3
    assert {entry["severity"] for entry in report["findings"]} <= {"ok", "unknown"}


def without_sound(votes: ArenaVotes, number: int) -> ArenaVotes:
    return replace(votes, left_out={SILENT: number, "retracted": 3})


def test_votes_left_out_for_silence_are_told_and_others_are_not() -> None:
    clean = snapshot(board(clean_rows(19, 400, strengths=HOME)).votes)

    def conditions(votes: ArenaVotes) -> AuditLine:
        return next(line for line in audited(votes).lines if line.check == "conditions")

    for untouched in (clean, replace(clean, left_out={"retracted": 3})):
        assert conditions(untouched).severity is Severity.OK
        assert "sound" not in conditions(untouched).found
    told = conditions(without_sound(clean, 300))
    assert told.severity is Severity.NOTICE
    assert "300 votes of the log, cast without sound, are left out." in told.found
    assert told.effect
    assert told.remedy
    assert ("left out, cast without sound", "300") in told.figures
    assert "1 vote of the log, cast without sound, is left out." in conditions(without_sound(clean, 1)).found
    figures = next(found.figures for found in findings(without_sound(clean, 7)) if found.check == "conditions")
    assert asdict(figures)["silent_left_out"] == 7
    nothing = snapshot(table([], clean.table.models))
    said = "There are votes, but none counts here. There is nothing to audit."
    assert audited(without_sound(nothing, 5)).sentence == said


def test_mixed_conditions_keep_their_own_severity_beside_silence() -> None:
    _, make = next(planted for name, planted in PLANTED.items() if planted[0] == "conditions")
    mixed = snapshot(make().votes)
    before = next(line for line in audited(mixed).lines if line.check == "conditions")
    after = next(line for line in audited(without_sound(mixed, 2)).lines if line.check == "conditions")
    assert after.severity is before.severity
    assert after.found == f"{before.found} 2 votes of the log, cast without sound, are left out."


def test_two_models_make_no_circle_however_many_votes() -> None:
    for number in (1, 9, 40):
        two = snapshot(table([row._replace(a="m/00", b="m/01") for row in clean_rows(3, number)], ("m/00", "m/01")))
        found = next(found for found in findings(two) if found.check == "cycles")
        assert (found.severity.value, found.needed) == ("ok", None)
        line = next(line for line in audited(two).lines if line.check == "cycles")
        assert line.found == "Not applicable: a circle takes three models."
        coverage = next(line for line in audited(two).lines if line.check == "coverage")
        assert coverage.found.startswith("0 of 1 pairs never met.")


@pytest.mark.parametrize("check", ["names_seen", "self_agreement", "cycles"])
def test_few_votes_say_how_many_it_takes(check: str) -> None:
    rows = [row for row in clean_rows(3, 400) if {row.a, row.b} <= {"m/00", "m/01", "m/02"}][:9]
    for number in (1, 9):
        few = snapshot(table(rows[:number], ("m/00", "m/01", "m/02")))
        found = next(found for found in findings(few) if found.check == check)
        assert found.severity.value == "unknown"
        assert found.needed is not None
        assert found.needed > number
