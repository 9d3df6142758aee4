"""Ratings that follow the votes one by one: a Bradley–Terry fit that takes one Newton step a vote, warm.

The optimum hardly moves with one vote, so that one step keeps the error far below the standard error; pair choice needs
no more. Any number of boards are fitted at once: the first axis of every array.
"""

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray, logistic
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT
from arena_desktop.ratings.elo import ANCHOR


class LiveFits:
    """``boards`` boards of ``size`` models each, all with the prior of :mod:`bradley_terry`.

    ``prior``: Elo points, shape (size,) or (boards, size).
    """

    def __init__(
        self, boards: int, size: int, prior: FloatArray | None = None, prior_weight: float = PRIOR_WEIGHT
    ) -> None:
        level = np.full((boards, size), ANCHOR) if prior is None else np.broadcast_to(prior, (boards, size))
        self._prior = level / ELO_PER_LOGIT
        self._weight = prior_weight
        self._board = np.arange(boards)
        self._strength = self._prior.copy()
        self._score = np.zeros((boards, size))
        self.games = np.zeros((boards, size, size))
        """How often each pair met, shape (boards, size, size), symmetric."""
        self._covariance = np.zeros_like(self.games)
        self.step()

    def add(self, a: IntArray, b: IntArray, score: FloatArray) -> None:
        """One more vote on each board: who met, shape (boards,), and the score of ``a``."""
        self.games[self._board, a, b] += 1.0
        self.games[self._board, b, a] += 1.0
        self._score[self._board, a] += score
        self._score[self._board, b] += 1.0 - score

    def step(self, steps: int = 1) -> None:
        """Move towards the optimum."""
        for _ in range(steps):
            q = logistic(self._strength[:, :, None] - self._strength[:, None, :])
            alone = np.tanh(0.5 * (self._strength - self._prior))
            gradient = self._score - (self.games * q).sum(axis=2) - 0.5 * self._weight * alone
            self._covariance = _covariance(self.games, q, alone, self._weight)
            move = np.matmul(self._covariance, gradient[:, :, None])[:, :, 0]
            self._strength = self._strength + np.clip(move, -2.0, 2.0)

    @property
    def rating(self) -> FloatArray:
        """Elo points, uncentred, shape (boards, size)."""
        points: FloatArray = self._strength * ELO_PER_LOGIT
        return points

    @property
    def error(self) -> FloatArray:
        """The standard error of each difference as the fit itself expects it, Elo points, shape as ``games``."""
        return _of_differences(self._covariance)

    @property
    def played(self) -> NDArray[np.bool_]:
        """Who has a game, shape (boards, size)."""
        met: NDArray[np.bool_] = self.games.sum(axis=2) > 0
        return met


def expected_errors(games: FloatArray, rating: FloatArray, prior_weight: float = PRIOR_WEIGHT) -> FloatArray:
    """The standard error of each difference that a fit of so many games expects at ``rating``, Elo points.

    ``games`` (…, models, models), symmetric, and ``rating`` (…, models), in Elo points, of the fit with a prior of 1000
    for all. The prior counts as games do, so that a model without any has the prior's own error.
    """
    strength = rating / ELO_PER_LOGIT
    q = logistic(strength[..., :, None] - strength[..., None, :])
    alone = np.tanh(0.5 * (strength - ANCHOR / ELO_PER_LOGIT))
    return _of_differences(_covariance(games, q, alone, prior_weight))


def _covariance(games: FloatArray, q: FloatArray, alone: FloatArray, weight: float) -> FloatArray:
    """The inverse of the fit's curvature. ``q``: expected scores; ``alone``: tanh of half the way from the prior."""
    each = games * q * (1.0 - q)
    curvature = -each
    diagonal = np.arange(each.shape[-1])
    curvature[..., diagonal, diagonal] = each.sum(axis=-1) + 0.25 * weight * np.maximum(1.0 - alone * alone, 1e-9)
    return np.linalg.inv(curvature).astype(np.float64, copy=False)


def _of_differences(covariance: FloatArray) -> FloatArray:
    own = np.diagonal(covariance, axis1=-2, axis2=-1)
    variance = own[..., :, None] + own[..., None, :] - 2.0 * covariance
    points: FloatArray = np.sqrt(np.maximum(variance, 0.0)) * ELO_PER_LOGIT
    return points
