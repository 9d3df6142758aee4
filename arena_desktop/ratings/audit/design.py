"""Bradley–Terry with more than strengths in it: a logistic fit whose votes each touch a few parameters, and errors that
take a listener's votes as one.

The errors are those of :mod:`arena_desktop.ratings.intervals`: the larger of the vote-level and the listener-clustered
sandwich, never below what the model itself expects. With very many listeners CR1 stands for CR3, which it equals there.
"""

from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray, logistic, sum_by
from arena_desktop.ratings.faults import NotConverged
from arena_desktop.ratings.intervals import ENOUGH_LISTENERS, effective_listeners
from arena_desktop.ratings.quantiles import normal_upper, t_upper

MANY = 200
"""From this many listeners on CR1."""

_MAX_STEPS = 100
_LONGEST = 2.0  # logits
_PRECISION = 1e-8


@dataclass(frozen=True, eq=False)
class Design:
    """Vote v's log-odds for A are Σ over d of ``value[d, v]`` × parameter ``where[d, v]``; both have the shape
    (touched, votes). ``ridge`` pulls each parameter towards 0: what the prior adds to its curvature, shape (size,).
    """

    where: IntArray
    value: FloatArray
    score: FloatArray
    listener: IntArray
    ridge: FloatArray

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return len(self.ridge)

    def lead(self, parameters: FloatArray) -> FloatArray:
        """Each vote's log-odds for A."""
        total: FloatArray = (self.value * parameters[self.where]).sum(axis=0)
        return total

    def gather(self, weights: FloatArray) -> FloatArray:
        """Σ of each vote's row × its weight, shape (size,)."""
        return sum_by(self.where.ravel(), (self.value * weights).ravel(), self.size)

    def square(self, weights: FloatArray) -> FloatArray:
        """Σ of each vote's row × row × its weight, shape (size, size)."""
        total: FloatArray = np.zeros((self.size, self.size))
        for row, left in zip(self.where, self.value, strict=True):
            for column, right in zip(self.where, self.value, strict=True):
                total = total + sum_by(row * self.size + column, left * right * weights, self.size**2).reshape(
                    total.shape
                )
        return total


@dataclass(frozen=True, eq=False)
class Fit:
    """The optimum. ``errors`` are asked for by contrasts; ``listeners`` is their effective number."""

    design: Design
    parameters: FloatArray
    covariances: tuple[FloatArray, ...]
    listeners: float
    general: bool

    def errors(self, contrasts: FloatArray) -> FloatArray:
        """The standard error of each row of ``contrasts``, shape (rows, size), times the parameters."""
        variances = [np.einsum("ij,jk,ik->i", contrasts, found, contrasts) for found in self.covariances]
        errors: FloatArray = np.sqrt(np.maximum(np.max(variances, axis=0), 0.0))
        return errors

    def quantile(self, tail: float) -> float:
        """How many standard errors one side exceeds with chance ``tail`` at most."""
        return t_upper(tail, self.listeners - 1.0) if self.general else normal_upper(tail)


def solve(design: Design) -> Fit:
    """Fit by Newton, :class:`NotConverged` if that fails."""
    parameters = np.zeros(design.size)
    for _ in range(_MAX_STEPS):
        expected = logistic(design.lead(parameters))
        gradient = design.gather(design.score - expected) - design.ridge * parameters
        curvature = design.square(expected * (1.0 - expected)) + np.diag(design.ridge)
        if np.max(np.abs(gradient)) < _PRECISION * max(1.0, len(design.score) / design.size):
            return _with_errors(design, parameters, expected, curvature)
        step = np.linalg.solve(curvature, gradient)
        parameters = parameters + step * min(1.0, _LONGEST / float(np.max(np.abs(step))))
    raise NotConverged(f"The fit of {design.size} parameters did not reach its optimum in {_MAX_STEPS} steps.")


def _with_errors(design: Design, parameters: FloatArray, expected: FloatArray, curvature: FloatArray) -> Fit:
    residual, weight = design.score - expected, expected * (1.0 - expected)
    bread = np.linalg.inv(curvature).astype(np.float64, copy=False)
    ties = float(np.sum(design.score == 0.5)) / (len(design.score) + 2 * design.size)
    spread = np.maximum(weight - 0.25 * ties, 0.0)
    covariances = [bread @ design.square(variance) @ bread for variance in (np.square(residual), spread)]
    listeners = effective_listeners(design.listener - design.listener.min())
    general = listeners >= ENOUGH_LISTENERS
    if general:
        shifts = leave_out_shifts(design, residual, weight, curvature)
        count = len(shifts)
        # CR1 is the squares of the plain shifts × G/(G − 1), CR3 those of the corrected ones × (G − 1)/G.
        scale = count / (count - 1) if count > MANY else (count - 1) / count
        covariances.append((shifts.T @ shifts) * scale)
    return Fit(design, parameters, tuple(covariances), listeners, general)


def leave_out_shifts(design: Design, residual: FloatArray, weight: FloatArray, curvature: FloatArray) -> FloatArray:
    """By how much each listener's votes move the parameters, shape (listeners with a vote, size), to first order."""
    _, who = np.unique(design.listener, return_inverse=True)
    count, size = int(who.max()) + 1, design.size
    cells = who[None, :] * size + design.where
    scores = sum_by(cells.ravel(), (design.value * residual).ravel(), count * size).reshape(count, size)
    if count > MANY:
        return np.linalg.solve(curvature, scores.T).T.astype(np.float64, copy=False)
    order = np.argsort(who, kind="stable")
    ends = np.searchsorted(who[order], np.arange(count + 1))
    shifts = np.empty((count, size))
    for listener in range(count):
        mine = order[ends[listener] : ends[listener + 1]]
        part = Design(design.where[:, mine], design.value[:, mine], design.score[mine], who[mine], design.ridge)
        shifts[listener] = np.linalg.solve(curvature - part.square(weight[mine]), scores[listener])
    return shifts
