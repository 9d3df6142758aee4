"""Charts show no number that the votes don't carry: fronts on sure orders, one device's speed, empty days."""

import math
from typing import Any

import pytest

from arena_desktop.domain.roster import ModelSpec
from arena_desktop.ratings.vote_table import VoteRow
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board_views import ChartsLens, ChartsView
from arena_desktop.services.lenses import look
from tests.helpers.snapshots import numbered, simulated, snapshot, vote

A, B, C = "x/alder", "x/birch", "x/cedar"
DAY = 86_400_000_000


def charts(votes: ArenaVotes) -> ChartsView:
    view = look(votes, ChartsLens())
    assert isinstance(view, ChartsView)
    return view


def on_days(*days: float) -> list[VoteRow]:
    return numbered([vote(A, B, at=int(day * DAY)) for day in days])


def test_bars_are_the_board() -> None:
    votes = simulated(5, 300, listeners=8, seed=3)
    view = charts(votes)
    ratings = [bar.rating.value or 0.0 for bar in view.ratings]
    assert ratings == sorted(ratings, reverse=True)
    own = {model.repo_id: standing for model, standing in zip(votes.models, votes.standings.models, strict=True)}
    for bar in view.ratings:
        standing = own[bar.model.repo_id]
        assert (bar.rating.value, bar.rating.low, bar.rating.high) == (standing.rating, standing.low, standing.high)
        assert bar.tier == standing.tier


def sized(*rows: VoteRow, **sizes: float) -> ChartsView:
    specs = {f"x/{name}": ModelSpec(f"x/{name}", name.capitalize(), params_m=size) for name, size in sizes.items()}
    return charts(snapshot(numbered(rows), (A, B, C), specs=specs))


def test_a_larger_model_that_surely_loses_is_dominated_and_a_smaller_one_is_not() -> None:
    rows = [vote(A, B)] * 60
    assert [point.dominated for point in sized(*rows, alder=50, birch=80).size] == [False, True]
    assert [point.dominated for point in sized(*rows, alder=80, birch=50).size] == [False, False]


def test_a_lead_that_may_be_chance_dominates_nobody() -> None:
    view = sized(*[vote(A, B)] * 3, vote(B, A), alder=50, birch=80)
    assert [point.dominated for point in view.size] == [False, False]


def test_a_model_of_unknown_size_is_named_and_one_without_a_game_is_not() -> None:
    view = sized(vote(A, B), alder=50, birch=0, cedar=10)
    assert [(point.model.name, point.x) for point in view.size] == [("Alder", 50)]
    assert [one.name for one in view.no_size] == ["Birch"]
    assert [one.name for one in view.no_speed] == ["Alder", "Birch"]
    assert (view.device, view.speed) == ("", ())


def test_speed_is_the_median_on_the_device_that_spoke_most() -> None:
    def spoken(rtf_a: float, device_a: str | None, rtf_b: float = math.nan, device_b: str | None = None) -> Any:
        return vote(A, B, rtf_a=rtf_a, device_a=device_a, rtf_b=rtf_b, device_b=device_b)

    rows = [spoken(0.2, "cpu", 0.01, "cuda"), spoken(0.4, "cpu"), spoken(9.0, "cpu"), spoken(5.0, None)]
    rows += [spoken(0.02, "cuda"), spoken(-1.0, "cpu"), spoken(math.inf, "cuda"), spoken(0.0, "cuda")]
    view = charts(snapshot(numbered(rows), (A, B)))
    assert view.device == "cpu"
    assert [(point.model.name, point.x) for point in view.speed] == [("Alder", 0.4)]
    assert [one.name for one in view.no_speed] == ["Birch"]


def test_days_without_votes_are_shown_and_undated_votes_counted() -> None:
    view = charts(snapshot(numbered([vote(A, B), *on_days(0.5, 0.9, 3.0)]), (A, B)))
    assert [(day.date, day.votes) for day in view.days] == [
        ("1970-01-01", 2),
        ("1970-01-02", 0),
        ("1970-01-03", 0),
        ("1970-01-04", 1),
    ]
    assert (view.span, view.undated) == (1, 1)


def test_more_than_400_days_are_counted_in_weeks_from_monday() -> None:
    assert charts(snapshot(on_days(0, 399), (A, B))).span == 1
    view = charts(snapshot(on_days(4, 10, 11, 404), (A, B)))  # day 4 of 1970 is Monday, 5 January
    assert view.span == 7
    assert [(day.date, day.votes) for day in view.days[:3]] == [("1970-01-05", 2), ("1970-01-12", 1), ("1970-01-19", 0)]
    assert sum(day.votes for day in view.days) == 4


@pytest.mark.parametrize("last", [3_000, 30_000, 2_900_000])
def test_any_span_of_time_fits(last: int) -> None:
    """A clock that was centuries ahead makes a long chart, not an endless one."""
    view = charts(snapshot(on_days(0, last), (A, B)))
    assert len(view.days) <= 8_000
    assert [view.days[0].votes, view.days[-1].votes, sum(day.votes for day in view.days)] == [1, 1, 2]


def test_no_votes() -> None:
    view = charts(snapshot((), (A, B)))
    assert (view.ratings, view.size, view.speed, view.days, view.no_size) == ((), (), (), (), ())
    assert view.title == "English"
