"""Verdicts on two models: how sure, and how many more votes would tell."""

import math

import numpy as np
import pytest

from arena_desktop.ratings.anytime import boundary
from arena_desktop.ratings.meetings import meetings
from arena_desktop.ratings.power import votes_needed
from arena_desktop.ratings.quantiles import t_upper
from arena_desktop.ratings.standings import rating_standings
from arena_desktop.ratings.verdict import Strength, Verdict, student, verdict, verdict_on
from arena_desktop.ratings.vote_table import VoteRow
from tests.helpers.snapshots import table_of, vote

A, B, C = "x/a", "x/b", "x/c"
TWO = (A, B)


def judge(rows: list[VoteRow], models: tuple[str, ...] = TWO, pair: tuple[int, int] = (0, 1)) -> Verdict:
    table = table_of(rows, models)
    return verdict_on(rating_standings(table.columns()), table, pair)


def between(wins: int, losses: int, ties: int = 0, both_bad: int = 0) -> Verdict:
    outcomes = ["a"] * wins + ["b"] * losses + ["tie"] * ties + ["both_bad"] * both_bad
    return judge([vote(A, B, outcome) for outcome in outcomes])


def test_without_votes_nothing_is_said() -> None:
    found = judge([])
    assert (found.games, found.share, found.difference, found.strength, found.more) == (
        0,
        None,
        None,
        Strength.NONE,
        None,
    )


def test_head_to_head_is_seen_from_the_higher_model() -> None:
    found = between(2, 7, 1, 3)
    assert (found.upper, found.lower) == (1, 0)
    assert (found.wins, found.losses, found.ties, found.both_bad) == (7, 2, 1, 3)
    assert (found.games, found.draws, found.decided) == (13, 4, 9)
    assert found.share == pytest.approx(7 / 9)
    assert found == judge(
        [vote(B, A, "a")] * 7 + [vote(B, A, "b")] * 2 + [vote(A, B, "tie")] + [vote(A, B, "both_bad")] * 3
    )


@pytest.mark.parametrize(
    ("wins", "losses", "strength"),
    [
        (1, 0, Strength.LEANING),
        (4, 0, Strength.LEANING),
        (5, 4, Strength.NONE),
        (4, 1, Strength.LIKELY),
        (7, 2, Strength.LIKELY),
        (60, 40, Strength.LIKELY),
        (200, 100, Strength.SURE),
        (5, 5, Strength.NONE),
    ],
)
def test_how_sure(wins: int, losses: int, strength: Strength) -> None:
    found = between(wins, losses)
    assert found.strength is strength
    assert found.early == (wins + losses < 5)
    assert (found.more is None) == (strength is Strength.SURE or wins == losses)


def test_likely_is_at_least_nine_to_one_by_exact_count() -> None:
    """With a flat prior on the share, the chance that it is above ½ after w wins of n is the binomial tail below."""
    for games in range(5, 40):
        for wins in range(games // 2 + 1, games):
            odds = sum(math.comb(games + 1, k) for k in range(wins + 1)) / 2 ** (games + 1)
            if between(wins, games - wins).strength is Strength.LIKELY:
                assert odds > 0.88, (wins, games)


def test_draws_only_are_a_draw() -> None:
    found = between(0, 0, 6, 2)
    assert found.difference == pytest.approx(0, abs=1e-6)
    assert (found.strength, found.more, found.share) == (Strength.NONE, None, None)


def test_sure_takes_the_anytime_boundary() -> None:
    """Two models, one listener: the verdict is the published boundary on wins minus losses, to a vote or so."""
    for games in (60, 150, 400):
        fewest = next(
            wins for wins in range(games // 2, games + 1) if between(wins, games - wins).strength is Strength.SURE
        )
        assert 2 * fewest - games == pytest.approx(boundary(games), abs=3)


def test_one_listener_in_two_models_is_wrongly_sure_in_at_most_one_of_twenty() -> None:
    votes = 120
    surely = np.zeros((votes + 1,), int)
    for games in range(1, votes + 1):
        low, high = (games + 1) // 2, games + 1  # the fewest wins that make sure lie between
        while low < high:
            middle = (low + high) // 2
            if between(middle, games - middle).strength is Strength.SURE:
                high = middle
            else:
                low = middle + 1
        surely[games] = low
    walks = np.cumsum(np.random.default_rng(3).random((20_000, votes)) < 0.5, axis=1)
    cast = np.arange(1, votes + 1)
    wrong = ((walks >= surely[1:]) | (cast - walks >= surely[1:])).any(axis=1).mean()
    assert 0.005 < wrong <= 0.05


def test_more_votes_are_at_least_the_fixed_sample_at_80_percent_power() -> None:
    found = between(60, 40)
    assert found.more is not None
    fitted = 1 / (1 + 10 ** (-(found.difference or 0) / 400))
    assert votes_needed(fitted) - 100 <= found.more < 1.4 * votes_needed(fitted) - 100
    tied = between(60, 40, 25)
    assert tied.more is not None
    assert tied.more > found.more


def test_clustered_listeners_need_more_votes_and_are_less_sure() -> None:
    alone = [vote(A, B, "a" if n % 3 else "b", listener=f"l-{n}") for n in range(180)]
    taste = [vote(A, B, "b" if n % 6 < 2 else "a", listener=f"l-{n % 6}") for n in range(180)]
    single, clustered = judge(alone), judge(taste)
    assert single.wins == clustered.wins
    assert single.strength is Strength.SURE
    assert clustered.strength is not Strength.SURE, "four of six people are no people in general"
    assert clustered.more is not None
    assert clustered.more > 200


def test_models_that_no_chain_connects_are_not_compared() -> None:
    rows = [vote(A, B)] * 9 + [vote(C, "x/d")] * 9
    models = (A, B, C, "x/d")
    assert judge(rows, models, (0, 2)).difference is None
    assert judge(rows, (*models, "x/e"), (0, 4)).difference is None
    assert judge(rows, models, (0, 1)).difference is not None


def test_a_way_round_counts() -> None:
    rows = [vote(A, B)] * 100 + [vote(B, C)] * 100
    found = judge([*rows, *[vote(A, B, "b")] * 20, *[vote(B, C, "b")] * 20], (A, B, C), (2, 0))
    assert (found.upper, found.games, found.strength) == (0, 0, Strength.SURE)


def test_the_board_may_see_it_the_other_way_round() -> None:
    rows = (
        [vote(A, B, "b")] * 5
        + [vote(A, B, "a")] * 3
        + [vote(A, C)] * 40
        + [vote(B, C, "a")] * 20
        + [vote(B, C, "b")] * 20
    )
    found = judge(rows, (A, B, C))
    assert (found.upper, found.wins, found.losses) == (0, 3, 5)


def test_the_same_tail_under_student_t() -> None:
    for z, df in ((1.96, 5.0), (3.0, 8.0), (1.28, 4.0), (4.3, 30.0)):
        tail = 0.5 * math.erfc(z / math.sqrt(2))
        assert student(z, df) == pytest.approx(t_upper(tail, df), rel=0.03)
    assert student(2.0, math.inf) == 2.0


def test_meetings_counted_before_give_the_same() -> None:
    table = table_of([vote(A, B)] * 7 + [vote(A, B, "b")] * 2, TWO)
    standings = rating_standings(table.columns())
    assert verdict(standings, meetings(table), (0, 1)) == verdict_on(standings, table, (0, 1))
