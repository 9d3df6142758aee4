"""What the votes of each group say beyond the overall board: scores, how far groups are apart, and how sure that is.

The formulas are told in :mod:`arena_desktop.ratings.shrinkage`, whose workshop this is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray, logistic, sum_by
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.scores import Scores, bradley_terry_scores
from arena_desktop.ratings.vote_columns import VoteColumns, numbered

_MOST_UNITS = 400  # more are thrown together at random: that changes no expectation
_DRAWS = 999
_SEED = 20260101
_ROUNDS = 12


@dataclass(frozen=True, eq=False)
class Cells:
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
    def of(cls, sums: FloatArray, share: FloatArray) -> "Cells":
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
class Units:
    """The scores by each kind of unit, and with each vote as its own (``votes``)."""

    kinds: tuple[Cells, ...]
    votes: Cells

    def noise(self, of: Callable[[Cells], FloatArray]) -> FloatArray:
        """The largest of the noises ``of`` each kind and of all together: what two kinds have in common is the votes'.

        As A. C. Cameron, J. B. Gelbach and D. L. Miller (Journal of Business & Economic Statistics 29, 2011), with the
        votes for the cells of both kinds.
        """
        each = [of(cells) for cells in self.kinds]
        together = np.sum(each, axis=0) - (len(each) - 1) * of(self.votes)
        largest: FloatArray = np.max([*each, together], axis=0)
        return largest


@dataclass(frozen=True, eq=False)
class GroupScores:
    """At the overall fit ``strengths``, over the models with a game, in logits. ``parts`` are the groups' curvatures
    H_g, shape (groups, models, models); ``inverse`` is H⁻¹; ``squares`` Σ H_k² over all groups, votes in none being one
    more.
    """

    votes: VoteColumns
    strengths: FloatArray
    scores: Scores
    group: IntArray
    parts: FloatArray
    inverse: FloatArray
    squares: FloatArray

    @classmethod
    def of(cls, votes: VoteColumns, strengths: FloatArray, group: IntArray, groups: int) -> "GroupScores":
        scores = bradley_terry_scores(votes, strengths)
        parts = scores.curvatures(np.where(group < 0, groups, group), groups + 1)
        own = strengths - ANCHOR / ELO_PER_LOGIT
        whole = parts.sum(axis=0) + np.diag(PRIOR_WEIGHT * logistic(own) * logistic(-own))
        inverse = np.linalg.inv(whole).astype(np.float64, copy=False)
        return cls(votes, strengths, scores, group, parts[:groups], inverse, np.matmul(parts, parts).sum(axis=0))

    @property
    def groups(self) -> int:
        return len(self.parts)

    def cells(self, unit: IntArray) -> Cells:
        """The scores of the votes that share a unit."""
        unit, known = numbered(unit)
        units = min(len(known), _MOST_UNITS)
        if units < len(known):
            unit = np.random.default_rng(_SEED).permutation(len(known))[unit] % units
        groups = self.groups + 1
        cell = unit * groups + np.where(self.group < 0, self.groups, self.group)
        sums = self.scores.gradients(cell, units * groups).reshape(units, groups, -1)
        weight = sum_by(cell, self.scores.count * self.scores.second, units * groups).reshape(units, groups)
        return Cells.of(sums, weight / np.maximum(weight.sum(axis=0), 1e-300))

    def units(self, units: Sequence[IntArray]) -> Units:
        """The scores by all these kinds of units."""
        each = np.arange(len(self.votes), dtype=np.int64)
        return Units(tuple(self.cells(unit) for unit in units), self.cells(each))

    def inflation(self, units: Units) -> float:
        """By how much the groups' scores vary more than those of independent votes, at least 1."""
        alone = 2.0 * float(np.sum(self.scores.count * np.square(self.scores.first)))
        return max(1.0, float(units.noise(lambda cells: np.square(cells.noise).sum())) / alone) if alone else 1.0

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

    def variance(self, units: Units, inflation: float) -> tuple[float, float]:
        """τ² in squared logits, and its standard error."""
        seen = self._after_fit(units.votes.own, units.votes.total).sum(axis=0)
        added = self.parts @ self._deviation() @ self.parts
        values, vectors = np.linalg.eigh(self.parts)
        values = np.maximum(values, 0.0)
        variance = 0.0
        for _ in range(_ROUNDS):
            root = 1.0 / (inflation + variance * values)
            # A = V diag(root²) V', so that x'Ax is the squared length of diag(root) V'x.
            turn = root[:, :, None] * vectors.transpose(0, 2, 1)
            noise = float(units.noise(lambda cells, turn=turn: self._turned(cells, turn)))  # type: ignore[misc]  # a default
            signal = float(np.square(np.einsum("gij,gj->gi", turn, seen)).sum()) - noise
            unit = float(np.einsum("gij,gjk,gik->", turn, added, turn))
            if unit <= 0.0:
                return 0.0, 0.0
            before, variance = variance, max(0.0, signal / unit)
            if abs(variance - before) < 1e-6 * (variance + 1e-6):
                break
        told = float(np.square(values / (inflation + variance * values)).sum())
        return variance, float(np.sqrt(2.0 / told)) if told else 0.0

    def _turned(self, cells: Cells, turn: FloatArray) -> FloatArray:
        """The noise in Σ ũ'Aũ."""
        left = self._after_fit(cells.noise, cells.total_noise)
        noise: FloatArray = cells.correction * np.square(np.einsum("gij,lgj->lgi", turn, left)).sum()
        return noise

    def chance(self, units: Units) -> float:
        """How often random signs of the units give scores as far from 0 as these, by the most cautious kind of unit.

        Each kind's draws are as much wider as all kinds together are noisier than it.
        """
        seen = float(np.square(self._after_fit(units.votes.own, units.votes.total).sum(axis=0)).sum())
        still = np.broadcast_to(np.eye(len(self.inverse)), self.parts.shape)
        noise = float(units.noise(lambda cells: self._turned(cells, still)))
        found = 0.0
        for cells in units.kinds:
            left = self._after_fit(cells.own, cells.total).reshape(len(cells.total), -1)
            signs = np.random.default_rng(_SEED).integers(0, 2, (_DRAWS, len(left))) * 2.0 - 1.0
            own = float(self._turned(cells, still))
            wider = noise / own if own > 0.0 else 1.0
            drawn = wider * np.square(signs @ left).sum(axis=1)
            found = max(found, (1.0 + float(np.sum(drawn >= seen * (1.0 - 1e-9)))) / (1.0 + _DRAWS))
        return found

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
        self,
        units: Units,
        inflation: float,
        variance: float,
        shifts: FloatArray,
        unsure: FloatArray,
        least: FloatArray | None,
    ) -> FloatArray:
        """Standard errors of the groups' centred ratings in logits, shape (groups, models).

        The error is MP(θ̂ − θ_g) + M Σ u_g with M = (H_g + P)⁻¹, P = φ/τ² and θ̂ the overall board, which was made
        from the same votes: its parts are added up before they are squared. H_g and P are those at the group's own
        ratings, ``shifts`` away from the overall ones: a perfect record tells less there. Noise is as much larger than
        all that as the overall errors ``least`` are. ``unsure``, shape of ``shifts``: how far the ratings would move
        were τ² larger by its own error; added as one more (C. N. Morris, JASA 78, 1983, has it for normal means).
        """
        size = len(self.inverse)
        drawn, alone = _centre(np.eye(size)), np.zeros((size, size))
        larger = np.ones(size)
        if least is not None:
            overall = self._noise(units, 0, drawn, alone, alone)
            larger = np.maximum(1.0, np.divide(least**2, overall, out=np.ones(size), where=overall > 0))
        deviation, found = self._deviation(), np.zeros((self.groups, size))
        for number, shift in enumerate(shifts):
            mine = self.votes.pick(np.flatnonzero(self.group == number))
            scores = bradley_terry_scores(mine, self.strengths + shift)
            if variance:
                part = scores.curvatures(np.zeros(len(mine), np.int64), 1)[0]
                pull = 4.0 * inflation / variance * logistic(shift) * logistic(-shift)
                own = np.linalg.inv(part + np.diag(pull)).astype(np.float64, copy=False)
                drawn, alone = _centre(own * pull), _centre(own)
            missed = variance * np.diag(drawn @ deviation[number] @ drawn.T)
            noise = self._noise(units, number, drawn, alone, scores.by_vote(spread=True))
            found[number] = larger * noise + np.maximum(missed, 0.0)
        return np.sqrt(found + np.square(unsure))

    def _noise(self, units: Units, number: int, drawn: FloatArray, alone: FloatArray, spread: FloatArray) -> FloatArray:
        """The variances of ``drawn`` H⁻¹ Σ u + ``alone`` Σ u_g by the noisiest kind of unit, independent votes of which
        the group's vary by ``spread`` among them.
        """

        def of(cells: Cells) -> FloatArray:
            moves = cells.total_noise @ (drawn @ self.inverse).T + cells.noise[:, number] @ alone.T
            squares: FloatArray = np.square(moves).sum(axis=0) * cells.correction
            return squares

        return np.maximum(self._expected(drawn, alone, spread), units.noise(of))

    def _expected(self, drawn: FloatArray, alone: FloatArray, own: FloatArray) -> FloatArray:
        whole = self.scores.by_vote(spread=True)
        along = drawn @ self.inverse
        both = along @ whole @ along.T + along @ own @ alone.T + alone @ own @ along.T + alone @ own @ alone.T
        return np.maximum(np.diag(both), 0.0)


def _centre(matrix: FloatArray) -> FloatArray:
    centred: FloatArray = matrix - matrix.mean(axis=0)
    return centred
