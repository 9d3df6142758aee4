"""The order-free board of one arena: ratings with intervals, rank ranges, tiers, and how much is the prior's doing."""

from dataclasses import dataclass, replace

import numpy as np

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray
from arena_desktop.ratings.best import chance_of_best
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT, centred, fit_table, information, prior_information
from arena_desktop.ratings.davidson import DavidsonFit, davidson_information, davidson_scores, fit_davidson
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.intervals import CONFIDENCE, Uncertainty, uncertainty_of
from arena_desktop.ratings.pair_table import PairTable, pair_table, tie_counts
from arena_desktop.ratings.ranks import Ranks, ranks, verdicts
from arena_desktop.ratings.scores import Scores, bradley_terry_scores
from arena_desktop.ratings.vote_columns import VoteColumns


@dataclass(frozen=True)
class Standing:
    """One model: Elo points, and ranks counted from 1. Without a game only ``rating`` may be there (its prior).

    ``best``: the probability 0–1 of being the best (:mod:`arena_desktop.ratings.best`), None too where games don't
    connect all models. ``prior_share`` 0–1: see :func:`prior_shares`; None in a fit without a prior.
    """

    rating: float | None = None
    low: float | None = None
    high: float | None = None
    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    tier: int | None = None
    best: float | None = None
    prior_share: float | None = None


@dataclass(frozen=True, eq=False)
class Standings:
    """The models of an arena in its order. ``listeners`` is their effective number, ``general`` whether they are
    enough to speak of listeners in general. ``islands`` are the groups of positions that games connect, those
    without left out. ``played`` are the positions of the models with a game, and ``doubt`` is by position among those;
    None without votes.

    ``fit``: the fit itself in Elo points, uncentred, shape (models,), None without votes; ``nu`` Davidson's tie
    parameter. The next fit may start from them.
    """

    models: tuple[Standing, ...]
    listeners: float
    general: bool
    islands: tuple[tuple[int, ...], ...]
    played: IntArray
    doubt: Uncertainty | None = None
    fit: FloatArray | None = None
    nu: float | None = None


def rating_standings(votes: VoteColumns, *, start: Standings | None = None, best: bool = True) -> Standings:
    """The method ``rating``: an equal prior of 1000 for all, centred at 1000 over the models with a game.

    ``start``: the standings of nearly the same votes by the same method. After one more vote the fit then takes one or
    two steps, and reaches the same optimum. Without ``best`` no P(best) is computed. Raises :class:`NotConverged`.
    """
    table, prior = _table(votes), np.full(votes.size, ANCHOR)
    fit = fit_table(table, prior, start=_start(start, votes.size))
    return _bradley_terry(votes, table, prior, fit, centred(table, fit), best)


def head_start_standings(
    votes: VoteColumns, prior: FloatArray, *, start: Standings | None = None, best: bool = True
) -> Standings:
    """The method ``bt``: anchored at the benchmark priors (Elo points, shape (size,)), uncentred.

    A model without a game has its prior for a rating, and nothing else. Bounds are those of the distance from the
    middle of the board: the level itself is the priors' doing. Raises :class:`NotConverged`.
    """
    table = _table(votes)
    fit = fit_table(table, prior, start=_start(start, votes.size))
    found = _bradley_terry(votes, table, prior, fit, fit, best)
    models = (replace(model, rating=float(own)) for model, own in zip(found.models, fit, strict=True))
    return replace(found, models=tuple(models))


def davidson_standings(votes: VoteColumns, *, start: Standings | None = None, best: bool = True) -> Standings:
    """The method ``davidson``: ties have a parameter of their own, prior and centring are those of ``rating``.

    Intervals come from this fit's own sandwich, the tie parameter's doubt included. Raises :class:`NotConverged`.
    """
    table, prior = _table(votes), np.full(votes.size, ANCHOR)
    tied = votes.score == 0.5
    ties = tie_counts(table, votes.a, votes.b, votes.counts * tied)
    begin = _start(start, votes.size)
    warm = None if start is None or begin is None or start.nu is None else DavidsonFit(begin, start.nu)
    fit = fit_davidson(table, ties, prior, start=warm)
    if not len(table.played):
        return _unrated(votes, table)
    curvature = davidson_information(table, ties, fit, prior)
    inner = among(votes, table.played)
    scores = davidson_scores(inner, fit.ratings[table.played] / ELO_PER_LOGIT, fit.nu)
    shares = prior_shares(curvature, prior_information(table, fit.ratings, prior))
    found = standings_of(inner, table, centred(table, fit.ratings), scores, curvature, shares, best)
    return replace(found, fit=fit.ratings, nu=fit.nu)


def standings_of(
    inner: VoteColumns,
    table: PairTable,
    shown: FloatArray,
    scores: Scores,
    curvature: FloatArray,
    shares: FloatArray | None,
    best: bool = True,
) -> Standings:
    """The standings at a fit. ``inner`` are the votes by position among the models with a game, ``shown`` the ratings
    to show, shape (size,); ``scores`` and ``curvature`` are the fit's.
    """
    played = table.played
    models = [Standing()] * table.size
    doubt = uncertainty_of(inner, scores, curvature)
    islands = table.islands()[played]
    ratings = shown[played]
    half = doubt.quantile(CONFIDENCE) * doubt.error
    order = ranks(ratings, verdicts(ratings, doubt.difference, doubt.verdict_quantile(), islands))
    groups = tuple(tuple(played[islands == island].tolist()) for island in np.unique(islands))
    chance = chance_of_best(ratings, doubt.difference, doubt.df) if best and len(groups) == 1 else None
    for place, position in enumerate(played):
        models[position] = replace(
            _standing(float(ratings[place]), float(half[place]), order, place),
            best=None if chance is None else float(chance[place]),
            prior_share=None if shares is None else float(shares[place]),
        )
    return Standings(tuple(models), doubt.listeners, doubt.general, groups, played, doubt)


def prior_shares(curvature: FloatArray, prior: FloatArray) -> FloatArray:
    """For each model the share of the evidence behind its distance from the middle of the board that is the prior's.

    ``curvature`` is H = P + D, of prior and votes together, ``prior`` the diagonal of P for the models, shape (m,). The
    variance c'H⁻¹c of a model's distance from the middle falls into c'H⁻¹PH⁻¹c and c'H⁻¹DH⁻¹c; the share is the first
    over the whole. With one pair, n votes and weight W it is W / (W + 2n). Between groups that never met it is near 1.
    """
    models = len(prior)
    half = np.linalg.inv(curvature)[:models]
    half = half - half.mean(axis=0)
    whole = np.diag(half[:, :models]) - half[:, :models].mean(axis=1)
    share: FloatArray = np.square(half[:, :models]) @ prior / whole
    return np.clip(share, 0.0, 1.0)


def among(votes: VoteColumns, played: IntArray) -> VoteColumns:
    """The votes with positions among the models with a game."""
    place = np.zeros(votes.size, np.int64)
    place[played] = np.arange(len(played))
    return replace(votes, size=len(played), a=place[votes.a], b=place[votes.b])


def _start(start: Standings | None, size: int) -> FloatArray | None:
    return start.fit if start is not None and start.fit is not None and len(start.fit) == size else None


def _table(votes: VoteColumns) -> PairTable:
    return pair_table(votes.size, votes.a, votes.b, votes.counts, votes.counts * votes.score)


def _unrated(votes: VoteColumns, table: PairTable) -> Standings:
    return Standings((Standing(),) * votes.size, 0.0, False, (), table.played)


def _bradley_terry(
    votes: VoteColumns, table: PairTable, prior: FloatArray, fit: FloatArray, shown: FloatArray, best: bool
) -> Standings:
    played = table.played
    if not len(played):
        return _unrated(votes, table)
    curvature = information(table, fit, prior, PRIOR_WEIGHT)
    inner = among(votes, played)
    scores = bradley_terry_scores(inner, fit[played] / ELO_PER_LOGIT)
    shares = prior_shares(curvature, prior_information(table, fit, prior))
    return replace(standings_of(inner, table, shown, scores, curvature, shares, best), fit=fit)


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
