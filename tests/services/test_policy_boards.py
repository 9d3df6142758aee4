"""A policy at work: under what names votes are read, which count, and that exports say so."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena_desktop.domain.policy import Exclusion, Policy, policy_hash, policy_json
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster, roster_hash
from arena_desktop.services.board import Board
from arena_desktop.services.board_policy import why_not_under
from arena_desktop.services.board_views import AuditLens, AuditLine, AuditView, HistoryLens, Method, WhatIfLens
from arena_desktop.services.exports import FORMATS, board_export, board_report
from arena_desktop.services.file_board import board_of_file
from arena_desktop.services.lenses import look
from arena_desktop.services.rated_log import RatedLog
from arena_desktop.store.documents import read_text
from arena_desktop.store.policy_file import load_policy
from arena_desktop.store.policy_reader import read_policy
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.boards import Records, roster_of, vote, votes_between
from tests.helpers.vote_logs import draft, open_log, write_lines

ROSTER = roster_of(("Ada", "Bob", "Cleo"))
ADA, BOB, CLEO = ROSTER.models
VOTES = votes_between(tuple(ROSTER.models), 60)
ANNE = "l-aaaaaaaaaaaaaaaa"


def board(policy: Policy | None, votes: list[dict[str, Any]] = VOTES, roster: Roster = ROSTER) -> Board:
    return Board(roster, Records(votes), policy=policy)


def rows(found: Board, method: str = "rating") -> Any:
    return found.leaderboard("english", method)["rows"]


def renamed(records: list[dict[str, Any]], old: str, new: str) -> list[dict[str, Any]]:
    text = json.dumps(records).replace(f'"{old}"', f'"{new}"')
    found: list[dict[str, Any]] = json.loads(text)
    return found


def made(place: int, a: str, b: str, outcome: str, **make: Any) -> dict[str, Any]:
    """A vote in which something is known of what stands behind ``a``."""
    return vote(place, a, b, outcome, model_a={"repo_id": a, **make}, model_b={"repo_id": b})


def test_an_alias_is_the_model_that_it_stands_for() -> None:
    """Votes under another name count as if they had always been cast under the one in the roster."""
    half = renamed(VOTES[:30], ADA, "old/ada") + VOTES[30:]
    policy = Policy(aliases={"old/ada": ADA})
    for method in ("rating", "elo", "bt", "davidson"):
        assert rows(board(policy, half), method) == rows(board(None), method)
    assert rows(board(None, half)) != rows(board(None))


def test_an_alias_in_the_roster_gives_way_to_what_it_stands_for() -> None:
    models = {**ROSTER.models, "old/ada": ModelSpec("old/ada", "Ada the elder")}
    both = Roster(models, {"english": ArenaSpec("english", (BOB, "old/ada", ADA, CLEO), "English", question="Which?")})
    found = board(Policy(aliases={"old/ada": ADA}), VOTES, both)
    assert {row["repo_id"] for row in rows(found)} == {ADA, BOB, CLEO}
    only_old = Roster(
        {"old/ada": models["old/ada"], BOB: models[BOB]}, {"english": ArenaSpec("english", ("old/ada", BOB))}
    )
    named = board(Policy(aliases={"old/ada": ADA}), [], only_old).view("english").rows
    assert {(row.repo_id, row.name) for row in named} == {(ADA, "Ada the elder"), (BOB, "Bob")}


def test_an_alias_that_makes_a_model_meet_itself_leaves_the_vote_out() -> None:
    votes = [vote(0, ADA, "old/ada", "a"), vote(1, ADA, BOB, "a")]
    found = board(Policy(aliases={"old/ada": ADA}), votes)
    assert found.view("english").votes == 1
    assert found.votes("english").left_out == {"excluded by policy": 1}
    assert any("1 vote of this log: 1 (an alias makes both its models one)" in note for note in found.notes("english"))


def test_a_split_competitor_stands_there_once_for_each_make() -> None:
    votes = [
        made(0, ADA, BOB, "a", weights_hash="1a2b3c4d5e", voice="x"),
        made(1, ADA, BOB, "b", weights_hash="ffffffff00", voice="y"),
        made(2, ADA, BOB, "a"),
        vote(3, BOB, CLEO, "a"),
    ]
    found = board(Policy(split={ADA: ("weights_hash",)}), votes)
    named = {row["repo_id"]: (row["name"], row["battles"]) for row in rows(found)}
    assert named == {
        ADA: ("Ada", 1),
        f"{ADA}@weights:1a2b3c4d": ("Ada (weights 1a2b3c4d)", 1),
        f"{ADA}@weights:ffffffff": ("Ada (weights ffffffff)", 1),
        BOB: ("Bob", 4),
        CLEO: ("Cleo", 1),
    }
    by_both = board(Policy(split={ADA: ("weights_hash", "voice")}), votes[:2])
    assert {row["repo_id"] for row in rows(by_both)} == {
        f"{ADA}@weights:1a2b3c4d@voice:x",
        f"{ADA}@weights:ffffffff@voice:y",
        BOB,
        CLEO,
    }
    assert found.leaderboard()["roster_hash"] == roster_hash(ROSTER)


def test_the_audit_says_how_to_split_and_splitting_settles_it() -> None:
    """What the finding says to write is a policy, and under it the finding is gone."""
    votes = [
        made(n, ADA, BOB, "ab"[n % 2], weights_hash=f"{n % 2:08d}", voice="xy"[n // 20], settings_hash="s")
        for n in range(40)
    ]

    def finding(found: Board) -> AuditLine:
        view = look(found.votes(), AuditLens())
        assert isinstance(view, AuditView)
        return next(line for line in view.lines if line.check == "makes")

    mixed = finding(board(None, votes))
    assert mixed.severity == "warning"
    written = mixed.remedy.partition("split: ")[2].partition("}")[0] + "}"
    policy = read_policy(read_text(f"split: {written}", "policy.yaml"), Path("policy.yaml"))
    assert policy.split == {ADA: ("weights_hash", "voice")}
    assert finding(board(Policy(split=policy.split), votes)).severity == "ok"
    half = finding(board(Policy(split={ADA: ("weights_hash",)}), votes))
    assert f"split: {{{ADA}: [weights_hash, voice]}}" in half.remedy


def test_aliases_come_before_splits() -> None:
    votes = [made(0, "old/ada", BOB, "a", weights_hash="1a2b3c4d"), made(1, ADA, BOB, "a", weights_hash="1a2b3c4d")]
    found = board(Policy(aliases={"old/ada": ADA}, split={ADA: ("weights_hash",)}), votes)
    assert {row["repo_id"]: row["battles"] for row in rows(found)} == {f"{ADA}@weights:1a2b3c4d": 2, BOB: 2, CLEO: 0}


@pytest.mark.parametrize(
    ("exclusion", "gone"),
    [
        ({"listener": ANNE}, lambda one: one["listener"] == ANNE),
        ({"vote": VOTES[3]["id"]}, lambda one: one["id"] == VOTES[3]["id"]),
        ({"station": VOTES[0]["station_id"]}, lambda one: True),
        ({"station": VOTES[0]["station_id"], "listener": ANNE}, lambda one: one["listener"] == ANNE),
        ({"station": "01900000-0000-7000-8000-00000000dead", "listener": ANNE}, lambda one: False),
        ({"model": BOB}, lambda one: BOB in (one["model_a"]["repo_id"], one["model_b"]["repo_id"])),
        ({"arena": "french"}, lambda one: False),
        (
            {"since": VOTES[10]["at"], "until": VOTES[20]["at"]},
            lambda one: VOTES[10]["at"] <= one["at"] < VOTES[20]["at"],
        ),
        (
            {"listener": ANNE, "until": VOTES[20]["at"]},
            lambda one: one["listener"] == ANNE and one["at"] < VOTES[20]["at"],
        ),
    ],
)
def test_what_is_excluded_is_as_if_never_cast_and_counted(exclusion: dict[str, str], gone: Any) -> None:
    found = board(Policy(exclusions=(Exclusion("plays by script", **exclusion),)))
    left = [one for one in VOTES if not gone(one)]
    assert rows(found) == rows(board(None, left))
    assert rows(found, "elo") == rows(board(None, left), "elo")
    number = len(VOTES) - len(left)
    assert found.votes().left_out.get("excluded by policy", 0) == number
    said = " ".join(found.notes())
    assert (f"{number:,} (plays by script)" in said) == bool(number)


def test_another_programs_votes_are_excluded_by_their_source() -> None:
    legacy: dict[str, Any] = {
        "type": "vote",
        "id": "01900000-0000-7000-8000-0000000000aa",
        "at": None,
        "arena": "english",
        "vote": "a",
    }
    legacy |= {"model_a": {"repo_id": ADA}, "model_b": {"repo_id": BOB}, "source": {"label": "friend"}, "hash": "0"}
    legacy |= {"legacy_index": 0}
    assert board(Policy(exclusions=(Exclusion("not mine", source="friend"),)), [legacy]).view("english").votes == 0
    assert board(Policy(exclusions=(Exclusion("not mine", source="other"),)), [legacy]).view("english").votes == 1
    timed = Policy(exclusions=(Exclusion("early", until="2030-01-01T00:00:00.000000Z"),))
    assert board(timed, [legacy]).view("english").votes == 1, "a vote without a time is neither early nor late"


def test_own_texts_and_silent_votes_by_policy() -> None:
    own = vote(0, ADA, BOB, "a", prompt={"id": "own:123456789abc"})
    silent = vote(1, ADA, BOB, "a", conditions={"silent": True, "question": "Which?"})
    votes = [own, silent, vote(2, ADA, BOB, "a")]
    assert board(Policy(own_text=False), votes).view("english").votes == 1

    def counted(policy: Policy) -> int:
        return Board(ROSTER, Records(votes), silent=True, policy=policy).view("english").votes

    assert (counted(Policy()), counted(Policy(silent=False)), counted(Policy(own_text=False))) == (3, 2, 2)


def test_a_listener_with_many_votes_counts_for_the_cap_in_every_fit() -> None:
    loud = [vote(n, ADA, BOB, "a", listener=ANNE) for n in range(40)]
    others = [
        vote(100 + n, *pair, "ab"[n % 2], listener=f"l-{n:016d}")
        for n, pair in enumerate([(ADA, BOB), (BOB, CLEO)] * 10)
    ]
    capped, free = board(Policy(listener_cap=10), loud + others), board(None, loud + others)
    few = board(None, loud[:10] + others)
    for method in ("rating", "bt", "davidson"):
        by = {row["repo_id"]: row["rating"] for row in rows(capped, method)}
        assert by == pytest.approx({row["repo_id"]: row["rating"] for row in rows(few, method)}, abs=1e-6)
        assert by != pytest.approx({row["repo_id"]: row["rating"] for row in rows(free, method)}, abs=1.0)
    assert rows(capped, "elo") == rows(free, "elo")
    assert "Live Elo takes every vote whole" in " ".join(capped.notes())
    shown = {row.repo_id: row for row in capped.view("english").rows}
    for method, field in (("bt", "head_start"), ("davidson", "davidson")):
        for row in rows(capped, method):
            assert getattr(shown[row["repo_id"]], field) == pytest.approx(row["rating"], abs=1e-3)
    history = look(capped.votes(), HistoryLens(Method.RATING))
    last = {series.model.repo_id: series.rating[-1] for series in history.series}  # type: ignore[union-attr]
    assert last == pytest.approx({row["repo_id"]: row["rating"] for row in rows(capped)}, abs=1e-3)
    unchanged = look(capped.votes(), WhatIfLens())
    assert all(not row.rating_change for row in unchanged.rows)  # type: ignore[union-attr]


def test_a_cap_that_nobody_reaches_changes_nothing() -> None:
    for method in ("rating", "bt", "davidson"):
        for one, other in zip(rows(board(Policy(listener_cap=1000)), method), rows(board(None), method), strict=True):
            for key in ("rating", "low", "high", "best"):
                assert one[key] == pytest.approx(other[key], abs=1e-6)


def test_live_votes_under_a_policy_equal_a_replay(tmp_path: Path) -> None:
    """Aliases, exclusions and splits hold for the vote just cast, too, whatever it brings that was not there before."""
    names = ("x/one", "x/two", "x/three", "x/uno")
    roster = Roster({name: ModelSpec(name, name) for name in names}, {"english": ArenaSpec("english", names[:3])})
    policy = Policy(
        aliases={"x/uno": "x/one"},
        split={"x/two": ("weights_hash",)},
        exclusions=(Exclusion("a child at the keys", listener=ANNE),),
        listener_cap=3,
    )
    log = open_log(tmp_path)
    rated = RatedLog(log, Board(roster, log, policy=policy))
    moves = []
    for number in range(12):
        one = ("x/one", "x/uno")[number % 2]
        record = draft(
            model_a={"repo_id": one},
            model_b={"repo_id": "x/two", "weights_hash": f"{number // 4:08x}"},
            listener=(ANNE, "l-bbbbbbbbbbbbbbbb")[number % 3 > 0],
            conditions={"question": ArenaSpec.question, "reveal": "each", "silent": False},
        )
        moves.append(rated.cast(record, frozenset())[1])
        replayed = Board(roster, log, policy=policy)
        assert replace(rated.view("english"), sentence="", news="", title="") == replace(
            replayed.view("english"), sentence="", news="", title=""
        )
        assert np.array_equal(rated.votes("english").elo, replayed.votes("english").elo)
    assert moves[0] == {}, "an excluded vote moves nothing"
    assert all(set(found) <= {"x/one", "x/uno", "x/two"} for found in moves if found), "by the names of the record"
    assert any(found is None for found in moves), "a new make of a split model needs a new reading"
    log.close()


def test_every_export_prints_the_policy_and_says_how_to_recompute(tmp_path: Path) -> None:
    policy = Policy(aliases={"old/ada": ADA}, exclusions=(Exclusion("plays by script", listener=ANNE),), listener_cap=7)
    report = board_report(board(policy), "english")
    printed = {form: board_export(report, form).decode() for form in FORMATS}
    for form, text in printed.items():
        flat = text.replace("\n", " ")
        assert policy_hash(policy)[:12] in flat, form
        assert "plays by script" in flat, form
        assert "--policy policy.yaml" in flat.replace("-{}", "-"), form
    found = json.loads(printed["json"])
    assert (found["policy_hash"], found["policy"]) == (policy_hash(policy), policy_json(policy))
    # A second machine has the votes and the printed policy, and gets the same bytes.
    votes, file = write_lines(tmp_path / "votes.jsonl", VOTES), tmp_path / "policy.yaml"
    file.write_text(json.dumps(found["policy"]), encoding="utf-8")
    header = {"format": "arena-votes/1", "records": len(VOTES), "rules": "elo-1", "filter": None, "stations": {}}
    votes.write_text(json.dumps(header) + "\n" + votes.read_text())
    again = board_report(board_of_file(ROSTER, votes, silent=False, policy=load_policy(file)), "english")
    for form, text in printed.items():
        assert board_export(again, form).decode() == text, form


def test_without_a_policy_no_export_speaks_of_one() -> None:
    report = board_report(board(Policy()), "english")
    for form in FORMATS:
        text = board_export(report, form).decode()
        assert "--policy" not in text
        assert "policy is in force" not in text
    assert json.loads(board_export(report, "json"))["policy"] is None


def test_the_history_page_gives_the_policys_reason() -> None:
    policy = Policy(
        aliases={"old/ada": ADA}, split={ADA: ("weights_hash",)}, exclusions=(Exclusion("x", listener=ANNE),)
    )
    why_not = why_not_under(ROSTER, policy)
    assert why_not(vote(0, ADA, BOB, "a", listener=ANNE)) == "excluded by policy"
    assert why_not(made(1, "old/ada", BOB, "a", weights_hash="1a2b3c4d")) is None
    assert why_not(vote(1, "no/one", BOB, "a")) == "model not in the roster"


def test_the_log_is_never_touched(tmp_path: Path) -> None:
    log: VoteLog = open_log(tmp_path)
    log.append_vote(draft(), frozenset())
    before = (log.log_hash(), list(log.records()))
    Board(ROSTER, log, policy=Policy(exclusions=(Exclusion("all", arena="english"),))).view("english")
    assert (log.log_hash(), list(log.records())) == before
    log.close()
