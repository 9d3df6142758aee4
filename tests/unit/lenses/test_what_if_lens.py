"""What if: no filter is the board, filters leave out what they say and never touch the log, words say what changed."""

import hashlib
import json
import math
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.domain.roster import ModelSpec
from arena_desktop.ratings.standings import davidson_standings
from arena_desktop.ratings.vote_table import Condition
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board import Board
from arena_desktop.services.board_views import TieRule, WhatIfLens, WhatIfView
from arena_desktop.services.lenses import look
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.snapshots import numbered, simulated, snapshot, vote
from tests.helpers.vote_logs import ROSTER, draft, open_log

A, B, C, D = "x/alder", "x/birch", "x/cedar", "x/dogwood"
DAY = 86_400_000_000
PANEL = simulated(4, 240, listeners=6, texts=12, days=10, seed=4)


def what_if(votes: ArenaVotes, **options: Any) -> WhatIfView:
    view = look(votes, WhatIfLens(**options))
    assert isinstance(view, WhatIfView)
    return view


def rating_of(view: WhatIfView) -> dict[str, float | None]:
    return {line.row.name: line.row.rating for line in view.rows}


def kept_only(votes: ArenaVotes, keep: list[bool]) -> ArenaVotes:
    """A snapshot that never had the other votes."""
    return replace(votes, table=votes.table.pick(np.array(keep, bool)))


def log_of(folder: Path, *outcomes: str) -> VoteLog:
    """A log of votes under the arena's own question."""
    log = open_log(folder)
    for outcome in outcomes:
        log.append_vote(draft(vote=outcome, conditions={"reveal": "each", "silent": False}), frozenset())
    return log


def test_without_a_filter_it_is_the_board_as_it_is(tmp_path: Path) -> None:
    board = Board(ROSTER, log_of(tmp_path, "a", "a", "b", "tie", "both_bad", "a"))
    page, view = board.view("english"), what_if(board.votes("english"))
    for line, row in zip(view.rows, page.rows, strict=True):
        shown, kept = asdict(row), asdict(line.row)
        assert kept | {"davidson": shown["davidson"]} == pytest.approx(shown, abs=1e-9)
        assert line.rating_change in (0.0, None)
        assert line.rank_change in (0, None)
    assert (view.kept, view.total, view.problem) == (6, 6, "")
    assert view.sentence == "The whole board, nothing left out."


def test_looking_changes_nothing_in_the_log(tmp_path: Path) -> None:
    log = log_of(tmp_path, "a", "b", "tie", "a")

    def digest() -> str:
        return hashlib.sha256(json.dumps(list(log.records()), sort_keys=True).encode()).hexdigest()

    before, chain = digest(), log.log_hash()
    board = Board(ROSTER, log)
    page = board.view("english")
    for lens in (WhatIfLens(without_listeners=("l-aaaaaaaaaaaaaaaa",)), WhatIfLens(ties=TieRule.DROP, prior=False)):
        look(board.votes("english"), lens)
    assert (digest(), log.log_hash()) == (before, chain)
    assert board.view("english") == page


def test_a_filter_gives_the_board_that_never_had_those_votes() -> None:
    out, table = PANEL.table.listeners[2], PANEL.table
    view = what_if(PANEL, without_listeners=(str(out),))
    other = what_if(kept_only(PANEL, [table.listeners[code] != out for code in table.listener]))
    assert rating_of(view) == pytest.approx(rating_of(other), abs=1e-6)
    assert [line.row.elo for line in view.rows] == pytest.approx([line.row.elo for line in other.rows], abs=1e-9)
    assert [line.row.battles for line in view.rows] == [line.row.battles for line in other.rows]
    assert [line.row.acceptable_low for line in view.rows] == [line.row.acceptable_low for line in other.rows]
    assert view.kept == other.kept == other.total


@given(st.data())
@settings(max_examples=15)
def test_filters_commute_and_leave_out_together_what_each_leaves_out(data: st.DataObject) -> None:
    table = PANEL.table
    some = st.lists(st.sampled_from([str(who) for who in table.listeners]), max_size=3, unique=True).map(tuple)
    texts = st.lists(st.sampled_from(table.prompts), max_size=4, unique=True).map(tuple)
    kinds = st.lists(st.sampled_from(table.categories), max_size=2, unique=True).map(tuple)
    who, what, kind = data.draw(some), data.draw(texts), data.draw(kinds)
    together = what_if(PANEL, without_listeners=who, without_prompts=what, without_categories=kind)
    keep = [
        table.listeners[one] not in who and table.prompts[two] not in what and table.categories[three] not in kind
        for one, two, three in zip(table.listener, table.prompt, table.category, strict=True)
    ]
    assert together.kept == sum(keep)
    for first, second in (
        ({"without_listeners": who}, {"without_prompts": what, "without_categories": kind}),
        ({"without_categories": kind, "without_prompts": what}, {"without_listeners": who}),
    ):
        once = what_if(PANEL, **first)
        assert once.kept >= together.kept
        twice = what_if(kept_only(PANEL, keep), **second)
        assert rating_of(twice) == pytest.approx(rating_of(together), abs=1e-6)


def test_the_sentence_tells_a_new_leader_and_an_order_that_turned() -> None:
    rows = [vote(A, B, listener="l-busy")] * 90 + [vote(B, A, listener="l-calm")] * 12
    votes = snapshot(numbered(rows), (A, B), names={"l-busy": "Kim"})
    view = what_if(votes, without_listeners=("l-busy",))
    assert view.sentence == (
        "Without listener Kim: the leader changes from Alder to Birch."
        " One order that was sure turns round surely: Alder over Birch."
    )
    assert [line.row.name for line in view.rows] == ["Birch", "Alder"]
    assert [line.rank_change for line in view.rows] == [1, -1]
    assert view.rows[0].rating_change == pytest.approx((view.rows[0].row.rating or 0) - rating_b(votes))
    assert what_if(votes, without_listeners=("l-calm",)).sentence.endswith("No order that was sure changes.")


def rating_b(votes: ArenaVotes) -> float:
    return votes.standings.models[1].rating or 0.0


def test_models_whose_votes_are_all_left_out_are_named() -> None:
    rows = [vote(A, B, prompt="p1")] * 3 + [vote(B, A, prompt="p1")] + [vote(C, A, prompt="p2")] * 2
    view = what_if(snapshot(numbered(rows), (A, B, C)), without_prompts=("p2",))
    assert "No vote is left on Cedar." in view.sentence
    assert view.rows[-1].row.name == "Cedar"
    assert view.rows[-1].row.rating is None
    assert view.rows[-1].rank_change is None
    everything = what_if(snapshot(numbered(rows), (A, B, C)), without_prompts=("p1", "p2"))
    assert everything.sentence == "Without 2 prompts: no vote is left."
    assert (everything.kept, [line.row.rating for line in everything.rows]) == (0, [None] * 3)


def test_tie_rules() -> None:
    rows = [vote(A, B)] * 8 + [vote(A, B, "tie")] * 8 + [vote(A, B, "both_bad")] * 2 + [vote(B, A)] * 2
    votes = snapshot(numbered(rows), (A, B))
    half, drop, davidson = (what_if(votes, ties=rule) for rule in TieRule)
    lead = [(v.rows[0].row.rating or 0) - (v.rows[1].row.rating or 0) for v in (half, drop, davidson)]
    assert lead[0] < lead[1]
    assert (drop.kept, drop.total, drop.rows[0].row.both_bad) == (10, 20, 2)
    assert drop.rows[0].row.acceptable == half.rows[0].row.acceptable
    own = davidson_standings(votes.table.columns()).models
    assert davidson.rows[0].row.rating == pytest.approx(own[0].rating)
    assert davidson.rows[0].rating_change is None
    assert "scale of their own" in davidson.sentence


def test_without_a_prior_models_that_votes_do_not_connect_are_named_with_the_reason() -> None:
    rows = [vote(A, B)] * 3 + [vote(B, A)] + [vote(C, A)] * 2
    view = what_if(snapshot(numbered(rows), (A, B, C, D)), prior=False)
    assert rating_of(view)["Alder"] == pytest.approx(1000 + 200 * math.log10(3))
    assert rating_of(view)["Cedar"] is None
    reasons = {line.row.name: line.reason for line in view.rows}
    assert reasons == {
        "Alder": "",
        "Birch": "",
        "Cedar": "it has never lost, so nothing says how much better it is",
        "Dogwood": "it has no vote yet",
    }
    assert "Cedar has no rating: it has never lost" in view.sentence
    nobody = what_if(snapshot(numbered([vote(A, B)] * 4), (A, B)), prior=False)
    assert nobody.sentence == "Without any prior: the votes alone give no model a rating."
    assert [line.row.rating for line in nobody.rows] == [None, None]


def test_davidson_without_a_prior_on_ties_alone_is_a_problem_in_words() -> None:
    rows = numbered([vote(A, B, "tie")] * 4)
    view = what_if(snapshot(rows, (A, B)), prior=False, ties=TieRule.DAVIDSON)
    assert "ties" in view.problem
    assert view.rows == ()


def test_dates_are_inclusive_then_exclusive_and_an_undated_vote_is_within_none() -> None:
    rows = [vote(A, B, at=day * DAY) for day in (0, 1, 2)] + [vote(A, B)]
    votes = snapshot(numbered([rows[3], *rows[:3]]), (A, B))
    assert what_if(votes, since="1970-01-02").kept == 2
    assert what_if(votes, until="1970-01-02").kept == 1
    assert what_if(votes, since="1970-01-02T00:00:00Z", until="1970-01-03").kept == 1
    assert what_if(votes).kept == 4
    assert what_if(votes, since=" 1970-01-02 ").sentence.startswith("From 1970-01-02 on: ")


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01", "2026-02-30", "1", "x" * 5000])
def test_a_date_that_is_none_is_a_problem_in_words(text: str) -> None:
    view = what_if(PANEL, since=text)
    assert "is no date" in view.problem
    assert len(view.problem) < 200
    assert view.rows == ()
    assert view.listeners  # what can be left out is still offered


def test_dates_the_wrong_way_round_are_a_problem() -> None:
    assert "end (2026-01-01) before they begin" in what_if(PANEL, since="2026-01-02", until="2026-01-01").problem


def test_choices_have_titles_and_counts() -> None:
    plain = Condition("Which?", False, "each", "start_over", False, 0.9)
    hidden = Condition("Which?", False, "set", "start_over", True, 0.5)
    rows = [
        vote(A, B, listener="l-aa", prompt="en-short-001", category="short", condition=plain),
        vote(A, B, listener="l-aa", prompt="own:12", category="own", condition=hidden),
        vote(A, B, listener=("shop",), category="odd"),
        vote(A, B, listener=(None,)),
    ]
    view = what_if(snapshot(numbered(rows), (A, B), names={"l-aa": "Kim"}))
    assert [(one.choice.title, one.votes) for one in view.listeners] == [
        ("Kim", 2),
        ("Nobody named, from «shop»", 1),
        ("Nobody named", 1),
    ]
    assert [(one.choice.id, one.choice.title, one.votes) for one in view.categories] == [
        ("short", "Short", 1),
        ("own", "Own text", 1),
        ("odd", "odd", 1),
    ]
    assert [one.choice.id for one in view.prompts] == ["en-short-001", "own:12"]
    titles = [one.choice.title for one in view.conditions]
    assert titles[0] == "Question not recorded"
    start, end = "«Which?», names shown after", "% to be heard before a vote"
    assert titles[1:] == [
        f"{start} each vote, every press starts over, text shown, 90 {end}",
        f"{start} a set of votes, every press starts over, text hidden, 50 {end}",
    ]
    for one in (*view.listeners, *view.conditions):
        field = "without_listeners" if one in view.listeners else "without_conditions"
        assert what_if(snapshot(numbered(rows), (A, B)), **{field: (one.choice.id,)}).kept == 4 - one.votes


def test_conditions_are_told_by_what_differs() -> None:
    plain = Condition("Which?", False, "each", "start_over", False, 0.9)
    rows = [vote(A, B, condition=plain), vote(A, B, condition=plain._replace(text_hidden=True, silent=True))]
    titles = [one.choice.title for one in what_if(snapshot(numbered(rows), (A, B))).conditions]
    assert titles == ["Text shown", "Without sound, text hidden"]
    alone = what_if(snapshot(numbered(rows[:1]), (A, B))).conditions
    assert alone[0].choice.title.startswith("«Which?», names shown after each vote, every press starts over")


def test_odd_boards() -> None:
    empty = what_if(snapshot((), (A, B)), prior=False)
    assert (empty.kept, empty.total, len(empty.rows)) == (0, 0, 2)
    alone = what_if(snapshot((), (A,)))
    assert len(alone.rows) == 1
    unknown = what_if(PANEL, without_listeners=("l-nobody",))
    assert unknown.kept == unknown.total
    names = {A: ModelSpec(A, "Alder: over, and"), B: ModelSpec(B, "")}
    view = what_if(snapshot(numbered([vote(A, B)] * 3), (A, B), specs=names), ties=TieRule.DROP)
    assert "“Alder: over, and” still leads" in view.sentence
