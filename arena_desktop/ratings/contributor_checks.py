"""Who cast votes that look unlike those of a listener: the arithmetic behind a contributor's card.

Contributors are numbered from 0. Each test allows for how many contributors are looked at: on a board whose
contributors are all listeners one of them is suspected in fewer than one case in a hundred, all tests together.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray, logistic, sum_by
from arena_desktop.ratings.audit.agreement import repeats, winner
from arena_desktop.ratings.audit.case import Case, fit, without
from arena_desktop.ratings.quantiles import normal_upper, t_upper

FEWEST = 20
"""Votes (or repeats) below which nothing is said of a contributor."""

_ERROR_RATE = 0.01
_TESTS = 4  # side, order, following, self-agreement
_INTERVAL = 0.025
_HEAVY = 0.02
_MOST_ALONE = 60
_FEWEST_OTHERS = 4
_FOLLOWS = 0.5


@dataclass(frozen=True, eq=False)
class Leaning:
    """For each contributor by how much a side scores more than the ratings let expect, a vote: ``value`` with its 95 %
    interval of ± ``half``, NaN without votes that tell; ``sure`` where that is beyond chance.
    """

    votes: IntArray
    value: FloatArray
    half: FloatArray
    sure: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Following:
    """For each contributor how far votes follow what all the others' ratings let expect: 1 as far as that, 0 not at
    all, negative the other way round. ``half`` is half of the 95 % interval, NaN where too few votes tell; ``astray``
    where it is surely less than the contributors differ among each other.
    """

    value: FloatArray
    half: FloatArray
    astray: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Repeating:
    """For each contributor how often the same pair was decided twice, the share of that which agrees, and the share
    that votes drawn anew from the ratings would; ``contrary`` where it is surely less.
    """

    repeats: IntArray
    agree: FloatArray
    expected: FloatArray
    contrary: NDArray[np.bool_]


def tail_of(contributors: int) -> float:
    """The chance, on one side, with which one test may suspect one of so many contributors."""
    return float(0.5 * (1.0 - (1.0 - _ERROR_RATE) ** (1.0 / (_TESTS * max(1, contributors)))))


def leaning(signed: FloatArray, who: IntArray, count: int) -> Leaning:
    """``signed``: in each vote that tells, what the side scored beyond expectation, and ``who`` cast it.

    Sides are drawn by lot, so that the sign of each is as good as a coin's, whatever a listener likes: the sum over the
    root of the sum of squares is normal under chance, and its tails are no heavier.
    """
    votes = np.bincount(who, minlength=count).astype(np.int64)
    total, squares = sum_by(who, signed, count), sum_by(who, np.square(signed), count)
    with np.errstate(divide="ignore", invalid="ignore"):
        value, error = total / votes, np.sqrt(squares) / votes
        sure = (votes >= FEWEST) & (np.abs(value) > normal_upper(tail_of(count)) * error)
    return Leaning(votes, value, normal_upper(_INTERVAL) * error, sure)


def expected_by_others(case: Case, who: IntArray, count: int) -> FloatArray:
    """A's expected score in each vote by the ratings of all; by those of all others where a contributor cast so many
    votes that their own would show in them.
    """
    expected = case.expected.copy()
    votes = np.bincount(who, minlength=count)
    heavy = np.flatnonzero(votes > _HEAVY * len(who))
    for one in heavy[np.argsort(-votes[heavy], kind="stable")][:_MOST_ALONE].tolist():
        mine = np.flatnonzero(who == one)
        part = case.votes.pick(mine)
        strengths = fit(without(case.table, part)) / ELO_PER_LOGIT
        expected[mine] = logistic(strengths[part.a] - strengths[part.b])
    return expected


def following(score: FloatArray, expected: FloatArray, who: IntArray, count: int) -> Following:
    """The slope of each contributor's scores over the expected ones, both from ½, against those of all the others.

    How far listeners differ (their tastes) is estimated from the others (DerSimonian and Laird, Control. Clin. Trials
    7, 1986); with few of them Student's t allows for how little is known of it.
    """
    x, y = expected - 0.5, score - 0.5
    votes, xx = np.bincount(who, minlength=count), sum_by(who, np.square(x), count)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = sum_by(who, x * y, count) / xx
        error = np.sqrt(sum_by(who, np.square(x * (y - slope[who] * x)), count)) / xx
        known = (votes >= FEWEST) & np.isfinite(slope) & (error > 0)
        weight = np.where(known, 1.0 / np.square(error), 0.0)
    b = np.where(known, slope, 0.0)
    # Sums over all but one.
    ones, w, wb, wbb, ww = (part.sum() - part for part in (known * 1.0, weight, weight * b, weight * b * b, weight**2))
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = wb / w
        spread = np.maximum(0.0, (wbb - wb * mean - (ones - 1.0)) / (w - ww / w))
        gap = (slope - mean) / np.sqrt(np.square(error) + spread + 1.0 / w)
    tested = known & (ones >= _FEWEST_OTHERS)
    tail = tail_of(count)
    limit = np.full(count, np.inf)
    for others in np.unique(ones[tested]).tolist():
        limit[ones == others] = t_upper(tail, others - 1.0)
    with np.errstate(invalid="ignore"):
        astray = tested & (gap < -limit) & (slope < _FOLLOWS)
    nothing = np.full(count, np.nan)
    half = normal_upper(_INTERVAL) * error
    return Following(np.where(known, slope, nothing), np.where(known, half, nothing), astray)


def repeating(case: Case, count: int) -> Repeating:
    """Whether contributors contradict themselves more than votes drawn anew would: tastes can only make them agree
    more. The listeners of the case's votes are the contributors.
    """
    first, second, _ = repeats(case)
    who = case.votes.listener[first]
    agree = (winner(case, first) == winner(case, second)).astype(np.float64)
    chance = case.expected[first] ** 2 + (1.0 - case.expected[first]) ** 2
    number = np.bincount(who, minlength=count).astype(np.int64)
    agreed, hoped, varied = (sum_by(who, part, count) for part in (agree, chance, chance * (1.0 - chance)))
    with np.errstate(divide="ignore", invalid="ignore"):
        missing = (hoped - agreed - 0.5) / np.sqrt(varied)
        contrary = (number >= FEWEST) & (missing > normal_upper(tail_of(count)))
        return Repeating(number, agreed / number, hoped / number, contrary)
