"""How much of Live Elo is the order in which the votes happened to come."""

import math
from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import FloatArray
from arena_desktop.ratings.audit.case import Case
from arena_desktop.ratings.audit.finding import Figures, Finding, Severity
from arena_desktop.ratings.elo import SCALE, STEP_FIRST, STEP_HALF, STEP_LAST

CHECK = "order_wobble"
SHUFFLES = 30

_MEMORY = 300
_FEWEST = 50
_OFTEN = 0.2


@dataclass(frozen=True)
class OrderWobble(Figures):
    """Live Elo of the same votes in ``shuffles`` random orders: the mean over models of its standard deviation, ``sd``,
    in points; ``leaders`` with the share of orders in which each comes first. ``leader`` is first by Rating, ``sure``:
    surely so.
    """

    shuffles: int
    sd: float
    leaders: tuple[tuple[str, float], ...]
    leader: str
    sure: bool


def order_wobble(case: Case) -> Finding:
    """Whether Live Elo names another leader in a fifth of the orders or more, though the votes decide who is first."""
    empty = OrderWobble(0, 0.0, (), "", False)
    if len(case.ladder) < 2 or len(case.votes) < _FEWEST:
        return Finding(CHECK, Severity.UNKNOWN, empty, _FEWEST)
    ladder = case.ladder
    orders = shuffled_elo(case, SHUFFLES)
    first = ladder[np.argmax(orders[:, ladder], axis=1)]
    shares = np.bincount(first, minlength=case.size) / SHUFFLES
    by_share = np.argsort(-shares, kind="stable")
    sure = bool(case.sure[ladder[0], ladder[1]])
    figures = OrderWobble(
        SHUFFLES,
        float(orders[:, case.table.played].std(axis=0, ddof=1).mean()),
        tuple((case.name(model), float(shares[model])) for model in by_share if shares[model] > 0),
        case.name(ladder[0]),
        sure,
    )
    others = 1.0 - float(shares[ladder[0]])
    return Finding(CHECK, Severity.NOTICE if sure and others >= _OFTEN else Severity.OK, figures)


def shuffled_elo(case: Case, shuffles: int) -> FloatArray:
    """Live Elo after the same votes in random orders, shape (shuffles, models).

    A vote's trace in Live Elo fades by 1.7 % with each later battle of its models. So in a long log only the last 300
    battles a model are replayed, from the Rating and with the step sizes of that late hour; what came before has faded
    to half a per cent.
    """
    chance = np.random.default_rng(case.seed)
    number = len(case.votes)
    last = min(number, math.ceil(_MEMORY * len(case.table.played) / 2))
    if last < number:
        played = case.table.played
        start = case.ratings - case.ratings[played].mean() + case.priors[played].mean()
        begun = np.floor(case.games * (1.0 - last / number)).astype(np.int64)
    else:
        start, begun = case.priors, np.zeros(case.size, np.int64)
    found = np.empty((shuffles, case.size))
    for shuffle in range(shuffles):
        found[shuffle] = _replayed(case, chance.permutation(number)[:last].tolist(), start, begun.tolist())
    return found


def _replayed(case: Case, order: list[int], start: FloatArray, battles: list[int]) -> FloatArray:
    elo, battles = start.tolist(), list(battles)
    a, b, score = case.votes.a[order].tolist(), case.votes.b[order].tolist(), case.votes.score[order].tolist()
    more = (STEP_FIRST - STEP_LAST) * STEP_HALF
    for i, j, scored in zip(a, b, score, strict=True):  # as in elo.step, written out
        gap = min(max((elo[j] - elo[i]) / SCALE, -300.0), 300.0)
        surprise = scored - 1.0 / (1.0 + 10.0**gap)
        elo[i] += (STEP_LAST + more / (STEP_HALF + battles[i])) * surprise
        elo[j] -= (STEP_LAST + more / (STEP_HALF + battles[j])) * surprise
        battles[i] += 1
        battles[j] += 1
    return np.array(elo)
