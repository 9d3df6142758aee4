"""The Bradley–Terry fit: known answers from outside, its laws, and what it refuses."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.ratings import NotConverged, RatingError, expected, fit_bradley_terry
from tests.helpers.rating_vectors import load, record, store_of

POINTS = 400 / math.log(10)
IDS = "abcdef"
PRIORS = {repo_id: 1000.0 + 25 * position for position, repo_id in enumerate(IDS)}

Pair = list[Any]
PAIRS = st.lists(
    st.tuples(st.sampled_from(IDS), st.sampled_from(IDS), st.integers(0, 40), st.integers(0, 80))
    .filter(lambda pair: pair[0] != pair[1])
    .map(lambda pair: [pair[0], pair[1], float(pair[2]), min(pair[2], pair[3] / 2)]),
    max_size=12,
)


def balance(pairs: list[Pair], priors: dict[str, float], ratings: dict[str, float], weight: float = 4.0) -> float:
    """The largest error, in games, of: score + weight / 2 = expected score + weight × expected score against the
    prior.
    """
    worst = 0.0
    for model, prior in priors.items():
        terms = [weight / 2, -weight * expected(ratings[model], prior)]
        for a, b, games, score in pairs:
            if model in (a, b):
                other, own = (b, score) if model == a else (a, games - score)
                terms += [own, -games * expected(ratings[model], ratings[other])]
        worst = max(worst, abs(math.fsum(terms)))
    return worst


def bisect(falling: Callable[[float], float]) -> float:
    low, high = -1e5, 1e5
    for _ in range(300):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2


@pytest.mark.parametrize(("games", "score"), [(1, 1), (10, 7.5), (3, 0), (100_000, 100_000), (1_000_000, 123_456.5)])
def test_two_models_against_bisection(games: float, score: float) -> None:
    # With equal priors the two ratings lie opposite each other, so one unknown is left: a's distance x from the prior.
    x = bisect(lambda x: score + 2 - games * expected(x, -x) - 4 * expected(x, 0))
    fit = fit_bradley_terry([["a", "b", games, score]], {"a": 1000.0, "b": 1000.0})
    assert fit == pytest.approx({"a": 1000 + x, "b": 1000 - x}, rel=0, abs=1e-6)


def test_the_published_abilities_of_the_1987_baseball_season() -> None:
    # American League, 1987. Table 10.10 and section 10.6.2 of A. Agresti, Categorical Data Analysis (2nd edition,
    # 2002); the abilities relative to Baltimore as printed by the R package BradleyTerry2 (H. Turner and D. Firth,
    # Journal of Statistical Software 48/9, 2012). They are maximum likelihood, hence a prior of almost no weight.
    teams = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
    wins_at_home_and_away = [
        [(4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)],
        [(3, 3), (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)],
        [(2, 5), (4, 3), (2, 4), (4, 3), (4, 2), (6, 0)],
        [(3, 3), (5, 1), (2, 5), (4, 3), (4, 2), (6, 1)],
        [(5, 1), (2, 5), (3, 3), (4, 2), (5, 2), (6, 0)],
        [(2, 5), (3, 3), (3, 4), (4, 3), (4, 2), (2, 4)],
        [(2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4)],
    ]
    pairs = [
        [home, away, won + lost, won]
        for home, results in zip(teams, wins_at_home_and_away, strict=True)
        for away, (won, lost) in zip([team for team in teams if team != home], results, strict=True)
    ]
    fit = fit_bradley_terry(pairs, dict.fromkeys(teams, 1000.0), 1e-9)
    abilities = {team: (fit[team] - fit["Baltimore"]) / POINTS for team in teams}
    assert abilities == pytest.approx(
        {
            "Baltimore": 0.0,
            "Boston": 1.1077,
            "Cleveland": 0.6839,
            "Detroit": 1.4364,
            "Milwaukee": 1.5814,
            "New York": 1.2476,
            "Toronto": 1.2945,
        },
        rel=0,
        abs=5e-5,
    )


@given(PAIRS)
def test_the_balance_holds_for_every_model(pairs: list[Pair]) -> None:
    assert balance(pairs, PRIORS, fit_bradley_terry(pairs, PRIORS)) < 1e-9


@given(PAIRS, st.randoms(use_true_random=False))
def test_neither_order_nor_sides_nor_splitting_matter(pairs: list[Pair], random: Any) -> None:
    other = [[a, b, games / 2, score / 2] for a, b, games, score in pairs for _ in range(2)]
    other = [pair if random.random() < 0.5 else [pair[1], pair[0], pair[2], pair[2] - pair[3]] for pair in other]
    random.shuffle(other)
    assert fit_bradley_terry(other, PRIORS) == pytest.approx(fit_bradley_terry(pairs, PRIORS), rel=0, abs=1e-8)


@given(st.lists(st.sampled_from(load("random_500.json")["log"]), max_size=60), st.randoms(use_true_random=False))
def test_shuffled_votes_fit_alike(log: list[list[str]], random: Any) -> None:
    registry = load("random_500.json")["registry"]
    store, shuffled = store_of(registry), store_of(registry)
    store.replay(record(*line) for line in log)
    random.shuffle(log)
    shuffled.replay(record(*line) for line in log)
    for arena in store.arenas:
        assert fit_bradley_terry(store.pairs(arena), store.priors(arena)) == fit_bradley_terry(
            shuffled.pairs(arena), shuffled.priors(arena)
        )


@given(PAIRS, st.dictionaries(st.sampled_from(IDS), st.floats(-50_000, 50_000)))
def test_the_start_does_not_change_the_result(pairs: list[Pair], start: dict[str, float]) -> None:
    cold = fit_bradley_terry(pairs, PRIORS)
    assert fit_bradley_terry(pairs, PRIORS, start=start) == pytest.approx(cold, rel=0, abs=1e-6)


def test_a_warm_start_is_nearly_there() -> None:
    pairs = [["a", "b", 400.0, 251.0], ["b", "c", 300.0, 120.0]]
    fit = fit_bradley_terry(pairs, PRIORS)
    assert fit_bradley_terry(pairs, PRIORS, start=fit, max_steps=1) == pytest.approx(fit, rel=0, abs=1e-9)


def test_a_model_without_games_stays_at_its_prior() -> None:
    fit = fit_bradley_terry([["a", "b", 5.0, 4.0]], PRIORS)
    assert {model: fit[model] for model in "cdef"} == {model: PRIORS[model] for model in "cdef"}
    assert fit_bradley_terry([], PRIORS) == PRIORS


def test_islands_are_held_by_their_priors() -> None:
    apart = fit_bradley_terry([["a", "b", 50.0, 40.0], ["c", "d", 50.0, 10.0]], PRIORS)
    alone = fit_bradley_terry([["a", "b", 50.0, 40.0]], PRIORS)
    assert [apart[model] for model in "ab"] == pytest.approx([alone[model] for model in "ab"], abs=1e-9)


@pytest.mark.parametrize(
    ("pairs", "priors"),
    [
        ([["a", "b", 1e6, 1e6]], {"a": 1000.0, "b": 1000.0}),
        ([["a", "b", 1e6, 0.0]], {"a": 9000.0, "b": -9000.0}),
        ([[f"m{i}", f"m{i + 1}", 1e5, 1e5] for i in range(30)], {f"m{i}": 1000.0 for i in range(31)}),
        ([["a", "b", 1e6, 1e6], ["b", "c", 1e6, 1e6], ["c", "a", 1.0, 1.0]], dict.fromkeys("abc", 1000.0)),
        ([["a", "b", 1.0, 0.5], ["c", "d", 1e6, 1e6]], dict.fromkeys("abcd", 1000.0)),
    ],
)
def test_lopsided_logs_reach_the_optimum(pairs: list[Pair], priors: dict[str, float]) -> None:
    fit = fit_bradley_terry(pairs, priors)
    assert all(math.isfinite(rating) for rating in fit.values())
    # Ratings of some thousand points carry a rounding error of their own into this check.
    assert balance(pairs, priors, fit) < 2e-8


def test_a_fit_that_does_not_converge_raises_instead_of_returning_a_number() -> None:
    with pytest.raises(NotConverged, match="2 models"):
        fit_bradley_terry([["a", "b", 1e6, 1e6]], {"a": 1000.0, "b": 1000.0}, max_steps=3)


@pytest.mark.parametrize(
    ("pair", "named"),
    [
        (["a", "z", 1.0, 1.0], "'z'"),
        (["a", ["b"], 1.0, 1.0], "a list"),
        (["a", "a", 1.0, 1.0], "'a'"),
        (["a", "b", 1.0], "games, score"),
        (["a", "b", 1.0, 2.0], "'a'"),
        (["a", "b", -1.0, -1.0], "'a'"),
        (["a", "b", math.nan, 0.0], "nan"),
        (["a", "b", math.inf, 0.0], "inf"),
        (["a", "b", "1", 0.0], "'1'"),
        (["a", "b", True, 0.0], "True"),
        (["a", "b", 10**400, 0.0], "huge"),
    ],
)
def test_a_pair_that_cannot_be_right_is_refused(pair: Pair, named: str) -> None:
    with pytest.raises(RatingError, match=named):
        fit_bradley_terry([pair], PRIORS)


@pytest.mark.parametrize("weight", [0.0, -1.0, math.nan, math.inf])
def test_a_prior_weight_that_fixes_no_level_is_refused(weight: float) -> None:
    with pytest.raises(RatingError, match="prior weight"):
        fit_bradley_terry([["a", "b", 1.0, 1.0]], PRIORS, weight)


@pytest.mark.parametrize("prior", [math.nan, math.inf, 1e300, "1000", None, True])
def test_a_prior_that_is_no_rating_is_refused(prior: Any) -> None:
    with pytest.raises(RatingError, match="'a'"):
        fit_bradley_terry([], {"a": prior})
