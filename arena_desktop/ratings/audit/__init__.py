"""What could be wrong with a board: sixteen checks, each a pure function of the votes.

Each check says whether its defect was found, how bad it is, and with which figures. A board without defects fires none
of them in 95 of 100 cases or more, all together; with too few votes to tell, a check says so.
"""

from collections.abc import Callable, Sequence

import numpy as np

from arena_desktop.ratings.arrays import FloatArray
from arena_desktop.ratings.audit.agreement import self_agreement
from arena_desktop.ratings.audit.bias import first_played_bias, side_bias
from arena_desktop.ratings.audit.case import Case
from arena_desktop.ratings.audit.clustering import clustering
from arena_desktop.ratings.audit.conditions import conditions
from arena_desktop.ratings.audit.coverage import coverage
from arena_desktop.ratings.audit.cycles import cycles
from arena_desktop.ratings.audit.finding import Figures, Finding, Interval, Severity
from arena_desktop.ratings.audit.islands import islands
from arena_desktop.ratings.audit.leader import leader
from arena_desktop.ratings.audit.listener import one_listener
from arena_desktop.ratings.audit.makes import makes
from arena_desktop.ratings.audit.names import names_seen
from arena_desktop.ratings.audit.prior import prior_share
from arena_desktop.ratings.audit.retractions import retractions
from arena_desktop.ratings.audit.ties import tie_rule
from arena_desktop.ratings.audit.wobble import order_wobble
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.vote_table import VoteTable

__all__ = ["CHECKS", "Case", "Figures", "Finding", "Interval", "Severity", "audit"]

CHECKS: tuple[Callable[[Case], Finding], ...] = (
    islands,
    coverage,
    side_bias,
    first_played_bias,
    tie_rule,
    cycles,
    clustering,
    one_listener,
    leader,
    order_wobble,
    prior_share,
    self_agreement,
    names_seen,
    retractions,
    conditions,
    makes,
)
"""Every check, in the order in which a reader asks."""


def audit(
    votes: VoteTable,
    *,
    priors: FloatArray | Sequence[float] | None = None,
    retracted: VoteTable | None = None,
    seed: int = 0,
) -> tuple[Finding, ...]:
    """All findings on the board of ``votes``, in the order of :data:`CHECKS`.

    ``priors``: where Live Elo starts, Elo points, shape (models,) (default: 1000). ``retracted``: the votes that their
    listeners took back of their own will, over the same models. ``seed`` drives what is drawn by lot: the same seed
    gives the same findings. Raises :class:`NotConverged` where a fit does.
    """
    start = np.full(len(votes.models), ANCHOR) if priors is None else np.asarray(priors, np.float64)
    case = Case(votes, start, retracted, seed)
    return tuple(check(case) for check in CHECKS)
