"""The order-free board of one arena: ratings with intervals, rank ranges and tiers."""

from dataclasses import dataclass, replace

import numpy as np

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT, centred, fit_table, information
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.intervals import CONFIDENCE, Uncertainty, uncertainty
from arena_desktop.ratings.pair_table import PairTable, pair_table
from arena_desktop.ratings.ranks import Ranks, ranks, verdicts
from arena_desktop.ratings.vote_columns import VoteColumns


@dataclass(frozen=True)
class Standing:
    """One model: Elo points, and ranks counted from 1. Without a game only ``rating`` may be there (its prior)."""

    rating: float | None = None
    low: float | None = None
    high: float | None = None
    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    tier: int | None = None


@dataclass(frozen=True, eq=False)
class Standings:
    """The models of an arena in its order. ``listeners`` is their effective number, ``general`` whether they are
    enough to speak of listeners in general. ``islands`` are the groups of positions that games connect, those
    without left out. ``played`` are the positions of the models with a game, and ``doubt`` is by position among those;
    None without votes.
    """

    models: tuple[Standing, ...]
    listeners: float
    general: bool
    islands: tuple[tuple[int, ...], ...]
    played: IntArray
    doubt: Uncertainty | None = None


def rating_standings(votes: VoteColumns) -> Standings:
    """The method ``rating``: an equal prior of 1000 for all, centred at 1000 over the models with a game.

    Raises :class:`NotConverged`.
    """
    table = _table(votes)
    prior = np.full(votes.size, ANCHOR)
    fit = fit_table(table, prior)
    return _standings(votes, table, prior, fit, centred(table, fit))


def head_start_standings(votes: VoteColumns, prior: FloatArray) -> Standings:
    """The method ``bt``: anchored at the benchmark priors (Elo points, shape (size,)), uncentred.

    A model without a game has its prior for a rating, and nothing else. Bounds are those of the distance from the
    middle of the board: the level itself is the priors' doing. Raises :class:`NotConverged`.
    """
    table = _table(votes)
    fit = fit_table(table, prior)
    found = _standings(votes, table, prior, fit, fit)
    models = (replace(model, rating=float(own)) for model, own in zip(found.models, fit, strict=True))
    return replace(found, models=tuple(models))


def _table(votes: VoteColumns) -> PairTable:
    return pair_table(votes.size, votes.a, votes.b, np.ones(len(votes)), votes.score)


def _standings(
    votes: VoteColumns, table: PairTable, prior: FloatArray, fit: FloatArray, shown: FloatArray
) -> Standings:
    models = [Standing()] * votes.size
    played = table.played
    if not len(played):
        return Standings(tuple(models), 0.0, False, (), played)
    curvature = information(table, fit, prior, PRIOR_WEIGHT)
    inner = replace(
        votes,
        size=len(played),
        a=np.searchsorted(played, votes.a).astype(np.int64),
        b=np.searchsorted(played, votes.b).astype(np.int64),
    )
    doubt = uncertainty(inner, fit[played] / ELO_PER_LOGIT, curvature)
    islands = table.islands()[played]
    ratings = shown[played]
    half = doubt.quantile(CONFIDENCE) * doubt.error
    order = ranks(ratings, verdicts(ratings, doubt.difference, doubt.verdict_quantile(), islands))
    for place, position in enumerate(played):
        models[position] = _standing(float(ratings[place]), float(half[place]), order, place)
    groups = tuple(tuple(played[islands == island].tolist()) for island in np.unique(islands))
    return Standings(tuple(models), doubt.listeners, doubt.general, groups, played, doubt)


def _standing(rating: float, half: float, order: Ranks, place: int) -> Standing:
    return Standing(
        rating,
        rating - half,
        rating + half,
        int(order.rank[place]),
        int(order.low[place]),
        int(order.high[place]),
        int(order.tier[place]),
    )
