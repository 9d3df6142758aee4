"""Covariances of a fit from what its votes, listeners and prompts say: the sandwich estimator.

With H the curvature, prior included, U_g the gradient of the votes of unit g and H_g their part of H: each vote as a
unit gives H⁻¹ (Σ U U') H⁻¹. With clusters as units it is CR3, the jackknife-like form of R. M. Bell and D. F. McCaffrey
(Survey Methodology 28, 2002): (G−1)/G · Σ x_g x_g' with x_g = (H − H_g)⁻¹ U_g, which is about how far leaving the unit
out would move the fit. Two ways of clustering are joined as by A. C. Cameron, J. B. Gelbach and D. L. Miller (Journal
of Business & Economic Statistics 29, 2011): the sum of both less that of their cells.
"""

from dataclasses import replace

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray
from arena_desktop.ratings.scores import Scores
from arena_desktop.ratings.vote_columns import numbered

_CHUNK_CELLS = 4_000_000  # what the matrices of the units that are handled together may hold
_LIGHT = 0.1
_EXACT_WORK = 4e10  # multiplications that exact corrections may cost


class Sandwich:
    """The covariances of the strengths around their mean, in squared logits, shape (models, models).

    ``curvature`` is (p, p). Models must be connected by ``curvature``, be it through the prior.
    """

    def __init__(self, scores: Scores, curvature: FloatArray) -> None:
        self._scores = scores
        self._curvature = curvature
        self._inverse = np.linalg.inv(curvature).astype(np.float64, copy=False)
        self._bread = _centre(self._inverse[: scores.models])

    def by_vote(self) -> FloatArray:
        """Each vote its own unit."""
        return self._around(self._scores.by_vote())

    def expected(self) -> FloatArray:
        """Each vote its own unit, with the variance that the model expects of it."""
        return self._around(self._scores.by_vote(spread=True))

    def by_cluster(self, unit: IntArray) -> FloatArray:
        """Votes of one unit are one observation, CR3. ``unit`` are numbers from 0; gaps are no units."""
        unit, known = numbered(unit)
        units, models = len(known), self._scores.models
        heavy, moves = self._moves(unit, units)
        if len(heavy):
            place = np.full(units, -1)
            place[heavy] = np.arange(len(heavy))
            mine = np.flatnonzero(place[unit] >= 0)
            moves[heavy] = self._exact(self._scores.pick(mine), place[unit[mine]], len(heavy))
        shifts = moves[:, :models]
        shifts = shifts - shifts.mean(axis=1, keepdims=True)
        covariance: FloatArray = shifts.T @ shifts
        return covariance * ((units - 1) / units)

    def by_cell(self, one: IntArray, other: IntArray) -> FloatArray:
        """Votes that share both units are one observation, uncorrected."""
        (one, _), (other, others) = numbered(one), numbered(other)
        cell, known = numbered(one * len(others) + other)
        alone = np.bincount(cell, minlength=len(known)) == 1
        single = alone[cell]
        middle = _own_votes(self._scores.pick(np.flatnonzero(single)))
        together = np.flatnonzero(~single)
        if len(together):
            cell, known = numbered(cell[together])
            order = np.argsort(cell, kind="stable")
            cell, scores = cell[order], self._scores.pick(together[order])
            chunk = max(1, _CHUNK_CELLS // self._scores.size)
            for first in range(0, len(known), chunk):
                some = np.arange(*np.searchsorted(cell, [first, first + chunk]))
                sums = scores.pick(some).gradients(cell[some] - first, min(chunk, len(known) - first))
                middle += sums.T @ sums
        return self._around(middle)

    def _around(self, middle: FloatArray) -> FloatArray:
        covariance: FloatArray = self._bread @ middle @ self._bread.T
        return covariance

    def _moves(self, unit: IntArray, units: int) -> tuple[IntArray, FloatArray]:
        """How far leaving each unit out moves the fit, and which units have so much leverage that this isn't exact.

        H⁻¹ U_g / (1 − ρ) with ρ the unit's share of the curvature along H⁻¹ U_g: exact where the unit has one pair, or
        a bit of everything.
        """
        scores = self._scores
        leverage = scores.leverage(self._inverse, unit, units)
        heavy = np.flatnonzero(leverage > _LIGHT).astype(np.int64)
        most = int(_EXACT_WORK / scores.size**3)
        if len(heavy) > most:
            heavy = np.sort(heavy[np.argsort(-leverage[heavy], kind="stable")[:most]])
        gradients = scores.gradients(unit, units)
        moves = gradients @ self._inverse
        if len(heavy) == units:
            return heavy, moves
        length = np.sum(moves * gradients, axis=1)
        part = np.divide(scores.along(moves, unit), length, out=np.zeros(units), where=length > 0)
        moves /= 1.0 - np.minimum(part, 0.9)[:, None]
        return heavy, moves

    def _exact(self, scores: Scores, unit: IntArray, units: int) -> FloatArray:
        order = np.argsort(unit, kind="stable")
        unit, scores, size = unit[order], scores.pick(order), scores.size
        moves = np.zeros((units, size))
        chunk = max(1, _CHUNK_CELLS // size**2)
        for first in range(0, units, chunk):
            some, here = np.arange(*np.searchsorted(unit, [first, first + chunk])), min(chunk, units - first)
            mine, own = scores.pick(some), unit[some] - first
            others = self._curvature - mine.curvatures(own, here)
            moves[first : first + here] = np.linalg.solve(others, mine.gradients(own, here)[:, :, None])[:, :, 0]
        return moves


def _own_votes(scores: Scores) -> FloatArray:
    """The middle with each entry, whatever its count, as one observation."""
    return replace(scores, count=np.square(scores.count)).by_vote()


def _centre(columns: FloatArray) -> FloatArray:
    """Each column less its mean: differences from the middle of the board are what the votes determine."""
    centred: FloatArray = columns - columns.mean(axis=0)
    return centred
