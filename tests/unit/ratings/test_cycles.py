"""Circles of three, and what chance alone makes of them."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.ratings.cycles import cycles

HALF = np.full((3, 3), 0.5)


def ring(won: int, lost: int) -> np.ndarray:
    """0 over 1 over 2 over 0."""
    wins = np.zeros((3, 3), np.int64)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        wins[i, j], wins[j, i] = won, lost
    return wins


def test_a_circle_is_named_in_its_own_order() -> None:
    found = cycles(ring(6, 4), HALF)
    assert (found.count, found.triples) == (1, 1)
    assert found.by_coins == found.by_ratings == pytest.approx(0.25)
    (one,) = found.listed
    assert (one.models, one.wins, one.losses) == ((0, 1, 2), (6, 6, 6), (4, 4, 4))
    assert not one.surprising


def test_a_circle_that_chance_does_not_explain_is_one() -> None:
    (one,) = cycles(ring(20, 4), HALF).listed
    assert one.surprising
    (doubted,) = cycles(ring(20, 4), HALF, design=8.0).listed
    assert not doubted.surprising, "listeners who vote repeatedly prove less"


def test_draws_and_missing_games_make_no_triple() -> None:
    level = ring(3, 3)
    assert cycles(level, HALF).triples == 0
    wins = ring(3, 1)
    wins[0, 1] = wins[1, 0] = 0
    assert (cycles(wins, HALF).triples, cycles(wins, HALF).count) == (0, 0)
    assert cycles(np.zeros((0, 0), np.int64), np.zeros((0, 0))).count == 0


@given(st.integers(3, 7).flatmap(lambda n: st.lists(st.integers(0, 3), min_size=n * n, max_size=n * n)))
def test_all_circles_are_counted(cells: list[int]) -> None:
    size = round(len(cells) ** 0.5)
    wins = np.array(cells, np.int64).reshape(size, size)
    np.fill_diagonal(wins, 0)
    found = cycles(wins, np.full((size, size), 0.5), most=1000)
    beats = wins > wins.T
    triples = [
        t
        for t in itertools.combinations(range(size), 3)
        if all((beats | beats.T)[p] for p in itertools.combinations(t, 2))
    ]
    around = [t for t in triples if len({sum(beats[i, j] for j in t) for i in t}) == 1]
    assert (found.triples, found.count) == (len(triples), len(around))
    assert sorted(tuple(sorted(one.models)) for one in found.listed) == around
    for one in found.listed:
        a, b, c = one.models
        assert beats[a, b]
        assert beats[b, c]
        assert beats[c, a]
    assert [one.z for one in found.listed] == sorted((one.z for one in found.listed), reverse=True)


def test_coin_flips_are_no_finding() -> None:
    generator = np.random.default_rng(11)
    counts, surprises = [], 0
    for _ in range(200):
        wins = np.triu(generator.binomial(9, 0.5, (6, 6)), 1)
        wins = wins + np.tril((9 - wins).T, -1)
        found = cycles(wins, np.full((6, 6), 0.5))
        counts.append(found.count)
        surprises += any(one.surprising for one in found.listed)
        assert found.by_coins == found.by_ratings == pytest.approx(5.0)
    assert np.mean(counts) == pytest.approx(5.0, abs=0.4)
    assert surprises <= 10, "at most one board in twenty calls a circle of coin flips surprising"


def test_clear_ratings_expect_few_circles() -> None:
    share = np.array([[0.5, 0.8, 0.95], [0.2, 0.5, 0.8], [0.05, 0.2, 0.5]])
    assert cycles(ring(9, 1), share).by_ratings < 0.01
