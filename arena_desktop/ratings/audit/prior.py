"""How much of the ratings is the prior's doing."""

import math
from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.audit.case import Case
from arena_desktop.ratings.audit.finding import Figures, Finding, Severity
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT, fit_table, information, prior_information
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.standings import prior_shares

CHECK = "prior_share"
_ENOUGH = 10.0  # games a model
_SHARE = 1 / 3
_MOVE = 30.0  # Elo points


@dataclass(frozen=True)
class PriorShare(Figures):
    """``share`` of the prior in the evidence on ``model``, the largest of all. With half the prior's weight ``moved``
    would move by ``moved_elo`` away from the middle, the most of all. ``mean_share`` over the models with a game.
    """

    model: str | None
    share: float
    mean_share: float
    moved: str | None
    moved_elo: float


def prior_share(case: Case) -> Finding:
    """Whether the prior is a third of the evidence on a model, or half of it would move a model by 30 points.

    The share is that of :func:`arena_desktop.ratings.standings.prior_shares`, within the model's island. A model that
    always wins stands where the prior lets it, whatever the share, so what half the prior would change is asked too.
    """
    played = case.table.played
    needed = math.ceil(_ENOUGH * max(2, len(played)) / 2)
    if not len(played):
        return Finding(CHECK, Severity.UNKNOWN, PriorShare(None, 0.0, 0.0, None, 0.0), needed)
    prior = np.full(case.size, ANCHOR)
    curvature = information(case.table, case.ratings, prior, PRIOR_WEIGHT)
    of_prior = prior_information(case.table, case.ratings, prior)
    halved = fit_table(case.table, prior, 0.5 * PRIOR_WEIGHT, start=case.ratings)
    share, move = np.zeros(len(played)), np.zeros(len(played))
    for island in np.unique(case.islands[played]):
        own = np.flatnonzero(case.islands[played] == island)
        before, after = case.ratings[played[own]], halved[played[own]]
        share[own] = prior_shares(curvature[np.ix_(own, own)], of_prior[own])
        move[own] = (after - after.mean()) - (before - before.mean())
    most, farthest = int(np.argmax(share)), int(np.argmax(np.abs(move)))
    figures = PriorShare(
        case.name(played[most]),
        float(share[most]),
        float(share.mean()),
        case.name(played[farthest]),
        float(move[farthest]),
    )
    if len(case.votes) < needed:
        return Finding(CHECK, Severity.UNKNOWN, figures, needed)
    if figures.share >= _SHARE or abs(figures.moved_elo) >= _MOVE:
        return Finding(CHECK, Severity.NOTICE, figures)
    return Finding(CHECK, Severity.OK, figures)
