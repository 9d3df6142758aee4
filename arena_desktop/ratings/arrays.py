"""What the fits and intervals share: array types, the logistic function, sums by position."""

import math

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.elo import SCALE

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

ELO_PER_LOGIT = SCALE / math.log(10.0)
"""Elo points in one logit."""


_DENSE = 4  # cells for each entry up to which counting them all beats sorting the entries


def logistic(x: FloatArray) -> FloatArray:
    """1 / (1 + e^−x), exact to rounding in both tails: small results keep their digits."""
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, small) / (1.0 + small)


def both_tails(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The logistic function of x and of −x."""
    small = np.exp(-np.abs(x))
    large = 1.0 / (1.0 + small)
    small = small * large
    positive = x >= 0
    return np.where(positive, large, small), np.where(positive, small, large)


def logistic_slope(x: FloatArray) -> FloatArray:
    """The derivative of the logistic function, exact to rounding in both tails."""
    small = np.exp(-np.abs(x))
    slope: FloatArray = small / np.square(1.0 + small)
    return slope


def sum_by(where: IntArray, weights: FloatArray, size: int) -> FloatArray:
    """The sum of the weights at each position, shape (size,)."""
    return np.bincount(where, weights=weights, minlength=size).astype(np.float64, copy=False)


def counted(cells: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """Which of the numbers 0 … ``size`` − 1 occur, ascending, and how often."""
    if size <= _DENSE * len(cells) + 1000:
        times = np.bincount(cells, minlength=size)
        found = np.flatnonzero(times)
        return found.astype(np.int64, copy=False), times[found].astype(np.int64, copy=False)
    found, times = np.unique(cells, return_counts=True)
    return found.astype(np.int64, copy=False), times.astype(np.int64, copy=False)
