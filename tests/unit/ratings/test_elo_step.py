"""The formulas of one rating step."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.ratings import EloStore, RegistryError, expected, k_factor, prior_elo
from tests.helpers.rating_vectors import record

RATINGS = st.floats(-5000, 5000)
MIRRORED = {"a": "b", "b": "a", "tie": "tie", "both_bad": "both_bad"}
VOTES = st.sampled_from(sorted(MIRRORED))
BATTLES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), VOTES).filter(lambda vote: vote[0] != vote[1]))
IDS = ("a/one", "a/two", "B/three", "c/four")


def store() -> EloStore:
    return EloStore([{"repo_id": repo_id, "tts_index": 80 + i} for i, repo_id in enumerate(IDS)], {"main": IDS})


def test_known_steps() -> None:
    assert [k_factor(n) for n in (0, 15, 45)] == [48.0, 30.0, 21.0]
    assert k_factor(10**9) == pytest.approx(12.0)


def test_known_expectations() -> None:
    assert expected(1000, 1000) == 0.5
    assert expected(1400, 1000) == pytest.approx(10 / 11, rel=1e-15)


def test_the_prior_comes_from_the_benchmark() -> None:
    assert (prior_elo(82), prior_elo(90.25), prior_elo(74.0), prior_elo(None)) == (1000.0, 1066.0, 936.0, 1000.0)


@pytest.mark.parametrize("index", [math.nan, math.inf, "82", True, [82], 10**400])
def test_a_benchmark_score_that_is_no_number_is_refused(index: object) -> None:
    with pytest.raises(RegistryError, match="tts_index"):
        prior_elo(index)  # type: ignore[arg-type]  # the roster may hold anything


@given(RATINGS, RATINGS)
def test_the_two_expectations_add_up_to_one(ra: float, rb: float) -> None:
    assert expected(ra, rb) + expected(rb, ra) == pytest.approx(1.0, abs=1e-15)


def test_no_gap_is_too_wide() -> None:
    assert (expected(-1e300, 1e300), expected(1e300, -1e300)) == (0.0, 1.0)


@given(BATTLES)
def test_swapped_sides_and_a_mirrored_vote_are_the_same_vote(battles: list[tuple[int, int, str]]) -> None:
    plain, mirrored = store(), store()
    for a, b, vote in battles:
        one = plain.record_vote("main", IDS[a], IDS[b], vote)
        other = mirrored.record_vote("main", IDS[b], IDS[a], MIRRORED[vote])
        for repo_id, change in one.items():
            assert other[repo_id] == pytest.approx(change, rel=0, abs=1e-9)
    assert plain.pairs("main") == mirrored.pairs("main")


@given(BATTLES)
def test_votes_one_by_one_are_exactly_the_replay(battles: list[tuple[int, int, str]]) -> None:
    live, replayed = store(), store()
    for a, b, vote in battles:
        live.record_vote("main", IDS[a], IDS[b], vote)
    report = replayed.replay(record("main", IDS[a], IDS[b], vote) for a, b, vote in battles)
    assert report.applied == len(battles)
    assert live.to_dict() == replayed.to_dict()
    assert live.rows("main") == replayed.rows("main")


@given(BATTLES)
def test_counts_add_up(battles: list[tuple[int, int, str]]) -> None:
    numbers = store()
    numbers.replay(record("main", IDS[a], IDS[b], vote) for a, b, vote in battles)
    tallies = numbers.tallies("main").values()
    assert numbers.total_battles("main") == len(battles)
    assert sum(tally["battles"] for tally in tallies) == 2 * len(battles)
    assert sum(tally["wins"] for tally in tallies) == sum(tally["losses"] for tally in tallies)
    for tally in tallies:
        assert tally["battles"] == tally["wins"] + tally["losses"] + tally["ties"] + tally["both_bad"]
        score = sum(
            score if low == tally["repo_id"] else games - score
            for low, high, games, score in numbers.pairs("main")
            if tally["repo_id"] in (low, high)
        )
        assert score == tally["wins"] + 0.5 * (tally["ties"] + tally["both_bad"])
