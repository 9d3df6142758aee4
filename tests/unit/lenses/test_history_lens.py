"""The history ends in the board, starts with each model's first game, and marks what happened on the way."""

from typing import Any

import pytest

from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.ratings.vote_table import Condition, Make
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board_views import HistoryLens, HistoryView, Method
from arena_desktop.services.lenses import look
from tests.helpers.snapshots import numbered, simulated, snapshot, vote

A, B, C = "x/alder", "x/birch", "x/cedar"


def history(votes: ArenaVotes, method: Method = Method.RATING) -> HistoryView:
    view = look(votes, HistoryLens(method))
    assert isinstance(view, HistoryView)
    return view


def markers(*rows: Any, **specs: ModelSpec) -> list[tuple[int, str]]:
    known = {spec.repo_id: spec for spec in specs.values()}
    view = history(snapshot(numbered(rows), (A, B, C), specs=known))
    return [(one.votes, one.text) for one in view.markers]


def test_the_last_moment_is_the_board() -> None:
    votes = simulated(6, 500, listeners=8, texts=30, seed=2)
    view = history(votes)
    assert (view.votes[-1], len(view.votes)) == (500, 200)
    standings = {model.repo_id: own for model, own in zip(votes.models, votes.standings.models, strict=True)}
    for series in view.series:
        own = standings[series.model.repo_id]
        ends = (series.rating[-1], series.low[-1], series.high[-1])
        assert ends == pytest.approx((own.rating, own.low, own.high), abs=1e-6)
    assert [series.model.repo_id for series in view.series] == sorted(
        standings, key=lambda one: standings[one].rank or 0
    )
    assert view.times[-1] == votes.table.at[-1] / 1e6
    assert [time for time in view.times if time is not None] == sorted(time for time in view.times if time is not None)


@pytest.mark.parametrize("method", list(Method))
def test_a_series_begins_with_the_first_game(method: Method) -> None:
    rows = [vote(A, B)] * 3 + [vote(A, C), vote(B, C)]
    view = history(snapshot(numbered(rows), (A, B, C, "x/dogwood")), method)
    series = {one.model.name: one for one in view.series}
    assert sorted(series) == ["Alder", "Birch", "Cedar"]  # nothing is drawn of a model without a game
    assert [rating is None for rating in series["Cedar"].rating] == [True, True, True, False, False]
    assert all(rating is not None for rating in series["Alder"].rating)
    assert view.method is method
    intervals = [low is not None for low in series["Alder"].low]
    assert intervals == [method is not Method.ELO] * 5
    assert view.times == (None,) * 5


def test_models_that_join_are_marked() -> None:
    assert markers(vote(A, B), vote(A, B), vote(C, A)) == [(1, "Alder joins"), (1, "Birch joins"), (3, "Cedar joins")]


def test_changes_behind_a_name_are_marked_once_and_only_if_the_old_one_was_known() -> None:
    old, new = Make("w1", "s1", "v1"), Make("w2", "s2", "v1")
    rows = [
        vote(A, B),
        vote(A, B, make_a=old),
        vote(B, A, make_b=new),
        vote(A, B, make_a=old),
        vote(A, B, make_a=new._replace(voice="v2")),
    ]
    assert markers(*rows)[2:] == [
        (3, "Alder: other weights and settings from here on"),
        (5, "Alder: other voice from here on"),
    ]


def test_a_model_of_several_voices_does_not_change_with_each() -> None:
    spec = ModelSpec(A, "Alder", voices=(Voice("v1"), Voice("v2")))
    rows = [vote(A, B, make_a=Make("w", "s", voice)) for voice in ("v1", "v2", "v1")]
    assert markers(*rows, alder=spec)[2:] == []


def test_new_circumstances_are_marked_by_what_is_new() -> None:
    plain = Condition("Which?", False, "each", "start_over", False, 0.9)
    rows = [
        vote(A, B, condition=plain),
        vote(A, B, condition=plain._replace(text_hidden=True)),
        vote(A, B, condition=plain),
        vote(A, B, condition=plain._replace(question="Who?", reveal="set")),
    ]
    assert markers(*rows)[2:] == [
        (2, "From here on: text hidden"),
        (4, "From here on: asked «Who?», names shown after a set of votes"),
    ]


def test_no_votes_have_no_history() -> None:
    view = history(snapshot((), (A, B)))
    assert (view.votes, view.series, view.markers) == ((), (), ())
