"""What each vote says about a fit's parameters: its share of the gradient and of the curvature, in sums by unit.

The parameters are the strengths of ``models`` models in logits and, in a fit that gives ties a parameter of their own,
the logarithm of that one. A vote on models i and j depends on them by the lead b_i − b_j, and by the tie parameter.
"""

from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray, logistic, sum_by
from arena_desktop.ratings.vote_columns import VoteColumns, Which


@dataclass(frozen=True)
class TieScores:
    """The part of the tie parameter: ``first`` derivative, and the negated second ones ``cross`` (with the lead) and
    ``second``.
    """

    first: FloatArray
    cross: FloatArray
    second: FloatArray


@dataclass(frozen=True)
class Scores:
    """One entry a vote, or ``count`` equal votes: the log-likelihood's ``first`` derivative by the lead, and its
    negated ``second`` one. ``spread`` is the variance that the model itself expects of ``first``, not less than
    ``second`` where ties have a parameter.
    """

    models: int
    a: IntArray
    b: IntArray
    count: FloatArray
    first: FloatArray
    second: FloatArray
    spread: FloatArray
    ties: TieScores | None = None

    @property
    def size(self) -> int:
        """How many parameters."""
        return self.models + (self.ties is not None)

    def by_vote(self, spread: bool = False) -> FloatArray:
        """The sum over votes of the outer product of their gradients, as seen or (``spread``) as expected; (p, p)."""
        lead = self.spread if spread else np.square(self.first)
        middle = self._laplacian(self.count * lead)
        if self.ties is not None:
            cross = self.ties.cross if spread else self.first * self.ties.first
            own = self.ties.second if spread else np.square(self.ties.first)
            self._border(middle, self.count * cross, float(np.sum(self.count * own)))
        return middle

    def gradients(self, unit: IntArray, units: int) -> FloatArray:
        """The gradient of each unit's votes, shape (units, p)."""
        size, models = self.size, self.models
        own = self.count * self.first
        total = np.zeros((units, size))
        cells = units * models
        total[:, :models] = (
            sum_by(unit * models + self.a, own, cells) - sum_by(unit * models + self.b, own, cells)
        ).reshape(units, models)
        if self.ties is not None:
            total[:, models] = sum_by(unit, self.count * self.ties.first, units)
        return total

    def curvatures(self, unit: IntArray, units: int) -> FloatArray:
        """The curvature of each unit's votes, shape (units, p, p)."""
        size = self.size
        own = np.zeros(units * size**2)
        cells, second = unit * size**2, self.count * self.second
        for row, column, sign in (
            (self.a, self.a, 1.0),
            (self.b, self.b, 1.0),
            (self.a, self.b, -1.0),
            (self.b, self.a, -1.0),
        ):
            own += sign * sum_by(cells + row * size + column, second, len(own))
        if self.ties is not None:
            last, cross = self.models, self.count * self.ties.cross
            for model, sign in ((self.a, 1.0), (self.b, -1.0)):
                own += sign * sum_by(cells + model * size + last, cross, len(own))
                own += sign * sum_by(cells + last * size + model, cross, len(own))
            own += sum_by(cells + last * size + last, self.count * self.ties.second, len(own))
        return own.reshape(units, size, size)

    def leverage(self, inverse: FloatArray, unit: IntArray, units: int) -> FloatArray:
        """The trace of each unit's curvature times ``inverse``, (p, p): no less than its largest eigenvalue."""
        models = self.models
        own = np.diag(inverse)[:models]
        table = own[:, None] + own[None, :] - 2.0 * inverse[:models, :models]
        each = self.second * table[self.a, self.b]
        if self.ties is not None:
            with_tie = inverse[:models, models]
            each = each + 2.0 * self.ties.cross * (with_tie[self.a] - with_tie[self.b])
            each += self.ties.second * inverse[models, models]
        return sum_by(unit, self.count * each, units)

    def along(self, shifts: FloatArray, unit: IntArray) -> FloatArray:
        """Each unit's curvature along its own row of ``shifts``, which is (units, p): x'Hx."""
        lead = shifts[unit, self.a] - shifts[unit, self.b]
        each = self.second * np.square(lead)
        if self.ties is not None:
            own = shifts[unit, self.models]
            each += 2.0 * self.ties.cross * lead * own + self.ties.second * np.square(own)
        return sum_by(unit, self.count * each, len(shifts))

    def pick(self, which: Which) -> "Scores":
        """The entries that a mask, positions or a slice select."""
        ties = None
        if self.ties is not None:
            ties = TieScores(self.ties.first[which], self.ties.cross[which], self.ties.second[which])
        return Scores(
            self.models,
            self.a[which],
            self.b[which],
            self.count[which],
            self.first[which],
            self.second[which],
            self.spread[which],
            ties,
        )

    def _laplacian(self, weights: FloatArray) -> FloatArray:
        models = self.models
        sums = sum_by(self.a * models + self.b, weights, models**2).reshape(models, models)
        sums = sums + sums.T
        matrix = np.zeros((self.size, self.size))
        matrix[:models, :models] = np.diag(sums.sum(axis=1)) - sums
        return matrix

    def _border(self, matrix: FloatArray, cross: FloatArray, own: float) -> None:
        models = self.models
        matrix[:models, models] = sum_by(self.a, cross, models) - sum_by(self.b, cross, models)
        matrix[models, :models] = matrix[:models, models]
        matrix[models, models] = own


def bradley_terry_scores(votes: VoteColumns, strengths: FloatArray) -> Scores:
    """Of the Bradley–Terry fit with ties as half a win each, at ``strengths`` in logits, shape (models,)."""
    if votes.size**2 <= len(votes):  # fewer pairs than votes: the expectations are looked up
        expected = logistic(strengths[:, None] - strengths[None, :])[votes.a, votes.b]
    else:
        expected = logistic(strengths[votes.a] - strengths[votes.b])
    second = expected * (1.0 - expected)
    tied = votes.score == 0.5
    ties = float(tied.sum() if votes.weight is None else votes.weight[tied].sum())
    spread = np.maximum(second - 0.25 * smoothed(ties, votes.total, votes.size), 0.0)
    return Scores(votes.size, votes.a, votes.b, votes.counts, votes.score - expected, second, spread)


def smoothed(ties: float, total: float, models: int) -> float:
    """The share of ``ties`` among ``total`` votes and two decided ones a model more: a handful of ties alone does not
    make a tie certain.
    """
    return ties / (total + 2 * models)
