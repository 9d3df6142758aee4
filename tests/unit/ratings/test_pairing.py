"""Who should meet next: exact chances that go where the order is open, and newcomers that meet the middle first."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from arena_desktop.ratings.bradley_terry import fit_table, information
from arena_desktop.ratings.faults import RatingError
from arena_desktop.ratings.live_fit import LiveFits, expected_errors
from arena_desktop.ratings.pair_table import pair_table
from arena_desktop.ratings.pairing import (
    POLICIES,
    SHARPNESS,
    UNIFORM_SHARE,
    PairKnowledge,
    balanced_chances,
    pair_chances,
    rank_gain_chances,
    unordered,
)
from arena_desktop.ratings.simulate import simulate

POINTS = 400 / math.log(10)


def square(pairs: dict[tuple[int, int], float], size: int) -> NDArray[np.float64]:
    matrix = np.zeros((size, size))
    for (i, j), value in pairs.items():
        matrix[i, j] = matrix[j, i] = value
    return matrix


def knowledge(rating: list[float], games: NDArray[np.float64], error: float = 60.0) -> PairKnowledge:
    size = len(rating)
    names = tuple(f"x/{n}" for n in range(size))
    return PairKnowledge(names, np.array(rating), error * (1 - np.eye(size)), games)


def everyone(size: int, games: float = 10.0) -> NDArray[np.float64]:
    return games * (1 - np.eye(size))


def test_rank_gain_by_hand() -> None:
    rating, error = [1000.0, 1040.0, 1100.0], square({(0, 1): 50.0, (0, 2): 60.0, (1, 2): 30.0}, 3)
    found = rank_gain_chances(np.array(rating), error, np.ones(3, np.bool_))
    weights = []
    for i, j in itertools.combinations(range(3), 2):
        gap, spread = abs(rating[i] - rating[j]), error[i, j]
        q = 1 / (1 + 10 ** (-gap / 400))
        gain = math.log(1 + q * (1 - q) * (spread / POINTS) ** 2)
        weights.append(gain * math.exp(-SHARPNESS * (gap / spread) ** 2 / 2))
    total = sum(weights)
    assert found == pytest.approx([UNIFORM_SHARE / 3 + (1 - UNIFORM_SHARE) * weight / total for weight in weights])


def test_close_and_uncertain_pairs_meet_more_often() -> None:
    close = rank_gain_chances(np.array([1000.0, 1010.0, 1300.0]), 50 * everyone(3, 1.0), np.ones(3, np.bool_))
    assert close[0] > close[2] > 0
    even = np.full(3, 1000.0)
    unsure = rank_gain_chances(even, square({(0, 1): 90.0, (0, 2): 40.0, (1, 2): 40.0}, 3), np.ones(3, np.bool_))
    assert unsure[0] > unsure[1] == pytest.approx(unsure[2])


def test_no_pair_ever_falls_below_its_uniform_share() -> None:
    settled = rank_gain_chances(np.array([0.0, 1e5, 2e5, 3e5]), 1e-3 * everyone(4, 1.0), np.ones(4, np.bool_))
    assert settled.sum() == pytest.approx(1.0)
    assert settled.min() >= UNIFORM_SHARE / 6 * (1 - 1e-12)


def test_without_votes_every_pair_is_alike() -> None:
    nothing = knowledge([1000.0] * 5, np.zeros((5, 5)))
    for policy in POLICIES:
        assert pair_chances(policy, nothing) == pytest.approx(np.full(10, 0.1))


@pytest.mark.parametrize("newcomer", [0, 4, 9])
def test_a_newcomer_meets_only_the_middle_third_and_soon(newcomer: int) -> None:
    games = everyone(10)
    games[newcomer] = games[:, newcomer] = 0.0
    rating = [1000.0 + 40 * n for n in range(10)]
    rating[newcomer] = 1000.0
    error = expected_errors(games, np.array(rating))
    chances = rank_gain_chances(np.array(rating), error, games.sum(axis=1) > 0)
    others = sorted((n for n in range(10) if n != newcomer), key=lambda n: rating[n])
    middle = set(others[3:6])
    i, j = unordered(10)
    with_newcomer = (i == newcomer) | (j == newcomer)
    met = {
        int(a + b - newcomer)
        for a, b in zip(i[with_newcomer & (chances > 0)], j[with_newcomer & (chances > 0)], strict=True)
    }
    assert met == middle
    assert chances[with_newcomer].sum() > 0.5
    assert np.all(chances[~with_newcomer] > 0)


def test_two_newcomers_do_not_meet_each_other_first() -> None:
    games = everyone(6)
    games[[4, 5]] = games[:, [4, 5]] = 0.0
    chances = square(
        dict(
            zip(
                itertools.combinations(range(6), 2),
                pair_chances("rank-gain", knowledge([1000.0 + n for n in range(6)], games)),
                strict=True,
            )
        ),
        6,
    )
    assert chances[4, 5] == 0.0
    assert chances[4].sum() > 0 < chances[5].sum()


def test_a_new_arena_has_no_middle_yet() -> None:
    games = np.zeros((8, 8))
    games[0, 1] = games[1, 0] = 1.0
    assert np.all(pair_chances("rank-gain", knowledge([1000.0] * 8, games)) > 0)


def test_balanced_takes_the_least_met_on_the_text_then_the_least_met_at_all() -> None:
    games = square({(0, 1): 5, (0, 2): 4, (0, 3): 3, (1, 2): 2, (1, 3): 9, (2, 3): 3}, 4)
    on_text = square({(1, 2): 1, (1, 3): 1}, 4)
    assert balanced_chances(games, on_text).tolist() == [0.0, 0.0, 0.5, 0.0, 0.0, 0.5]


def test_balanced_keeps_every_count_within_one() -> None:
    panel = simulate(6, 15 * 8 * 3, texts=8, policy="balanced", seed=2)
    pair = np.minimum(panel.a, panel.b) * 6 + np.maximum(panel.a, panel.b)
    met = np.bincount(panel.text * 36 + pair, minlength=8 * 36).reshape(8, 6, 6)[:, *np.triu_indices(6, 1)]
    assert met.min() == met.max() == 3
    half = np.bincount(pair[:100], minlength=36).reshape(6, 6)[np.triu_indices(6, 1)]
    assert half.max() - half.min() <= 2


def test_what_was_drawn_has_the_chance_that_is_stored() -> None:
    panel = simulate(5, 3_000, policy="rank-gain", seed=9)
    pair = np.minimum(panel.a, panel.b) * 5 + np.maximum(panel.a, panel.b)
    weight = 1 / panel.probability
    # Each draw weighted by 1 / its chance counts every pair once a vote, whatever the policy did: within chance, which
    # passes 3.3 standard errors in one of a hundred such tests of ten pairs.
    counts = np.bincount(pair, weights=weight, minlength=25)
    variance = np.bincount(pair, weights=weight * (weight - 1), minlength=25)
    for i, j in itertools.combinations(range(5), 2):
        assert abs(counts[5 * i + j] - 3_000) < 3.3 * math.sqrt(variance[5 * i + j])


@given(st.integers(2, 12), st.integers(0, 2**32 - 1))
def test_chances_are_chances_whatever_is_known(size: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    games = np.triu(chance.integers(0, 4, (size, size)) * chance.integers(0, 2, (size, size)), 1).astype(np.float64)
    rating = chance.normal(1000, 10.0 ** chance.integers(0, 6), size)
    known = PairKnowledge(
        tuple(map(str, range(size))), rating, expected_errors(games + games.T, rating), games + games.T
    )
    for policy in POLICIES:
        found = pair_chances(policy, known, "text")
        assert found.shape == (size * (size - 1) // 2,)
        assert np.all(np.isfinite(found))
        assert np.all(found >= 0)
        assert found.sum() == pytest.approx(1.0)


def test_only_those_asked_about_count() -> None:
    games = everyone(5)
    known = knowledge([1000.0, 1400.0, 1010.0, 1800.0, 1020.0], games)
    some = known.among(np.array([4, 0, 2]))
    assert some.models == ("x/4", "x/0", "x/2")
    assert some.rating.tolist() == [1020.0, 1000.0, 1010.0]
    assert pair_chances("rank-gain", some).shape == (3,)


def test_errors_are_those_of_the_fit() -> None:
    panel = simulate(5, 150, seed=3)
    table = pair_table(5, panel.a, panel.b, np.ones(150), panel.score)
    prior = np.full(5, 1000.0)
    fit = fit_table(table, prior)
    inverse = np.linalg.inv(information(table, fit, prior, 4.0))
    games = np.zeros((5, 5))
    np.add.at(games, (panel.a, panel.b), 1.0)
    found = expected_errors(games + games.T, fit)
    for i, j in itertools.combinations(range(5), 2):
        assert found[i, j] == pytest.approx(math.sqrt(inverse[i, i] + inverse[j, j] - 2 * inverse[i, j]) * POINTS)


def test_a_warm_step_a_vote_stays_at_the_optimum() -> None:
    panel = simulate(6, 400, seed=5)
    fits = LiveFits(1, 6)
    for n in range(400):
        fits.add(panel.a[n : n + 1], panel.b[n : n + 1], panel.score[n : n + 1])
        fits.step()
    exact = fit_table(pair_table(6, panel.a, panel.b, np.ones(400), panel.score), np.full(6, 1000.0))
    assert np.max(np.abs(fits.rating[0] - exact)) < 0.05
    assert fits.error[0] == pytest.approx(expected_errors(fits.games[0], exact), rel=0.01)


def test_an_unknown_policy_is_refused_in_words() -> None:
    with pytest.raises(RatingError, match="greedy"):
        pair_chances("greedy", knowledge([1000.0, 1000.0], everyone(2)))
    with pytest.raises(RatingError, match="two models"):
        pair_chances("uniform", knowledge([1000.0], np.zeros((1, 1))))
