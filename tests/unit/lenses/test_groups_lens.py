"""Boards of parts of the votes: what is shown, what is not, and a sentence no stronger than the test."""

import re

import pytest

from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board_views import Estimate, GroupBy, GroupsLens, GroupsView
from arena_desktop.services.lenses import look
from arena_desktop.services.lenses.groups import MOST_GROUPS
from tests.helpers.snapshots import numbered, simulated, snapshot, vote

A, B, C = "x/alder", "x/birch", "x/cedar"


def groups(votes: ArenaVotes, by: GroupBy = GroupBy.CATEGORY) -> GroupsView:
    view = look(votes, GroupsLens(by))
    assert isinstance(view, GroupsView)
    return view


def test_groups_of_opposite_taste_are_told_apart() -> None:
    rows = [
        vote(*((A, B) if (n % 10 > 0) == (kind == "short") else (B, A)), category=kind, prompt=f"{kind}{n % 12}")
        for n in range(200)
        for kind in ("short", "long")
    ]
    view = groups(snapshot(numbered(rows), (A, B, C)))
    assert view.sentence.startswith(
        "The categories differ by more than chance can explain (p\u00a0≤\u00a00.001): from one to "
    )
    assert [(group.title, group.votes) for group in view.groups] == [("Short", 200), ("Long", 200)]
    short, long = view.groups
    assert [row.model.name for row in short.rows] == [row.model.name for row in long.rows]
    by_name = {row.model.name: row for row in short.rows}
    assert (by_name["Alder"].rating.low or 0) > (by_name["Birch"].rating.high or 0)
    assert (short.pull or 0) < 0.2
    assert "Cedar" not in by_name  # it has no game anywhere


def test_alike_groups_show_the_overall_ratings_and_say_so() -> None:
    votes = simulated(5, 600, listeners=8, taste_sd=30, texts=60, seed=13)
    view = groups(votes)
    assert view.sentence.startswith("The categories differ no more than chance can explain: without any")
    assert re.search(r"difference \d+ boards in 100 would look at least as uneven \(p\s=\s0\.\d\d\)\.", view.sentence)
    assert len(view.groups) == 6
    overall = {model.repo_id: own.rating for model, own in zip(votes.models, votes.standings.models, strict=True)}
    for group in view.groups:
        assert (group.pull or 0) > 0.75
        assert "overall ratings" in group.note
        for row in group.rows:
            assert row.rating.value == pytest.approx(overall[row.model.repo_id], abs=45)


def test_a_group_of_a_dozen_votes_does_not_shout() -> None:
    even = ("short", "dialogue", "emotion", "questions")
    rows = [
        vote(*pair, category=kind, prompt=f"{kind}{n}") for n in range(60) for pair in ((A, B), (B, A)) for kind in even
    ]
    rows += [vote(A, B, category="long", prompt=f"l{n}") for n in range(11)] + [vote(B, A, category="long")]
    view = groups(snapshot(numbered(rows), (A, B)))
    long = view.groups[-1]
    lead = {row.model.name: row.rating for row in long.rows}
    assert (long.title, long.votes) == ("Long", 12)
    assert (lead["Alder"].value or 0) - (lead["Birch"].value or 0) < 150
    raw = {row.model.name: row.raw or 0 for row in long.rows}
    assert raw["Alder"] - raw["Birch"] > 200
    assert (lead["Alder"].low or 0) < (lead["Birch"].high or 0)


def test_nothing_is_said_of_a_model_without_a_vote_in_the_group() -> None:
    rows = [vote(A, B, category="short")] * 10 + [vote(A, C, category="long")] * 10 + [vote(A, B, "both_bad")] * 2
    view = groups(snapshot(numbered(rows), (A, B, C)))
    short = {row.model.name: row for row in view.groups[0].rows}
    assert (short["Cedar"].votes, short["Cedar"].raw, short["Cedar"].rating) == (0, None, Estimate())
    assert short["Cedar"].acceptable == Estimate()
    assert view.sentence == "Too few votes to tell whether the categories differ. 2 votes name no category."


def test_acceptability_is_counted_in_each_group() -> None:
    rows = [vote(A, B, category="short")] * 8 + [vote(A, B, "both_bad", category="short")] * 2
    rows += [vote(A, B, category="long")] * 5
    view = groups(snapshot(numbered(rows), (A, B)))
    short, long = (group.rows[0].acceptable for group in view.groups)
    assert short.value == pytest.approx(0.8)
    assert (short.low, short.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)  # Wilson's interval of 8 in 10
    assert long.value == 1.0
    assert (long.low, long.high) == pytest.approx((0.5655, 1.0), abs=1e-4)  # and of 5 in 5


def test_text_lengths_have_their_bounds_in_the_title() -> None:
    rows = [vote(A, B, length=length) for length in (0, 59, 60, 160, 161, 900, -1)]
    view = groups(snapshot(numbered(rows), (A, B)), GroupBy.LENGTH)
    assert sorted((group.title, group.votes) for group in view.groups) == [
        ("Long texts (over 160 characters)", 2),
        ("Medium texts (60 to 160 characters)", 2),
        ("Short texts (under 60 characters)", 2),
    ]
    assert "1 vote names no text length." in view.sentence


def test_listeners_go_by_their_names_here_and_else_by_their_pseudonyms() -> None:
    rows = [vote(A, B, listener=who) for who in ("l-aa", "l-aa", "l-bb", ("shop",))]
    view = groups(snapshot(numbered(rows), (A, B), names={"l-aa": "Kim"}), GroupBy.LISTENER)
    assert [group.title for group in view.groups] == ["Kim", "l-bb", "Nobody named, from «shop»"]


def test_of_many_listeners_those_with_most_votes_are_shown() -> None:
    votes = simulated(4, 400, listeners=MOST_GROUPS + 10, seed=1)
    view = groups(votes, GroupBy.LISTENER)
    assert len(view.groups) == MOST_GROUPS
    counts = [group.votes for group in view.groups]
    assert counts == sorted(counts, reverse=True)
    assert f"Shown are the {MOST_GROUPS} of {MOST_GROUPS + 10} listeners with most votes." in view.sentence


def test_one_text_a_category_is_too_little_to_speak_of_categories() -> None:
    rows = [vote(A, B, category="short", prompt="one")] * 60 + [vote(B, A, category="long", prompt="two")] * 60
    view = groups(snapshot(numbered(rows), (A, B)))
    assert view.sentence == "Too few texts to tell the categories from the texts in them."


@pytest.mark.parametrize("by", list(GroupBy))
def test_odd_boards(by: GroupBy) -> None:
    assert groups(snapshot((), (A, B)), by).groups == ()
    one = groups(snapshot(numbered([vote(A, B, category="", language="")]), (A, B)), by)
    assert "more than chance can" not in one.sentence
    for outcome in ("tie", "both_bad", "a"):
        rows = [
            vote(A, B, outcome, category=kind, language=kind, listener=kind, length=n * 70)
            for n in range(3)
            for kind in "xy"
        ]
        assert groups(snapshot(numbered(rows), (A, B)), by).groups
    islands = [vote(A, B, category="x"), vote(C, "x/dogwood", category="y")] * 30
    view = groups(snapshot(numbered(islands), (A, B, C, "x/dogwood")), by)
    assert len(view.models) == 4


def test_what_is_asked_of_nothing_is_said() -> None:
    assert groups(snapshot((), (A, B)), GroupBy.LANGUAGE).sentence == "No vote names a language."
    one = snapshot(numbered([vote(A, B, language="en")]), (A, B))
    assert groups(one, GroupBy.LANGUAGE).sentence == "There is one language only, so there is nothing to compare."
