"""One name, several models: weights, settings or voices that changed behind it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.arrays import ELO_PER_LOGIT
from arena_desktop.ratings.audit.case import Case, fit
from arena_desktop.ratings.audit.finding import Figures, Finding, Interval, Severity
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT, information
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.pair_table import pair_table
from arena_desktop.ratings.quantiles import normal_upper
from arena_desktop.ratings.vote_table import Make

CHECK = "makes"
_LISTED = 20


@dataclass(frozen=True)
class Changed:
    """``part`` of ``model`` (a field of :class:`Make`) had several ``values``, each with its votes, the most frequent
    first. ``apart``: by how many points the second is rated above the first when they are rated apart.
    """

    model: str
    part: str
    values: tuple[tuple[str, int], ...]
    apart: Interval


@dataclass(frozen=True)
class Makes(Figures):
    """``changed``: what was not the same in all votes. Votes that don't say are left out of account."""

    changed: tuple[Changed, ...]


def makes(case: Case) -> Finding:
    """Whether each name stood for the same weights, settings and voice in all votes. Other weights weigh more."""
    changed = [found for part in Make._fields for found in _changed(case, part)]
    if not changed:
        return Finding(CHECK, Severity.OK if len(case.votes) else Severity.UNKNOWN, Makes(()))
    grave = any(found.part == "weights_hash" for found in changed)
    return Finding(CHECK, Severity.WARNING if grave else Severity.NOTICE, Makes(tuple(changed[:_LISTED])))


def _changed(case: Case, part: str) -> list[Changed]:
    votes = case.votes
    said = [getattr(make, part) for make in votes.makes]
    known = [value for value in dict.fromkeys(said) if value is not None]
    if len(known) < 2:
        return []
    numbers = np.array([known.index(value) if value is not None else -1 for value in said] + [-1])
    of_a, of_b = numbers[votes.make_a], numbers[votes.make_b]
    width = len(known)
    cells = np.concatenate([(votes.a * width + of_a)[of_a >= 0], (votes.b * width + of_b)[of_b >= 0]])
    counts = np.bincount(cells, minlength=case.size * width).reshape(case.size, width)
    found = []
    for model in np.flatnonzero((counts > 0).sum(axis=1) > 1).tolist():
        order = np.argsort(-counts[model], kind="stable")
        order = order[counts[model][order] > 0]
        values = tuple((str(known[value]), int(counts[model, value])) for value in order)
        second = int(order[1])
        apart = _apart(case, int(model), of_a == second, of_b == second)
        found.append(Changed(case.name(model), part, values, apart))
    return found


def _apart(case: Case, model: int, second_a: NDArray[np.bool_], second_b: NDArray[np.bool_]) -> Interval:
    """The model's second make as a model of its own: its rating less that of the first, each vote its own unit."""
    votes, size = case.votes, case.size + 1
    a = np.where((votes.a == model) & second_a, case.size, votes.a).astype(np.int64)
    b = np.where((votes.b == model) & second_b, case.size, votes.b).astype(np.int64)
    table = pair_table(size, a, b, np.ones(len(votes)), votes.score)
    ratings = fit(table)
    bread = np.linalg.inv(information(table, ratings, np.full(size, ANCHOR), PRIOR_WEIGHT))
    i, j = np.searchsorted(table.played, [model, case.size])
    gap = float(ratings[case.size] - ratings[model])
    half = normal_upper(0.025) * ELO_PER_LOGIT * float(np.sqrt(bread[i, i] + bread[j, j] - 2.0 * bread[i, j]))
    return Interval(gap, gap - half, gap + half)
