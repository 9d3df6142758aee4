"""P(best): how often each model would come out on top if the same number of votes were cast anew.

The ratings are taken as jointly normal, or as Student's t, around the fit. The probability of being the highest of many
has no closed form; it is integrated over a fixed lattice (R. D. Richtmyer's square roots of primes with the baker's
transform, as A. Genz and F. Bretz use it: Computation of Multivariate Normal and t Probabilities, 2009, §4.2), so that
the same votes always give the same digits.
"""

import math

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray

MOST_MODELS = 500
"""Of more models no board asks who is the best: it would take seconds, and each would have next to no chance."""

_POINTS = 4096
_FEWEST = 512
_CELLS = 2**18  # points × models, from which on there are fewer points
_FAR = 6.0  # standard errors of the difference to the leader, beyond which nobody is on top
_FAR_T = 40.0  # the same where the tails are those of few degrees of freedom
_GRID = 4001


def chance_of_best(ratings: FloatArray, difference: FloatArray, df: float | None) -> FloatArray:
    """For each model the probability 0–1 that it is the best, shape (m,); they add up to 1. Good to about 0.005 up to
    60 models, 0.02 with hundreds.

    ``difference`` are the standard errors of the differences, shape (m, m), in the units of ``ratings``; ``df`` the
    degrees of freedom, None for the normal distribution.
    """
    chance = np.zeros(len(ratings))
    leader = int(np.argmax(ratings))
    far = _FAR if df is None or df > 30 else _FAR_T
    near = np.flatnonzero(ratings[leader] - ratings <= far * difference[leader])
    if len(near) == 1:
        chance[leader] = 1.0
        return chance
    values, vectors = np.linalg.eigh(_covariance(difference[np.ix_(near, near)]))
    order = np.argsort(-values)[: len(near) - 1]
    spread = vectors[:, order] * np.sqrt(np.maximum(values[order], 0.0))
    columns = len(order) + len(order) % 2
    number = min(_POINTS, max(_FEWEST, _CELLS // len(near)))
    points = _lattice(number, columns + (df is not None))
    drawn = _normals(points[:, :columns])[:, : len(order)] @ spread.T
    if df is not None:
        drawn /= _scales(points[:, -1], df)[:, None]
    # Both ends of each draw: the mean of the draws is then exactly the fit.
    tops = sum(np.bincount((ratings[near] + sign * drawn).argmax(axis=1), minlength=len(near)) for sign in (1.0, -1.0))
    chance[near] = tops / (2 * number)
    return chance


def _covariance(difference: FloatArray) -> FloatArray:
    """The covariance around the mean with these errors of differences (W. S. Torgerson, Psychometrika 17, 1952).

    Where they are the larger of several forms there may be none exactly; then the nearest with no smaller errors, once
    its negative eigenvalues count as 0.
    """
    squared = np.square(difference)
    rows = squared.mean(axis=1)
    covariance: FloatArray = -0.5 * (squared - rows[:, None] - rows[None, :] + rows.mean())
    return covariance


def _lattice(points: int, dimensions: int) -> FloatArray:
    """Points spread evenly in (0, 1), shape (points, dimensions)."""
    steps = np.sqrt(_primes(dimensions).astype(np.float64))
    turned = np.outer(np.arange(1, points + 1), steps)
    turned -= np.floor(turned)
    return np.clip(np.abs(2.0 * turned - 1.0), 0.5 / points**2, 1.0 - 0.5 / points**2)


def _primes(number: int) -> IntArray:
    top = max(15, int(number * (math.log(number + 2) + math.log(math.log(number + 2) + 1) + 1)) + 10)
    sieve = np.ones(top, bool)
    sieve[:2] = False
    for factor in range(2, int(top**0.5) + 1):
        if sieve[factor]:
            sieve[factor * factor :: factor] = False
    return np.flatnonzero(sieve)[:number].astype(np.int64)


def _scales(uniform: FloatArray, df: float) -> FloatArray:
    """√(χ²/df) at these probabilities, from its density summed on a grid."""
    grid = np.linspace(0.0, 1.0 + 12.0 / math.sqrt(df), _GRID)[1:]
    density = (df - 1.0) * np.log(grid) - 0.5 * df * (np.square(grid) - 1.0)
    mass = np.cumsum(np.exp(density - density.max()))
    return np.interp(uniform, mass / mass[-1], grid)


def _normals(uniform: FloatArray) -> FloatArray:
    """Two standard normal columns from each two uniform ones (G. E. P. Box, M. E. Muller, 1958)."""
    radius, angle = np.sqrt(-2.0 * np.log(uniform[:, 0::2])), 2.0 * math.pi * uniform[:, 1::2]
    return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
