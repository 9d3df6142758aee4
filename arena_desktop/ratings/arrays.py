"""What the fits and intervals share: array types, the logistic function, sums by position."""

import math

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.elo import SCALE

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

ELO_PER_LOGIT = SCALE / math.log(10.0)
"""Elo points in one logit."""


def logistic(x: FloatArray) -> FloatArray:
    """1 / (1 + e^−x), exact to rounding in both tails: small results keep their digits."""
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, small) / (1.0 + small)


def sum_by(where: IntArray, weights: FloatArray, size: int) -> FloatArray:
    """The sum of the weights at each position, shape (size,)."""
    return np.bincount(where, weights=weights, minlength=size).astype(np.float64, copy=False)
