"""Covariances of a fit from what its votes, listeners and prompts say: the sandwich estimator.

With H the curvature, prior included, U_g the gradient of the votes of unit g and H_g their part of H: each vote as a
unit gives H⁻¹ (Σ U U') H⁻¹. With clusters as units it is CR3, the jackknife-like form of R. M. Bell and D. F. McCaffrey
(Survey Methodology 28, 2002): (G−1)/G · Σ x_g x_g' with x_g = (H − H_g)⁻¹ U_g, which is about how far leaving the unit
out would move the fit. Two ways of clustering are joined as by A. C. Cameron, J. B. Gelbach and D. L. Miller (Journal
of Business & Economic Statistics 29, 2011): the sum of both less that of their cells.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray
from arena_desktop.ratings.games import Games
from arena_desktop.ratings.scores import Scores
from arena_desktop.ratings.vote_columns import VoteColumns, numbered

_CHUNK_CELLS = 4_000_000  # what the matrices of the units that are handled together may hold
_LIGHT = 0.1
_FEW = 300  # units, all of which are corrected exactly
_FEW_WORK = 2e8
_MOST_LEVERAGE = 0.9
_EXACT_WORK = 2e8  # multiplications that exact corrections may cost


class Sandwich:
    """The covariances of the strengths around their mean, in squared logits, shape (models, models).

    ``score`` gives what votes say at the fit; ``curvature`` is (p, p). Models must be connected by ``curvature``, be it
    through the prior. ``held`` is added to its diagonal where a unit is left out: without a prior nothing else may hold
    a model whom that unit alone connects.
    """

    def __init__(
        self, games: Games, score: Callable[[VoteColumns], Scores], curvature: FloatArray, held: float = 0.0
    ) -> None:
        self._games = games
        self._score = score
        self._models = games.votes.size
        self._curvature = curvature
        self._held = held
        self._inverse = np.linalg.inv(curvature).astype(np.float64, copy=False)
        self._bread = _centre(self._inverse[: self._models])
        self._all: Scores | None = None

    def by_vote(self) -> tuple[FloatArray, FloatArray]:
        """Each vote its own unit: with the residual that it has, and with the variance that the model expects of it."""
        scores, _, _ = self._scores(None)
        return self._around(scores.by_vote()), self._around(scores.by_vote(spread=True))

    def by_cluster(self, unit: IntArray) -> FloatArray:
        """Votes of one unit are one observation, CR3. ``unit`` are numbers from 0; gaps are no units."""
        scores, unit, units = self._scores(unit)
        heavy, moves = self._moves(scores, unit, units)
        if len(heavy):
            place = np.full(units, -1)
            place[heavy] = np.arange(len(heavy))
            mine = np.flatnonzero(place[unit] >= 0)
            moves[heavy] = self._exact(scores.pick(mine), place[unit[mine]], len(heavy))
        shifts = moves[:, : self._models]
        shifts = shifts - shifts.mean(axis=1, keepdims=True)
        covariance: FloatArray = shifts.T @ shifts
        return covariance * ((units - 1) / units)

    def by_cell(self, one: IntArray, other: IntArray) -> FloatArray:
        """Votes that share both units are one observation, uncorrected."""
        scores = self._each()
        (one, _), (other, others) = numbered(one), numbered(other)
        cell, known = numbered(one * len(others) + other)
        single = (np.bincount(cell, minlength=len(known)) == 1)[cell]
        alone = scores.pick(np.flatnonzero(single))
        middle = replace(alone, count=np.square(alone.count)).by_vote()
        together = np.flatnonzero(~single)
        if len(together):
            cell, known = numbered(cell[together])
            order = np.argsort(cell, kind="stable")
            cell, scores = cell[order], scores.pick(together[order])
            chunk = max(1, _CHUNK_CELLS // scores.size)
            for first in range(0, len(known), chunk):
                some = slice(*np.searchsorted(cell, [first, first + chunk]))
                sums = scores.pick(some).gradients(cell[some] - first, min(chunk, len(known) - first))
                middle += sums.T @ sums
        return self._around(middle)

    def _scores(self, unit: IntArray | None) -> tuple[Scores, IntArray, int]:
        votes, number, units = self._games.by_unit(unit)
        return self._each() if votes is self._games.votes else self._score(votes), number, units

    def _each(self) -> Scores:
        if self._all is None:
            self._all = self._score(self._games.votes)
        return self._all

    def _around(self, middle: FloatArray) -> FloatArray:
        covariance: FloatArray = self._bread @ middle @ self._bread.T
        return covariance

    def _moves(self, scores: Scores, unit: IntArray, units: int) -> tuple[IntArray, FloatArray]:
        """How far leaving each unit out moves the fit, and which units have so much leverage that this isn't exact.

        H⁻¹ U_g / (1 − ρ) with ρ the unit's share of the curvature along H⁻¹ U_g: exact where the unit has one pair, or
        a bit of everything.
        """
        leverage = scores.leverage(self._inverse, unit, units)
        few = units <= _FEW and units * scores.size**3 <= _FEW_WORK
        heavy = np.arange(units) if few else np.flatnonzero(leverage > _LIGHT).astype(np.int64)
        most = max(1, int(_EXACT_WORK / scores.size**3))
        if len(heavy) > most:
            heavy = np.sort(heavy[np.argsort(-leverage[heavy], kind="stable")[:most]])
        gradients = scores.gradients(unit, units)
        moves = gradients @ self._inverse
        if len(heavy) < units:
            length = np.sum(moves * gradients, axis=1)
            part = np.divide(scores.along(moves, unit), length, out=np.zeros(units), where=length > 0)
            moves /= 1.0 - np.minimum(part, _MOST_LEVERAGE)[:, None]
        return heavy, moves

    def _exact(self, scores: Scores, unit: IntArray, units: int) -> FloatArray:
        order = np.argsort(unit, kind="stable")
        unit, scores, size = unit[order], scores.pick(order), scores.size
        whole = self._curvature + self._held * np.eye(size)
        moves = np.zeros((units, size))
        chunk = max(1, _CHUNK_CELLS // size**2)
        for first in range(0, units, chunk):
            some, here = slice(*np.searchsorted(unit, [first, first + chunk])), min(chunk, units - first)
            mine, own = scores.pick(some), unit[some] - first
            others = whole - mine.curvatures(own, here)
            moves[first : first + here] = np.linalg.solve(others, mine.gradients(own, here)[:, :, None])[:, :, 0]
        return moves


def _centre(columns: FloatArray) -> FloatArray:
    """Each column less its mean: differences from the middle of the board are what the votes determine."""
    centred: FloatArray = columns - columns.mean(axis=0)
    return centred
