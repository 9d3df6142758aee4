"""Davidson's fit, fits without a prior, warm starts, equal votes in one entry, P(best), the prior's share."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from arena_desktop.ratings import NotConverged, RatingError
from arena_desktop.ratings import games as games_module
from arena_desktop.ratings.best import chance_of_best
from arena_desktop.ratings.davidson import fit_davidson
from arena_desktop.ratings.games import Games, aggregate
from arena_desktop.ratings.standings import (
    Standings,
    davidson_standings,
    head_start_standings,
    rating_standings,
)
from arena_desktop.ratings.vote_columns import VoteColumns
from arena_desktop.ratings.without_prior import Unrated, free_standings
from tests.helpers.panels import Scenario

Row = tuple[int, int, float, int, int]

ROWS = st.lists(
    st.tuples(
        st.integers(0, 5), st.integers(0, 5), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 9), st.integers(0, 6)
    ).filter(lambda vote: vote[0] != vote[1]),
    min_size=1,
    max_size=50,
)


def votes(size: int, rows: list[Row]) -> VoteColumns:
    a, b, score, listener, prompt = (np.array(column) for column in zip(*rows, strict=True))
    return VoteColumns(size, a, b, score.astype(np.float64), listener, prompt)


def plain(size: int, rows: list[tuple[int, int, float]]) -> VoteColumns:
    return votes(size, [(a, b, score, 0, place) for place, (a, b, score) in enumerate(rows)])


def numbers(board: Standings) -> list[float]:
    """Everything that a board says, as numbers; NaN where it says nothing."""
    fields = ("rating", "low", "high", "rank", "rank_low", "rank_high", "tier", "best", "prior_share")
    values = [getattr(model, field) for model in board.models for field in fields]
    return [math.nan if value is None else float(value) for value in values]


# --- equal votes in one entry, and warm starts -----------------------------------------------------------------------


@settings(max_examples=40)
@given(ROWS)
def test_equal_votes_in_one_entry_are_the_same_votes(rows: list[Row]) -> None:
    each = votes(6, rows)
    together = aggregate(each)
    assert together.total == len(rows)
    for fit in (rating_standings, davidson_standings):
        one, other = fit(each), fit(together)
        assert numbers(one) == pytest.approx(numbers(other), abs=1e-6, nan_ok=True)


def test_repeated_votes_count_together_where_listeners_and_prompts_cross() -> None:
    _, once = Scenario([30] * 9, 60.0, models=4, prompts=80, prompt_effect=40.0).draw(6)
    twice = once.pick(np.repeat(np.arange(len(once)), 2))
    together = aggregate(twice)
    assert len(together) < len(twice)
    assert numbers(rating_standings(together)) == pytest.approx(numbers(rating_standings(twice)), abs=1e-6)


def test_large_logs_give_the_same_whether_counted_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = Scenario([300, 200, 200, 100, 100, 100], 60.0, models=5, prompts=9, prompt_effect=40.0)
    _, columns = scenario.draw(4)
    assert len(Games.of(columns).by_unit(columns.listener)[0]) < len(columns) / 2
    counted = [numbers(fit(columns)) for fit in (rating_standings, davidson_standings)]
    monkeypatch.setattr(games_module, "_MOST_CELLS", 0)
    one_by_one = [numbers(fit(columns)) for fit in (rating_standings, davidson_standings)]
    for some, others in zip(counted, one_by_one, strict=True):
        assert some == pytest.approx(others, abs=1e-6)


@pytest.mark.parametrize("fit", [rating_standings, davidson_standings])
def test_a_warm_start_changes_nothing_and_saves_steps(fit: object) -> None:
    assert callable(fit)
    _, columns = Scenario([120] * 8, 60.0, models=9).draw(3)
    before = fit(columns.pick(slice(0, 959)))
    cold, warm = fit(columns), fit(columns, start=before)
    assert numbers(warm) == pytest.approx(numbers(cold), abs=1e-7)


def test_after_one_more_vote_two_steps_are_enough() -> None:
    _, columns = Scenario([400] * 8, 60.0, models=9).draw(3)
    flat = np.full(9, 1000.0)
    before, after = Games.of(columns.pick(slice(0, 3199))), Games.of(columns)
    old = fit_davidson(before.table, before.ties, flat)
    assert fit_davidson(after.table, after.ties, flat, start=old, max_steps=3).nu > 0
    with pytest.raises(NotConverged, match="9 models"):
        fit_davidson(after.table, after.ties, flat, max_steps=2)


def test_a_start_from_other_models_is_passed_over() -> None:
    _, columns = Scenario([50] * 8, 60.0, models=5).draw(3)
    _, others = Scenario([50] * 8, 60.0, models=4).draw(3)
    none = rating_standings(plain(5, [(0, 1, 1.0)]).pick(slice(0, 0)))
    for start in (rating_standings(others), none):
        assert numbers(rating_standings(columns, start=start)) == numbers(rating_standings(columns))


def test_a_new_model_joins_a_warm_start() -> None:
    rows = [(0, 1, 1.0), (1, 0, 1.0), (0, 1, 0.5)]
    before = rating_standings(plain(3, rows))
    after = plain(3, [*rows, (2, 0, 1.0)])
    assert numbers(rating_standings(after, start=before)) == pytest.approx(numbers(rating_standings(after)), abs=1e-8)


# --- Davidson --------------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(ROWS)
def test_davidsons_board_is_consistent(rows: list[Row]) -> None:
    board = davidson_standings(votes(7, rows))
    rated = [model for model in board.models if model.rating is not None]
    assert len(rated) == len({model for a, b, *_ in rows for model in (a, b)})
    assert sum(model.rating or 0 for model in rated) / len(rated) == pytest.approx(1000)
    for model in rated:
        assert (model.low is None) == (model.high is None) == (len(board.islands) > 1)
        assert (model.low or -math.inf) <= (model.rating or 0) <= (model.high or math.inf)
        assert 0 <= (model.prior_share or 0) <= 1
    assert board.nu is not None
    assert 0 < board.nu < math.inf


@pytest.mark.parametrize("score", [0.5, 1.0])
def test_only_ties_or_none_keep_the_tie_parameter_within_bounds(score: float) -> None:
    rows = [(n % 3, (n + 1) % 3, score) for n in range(300)]
    board = davidson_standings(plain(3, rows))
    assert board.nu is not None
    assert (board.nu > 100) if score == 0.5 else (0 < board.nu < 0.01)
    assert [model.rating for model in board.models] == pytest.approx([1000] * 3)


def test_davidsons_scale_is_stretched_where_ties_are_common_and_the_order_is_the_same() -> None:
    _, columns = Scenario([100] * 20, 0.0, models=6).draw(8)
    halves, own = rating_standings(columns), davidson_standings(columns)
    assert [model.rank for model in halves.models] == [model.rank for model in own.models]
    stretch = np.polyfit([model.rating or 0 for model in halves.models], [model.rating or 0 for model in own.models], 1)
    assert 1.1 < stretch[0] < 1.4


def test_without_ties_davidsons_fit_is_the_other_one() -> None:
    rows = [(0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0), (0, 1, 1.0), (1, 0, 1.0)] * 40
    own, other = free_standings(plain(3, rows), "davidson"), free_standings(plain(3, rows))
    assert numbers(own.standings) == pytest.approx(numbers(other.standings), nan_ok=True)
    assert own.standings.nu == 0


# --- without a prior -------------------------------------------------------------------------------------------------


def test_models_that_votes_alone_cannot_place_are_named() -> None:
    rows = [(0, 1, 1.0), (1, 0, 1.0), (1, 2, 1.0), (2, 1, 0.5), (3, 0, 1.0), (1, 4, 1.0), (5, 6, 0.5), (5, 6, 1.0)]
    found = free_standings(plain(9, [*rows, (7, 0, 0.0), (7, 4, 1.0), (8, 7, 1.0), (8, 3, 0.0)]))
    assert found.groups == ((0, 1, 2), (5, 6))
    assert found.unrated == {
        3: Unrated.NEVER_LOST,
        4: Unrated.NEVER_WON,
        5: Unrated.NEVER_MET,
        6: Unrated.NEVER_MET,
        7: Unrated.ONE_SIDED,
        8: Unrated.ONE_SIDED,
    }
    ratings = [model.rating for model in found.standings.models]
    assert [rating is None for rating in ratings] == [False] * 3 + [True] * 6
    assert sum(rating or 0 for rating in ratings[:3]) / 3 == pytest.approx(1000)
    assert all(model.prior_share is None for model in found.standings.models)


def test_no_votes_and_one_sided_votes_rate_nobody() -> None:
    empty = plain(2, [(0, 1, 1.0)]).pick(slice(0, 0))
    assert free_standings(empty).unrated == dict.fromkeys(range(2), Unrated.NO_GAME)
    found = free_standings(plain(2, [(0, 1, 1.0)] * 9))
    assert found.unrated == {0: Unrated.NEVER_LOST, 1: Unrated.NEVER_WON}
    assert found.groups == ()


def test_one_lost_game_makes_the_difference() -> None:
    rows = [(0, 1, 1.0)] * 9 + [(1, 2, 1.0)] * 9 + [(2, 1, 1.0)]
    assert 0 in free_standings(plain(3, rows)).unrated
    found = free_standings(plain(3, [*rows, (1, 0, 1.0)]))
    assert not found.unrated
    # Nine to one: 400 · log10(9) points.
    ratings = [model.rating or 0 for model in found.standings.models]
    assert ratings[0] - ratings[1] == pytest.approx(400 * math.log10(9))


@settings(max_examples=40)
@given(ROWS)
def test_a_fit_without_a_prior_balances_score_and_expectation(rows: list[Row]) -> None:
    found = free_standings(votes(6, rows))
    ratings = [model.rating for model in found.standings.models]
    assert set(found.unrated) == {place for place, rating in enumerate(ratings) if rating is None}
    gap = [0.0] * 6
    for a, b, score, *_ in rows:
        one, other = ratings[a], ratings[b]
        if one is not None and other is not None:
            surprise = score - 1 / (1 + 10 ** ((other - one) / 400))
            gap[a] += surprise
            gap[b] -= surprise
    assert max(map(abs, gap)) < 1e-7


@pytest.mark.parametrize("lost", [1, 3, 4, 7])
def test_a_listener_who_alone_connects_two_models_breaks_nothing(lost: int) -> None:
    # Without listener 6 nothing is known of model 2, so nobody else can contradict them: their votes are the units.
    rows = [(0, 1, float(n % 3 > 0), n % 6, n) for n in range(60)] + [(1, 2, float(n >= lost), 6, n) for n in range(11)]
    found = free_standings(votes(3, rows)).standings
    assert found.general
    assert found.doubt is not None
    assert found.doubt.difference[1, 2] == pytest.approx(found.doubt.vote_difference[1, 2])


def test_what_has_no_form_without_a_prior_is_refused() -> None:
    with pytest.raises(RatingError, match="bt"):
        free_standings(plain(2, [(0, 1, 0.5)]), "bt")
    with pytest.raises(RatingError, match="ties"):
        free_standings(plain(2, [(0, 1, 0.5)] * 4), "davidson")


# --- P(best) and the prior's share -----------------------------------------------------------------------------------


def even(size: int) -> NDArray[np.float64]:
    return 50.0 * (1.0 - np.eye(size))


@pytest.mark.parametrize("lead", [0.0, 20.0, 50.0, 100.0, 150.0])
def test_the_chance_of_the_better_of_two_is_the_normal_one(lead: float) -> None:
    found = chance_of_best(np.array([1000.0 + lead, 1000.0]), even(2), None)
    assert found[0] == pytest.approx(0.5 * math.erfc(-lead / 50 / math.sqrt(2)), abs=0.004)
    assert found.sum() == pytest.approx(1)


@pytest.mark.parametrize(("lead", "known"), [(50.0, 0.813049), (100.0, 0.941942), (150.0, 0.980029)])
def test_with_few_listeners_it_is_students(lead: float, known: float) -> None:
    # The distribution function of t with 4 degrees of freedom at 1, 2, 3.
    assert chance_of_best(np.array([1000.0 + lead, 1000.0]), even(2), 4.0)[0] == pytest.approx(known, abs=0.004)


@pytest.mark.parametrize("size", [3, 12, 50])
def test_equals_share_the_chance(size: int) -> None:
    assert chance_of_best(np.full(size, 1000.0), even(size), 9.0) == pytest.approx(1 / size, abs=0.006)


def test_against_many_draws() -> None:
    chance = np.random.default_rng(5)
    root = chance.normal(0, 30, (7, 7))
    covariance = root @ root.T
    ratings = chance.normal(1000, 60, 7)
    own = np.diag(covariance)
    difference = np.sqrt(own[:, None] + own[None, :] - 2 * covariance)
    drawn = ratings + chance.multivariate_normal(np.zeros(7), covariance, 200_000)
    known = np.bincount(drawn.argmax(axis=1), minlength=7) / 200_000
    assert chance_of_best(ratings, difference, None) == pytest.approx(known, abs=0.006)


def test_boards_in_pieces_have_no_best() -> None:
    board = rating_standings(plain(5, [(0, 1, 1.0)] * 9 + [(2, 3, 1.0)] * 9))
    assert [model.best for model in board.models] == [None] * 5
    whole = rating_standings(plain(5, [(0, 1, 1.0)] * 9 + [(2, 1, 1.0)] * 9))
    assert sum(model.best or 0 for model in whole.models) == pytest.approx(1)
    assert whole.models[3].best is None


@pytest.mark.parametrize("games", [1, 2, 7, 100])
def test_the_priors_share_of_one_pair(games: int) -> None:
    # Even results: W / (W + 2n), with W = 4 virtual draws a model.
    board = rating_standings(plain(2, [(0, 1, 0.5)] * games))
    assert [model.prior_share for model in board.models] == pytest.approx([4 / (4 + 2 * games)] * 2)


def test_between_models_that_never_met_all_is_the_priors() -> None:
    rows = [(0, 1, float(n % 2)) for n in range(4000)] + [(2, 3, float(n % 2)) for n in range(4000)]
    apart = rating_standings(plain(4, rows))
    assert min(model.prior_share or 0 for model in apart.models) > 0.99
    joined = rating_standings(plain(4, [*rows, *[(1, 2, float(n % 2)) for n in range(4000)]]))
    assert max(model.prior_share or 0 for model in joined.models) < 0.01


def test_a_head_start_counts_as_evidence_too() -> None:
    board = head_start_standings(plain(3, [(0, 1, 1.0)]), np.array([1100.0, 1000.0, 900.0]))
    assert board.models[0].prior_share is not None
    assert 0.6 < board.models[0].prior_share < 0.9
    assert board.models[2].prior_share is None
