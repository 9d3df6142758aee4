"""Looking after every vote: the boundary keeps its word, a test repeated at 5 % does not."""

import numpy as np
import pytest

from arena_desktop.ratings.anytime import boundary, crossed, multiplier, rho


def ever(p: float, votes: int, walks: int, limit: np.ndarray, seed: int) -> np.ndarray:
    """The first vote at which each walk leaves ``limit``, 0 if it never does."""
    steps = np.where(np.random.default_rng(seed).random((walks, votes)) < p, 1, -1)
    out = np.abs(np.cumsum(steps, axis=1)) >= limit
    return np.where(out.any(axis=1), out.argmax(axis=1) + 1, 0)


LIMIT = np.array([boundary(k) for k in range(1, 1001)])


def test_peeking_at_every_vote_is_wrong_at_most_once_in_twenty() -> None:
    wrong = np.mean(ever(0.5, 1000, 4000, LIMIT, 23) > 0)
    assert 0.01 < wrong <= 0.05, "3.1 % is published for 1,000 looks"
    repeated = np.mean(ever(0.5, 1000, 4000, 1.96 * np.sqrt(np.arange(1, 1001)), 23) > 0)
    assert repeated > 0.35, "what a test at 5 % does when it is repeated after every vote"


def test_it_stops_about_where_the_fixed_sample_would() -> None:
    stops = ever(0.6, 1000, 2000, LIMIT, 5)
    assert np.median(stops) == pytest.approx(187, abs=15)
    assert np.percentile(stops, 80) == pytest.approx(322, abs=25)


def test_it_is_tightest_between_100_and_200_votes() -> None:
    widths = [multiplier(150.0) if scale == 1 else _with_rho(150.0, scale) for scale in (0.5, 1, 2)]
    assert min(widths) == widths[1]


def _with_rho(votes: float, scale: float) -> float:
    width = rho() * scale
    return float(np.sqrt((1 + 1 / (votes * width)) * (np.log1p(votes * width) + 2 * np.log(20))))


def test_a_verdict_takes_both_many_votes_and_a_lead() -> None:
    assert not crossed(5, 0)
    assert crossed(30, 4)
    assert crossed(4, 30)
    assert not crossed(520, 480)
    assert not crossed(0, 0)
    assert multiplier(0.0) == np.inf
    assert multiplier(100.0, 0.001) > multiplier(100.0, 0.05)
