"""Boards of a part of the votes, drawn towards the overall board as far as the part says nothing of its own.

The model: in each group every model's strength is its overall one plus a deviation, normal around 0 with one variance
for all, τ². A group's ratings are the maximum of its own votes' likelihood and of that; a group with few votes stays
near the overall board, one with many goes its own way (C. N. Morris, JASA 78, 1983, for the idea; D. A. Harville, JASA
72, 1977, for estimating such a variance).

Everything is computed from scores at the overall fit. With H_g the curvature of group g's votes, H = Σ H_g + prior, and
u_lg the gradient of the votes that unit l (a listener, a prompt or a vote) cast in g, the score of the group after the
overall fit is ũ_g = Σ_l (u_lg − H_g H⁻¹ Σ_k u_lk). Deviations δ add H_g (δ_g − H⁻¹ Σ_k H_k δ_k) to it. From that follow

- τ²: the moment estimate Σ ũ'Aũ = noise + τ² · what deviations of variance 1 would add, with A_g = (φI + τ²H_g)⁻², the
  weights of maximum likelihood; φ ≥ 1 is by how much clustered votes vary more than independent ones;
- the test of no difference at all: Σ ũ'ũ, the locally most powerful statistic for τ² > 0, against its distribution when
  the sign of each unit is drawn at random (a wild score bootstrap: P. Kline, A. Santos, Journal of Econometric Methods
  1, 2012). It holds whatever the votes of one unit have in common;
- intervals: the errors of the overall board, of the group's votes and of the deviation itself, added up.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray
from arena_desktop.ratings.bradley_terry import centred, fit_table
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.games import Games
from arena_desktop.ratings.group_scores import GroupScores
from arena_desktop.ratings.pair_table import PairTable, pair_table
from arena_desktop.ratings.standings import Standings
from arena_desktop.ratings.vote_columns import VoteColumns

NO_SPREAD = 1.0
"""Below this many Elo points between groups (SD) none is assumed."""


@dataclass(frozen=True, eq=False)
class Shrunk:
    """The groups' boards, Elo points, on the level of the overall one.

    ``rating`` and its standard ``error``: shape (groups, models), NaN for models without any game; a model without a
    game in a group has its overall rating there. ``raw``: the rating by the group's votes alone, with the prior of
    ``rating``, NaN without a game there. ``pull`` 0–1, shape (groups,): how far the group was drawn towards the
    overall board, 1 all the way. ``spread``: τ in Elo points, the SD of a model's rating between groups. ``chance``:
    the probability that groups alike would differ as much as these; None where there is nothing to compare.
    """

    rating: FloatArray
    error: FloatArray
    raw: FloatArray
    pull: FloatArray
    spread: float
    chance: float | None


def shrink(
    votes: VoteColumns,
    group: IntArray,
    groups: int,
    overall: Standings,
    units: Sequence[IntArray],
    *,
    least: FloatArray | None = None,
) -> Shrunk:
    """The boards of ``groups`` groups; ``group`` is a vote's, −1 for none of them.

    ``overall``: the standings by ``rating`` of all ``votes``. ``units``: one array or more, a number a vote: votes that
    share one are one observation, and of several ways to see it the most cautious counts. ``least``: errors of the
    overall board's models with a game, Elo points; a group that is drawn to it all the way has no smaller ones.
    """
    played = overall.played
    rating, error, raw = (np.full((groups, votes.size), np.nan) for _ in range(3))
    if overall.fit is None or not len(played) or not groups:
        return Shrunk(rating, error, raw, np.ones(groups), 0.0, None)
    fit = overall.fit
    work = GroupScores.of(Games.of(votes).votes, fit[played] / ELO_PER_LOGIT, group, groups)
    seen = work.units(units)
    several = int(np.sum(np.bincount(group[group >= 0], minlength=groups) > 0)) > 1
    inflation = work.inflation(seen)
    variance, doubt = work.variance(seen, inflation) if several else (0.0, 0.0)
    spread = float(np.sqrt(variance)) * ELO_PER_LOGIT
    if spread < NO_SPREAD:
        variance, spread = 0.0, 0.0
    level = fit - float(fit[played].mean()) + ANCHOR
    freer = rating.copy()
    for number in range(groups):
        own = votes.pick(np.flatnonzero(group == number))
        table = pair_table(own.size, own.a, own.b, own.counts, own.counts * own.score)
        rating[number, played] = _drawn(table, level, inflation, variance)[played]
        freer[number, played] = _drawn(table, level, inflation, variance + doubt)[played]
        raw[number] = _alone(table, level)
    shifts, unsure = ((each[:, played]) / ELO_PER_LOGIT for each in (rating - level, freer - rating))
    floor = None if least is None else least / ELO_PER_LOGIT
    error[:, played] = work.errors(seen, inflation, variance, shifts, unsure, floor) * ELO_PER_LOGIT
    chance = work.chance(seen) if several else None
    return Shrunk(rating, error, raw, work.pull(inflation, variance), spread, chance)


def _drawn(table: PairTable, overall: FloatArray, inflation: float, variance: float) -> FloatArray:
    """One group's ratings: its votes, and virtual draws against its own overall rating in place of the normal."""
    if not variance:
        return overall
    # W virtual draws have the information W/4 that a normal of variance τ² has as 1/τ².
    return fit_table(table, overall, 4.0 * inflation / variance, start=overall)


def _alone(table: PairTable, overall: FloatArray) -> FloatArray:
    """The ratings by these games alone; their models' mean is what it is on the overall board."""
    ratings = centred(table, fit_table(table, np.full(table.size, ANCHOR)))
    played = table.played
    shown: FloatArray = ratings + (overall[played].mean() - ANCHOR if len(played) else 0.0)
    return shown
