"""How few votes hold first place: the smallest set whose removal puts another model there.

Each vote's influence on the leader's lead is known to first order; the votes are removed in that order, and the number
is made exact by refits (T. Broderick, R. Giordano, R. Meager, An automatic finite-sample robustness metric, 2020;
J. Huang et al., Dropping just a handful of preferences, 2025, for leaderboards).
"""

import math
from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray
from arena_desktop.ratings.audit.case import Case, fit, without
from arena_desktop.ratings.audit.finding import Figures, Finding, Severity
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT, information
from arena_desktop.ratings.elo import ANCHOR

CHECK = "leader"
_FEWEST = 50
_ENOUGH = 200  # games of the leader
_FEW = 0.01
_ALWAYS_FEW = 2
_RIVALS = 5
_LISTED = 50


@dataclass(frozen=True)
class Leader(Figures):
    """``leader`` is ahead of ``second`` by ``lead`` points; ``sure``: surely. Without the ``votes`` named by ``ids``
    (the first 50), ``share`` of all the leader's, ``successor`` would lead. None: no set of votes would do it.
    """

    leader: str
    second: str
    lead: float
    sure: bool
    votes: int | None
    share: float | None
    successor: str | None
    ids: tuple[str, ...]


def leader(case: Case) -> Finding:
    """Whether votes as few as 1 % of the leader's own (two at least) hold first place.

    A leader with fewer than 200 games always hangs on a handful; that is no finding yet.
    """
    empty = Leader("", "", 0.0, False, None, None, None, ())
    if len(case.ladder) < 2 or len(case.votes) < _FEWEST:
        return Finding(CHECK, Severity.UNKNOWN, empty, _FEWEST)
    best, second = case.ladder[:2]
    games = int(case.games[best])
    found = _fewest(case)
    figures = Leader(
        case.name(best),
        case.name(second),
        float(case.ratings[best] - case.ratings[second]),
        bool(case.sure[best, second]),
        len(found[0]) if found else None,
        len(found[0]) / games if found else None,
        case.name(found[1]) if found else None,
        tuple(case.votes.id(int(place)) for place in found[0][:_LISTED]) if found else (),
    )
    if games < _ENOUGH:
        return Finding(CHECK, Severity.UNKNOWN, figures, math.ceil(len(case.votes) * _ENOUGH / games))
    few = found is not None and len(found[0]) <= max(_ALWAYS_FEW, math.floor(_FEW * games))
    if not few:
        return Finding(CHECK, Severity.OK, figures)
    return Finding(CHECK, Severity.WARNING if figures.sure else Severity.NOTICE, figures)


def _fewest(case: Case) -> tuple[IntArray, int] | None:
    """Positions of the votes to remove and who leads then."""
    played = case.table.played
    curvature = information(case.table, case.ratings, np.full(case.size, ANCHOR), PRIOR_WEIGHT)
    bread = np.linalg.inv(curvature).astype(np.float64, copy=False)
    a, b = np.searchsorted(played, case.votes.a), np.searchsorted(played, case.votes.b)
    leverage = case.expected * (1.0 - case.expected) * (bread[a, a] + bread[b, b] - 2.0 * bread[a, b])
    pull = ELO_PER_LOGIT * case.residual / np.maximum(1.0 - leverage, 0.1)
    best = int(np.searchsorted(played, case.ladder[0]))
    drops: list[tuple[int, IntArray]] = []
    for rival in case.ladder[1 : 1 + _RIVALS]:
        column = bread[best] - bread[int(np.searchsorted(played, rival))]
        by_vote = pull * (column[a] - column[b])  # what the vote adds to the lead
        order = np.argsort(-by_vote, kind="stable")
        left = (case.ratings[case.ladder[0]] - case.ratings[rival]) - np.cumsum(by_vote[order])
        enough = np.flatnonzero(left < 0)
        useful = order[by_vote[order] > 0]
        # Where the lead is large its first order may never be enough; the refits then begin with all that helps.
        drops.append((int(enough[0]) + 1 if len(enough) else len(useful), useful))
    found: tuple[IntArray, int] | None = None
    for guess, order in sorted(drops, key=lambda drop: drop[0]):
        if found is None or guess <= 2 * len(found[0]):
            here = _exact(case, order, guess)
            if here is not None and (found is None or len(here[0]) < len(found[0])):
                found = here
    return found


def _exact(case: Case, order: IntArray, guess: int) -> tuple[IntArray, int] | None:
    """The shortest beginning of ``order`` whose removal changes the leader, by refits around ``guess``."""
    low, high = 0, min(guess, len(order))
    while _leader_without(case, order[:high]) == case.ladder[0]:
        if high == len(order):
            return None
        low, high = high, min(len(order), 2 * high)
    while high - low > 1:
        middle = (low + high) // 2
        if _leader_without(case, order[:middle]) == case.ladder[0]:
            low = middle
        else:
            high = middle
    return order[:high], _leader_without(case, order[:high])


def _leader_without(case: Case, places: IntArray) -> int:
    rest = without(case.table, case.votes.pick(places))
    ratings: FloatArray = fit(rest)
    ladder = case.ladder[np.isin(case.ladder, rest.played)]
    return int(ladder[np.argmax(ratings[ladder])]) if len(ladder) else int(case.ladder[0])
