"""Whether it helps to be sample A, or to be played first: both in one fit, so that neither passes for the other."""

import math
from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, logistic
from arena_desktop.ratings.audit.case import ERROR_RATE, Case, largest_move
from arena_desktop.ratings.audit.finding import Figures, Finding, Interval, Severity
from arena_desktop.ratings.intervals import CONFIDENCE

SIDE, FIRST = "side", "first_played"

SMALL, LARGE, HUGE = 0.05, 0.2, 0.5
"""Logits: below the first an advantage is harmless (9 Elo points), the others are 35 and 87 points."""

_FEWEST = 50
_BLUNT = 0.25  # logits; with a larger standard error the absence of a finding means nothing


@dataclass(frozen=True)
class Bias(Figures):
    """``votes`` that tell. ``elo`` is the advantage in Elo points, ``share`` in expected score between equal models
    (0.03: 53 % instead of 50 %). Corrected for both advantages, ``moved`` would change its rating by ``moved_elo``, the
    most of all. ``apart``: side and order can be told apart in these votes.
    """

    votes: int
    elo: Interval | None
    share: Interval | None
    moved: str | None
    moved_elo: float
    listeners: float
    apart: bool


def side_bias(case: Case) -> Finding:
    """Whether sample A is preferred for being sample A."""
    return _finding(case, SIDE, -2, len(case.votes))


def first_played_bias(case: Case) -> Finding:
    """Whether the sample that is heard first is preferred for that."""
    return _finding(case, FIRST, -1, int((case.votes.first >= 0).sum()))


def _finding(case: Case, check: str, parameter: int, votes: int) -> Finding:
    if votes < _FEWEST:
        empty = Bias(votes, None, None, None, 0.0, case.standings.listeners, True)
        return Finding(check, Severity.UNKNOWN, empty, _FEWEST)
    found = case.bias
    fit = found.fit
    if check == FIRST and not found.apart:
        nothing = Bias(votes, None, None, None, 0.0, fit.listeners, False)
        return Finding(check, Severity.UNKNOWN, nothing)
    contrast = np.zeros((1, fit.design.size))
    contrast[0, parameter] = 1.0
    value, error = float(fit.parameters[parameter]), float(fit.errors(contrast)[0])
    half = fit.quantile(0.5 * (1.0 - CONFIDENCE)) * error
    bounds = (value, value - half, value + half)
    move, moved = largest_move(case.ratings, found.models, case.table.played)
    figures = Bias(
        votes,
        Interval(*(bound * ELO_PER_LOGIT for bound in bounds)),
        Interval(*(float(logistic(np.array(bound))) - 0.5 for bound in bounds)),
        case.name(moved),
        move,
        fit.listeners,
        found.apart,
    )
    if abs(value) > max(SMALL, fit.quantile(0.5 * ERROR_RATE) * error):
        grades = ((HUGE, Severity.SERIOUS), (LARGE, Severity.WARNING), (0.0, Severity.NOTICE))
        return Finding(check, next(severity for size, severity in grades if abs(value) >= size), figures)
    if error > _BLUNT:
        return Finding(check, Severity.UNKNOWN, figures, math.ceil(votes * (error / _BLUNT) ** 2))
    return Finding(check, Severity.OK, figures)
