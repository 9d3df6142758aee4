"""The top of a concave function, by Newton's method within a radius of trust."""

import math
from typing import Protocol

import numpy as np

from arena_desktop.ratings.arrays import FloatArray
from arena_desktop.ratings.faults import NotConverged

BALANCE = 1e-9
"""The largest error of the balance, in games, at which a fit counts as done."""

MAX_STEPS = 200
"""Newton steps before a fit is given up; 5 or 6 are usual, some 20 with perfect records of a million games."""

EPS = float(np.finfo(np.float64).eps)

_BISECTIONS = 40
_GRID = 2.0**20  # points a logit
_RADIUS = 16.0  # logits a parameter


class Concave(Protocol):
    """A log-likelihood of parameters in logits, shape (p,)."""

    def balance(self, b: FloatArray) -> FloatArray:
        """The gradient, in games."""

    def curvature(self, b: FloatArray) -> FloatArray:
        """The second derivative, negated: positive definite, though far from the top only by less than rounding."""

    def rounding(self, b: FloatArray, curvature: FloatArray) -> float:
        """What the balance at ``b`` can't be freed of."""


class Level:
    """A log-likelihood that says nothing of the mean of the first ``models`` parameters, with that mean held at 0."""

    def __init__(self, free: Concave, models: int) -> None:
        self._free = free
        self._models = models

    def balance(self, b: FloatArray) -> FloatArray:
        gradient = self._free.balance(b)
        gradient[: self._models] -= b[: self._models].sum()
        return gradient

    def curvature(self, b: FloatArray) -> FloatArray:
        matrix = self._free.curvature(b)
        matrix[: self._models, : self._models] += 1.0
        return matrix

    def rounding(self, b: FloatArray, curvature: FloatArray) -> float:
        return self._free.rounding(b, curvature)


def maximum(problem: Concave, start: FloatArray, max_steps: int, title: str) -> FloatArray:
    """Where the balance is zero, or :class:`NotConverged`, which names the fit by ``title``."""
    b = start
    gradient, radius = problem.balance(b), _RADIUS * math.sqrt(len(b))
    for _ in range(max_steps):
        error = float(np.max(np.abs(gradient)))
        curvature = problem.curvature(b)
        step = _step(curvature, gradient, radius)
        there = b + step
        gradient_there = problem.balance(there)
        if error < max(BALANCE, problem.rounding(b, curvature)):
            # One more step takes the error down to rounding; it is kept only if it does.
            best, error = (there, float(np.max(np.abs(gradient_there)))) if _less(gradient_there, error) else (b, error)
            return _approached_alike(problem, best, error)
        length = float(np.linalg.norm(step))
        if float(step @ gradient_there) < -0.1 * float(step @ gradient):  # past the top along the step's own line
            radius = length / 4
            continue
        radius = max(radius, 4 * length)
        b, gradient = there, gradient_there
    raise NotConverged(
        f"{title} did not reach its optimum in {max_steps} steps.",
        "Check the log for results that can't be right.",
    )


def _approached_alike(problem: Concave, top: FloatArray, error: float) -> FloatArray:
    """The same top to the last bit wherever the way to it began: approached once more, from the nearest point of a
    grid.

    So a number that was fitted after each vote is the number that anybody gets from the whole log.
    """
    near = np.round(top * _GRID) / _GRID
    curvature = problem.curvature(near)
    try:
        # Two steps with one curvature: the first leaves the square of the grid's width, the second nothing.
        closer = near + np.linalg.solve(curvature, problem.balance(near))
        closest = closer + np.linalg.solve(curvature, problem.balance(closer))
    except np.linalg.LinAlgError:
        return top
    limit = max(error, BALANCE, problem.rounding(top, curvature))
    return closest if _less(problem.balance(closest), limit) else top


def _less(gradient: FloatArray, limit: float) -> bool:
    return float(np.max(np.abs(gradient))) < limit


def _step(curvature: FloatArray, gradient: FloatArray, radius: float) -> FloatArray:
    """Newton's step; where that is longer than ``radius``, the damped step of that length (Levenberg, 1944)."""
    try:
        step = np.linalg.solve(curvature, gradient)
    except np.linalg.LinAlgError:
        step = np.full_like(gradient, np.inf)
    # The largest entry is asked first: a step from a singular matrix may be too long to be squared, or no number.
    if np.max(np.abs(step)) <= radius and np.linalg.norm(step) <= radius and step @ gradient >= 0:
        return step.astype(np.float64, copy=False)
    values, vectors = np.linalg.eigh(curvature)
    values, along = np.maximum(values, 0.0), vectors.T @ gradient
    low, high = 0.0, float(np.linalg.norm(gradient)) / radius  # at this damping no step is longer than the radius
    for _ in range(_BISECTIONS):
        damping = 0.5 * (low + high)
        if np.linalg.norm(along / (values + damping)) > radius:
            low = damping
        else:
            high = damping
    damped: FloatArray = vectors @ (along / (values + high))
    return damped
