"""The past is what a board would have shown then: prefixes, the last moment, Live Elo step by step."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.ratings.elo_store import EloStore
from arena_desktop.ratings.history import (
    Replayed,
    affordable_intervals,
    by_davidson,
    by_head_start,
    by_rating,
    first_games,
    moments,
    replay,
    replay_elo,
)
from arena_desktop.ratings.simulate import simulate
from arena_desktop.ratings.standings import Standings, davidson_standings, head_start_standings, rating_standings
from arena_desktop.ratings.vote_columns import VoteColumns
from arena_desktop.ratings.vote_table import OUTCOMES

PRIOR = np.array([1100.0, 950.0, 1000.0, 1000.0, 1030.0])
PANEL = simulate(5, 260, listeners=8, texts=20, seed=5)
METHODS: dict[str, tuple[Replayed, Callable[[VoteColumns], Standings]]] = {
    "rating": (by_rating(), rating_standings),
    "bt": (by_head_start(PRIOR), lambda votes: head_start_standings(votes, PRIOR)),
    "davidson": (by_davidson(), davidson_standings),
}


def numbers(standings: Standings, what: str) -> np.ndarray:
    """One number of each model with a rank, NaN of the others."""
    return np.array([getattr(m, what) if m.rank else np.nan for m in standings.models], np.float64)


@pytest.mark.parametrize("method", METHODS)
def test_every_moment_is_the_board_of_the_votes_until_then(method: str) -> None:
    replayed, board = METHODS[method]
    columns = PANEL.columns()
    when = moments(len(columns), 9)
    past = replay(columns, when, replayed)
    for moment, count in enumerate(when):
        then = board(columns.pick(slice(0, int(count))))
        for what in ("rating", "low", "high"):
            np.testing.assert_allclose(getattr(past, what)[moment], numbers(then, what), atol=1e-6)


def test_a_beginning_of_the_log_has_the_same_past_whatever_came_later() -> None:
    columns = PANEL.columns()
    beginning = columns.pick(slice(0, 100))
    when = moments(100, 10)
    early, late = replay(beginning, when, by_rating()), replay(columns, when, by_rating())
    np.testing.assert_allclose(early.rating, late.rating, atol=1e-6)
    np.testing.assert_allclose(early.high, late.high, atol=1e-6)


def test_live_elo_is_that_of_the_store_after_each_vote() -> None:
    columns = PANEL.columns()
    models = [
        {"repo_id": name, "tts_index": 82 + (prior - 1000) / 8} for name, prior in zip("abcde", PRIOR, strict=True)
    ]
    store = EloStore(models, {"x": list("abcde")})
    past = replay_elo(PRIOR, columns, moments(60))
    for vote in range(60):
        store.record_vote("x", "abcde"[PANEL.a[vote]], "abcde"[PANEL.b[vote]], OUTCOMES[PANEL.outcome[vote]])
        known = [tally["elo"] if tally["battles"] else np.nan for tally in store.tallies("x").values()]
        np.testing.assert_allclose(past.rating[vote], known, atol=1e-9)
    assert np.isnan(past.low).all()


def test_intervals_are_left_out_evenly_and_never_at_the_end() -> None:
    columns = PANEL.columns()
    past = replay(columns, moments(len(columns), 50), by_rating(), intervals=5)
    with_interval = np.flatnonzero(~np.isnan(past.high).all(axis=1))
    assert with_interval.tolist() == [9, 19, 29, 39, 49]
    assert not np.isnan(past.rating[-1]).any()


def test_a_fit_is_asked_for_intervals_less_often_where_votes_are_many() -> None:
    few, many = affordable_intervals(1_000, 12), affordable_intervals(100_000, 12)
    assert 200 >= few > many >= 12
    assert affordable_intervals(100_000, 60) <= many


@given(st.integers(0, 5_000), st.integers(1, 300))
def test_moments_rise_to_the_last_vote(votes: int, most: int) -> None:
    when = moments(votes, most)
    assert len(when) == min(votes, most)
    assert (np.diff(when) > 0).all()
    if votes:
        assert when[-1] == votes
        assert when[0] >= 1
        assert np.ptp(np.diff(when, prepend=0)) <= 1  # equally spaced


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3), st.sampled_from([0.0, 0.5, 1.0])), max_size=12))
@settings(max_examples=20)
def test_any_few_votes_have_a_past(votes: list[tuple[int, int, float]]) -> None:
    a = np.array([one for one, _, _ in votes], np.int64)
    b = np.array([(one + step) % 4 for one, step, _ in votes], np.int64)
    score = np.array([own for _, _, own in votes], np.float64)
    columns = VoteColumns(4, a, b, score, np.zeros(len(a), np.int64))
    when = moments(len(votes))
    first = first_games(columns)
    method: Replayed
    for method in (by_rating(), by_head_start(PRIOR[:4]), by_davidson()):
        past = replay(columns, when, method)
        assert np.array_equal(np.isnan(past.rating), when[:, None] < first[None, :])
        for count, low, rating in zip(when.tolist(), past.low, past.rating, strict=True):
            some = VoteColumns(4, a[:count], b[:count], score[:count], np.zeros(count, np.int64))
            connected = len(rating_standings(some).islands) == 1
            assert np.array_equal(np.isnan(low), np.isnan(rating) | (not connected))
