"""The order-free board of one arena: ratings with intervals, rank ranges, tiers, and how much is the prior's doing."""

from dataclasses import dataclass, replace

import numpy as np

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray
from arena_desktop.ratings.best import MOST_MODELS, chance_of_best
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT, fit_table, information, prior_information
from arena_desktop.ratings.davidson import DavidsonFit, davidson_information, davidson_scorer, fit_davidson
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.games import Games
from arena_desktop.ratings.intervals import CONFIDENCE, Uncertainty, uncertainty_of
from arena_desktop.ratings.ranks import Ranks, ranks, verdicts
from arena_desktop.ratings.sandwich import Sandwich
from arena_desktop.ratings.scores import bradley_terry_scores
from arena_desktop.ratings.vote_columns import VoteColumns


@dataclass(frozen=True)
class Standing:
    """One model: Elo points, and ranks counted from 1. Without a game only ``rating`` may be there (its prior).

    Where games don't connect all models that have some, the distance between the groups is the prior's doing: then
    ``low``, ``high``, ``tier`` and ``best`` are None, and ranks among the other groups' models are left open.
    ``best``: the probability 0–1 of being the best (:mod:`arena_desktop.ratings.best`), None too with more than 500
    models. ``prior_share`` 0–1: see :func:`prior_shares`; None in a fit without
    a prior.
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

    ``fit``: the fit itself in Elo points, uncentred, shape (models,), NaN without a game, None without votes; ``nu``:
    Davidson's tie parameter. The next fit may start from them.
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
    games = Games.of(votes)
    prior = np.full(len(games.played), ANCHOR)
    fit = fit_table(games.table, prior, start=_start(start, games))
    return _bradley_terry(games, prior, fit, fit - fit.mean() + ANCHOR if len(fit) else fit, best)


def head_start_standings(
    votes: VoteColumns, prior: FloatArray, *, start: Standings | None = None, best: bool = True
) -> Standings:
    """The method ``bt``: anchored at the benchmark priors (Elo points, shape (size,)), uncentred.

    A model without a game has its prior for a rating, and nothing else. Bounds are those of the distance from the
    middle of the board: the level itself is the priors' doing. Raises :class:`NotConverged`.
    """
    games = Games.of(votes)
    own = prior[games.played]
    fit = fit_table(games.table, own, start=_start(start, games))
    found = _bradley_terry(games, own, fit, fit, best)
    ratings = prior.copy()
    ratings[games.played] = fit
    models = (replace(model, rating=float(rating)) for model, rating in zip(found.models, ratings, strict=True))
    return replace(found, models=tuple(models))


def davidson_standings(votes: VoteColumns, *, start: Standings | None = None, best: bool = True) -> Standings:
    """The method ``davidson``: ties have a parameter of their own, prior and centring are those of ``rating``.

    Intervals come from this fit's own sandwich, the tie parameter's doubt included. Raises :class:`NotConverged`.
    """
    games = Games.of(votes)
    if not len(games.played):
        return unrated(votes.size)
    prior = np.full(len(games.played), ANCHOR)
    begin = _start(start, games)
    warm = None if start is None or begin is None or start.nu is None else DavidsonFit(begin, start.nu)
    fit = fit_davidson(games.table, games.ties, prior, start=warm)
    curvature = davidson_information(games.table, games.ties, fit, prior)
    shares = prior_shares(curvature, prior_information(games.table, fit.ratings, prior))
    sandwich = Sandwich(games, davidson_scorer(fit, games.votes), curvature)
    shown = fit.ratings - fit.ratings.mean() + ANCHOR
    return replace(standings_of(games, shown, sandwich, shares, best), fit=games.whole(fit.ratings), nu=fit.nu)


def standings_of(
    games: Games, ratings: FloatArray, sandwich: Sandwich, shares: FloatArray | None, best: bool = True
) -> Standings:
    """The standings at a fit with this ``sandwich``; ``ratings`` and ``shares`` of the models with a game."""
    models = [Standing()] * games.size
    doubt = uncertainty_of(games.votes, sandwich)
    islands = games.table.islands()
    order = ranks(ratings, verdicts(ratings, doubt.difference, doubt.verdict_quantile(), islands))
    groups = tuple(tuple(games.played[islands == island].tolist()) for island in np.unique(islands))
    connected = len(groups) == 1
    half = doubt.quantile(CONFIDENCE) * doubt.error if connected else None
    asked = best and connected and len(ratings) <= MOST_MODELS
    chance = chance_of_best(ratings, doubt.difference, doubt.df) if asked else None
    for place, position in enumerate(games.played):
        models[position] = replace(
            _standing(float(ratings[place]), None if half is None else float(half[place]), order, place),
            best=None if chance is None else float(chance[place]),
            prior_share=None if shares is None else float(shares[place]),
        )
    return Standings(tuple(models), doubt.listeners, doubt.general, groups, games.played, doubt)


def unrated(size: int) -> Standings:
    """The standings of that many models without votes."""
    return Standings((Standing(),) * size, 0.0, False, (), np.zeros(0, np.int64))


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


def _start(start: Standings | None, games: Games) -> FloatArray | None:
    """Where a fit begins that was at ``start`` before; models that are new begin at the mean."""
    if start is None or start.fit is None or len(start.fit) != games.size:
        return None
    begin = start.fit[games.played]
    known = np.isfinite(begin)
    return np.where(known, begin, begin[known].mean()) if known.any() else None


def _bradley_terry(games: Games, prior: FloatArray, fit: FloatArray, shown: FloatArray, best: bool) -> Standings:
    if not len(games.played):
        return unrated(games.size)
    curvature = information(games.table, fit, prior, PRIOR_WEIGHT)
    strengths = fit / ELO_PER_LOGIT
    sandwich = Sandwich(games, lambda votes: bradley_terry_scores(votes, strengths), curvature)
    shares = prior_shares(curvature, prior_information(games.table, fit, prior))
    return replace(standings_of(games, shown, sandwich, shares, best), fit=games.whole(fit))


def _standing(rating: float, half: float | None, order: Ranks, place: int) -> Standing:
    """One model's; without ``half``, half its interval's width, there is no number across the groups."""
    return Standing(
        rating,
        None if half is None else rating - half,
        None if half is None else rating + half,
        int(order.rank[place]),
        int(order.low[place]),
        int(order.high[place]),
        None if half is None else int(order.tier[place]),
    )
