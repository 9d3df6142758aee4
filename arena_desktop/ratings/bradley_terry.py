"""Bradley–Terry by Newton: order-free ratings from the pair table.

The chance that i beats j is the expected-score formula of Elo (R. A. Bradley, M. E. Terry, Biometrika 39, 1952). Each
model also played ``prior_weight`` virtual draws against a fixed opponent at its own prior. The log-likelihood is
strictly concave, so there is one optimum: the point where every model's score equals its expected score (the
balance). Simple sweeps need tens of thousands of rounds for the level of the board; Newton needs about five.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray, logistic, sum_by
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.faults import NotConverged, RatingError, shown
from arena_desktop.ratings.pair_table import PairTable, table_from_rows

PRIOR_WEIGHT = 4.0
BALANCE = 1e-9
"""The largest error of the balance, in games, at which a fit counts as done."""

_STEPS = 200
_HALVINGS = 60
# A balance over n games can't be summed more exactly than some units in the last place of n.
_ROUNDING = 8 * float(np.finfo(np.float64).eps)


def fit_bradley_terry(
    pairs: Iterable[Sequence[object]],
    priors: Mapping[str, float],
    prior_weight: float = PRIOR_WEIGHT,
    *,
    start: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """The ratings in Elo points of all models in ``priors``, uncentred. A model without games stays at its prior.

    ``pairs`` are rows ``[id, other id, games, score of the first]``, in any order. ``start`` are ratings to begin
    from, say of the last fit: it saves steps and doesn't change the result. Raises :class:`NotConverged` rather than
    return anything but the optimum, and :class:`RatingError` for input that has none.
    """
    ids = list(priors)
    prior = np.array([_finite(priors[repo_id], repo_id) for repo_id in ids], np.float64)
    table = table_from_rows(pairs, {repo_id: position for position, repo_id in enumerate(ids)})
    begin = None
    if start is not None:
        begin = np.array([_finite(start.get(repo_id, priors[repo_id]), repo_id) for repo_id in ids], np.float64)
    return dict(zip(ids, fit_table(table, prior, prior_weight, start=begin).tolist(), strict=True))


def fit_table(
    table: PairTable, prior: FloatArray, prior_weight: float = PRIOR_WEIGHT, *, start: FloatArray | None = None
) -> FloatArray:
    """As :func:`fit_bradley_terry`, by position. ``prior`` and ``start`` are Elo points, shape (models,)."""
    if not 0 < prior_weight < math.inf:
        raise RatingError(f"The prior weight is {prior_weight!r}.", "It must be above 0: without it no level is fixed.")
    ratings = prior.copy()
    played = table.played
    if len(played):
        problem = _Problem.of(table, prior, prior_weight)
        warm = None if start is None else start[played] / ELO_PER_LOGIT
        ratings[played] = problem.solve(warm) * ELO_PER_LOGIT
    return ratings


def centred(table: PairTable, ratings: FloatArray) -> FloatArray:
    """``ratings`` shifted so that the models with a game have a mean of 1000; NaN for the others."""
    shifted = np.full(table.size, np.nan)
    played = table.played
    if len(played):
        shifted[played] = ratings[played] - ratings[played].mean() + ANCHOR
    return shifted


def information(table: PairTable, ratings: FloatArray, prior: FloatArray, prior_weight: float) -> FloatArray:
    """The log-likelihood's negated second derivative at ``ratings``, for the models with a game, per squared logit."""
    problem = _Problem.of(table, prior, prior_weight)
    return problem.curvature(ratings[table.played] / ELO_PER_LOGIT)


@dataclass(frozen=True)
class _Problem:
    """One fit in logits, over the models with a game only."""

    i: IntArray
    j: IntArray
    games: FloatArray
    score: FloatArray
    prior: FloatArray
    weight: float
    tolerance: float

    @classmethod
    def of(cls, table: PairTable, prior: FloatArray, weight: float) -> "_Problem":
        played = table.played
        i, j = np.searchsorted(played, table.i), np.searchsorted(played, table.j)
        most = float(np.max(_by_model(i, j, table.games, table.games, len(played))))
        return cls(
            i, j, table.games, table.score, prior[played] / ELO_PER_LOGIT, weight, max(BALANCE, _ROUNDING * most)
        )

    def balance(self, b: FloatArray) -> FloatArray:
        """Each model's score minus its expected score, virtual draws included: the gradient."""
        lead = b[self.i] - b[self.j]
        # score − games × q, written so that a perfect record keeps its digits.
        gap = self.score * logistic(-lead) - (self.games - self.score) * logistic(lead)
        return _by_model(self.i, self.j, gap, -gap, len(b)) - self.weight * 0.5 * np.tanh(0.5 * (b - self.prior))

    def curvature(self, b: FloatArray) -> FloatArray:
        """The Hessian's negative: positive definite."""
        lead = b[self.i] - b[self.j]
        each = self.games * logistic(lead) * logistic(-lead)
        matrix = np.zeros((len(b), len(b)))
        matrix[self.i, self.j] = -each
        matrix[self.j, self.i] = -each
        own = b - self.prior
        np.fill_diagonal(
            matrix,
            _by_model(self.i, self.j, each, each, len(b)) + self.weight * logistic(own) * logistic(-own),
        )
        return matrix

    def solve(self, start: FloatArray | None) -> FloatArray:
        """The optimum, from ``start`` or, if that leads nowhere, from the priors."""
        for begin in ([] if start is None else [start]) + [self.prior]:
            found = self._climb(begin)
            if found is not None:
                return found
        raise NotConverged(
            f"The Bradley–Terry fit of {len(self.prior)} models did not reach its optimum in {_STEPS} steps.",
            "Check the log for results that can't be right.",
        )

    def _climb(self, b: FloatArray) -> FloatArray | None:
        gradient = self.balance(b)
        for _ in range(_STEPS):
            error = float(np.max(np.abs(gradient)))
            if not math.isfinite(error):
                return None
            try:
                step = np.linalg.solve(self.curvature(b), gradient).astype(np.float64, copy=False)
            except np.linalg.LinAlgError:
                return None
            nearer = self._line(b, step, gradient)
            if error < self.tolerance:
                # One more step costs little and takes the error to rounding; it is kept only if it does.
                better = nearer is not None and float(np.max(np.abs(nearer[1]))) < error
                return nearer[0] if better and nearer is not None else b
            if nearer is None:
                return None
            b, gradient = nearer
        return None

    def _line(self, b: FloatArray, step: FloatArray, gradient: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """The longest of the halved steps that doesn't overshoot: the slope along it must have shrunk."""
        slope = float(step @ gradient)
        if not math.isfinite(slope) or slope <= 0:
            return None
        for _ in range(_HALVINGS):
            there = b + step
            gradient_there = self.balance(there)
            if abs(float(step @ gradient_there)) <= 0.9 * slope:
                return there, gradient_there
            step = step * 0.5
            slope *= 0.5
        return None


def _by_model(i: IntArray, j: IntArray, of_i: FloatArray, of_j: FloatArray, size: int) -> FloatArray:
    return sum_by(i, of_i, size) + sum_by(j, of_j, size)


def _finite(value: object, repo_id: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise RatingError(f"The prior of {shown(repo_id)} is {shown(value)}.", "Give a finite number of Elo points.")
    return float(value)
