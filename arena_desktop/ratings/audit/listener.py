"""What the board would say without one of its listeners."""

from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray
from arena_desktop.ratings.audit.case import Case, fit, largest_move, without
from arena_desktop.ratings.audit.design import Design, leave_out_shifts
from arena_desktop.ratings.audit.finding import Figures, Finding, Severity, listener_name
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT, information
from arena_desktop.ratings.elo import ANCHOR

CHECK = "one_listener"
_ENOUGH = 5  # listeners
_FEWEST = 100
_SHARE = 0.5
_REFITS = 5


@dataclass(frozen=True)
class OneListener(Figures):
    """``who`` changes the board most when left out: their share of the ``votes``; ``moved`` then moves by
    ``moved_elo``; ``leader`` before and ``leader_without``; ``reversed`` are the sure orders that turn round.
    ``weight``: the listener's part in the variance of the difference that turns.
    """

    listeners: int
    who: str
    votes: float
    moved: str | None
    moved_elo: float
    leader: str
    leader_without: str
    reversed: tuple[tuple[str, str], ...]
    weight: float


def one_listener(case: Case) -> Finding:
    """Whether leaving one listener out changes first place or turns a sure order round, and the difference that turns
    rests on that listener for half or more.

    The change is known for all listeners to first order; the five with the most votes or the largest shifts are
    fitted exactly. That the difference rests on the listener is asked because any listener turns two models that are
    equally good.
    """
    counts = np.bincount(case.votes.listener)
    number = int(np.count_nonzero(counts))
    empty = OneListener(number, "", 0.0, None, 0.0, "", "", (), 0.0)
    if number < _ENOUGH or len(case.ladder) < 2:
        return Finding(CHECK, Severity.UNKNOWN, empty)
    if len(case.votes) < _FEWEST:
        return Finding(CHECK, Severity.UNKNOWN, empty, _FEWEST)
    who = np.flatnonzero(counts)
    shifts = _shifts(case)
    size = np.abs(shifts).max(axis=1)
    chosen = dict.fromkeys([*np.argsort(-counts[who])[:_REFITS].tolist(), *np.argsort(-size)[:_REFITS].tolist()])
    found = [_without(case, int(who[place]), shifts, place) for place in chosen]
    worst = max(found, key=lambda figures: (_turns(figures), abs(figures.moved_elo)))
    return Finding(CHECK, Severity.WARNING if _turns(worst) else Severity.OK, worst)


def _turns(figures: OneListener) -> bool:
    changed = figures.leader != figures.leader_without or bool(figures.reversed)
    return changed and figures.weight >= _SHARE


def _shifts(case: Case) -> FloatArray:
    """By how many Elo points each listener's votes move each model with a game, to first order."""
    votes, played = case.votes, case.table.played
    where = np.stack([np.searchsorted(played, votes.a), np.searchsorted(played, votes.b)]).astype(np.int64)
    value = np.stack([np.ones(len(votes)), -np.ones(len(votes))])
    design = Design(where, value, votes.score, votes.listener, np.zeros(len(played)))
    curvature = information(case.table, case.ratings, np.full(case.size, ANCHOR), PRIOR_WEIGHT)
    weight = case.expected * (1.0 - case.expected)
    shifts: FloatArray = leave_out_shifts(design, case.residual, weight, curvature) * ELO_PER_LOGIT
    shifts -= shifts.mean(axis=1, keepdims=True)
    return shifts


def _without(case: Case, listener: int, shifts: FloatArray, place: int) -> OneListener:
    votes = case.votes
    mine = votes.listener == listener
    rest = without(case.table, votes.pick(mine))
    ratings = fit(rest)
    ladder = case.ladder[np.isin(case.ladder, rest.played)]
    before, after = int(case.ladder[0]), int(ladder[np.argmax(ratings[ladder])])
    left = np.isin(np.arange(case.size), rest.played)
    other_way = left[:, None] & left[None, :] & (ratings[:, None] < ratings[None, :])
    turned = [(int(i), int(j)) for i, j in np.argwhere(case.sure & other_way)]
    differences = [*turned, *([(before, after)] if before != after else [])]
    weight = max((_weight(case.table.played, shifts, place, pair) for pair in differences), default=0.0)
    move, moved = largest_move(case.ratings, ratings, rest.played)
    return OneListener(
        len(shifts),
        listener_name(votes.listeners[listener]),
        float(mine.mean()),
        case.name(moved),
        move,
        case.name(before),
        case.name(after),
        tuple((case.name(i), case.name(j)) for i, j in turned),
        weight,
    )


def _weight(played: IntArray, shifts: FloatArray, place: int, pair: tuple[int, int]) -> float:
    i, j = np.searchsorted(played, pair)
    parts = np.square(shifts[:, i] - shifts[:, j])
    total = float(parts.sum())
    return float(parts[place]) / total if total else 0.0
