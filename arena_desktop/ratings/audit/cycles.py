"""Circles: A surely beats B, B surely beats C, and C surely beats A. No list of ratings can hold that."""

import math
from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.arrays import FloatArray, sum_by
from arena_desktop.ratings.audit.case import ERROR_RATE, Case
from arena_desktop.ratings.audit.finding import Figures, Finding, Severity
from arena_desktop.ratings.intervals import ENOUGH_LISTENERS, effective_listeners
from arena_desktop.ratings.quantiles import normal_upper, t_upper

CHECK = "cycles"
_FEWEST = 10  # decided games of a pair
_SMALLEST = 3  # models of a circle, and so its pairs
_LISTED = 10


@dataclass(frozen=True)
class Cycles(Figures):
    """``models`` of the arena; ``pairs`` that met often enough to be tested, ``sure`` ones among them whose direct
    meetings have a sure winner; ``cycles`` each as the models in the order in which one beats the next
    and the last the first.
    """

    models: int
    pairs: int
    sure: int
    cycles: tuple[tuple[str, ...], ...]


def cycles(case: Case) -> Finding:
    """Whether direct meetings go round in a circle whose every step is sure.

    In any true order at least one step of a circle is wrong, so a circle is seen by chance no more often than one wrong
    sure step among all pairs, which is held to 0.5 % (Bonferroni over both directions of each pair). A step is
    tested by the sign test on decided games, and by its listeners' sums where there are enough of them. Fewer than
    three models make no circle, however many votes they get: nothing is found, and no more votes are needed.
    """
    wins = _wins(case)
    decided = wins + wins.T
    tested = np.triu(decided >= _FEWEST, 1)
    pairs = int(tested.sum())
    if case.size < _SMALLEST:
        return Finding(CHECK, Severity.OK if len(case.votes) else Severity.UNKNOWN, Cycles(case.size, pairs, 0, ()))
    if not pairs:
        met = max(_SMALLEST, len(case.table.games))
        return Finding(CHECK, Severity.UNKNOWN, Cycles(case.size, 0, 0, ()), _FEWEST * met)
    tail = ERROR_RATE / (2 * pairs)
    lead = np.where(decided >= _FEWEST, (wins - wins.T - 1.0) / np.sqrt(np.maximum(decided, 1.0)), 0.0)
    sure = lead > normal_upper(tail)
    edges = _circular(sure)
    for i, j in np.argwhere(edges):
        edges[i, j] = _holds(case, int(i), int(j), tail)
    found = _circles(_circular(edges))
    figures = Cycles(case.size, pairs, int(sure.sum()), tuple(case.names(circle) for circle in found[:_LISTED]))
    return Finding(CHECK, Severity.WARNING if found else Severity.OK, figures)


def _wins(case: Case) -> FloatArray:
    votes, size = case.votes, case.size
    winner, loser = np.where(votes.score > 0.5, votes.a, votes.b), np.where(votes.score > 0.5, votes.b, votes.a)
    decided = (votes.score != 0.5).astype(np.float64)
    return sum_by(winner * size + loser, decided, size * size).reshape(size, size)


def _holds(case: Case, i: int, j: int, tail: float) -> bool:
    """Whether i's lead over j in their own meetings stands when each listener's votes are taken as one."""
    votes = case.votes
    own = ((votes.a == i) & (votes.b == j)) | ((votes.a == j) & (votes.b == i))
    listener = votes.listener[own]
    number = effective_listeners(listener - listener.min())
    if number < ENOUGH_LISTENERS:
        return True
    lead = (votes.score[own] - 0.5) * np.where(votes.a[own] == i, 1.0, -1.0)
    _, who = np.unique(listener, return_inverse=True)
    sums = np.bincount(who, weights=lead - lead.mean())
    error = math.sqrt(float(np.square(sums).sum()) * len(sums) / (len(sums) - 1))
    return float(lead.sum()) > t_upper(tail, number - 1.0) * error


def _circular(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The edges without those of models that no circle can pass through."""
    left: NDArray[np.bool_] = edges.copy()
    while True:
        alive = np.logical_or.reduce(left, axis=0) & np.logical_or.reduce(left, axis=1)
        rest = left & np.outer(alive, alive)
        if rest.sum() == left.sum():
            return rest
        left = rest


def _circles(edges: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """A shortest circle through each model that has one, each circle once, the shortest first."""
    found: dict[tuple[int, ...], None] = {}
    for start in np.flatnonzero(edges.any(axis=1)):
        circle = _shortest(edges, int(start))
        if circle:
            least = circle.index(min(circle))
            found[circle[least:] + circle[:least]] = None
    return sorted(found, key=lambda circle: (len(circle), circle))


def _shortest(edges: NDArray[np.bool_], start: int) -> tuple[int, ...]:
    before: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        model = waiting.popleft()
        for there in map(int, np.flatnonzero(edges[model])):
            if there == start:
                path = [model]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return tuple(reversed(path))
            if there not in before:
                before[there] = model
                waiting.append(there)
    return ()
