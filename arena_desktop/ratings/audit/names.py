"""Does seeing names change the verdict? Votes from before a listener had seen two models' names against those after."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray, sum_by
from arena_desktop.ratings.audit.case import ERROR_RATE, Case
from arena_desktop.ratings.audit.design import Design, Fit, solve
from arena_desktop.ratings.audit.finding import Figures, Finding, Interval, Severity
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT
from arena_desktop.ratings.intervals import CONFIDENCE

CHECK = "names_seen"
_FEWEST = 5.0  # votes' worth of information on a model (20 close games), on each side of the reveal
_LARGE = 50.0  # Elo points
_WEAK_RIDGE = 0.05


@dataclass(frozen=True)
class Shift:
    """By how much a model's rating is higher in votes cast after its name was seen than before, in Elo points."""

    model: str
    elo: Interval


@dataclass(frozen=True)
class NamesSeen(Figures):
    """Votes ``before`` and ``after`` the names were seen, those that don't say left out. ``shifts`` of the models that
    could be tested, the largest first; ``shifted`` are those that surely moved.
    """

    before: int
    after: int
    shifts: tuple[Shift, ...]
    shifted: tuple[str, ...]


def names_seen(case: Case) -> Finding:
    """Whether a model does better or worse once its name is known.

    One fit with a strength and a shift for each model; a vote counts the shifts of both its models half for or half
    against, by whether this listener had seen the two names before. Each model's shift is measured from the middle of
    the board and tested by Šidák over models.
    """
    votes = case.votes
    known = votes.pick(votes.reveals_before >= 0)
    before, after = known.pick(known.reveals_before == 0), known.pick(known.reveals_before > 0)
    known_each = [_information(case, part) for part in (votes.reveals_before == 0, votes.reveals_before > 0)]
    tested = np.flatnonzero(np.minimum(*known_each) >= _FEWEST)
    if len(tested) < 2:
        figures = NamesSeen(len(before), len(after), (), ())
        return Finding(CHECK, Severity.UNKNOWN, figures, _needed(case, len(before), len(after)))
    # Votes against models that were hardly met on one of both sides would bend the middle.
    kept = known.pick(np.isin(known.a, tested) & np.isin(known.b, tested))
    late = np.where(kept.reveals_before > 0, 0.5, -0.5)
    a, b = np.searchsorted(tested, kept.a), np.searchsorted(tested, kept.b)
    m = len(tested)
    where = np.stack([a, b, m + a, m + b]).astype(np.int64)
    value = np.stack([np.ones(len(kept)), -np.ones(len(kept)), late, -late])
    ridge = np.concatenate([np.full(m, PRIOR_WEIGHT / 4), np.full(m, _WEAK_RIDGE)])
    found = solve(Design(where, value, kept.score, kept.listener, ridge))
    shifts, errors = _shifts(found, m)
    sure = np.abs(shifts) > found.quantile(0.5 * (1.0 - (1.0 - ERROR_RATE) ** (1.0 / m))) * errors
    half = found.quantile(0.5 * (1.0 - CONFIDENCE)) * errors
    order = np.argsort(-np.abs(shifts) + np.where(sure, -1e9, 0.0), kind="stable")
    figures = NamesSeen(
        len(before),
        len(after),
        tuple(
            Shift(
                case.name(tested[k]), Interval(float(shifts[k]), float(shifts[k] - half[k]), float(shifts[k] + half[k]))
            )
            for k in order
        ),
        case.names(tested[order[sure[order]]]),
    )
    if not sure.any():
        return Finding(CHECK, Severity.OK, figures)
    large = float(np.max(np.abs(shifts[sure]))) >= _LARGE
    return Finding(CHECK, Severity.WARNING if large else Severity.NOTICE, figures)


def _shifts(found: Fit, models: int) -> tuple[FloatArray, FloatArray]:
    centre = np.eye(models) - 1.0 / models
    contrasts = np.hstack([np.zeros((models, models)), centre])
    return contrasts @ found.parameters * ELO_PER_LOGIT, found.errors(contrasts) * ELO_PER_LOGIT


def _information(case: Case, which: NDArray[np.bool_]) -> FloatArray:
    """What these votes tell of each model: Σ q (1 − q), a quarter for each game between equals."""
    weight = (case.expected * (1.0 - case.expected))[which]
    return sum_by(case.votes.a[which], weight, case.size) + sum_by(case.votes.b[which], weight, case.size)


def _needed(case: Case, before: int, after: int) -> int | None:
    """Extrapolated; before the first vote of one kind what it takes at least, and None where none came among so many.
    Votes that don't say whether names had been seen never tell.
    """
    rarer, votes = min(before, after), len(case.votes)
    models: IntArray = case.table.played
    each = 4 * _FEWEST * len(models) / 2  # votes of each kind
    if rarer:
        return math.ceil(max(2 * each, votes * each / rarer))
    least = math.ceil(2 * each)
    return least if (before or after) and votes < least else None
