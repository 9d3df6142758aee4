"""Ratings with intervals, ranks and tiers: against a slow computation from the definition, and in simulated panels."""

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from arena_desktop.ratings.bradley_terry import fit_table, information
from arena_desktop.ratings.intervals import Uncertainty, effective_listeners, uncertainty
from arena_desktop.ratings.pair_table import pair_table
from arena_desktop.ratings.quantiles import normal_upper, t_upper
from arena_desktop.ratings.ranks import ranks, verdicts
from arena_desktop.ratings.standings import Standings, davidson_standings, head_start_standings, rating_standings
from arena_desktop.ratings.vote_columns import VoteColumns

POINTS = 400 / math.log(10)
PRIOR = np.array([1100.0, 1000.0, 900.0, 1050.0])


def votes(size: int, rows: list[tuple[int, int, float, int]]) -> VoteColumns:
    a, b, score, listener = (np.array(column) for column in zip(*rows, strict=True))
    return VoteColumns(size, a, b, score.astype(np.float64), listener)


def panel(
    seed: int, diligence: list[int], size: int, taste: float, spread: float = 100.0
) -> tuple[NDArray[np.float64], VoteColumns]:
    """Strengths in Elo points, and the votes of listeners who each have a taste of their own. A seventh are ties."""
    chance = np.random.default_rng(seed)
    strength = chance.normal(0, spread, size)
    own = strength + chance.normal(0, taste, (len(diligence), size))
    listener = np.repeat(np.arange(len(diligence)), diligence)
    a = chance.integers(0, size, len(listener))
    b = (a + chance.integers(1, size, len(listener))) % size
    lead = (own[listener, a] - own[listener, b]) / POINTS
    win, lose = np.exp(lead / 2), np.exp(-lead / 2)
    drawn = chance.random(len(listener)) * (win + lose + 0.35)
    score = np.where(drawn < win, 1.0, np.where(drawn < win + lose, 0.0, 0.5))
    return strength, VoteColumns(size, a, b, score, listener)


def population(strength: NDArray[np.float64], taste: float) -> NDArray[np.float64]:
    """Where the board of infinitely many votes of infinitely many listeners would stand, centred at 1000."""
    i, j = np.triu_indices(len(strength), 1)
    # The difference of two tastes is normal; a quadrature over it replaces the listeners.
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    lead = ((strength[i] - strength[j])[:, None] + math.sqrt(2) * taste * nodes) / POINTS
    win, lose = np.exp(lead / 2), np.exp(-lead / 2)
    score = ((win + 0.175) / (win + lose + 0.35)) @ weights / weights.sum()
    games = np.full(len(i), 1e7)
    fit = fit_table(pair_table(len(strength), i, j, games, games * score), np.full(len(strength), 1000.0))
    centred: NDArray[np.float64] = fit - fit.mean() + 1000
    return centred


def fitted(columns: VoteColumns) -> tuple[NDArray[np.float64], NDArray[np.float64], Uncertainty]:
    table = pair_table(columns.size, columns.a, columns.b, np.ones(len(columns)), columns.score)
    prior = np.full(columns.size, 1000.0)
    fit = fit_table(table, prior)
    curvature = information(table, fit, prior, 4.0)
    return fit / POINTS, curvature, uncertainty(columns, fit / POINTS, curvature)


def by_definition(
    columns: VoteColumns, strengths: NDArray[np.float64], curvature: NDArray[np.float64]
) -> list[NDArray[np.float64]]:
    """The covariances vote by vote: each vote its own unit, and CR3 as (I − H_g H⁻¹)⁻¹ U_g for each listener."""
    size = columns.size
    centre = np.eye(size) - 1 / size
    bread = centre @ np.linalg.inv(curvature)
    middle = np.zeros((size, size))
    scores: dict[int, NDArray[np.float64]] = {}
    parts: dict[int, NDArray[np.float64]] = {}
    for a, b, score, listener in zip(columns.a, columns.b, columns.score, columns.listener, strict=True):
        contrast = np.zeros(size)
        contrast[a], contrast[b] = 1, -1
        q = 1 / (1 + math.exp(strengths[b] - strengths[a]))
        middle += (score - q) ** 2 * np.outer(contrast, contrast)
        scores[listener] = scores.get(listener, np.zeros(size)) + (score - q) * contrast
        own = parts.get(listener, np.zeros((size, size)))
        parts[listener] = own + q * (1 - q) * np.outer(contrast, contrast)
    clustered = np.zeros((size, size))
    for listener, total in scores.items():
        corrected = np.linalg.solve(np.eye(size) - parts[listener] @ np.linalg.inv(curvature), total)
        clustered += np.outer(corrected, corrected)
    count = len(scores)
    return [bread @ middle @ bread.T, bread @ clustered @ bread.T * (count - 1) / count]


@pytest.mark.parametrize("diligence", [[60, 50, 40, 30, 20, 20, 10], [3] * 40])
def test_many_listeners_against_the_definition(diligence: list[int]) -> None:
    _, columns = panel(5, diligence, 6, 80.0)
    strengths, curvature, found = fitted(columns)
    covariances = by_definition(columns, strengths, curvature)
    assert found.general
    error = np.max([np.sqrt(np.diag(each)) for each in covariances], axis=0) * POINTS
    # The floor under both may only raise them, and by little with hundreds of votes.
    assert np.all(found.error >= error - 1e-9)
    assert found.error == pytest.approx(error, rel=0.08)
    for i, j in combinations(range(6), 2):
        known = max(each[i, i] + each[j, j] - 2 * each[i, j] for each in covariances) ** 0.5 * POINTS
        assert found.difference[i, j] == found.difference[j, i]
        assert found.difference[i, j] >= known - 1e-9
        assert found.difference[i, j] == pytest.approx(known, rel=0.08)


def test_the_clustered_error_itself_is_exact() -> None:
    # Strong tastes: the clustered error is by far the largest, so nothing else hides it.
    _, columns = panel(6, [200] * 8, 5, 150.0)
    strengths, curvature, found = fitted(columns)
    vote, clustered = (np.sqrt(np.diag(each)) * POINTS for each in by_definition(columns, strengths, curvature))
    assert np.all(clustered > 1.3 * vote)
    assert found.error == pytest.approx(clustered, rel=1e-9)


def test_few_listeners_get_the_error_of_their_votes_and_normal_quantiles() -> None:
    _, columns = panel(7, [400, 400, 400, 400], 5, 150.0)
    strengths, curvature, found = fitted(columns)
    vote, clustered = (np.sqrt(np.diag(each)) * POINTS for each in by_definition(columns, strengths, curvature))
    assert not found.general
    assert np.all(found.error < clustered)
    assert found.error == pytest.approx(vote, rel=0.02)
    assert found.quantile(0.95) == normal_upper(0.025)


def test_quantiles_follow_the_effective_listeners() -> None:
    _, columns = panel(8, [100] * 10, 5, 50.0)
    found = fitted(columns)[2]
    assert found.listeners == pytest.approx(10)
    assert found.quantile(0.95) == pytest.approx(t_upper(0.025, 9))
    # Ten pairs: each must hold 95 % to the power of a tenth.
    assert found.verdict_quantile() == pytest.approx(t_upper((1 - 0.95**0.1) / 2, 9))


def test_effective_listeners() -> None:
    assert effective_listeners(np.array([], np.int64)) == 0
    assert effective_listeners(np.zeros(9, np.int64)) == 1
    assert effective_listeners(np.repeat(np.arange(6), 7)) == pytest.approx(6)
    assert effective_listeners(np.array([0] * 98 + [1, 2])) == pytest.approx(1 / (0.98**2 + 2 * 0.01**2))


@pytest.mark.parametrize(
    ("diligence", "taste"), [([200] * 10, 100.0), ([max(1, 400 // rank) for rank in range(1, 41)], 100.0)]
)
def test_intervals_cover_what_they_claim_in_simulated_panels(diligence: list[int], taste: float) -> None:
    inside = total = 0
    ranges = 0
    replicates = 60
    for seed in range(replicates):
        strength, columns = panel(1000 + seed, diligence, 12, taste)
        truth = population(strength, taste)
        models = rating_standings(columns).models
        order = (-truth).argsort().argsort() + 1
        for model, value in zip(models, truth, strict=True):
            assert model.low is not None
            assert model.high is not None
            inside += model.low <= value <= model.high
            total += 1
        ranges += all(
            (model.rank_low or 0) <= rank <= (model.rank_high or 0) for model, rank in zip(models, order, strict=True)
        )
    # 720 intervals, correlated: 92–98 %; votes alone as units would cover some 75 % here.
    assert 0.92 <= inside / total <= 0.985
    assert ranges / replicates >= 0.9


@pytest.mark.parametrize(("size", "number"), [(2, 2), (2, 3), (5, 6), (5, 10), (12, 20), (12, 40)])
def test_a_handful_of_equal_votes_is_not_proof(size: int, number: int) -> None:
    # Voices that nobody can tell apart, one listener: no more than about 5 % of such boards may see a difference.
    chance = np.random.default_rng(size * 100 + number)
    wrong = 0
    for _ in range(100):
        a = chance.integers(0, size, number)
        b = (a + chance.integers(1, size, number)) % size
        columns = VoteColumns(size, a, b, chance.choice([0.0, 1.0], number), np.zeros(number, np.int64))
        wrong += any((model.tier or 1) > 1 for model in rating_standings(columns).models)
    assert wrong <= 9


def test_ties_alone_leave_room_for_doubt() -> None:
    models = rating_standings(votes(2, [(0, 1, 0.5, 0)] * 5)).models
    assert models[0].rating == pytest.approx(1000)
    assert models[0].low is not None
    assert models[0].low < 960


def test_four_times_the_votes_halve_the_interval() -> None:
    rows = [
        (0, 1, 1.0, 0),
        (1, 0, 1.0, 0),
        (0, 1, 0.5, 0),
        (1, 2, 1.0, 0),
        (2, 1, 0.0, 0),
        (0, 2, 1.0, 0),
        (2, 0, 1.0, 0),
    ]

    def widths(times: int) -> list[float]:
        models = rating_standings(votes(3, rows * times)).models
        return [(model.high or 0) - (model.low or 0) for model in models]

    for narrow, wide in zip(widths(400), widths(100), strict=True):
        assert narrow == pytest.approx(wide / 2, rel=0.02)


VOTE_LISTS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 7)).filter(
        lambda vote: vote[0] != vote[1]
    ),
    min_size=1,
    max_size=60,
)


@given(VOTE_LISTS)
def test_every_board_is_consistent(rows: list[tuple[int, int, float, int]]) -> None:
    board = rating_standings(votes(7, rows))
    models, apart = board.models, len(board.islands) > 1
    played = {model for a, b, _, _ in rows for model in (a, b)}
    rated = [models[position] for position in sorted(played)]
    assert sum(model.rating or 0 for model in rated) / len(rated) == pytest.approx(1000)
    for position, model in enumerate(models):
        if position not in played:
            assert model == type(model)()
            continue
        assert model.rating is not None
        assert (model.low is None, model.high is None, model.tier is None) == (apart, apart, apart)
        assert apart or (model.low or 0) <= model.rating <= (model.high or 0)
        assert model.rank is not None
        assert model.rank_low is not None
        assert model.rank_high is not None
        assert 1 <= model.rank_low <= model.rank <= model.rank_high <= len(played)
    tiers = [model.tier for model in sorted(rated, key=lambda model: model.rank or 0) if model.tier is not None]
    assert tiers == sorted(tiers)
    assert set(tiers) == set(range(1, max(tiers, default=0) + 1))


@given(VOTE_LISTS)
def test_the_board_does_not_depend_on_the_order_of_votes_and_sides(rows: list[tuple[int, int, float, int]]) -> None:
    plain = rating_standings(votes(6, rows))
    turned = rating_standings(votes(6, [(b, a, 1 - score, listener) for a, b, score, listener in reversed(rows)]))
    for one, other in zip(plain.models, turned.models, strict=True):
        assert (one.rank_low, one.rank_high, one.tier) == (other.rank_low, other.rank_high, other.tier)
        if one.rating is not None:
            assert (one.rating, one.low, one.high) == pytest.approx((other.rating, other.low, other.high), abs=1e-6)


def test_models_that_never_met_get_no_verdict() -> None:
    rows = [(0, 1, 1.0, n % 9) for n in range(300)] + [(2, 3, 1.0, n % 9) for n in range(300)]
    board = rating_standings(votes(5, rows))
    assert board.islands == ((0, 1), (2, 3))
    assert [(model.rank_low, model.rank_high) for model in board.models] == [
        (1, 3),
        (2, 4),
        (1, 3),
        (2, 4),
        (None, None),
    ]


@pytest.mark.parametrize("listeners", [1, 9])
@pytest.mark.parametrize("fit", [rating_standings, davidson_standings, lambda some: head_start_standings(some, PRIOR)])
def test_no_number_speaks_across_islands(fit: Callable[[VoteColumns], Standings], listeners: int) -> None:
    rows = [(0, 1, 1.0, n % listeners) for n in range(300)] + [(2, 3, 0.5, n % listeners) for n in range(300)]
    for model in fit(votes(4, rows)).models:
        assert model.rating is not None
        assert (model.low, model.high, model.tier, model.best) == (None, None, None, None)
        assert model.rank_low is not None
        assert model.rank_high is not None
        assert model.rank_high - model.rank_low >= 2  # the two of the other island may be above, between, or below
    joined = fit(votes(4, [*rows, (1, 2, 0.5, 0)]))
    assert all(model.low is not None and model.tier is not None for model in joined.models)


def test_a_chain_of_games_is_one_island() -> None:
    assert rating_standings(votes(5, [(4, 3, 1.0, 0), (3, 0, 1.0, 0), (0, 1, 0.0, 0), (1, 2, 0.5, 0)])).islands == (
        (0, 1, 2, 3, 4),
    )


def test_no_votes_no_standings() -> None:
    empty = VoteColumns(3, *(np.array([], np.int64),) * 2, np.array([]), np.array([], np.int64))
    board = rating_standings(empty)
    assert (board.listeners, board.general, board.islands) == (0.0, False, ())
    assert all(model == type(model)() for model in board.models)


def test_a_head_start_is_not_centred_and_keeps_unplayed_models_at_it() -> None:
    prior = np.array([1100.0, 1000.0, 900.0])
    board = head_start_standings(votes(3, [(0, 1, 1.0, 0)] * 3), prior)
    assert board.models[0].rating == pytest.approx(1100 + (1000 - (board.models[1].rating or 0)))
    assert (board.models[2].rating, board.models[2].low, board.models[2].rank) == (900.0, None, None)


def test_verdicts_ranges_and_tiers_of_a_known_board() -> None:
    ratings = np.array([1200.0, 1190.0, 1000.0, 1190.0, 800.0])
    better = verdicts(ratings, np.full((5, 5), 50.0), 2.0, np.zeros(5, np.int64))
    found = ranks(ratings, better)
    assert found.rank.tolist() == [1, 2, 4, 2, 5]
    assert found.low.tolist() == [1, 1, 4, 1, 5]
    assert found.high.tolist() == [3, 3, 4, 3, 5]
    assert found.tier.tolist() == [1, 1, 2, 1, 3]


def test_a_tier_is_measured_from_its_own_highest_model() -> None:
    ratings = np.array([800.0, 1200.0, 1000.0, 930.0, 880.0])
    better = verdicts(ratings, np.full((5, 5), 50.0), 2.0, np.zeros(5, np.int64))
    assert ranks(ratings, better).tier.tolist() == [3, 1, 2, 2, 3]


def test_a_difference_of_exactly_the_quantile_is_not_sure() -> None:
    ratings = np.array([1100.0, 1000.0])
    island = np.zeros(2, np.int64)
    assert not verdicts(ratings, np.full((2, 2), 50.0), 2.0, island).any()
    assert verdicts(ratings, np.full((2, 2), 49.9), 2.0, island).tolist() == [[False, True], [False, False]]
