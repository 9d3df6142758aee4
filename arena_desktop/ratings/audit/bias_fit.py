"""Bradley–Terry with an advantage of side A and one of the sample that is played first."""

from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray
from arena_desktop.ratings.audit.design import Design, Fit, solve
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT
from arena_desktop.ratings.vote_table import VoteTable

_WEAK_RIDGE = 0.01


@dataclass(frozen=True, eq=False)
class BiasFit:
    """``fit``: its last two parameters are the advantages, in logits. ``models``: the strengths in Elo points, NaN
    without a game. ``apart``: side and order can be told apart; if not, the second advantage is 0.
    """

    fit: Fit
    models: FloatArray
    apart: bool


def bias_fit(votes: VoteTable, played: IntArray) -> BiasFit:
    """Strengths, an advantage of side A and one of whichever side was played first, fitted together.

    ``played``: the models with a game.

    Vote: log-odds for A = b_a − b_b + side + first × (1 if A was played first, −1 if B was, 0 if it isn't known).
    """
    order = np.select([votes.first == 0, votes.first == 1], [1.0, -1.0], 0.0)
    known = order[order != 0]
    apart = len(known) == 0 or bool(np.any(known > 0) and np.any(known < 0))
    if not apart:
        order = np.zeros(len(votes))
    m, n = len(played), len(votes)
    where = np.stack(
        [np.searchsorted(played, votes.a), np.searchsorted(played, votes.b), np.full(n, m), np.full(n, m + 1)]
    )
    value = np.stack([np.ones(n), -np.ones(n), np.ones(n), order])
    ridge = np.concatenate([np.full(m, PRIOR_WEIGHT / 4), np.full(2, _WEAK_RIDGE)])
    fit = solve(Design(where.astype(np.int64), value, votes.score, votes.listener, ridge))
    models = np.full(len(votes.models), np.nan)
    models[played] = fit.parameters[:m] * ELO_PER_LOGIT
    return BiasFit(fit, models, apart)
