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
from arena_desktop.ratings.faults import RatingError, shown
from arena_desktop.ratings.notebook import Votes, vote_table

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
    votes: Votes,
    *,
    priors: FloatArray | Sequence[float] | None = None,
    retracted: Votes | None = None,
    seed: int = 0,
) -> tuple[Finding, ...]:
    """All findings on the board of ``votes``, in the order of :data:`CHECKS`; votes in any form that
    :func:`arena_desktop.ratings.fit` takes.

    ``priors``: where Live Elo starts, Elo points, shape (models,) (default: 1000). ``retracted``: the votes that their
    listeners took back of their own will, over the same models. ``seed`` drives what is drawn by lot: the same seed
    gives the same findings. Raises :class:`RatingError` for arguments that make no audit, :class:`NotConverged` where a
    fit does not converge.
    """
    table = vote_table(votes)
    taken_back = None if retracted is None else vote_table(retracted, table.models)
    if taken_back is not None and taken_back.models != table.models:
        raise RatingError("The votes taken back are on other models.", "Give both tables the same models.")
    case = Case(table, _start(priors, len(table.models)), taken_back, _seed(seed))
    return tuple(check(case) for check in CHECKS)


def _start(priors: FloatArray | Sequence[float] | None, models: int) -> FloatArray:
    if priors is None:
        return np.full(models, ANCHOR)
    remedy = f"Give {models} finite numbers, Elo points, one a model."
    try:
        start = np.asarray(priors, np.float64)
    except (TypeError, ValueError):
        raise RatingError(f"These are no priors: {shown(priors)}.", remedy) from None
    if start.shape != (models,) or not np.isfinite(start).all():
        raise RatingError("The priors don't fit the models.", remedy)
    return start


def _seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise RatingError(f"The seed is {shown(seed)}.", "Give a whole number from 0.")
    return seed
