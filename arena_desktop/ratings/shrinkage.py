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

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray, logistic, sum_by
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT, centred, fit_table
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.games import Games
from arena_desktop.ratings.pair_table import PairTable, pair_table
from arena_desktop.ratings.scores import Scores, bradley_terry_scores
from arena_desktop.ratings.standings import Standings
from arena_desktop.ratings.vote_columns import VoteColumns, numbered

NO_SPREAD = 1.0
"""Below this many Elo points between groups (SD) none is assumed."""

_MOST_UNITS = 400  # more are thrown together at random: that changes no expectation
_DRAWS = 999
_SEED = 20260101
_ROUNDS = 12


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
    if overall.fit is None or not len(played):
        return Shrunk(rating, error, raw, np.ones(groups), 0.0, None)
    fit = overall.fit
    work = _Work.of(Games.of(votes).votes, fit[played] / ELO_PER_LOGIT, group, groups)
    cells = [work.cells(unit) for unit in units]
    several = int(np.sum(np.bincount(group[group >= 0], minlength=groups) > 0)) > 1
    inflation = max([1.0, *(work.inflation(cell) for cell in cells)])
    variance = work.variance(cells, inflation) if several else 0.0
    spread = float(np.sqrt(variance)) * ELO_PER_LOGIT
    if spread < NO_SPREAD:
        variance, spread = 0.0, 0.0
    level = fit - float(fit[played].mean()) + ANCHOR
    for number in range(groups):
        own = votes.pick(np.flatnonzero(group == number))
        table = pair_table(own.size, own.a, own.b, own.counts, own.counts * own.score)
        rating[number, played] = _drawn(table, level, inflation, variance)[played]
        raw[number] = _alone(table, level)
    floor = None if least is None else least / ELO_PER_LOGIT
    error[:, played] = work.errors(cells, inflation, variance, floor) * ELO_PER_LOGIT
    chance = max(work.chance(cell) for cell in cells) if several and cells else None
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


@dataclass(frozen=True, eq=False)
class _Cells:
    """The scores of one kind of unit: ``own`` by unit and group, shape (units, groups, models), ``total`` over all
    groups and votes in none, shape (units, models).

    ``noise`` and ``total_noise`` are the same without what a unit has in common with the others of its group, for how
    much units vary is no matter of how far the group is from the overall board.
    """

    own: FloatArray
    total: FloatArray
    noise: FloatArray
    total_noise: FloatArray

    @classmethod
    def of(cls, sums: FloatArray, share: FloatArray) -> "_Cells":
        """From the scores by unit and group, votes in none the last group, and each unit's share 0–1 of its group."""
        left = 1.0 - np.square(share).sum(axis=0)
        many = left > 1e-9  # a group of one unit tells nothing of how much units vary
        common = share[:, :, None] * sums.sum(axis=0)
        noise = np.where(many[:, None], (sums - common) / np.sqrt(np.where(many, left, 1.0))[:, None], sums)
        return cls(sums[:, :-1], sums.sum(axis=1), noise[:, :-1], noise.sum(axis=1))

    @property
    def correction(self) -> float:
        """The G/(G−1) of few clusters; a single one tells nothing of its kind."""
        units = len(self.total)
        return units / (units - 1) if units > 1 else 1.0


@dataclass(frozen=True, eq=False)
class _Work:
    """At the overall fit, over the models with a game, in logits: ``parts`` are the groups' curvatures H_g, shape
    (groups, models, models); ``inverse`` H⁻¹; ``squares`` Σ H_k² over all groups, votes in none being one more.
    """

    scores: Scores
    group: IntArray
    parts: FloatArray
    inverse: FloatArray
    squares: FloatArray

    @classmethod
    def of(cls, votes: VoteColumns, strengths: FloatArray, group: IntArray, groups: int) -> "_Work":
        scores = bradley_terry_scores(votes, strengths)
        parts = scores.curvatures(np.where(group < 0, groups, group), groups + 1)
        own = strengths - ANCHOR / ELO_PER_LOGIT
        whole = parts.sum(axis=0) + np.diag(PRIOR_WEIGHT * logistic(own) * logistic(-own))
        inverse = np.linalg.inv(whole).astype(np.float64, copy=False)
        return cls(scores, group, parts[:groups], inverse, np.matmul(parts, parts).sum(axis=0))

    @property
    def groups(self) -> int:
        return len(self.parts)

    def cells(self, unit: IntArray) -> _Cells:
        """The scores of the votes that share a unit."""
        unit, known = numbered(unit)
        units = min(len(known), _MOST_UNITS)
        if units < len(known):
            unit = np.random.default_rng(_SEED).permutation(len(known))[unit] % units
        groups = self.groups + 1
        cell = unit * groups + np.where(self.group < 0, self.groups, self.group)
        sums = self.scores.gradients(cell, units * groups).reshape(units, groups, -1)
        weight = sum_by(cell, self.scores.count * self.scores.second, units * groups).reshape(units, groups)
        return _Cells.of(sums, weight / np.maximum(weight.sum(axis=0), 1e-300))

    def inflation(self, cells: _Cells) -> float:
        """By how much the groups' scores vary more than those of independent votes."""
        alone = 2.0 * float(np.sum(self.scores.count * np.square(self.scores.first)))
        return float(np.square(cells.noise).sum()) / alone if alone else 1.0

    def _after_fit(self, own: FloatArray, total: FloatArray) -> FloatArray:
        """What is left of each unit's scores once the overall board is fitted, shape (units, groups, models)."""
        explained: FloatArray = np.einsum("gij,lj->lgi", self.parts @ self.inverse, total)
        return own - explained

    def _deviation(self) -> FloatArray:
        """The covariance of δ_g − H⁻¹ Σ H_k δ_k for deviations of variance 1, shape (groups, models, models)."""
        part = self.inverse @ self.parts
        common = self.inverse @ self.squares @ self.inverse
        found: FloatArray = np.eye(len(self.inverse)) - part - part.transpose(0, 2, 1) + common
        return found

    def variance(self, kinds: Sequence[_Cells], inflation: float) -> float:
        """τ² in squared logits, with the noise of the noisiest kind of unit."""
        if not kinds:
            return 0.0
        left = [(cells.correction, self._after_fit(cells.noise, cells.total_noise)) for cells in kinds]
        seen = self._after_fit(kinds[0].own, kinds[0].total).sum(axis=0)
        added = self.parts @ self._deviation() @ self.parts
        values, vectors = np.linalg.eigh(self.parts)
        variance = 0.0
        for _ in range(_ROUNDS):
            root = 1.0 / (inflation + variance * np.maximum(values, 0.0))
            # A = V diag(root²) V', so that x'Ax is the squared length of diag(root) V'x.
            turn = root[:, :, None] * vectors.transpose(0, 2, 1)
            noise = max(
                correction * float(np.square(np.einsum("gij,lgj->lgi", turn, each)).sum()) for correction, each in left
            )
            signal = float(np.square(np.einsum("gij,gj->gi", turn, seen)).sum()) - noise
            unit = float(np.einsum("gij,gjk,gik->", turn, added, turn))
            if unit <= 0.0:
                return 0.0
            before, variance = variance, max(0.0, signal / unit)
            if abs(variance - before) < 1e-6 * (variance + 1e-6):
                break
        return variance

    def chance(self, cells: _Cells) -> float:
        """How often random signs of the units give scores as far from 0 as these."""
        left = self._after_fit(cells.own, cells.total).reshape(len(cells.total), -1)
        signs = np.random.default_rng(_SEED).integers(0, 2, (_DRAWS, len(left))) * 2.0 - 1.0
        drawn = np.square(signs @ left).sum(axis=1)
        seen = float(np.square(left.sum(axis=0)).sum())
        return (1.0 + float(np.sum(drawn >= seen * (1.0 - 1e-9)))) / (1.0 + _DRAWS)

    def pull(self, inflation: float, variance: float) -> FloatArray:
        """The mean share, over what the group's votes tell at all, that the overall board has in its ratings."""
        if not variance:
            return np.ones(self.groups)
        values = np.linalg.eigvalsh(self.parts)
        told = values > 1e-9 * max(1.0, float(values.max(initial=0.0)))
        share = np.where(told, inflation / (inflation + variance * np.maximum(values, 0.0)), 0.0)
        number = told.sum(axis=1)
        return np.where(number > 0, share.sum(axis=1) / np.maximum(number, 1), 1.0)

    def errors(
        self, kinds: Sequence[_Cells], inflation: float, variance: float, least: FloatArray | None
    ) -> FloatArray:
        """Standard errors of the groups' centred ratings in logits, shape (groups, models).

        The error is MP(θ̂ − θ_g) + M Σ u_g with M = (H_g + P)⁻¹, P = φ/τ² and θ̂ the overall board, which was made
        from the same votes: its parts are added up before they are squared. Noise is as much larger than that as the
        overall errors ``least`` are.
        """
        size = len(self.inverse)
        drawn, alone = _centre(np.eye(size)), np.zeros((size, size))
        larger = np.ones(size)
        if least is not None:
            overall = self._noise(kinds, 0, drawn, alone)
            larger = np.maximum(1.0, np.divide(least**2, overall, out=np.ones(size), where=overall > 0))
        deviation, found = self._deviation(), np.zeros((self.groups, size))
        for number, part in enumerate(self.parts):
            if variance:
                precision = inflation / variance
                own = np.linalg.inv(part + precision * np.eye(size)).astype(np.float64, copy=False)
                drawn, alone = _centre(own * precision), _centre(own)
            missed = variance * np.diag(drawn @ deviation[number] @ drawn.T)
            found[number] = larger * self._noise(kinds, number, drawn, alone) + np.maximum(missed, 0.0)
        return np.sqrt(found)

    def _noise(self, kinds: Sequence[_Cells], number: int, drawn: FloatArray, alone: FloatArray) -> FloatArray:
        """The variances of ``drawn`` H⁻¹ Σ u + ``alone`` Σ u_g by the noisiest kind of unit."""
        found = self._expected(number, drawn, alone)
        for cells in kinds:
            moves = cells.total_noise @ (drawn @ self.inverse).T + cells.noise[:, number] @ alone.T
            found = np.maximum(found, np.square(moves).sum(axis=0) * cells.correction)
        return found

    def _expected(self, number: int, drawn: FloatArray, alone: FloatArray) -> FloatArray:
        """What the overall fit itself expects of independent votes."""
        whole = self.scores.by_vote(spread=True)
        own = self.scores.pick(np.flatnonzero(self.group == number)).by_vote(spread=True)
        along = drawn @ self.inverse
        both = along @ whole @ along.T + along @ own @ alone.T + alone @ own @ along.T + alone @ own @ alone.T
        return np.maximum(np.diag(both), 0.0)


def _centre(matrix: FloatArray) -> FloatArray:
    centred: FloatArray = matrix - matrix.mean(axis=0)
    return centred
