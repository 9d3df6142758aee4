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

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray, both_tails, logistic_slope, sum_by
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.faults import RatingError, shown
from arena_desktop.ratings.newton import EPS, MAX_STEPS, Level, maximum
from arena_desktop.ratings.pair_table import PairTable, table_from_rows

PRIOR_WEIGHT = 4.0
_FARTHEST = 1e6


def fit_bradley_terry(
    pairs: Iterable[Sequence[object]],
    priors: Mapping[str, float],
    prior_weight: float = PRIOR_WEIGHT,
    *,
    start: Mapping[str, float] | None = None,
    max_steps: int = MAX_STEPS,
) -> dict[str, float]:
    """The ratings in Elo points of all models in ``priors``, uncentred. A model without games stays at its prior.

    ``pairs`` are rows ``[id, other id, games, score of the first]``, in any order. ``start`` are ratings to begin
    from, say of the last fit: it saves steps and doesn't change the result. Raises :class:`NotConverged` rather than
    return anything but the optimum, and :class:`RatingError` for input that has none.
    """
    ids = list(priors)
    prior = np.array([_prior(priors[repo_id], repo_id) for repo_id in ids], np.float64)
    table = table_from_rows(pairs, {repo_id: position for position, repo_id in enumerate(ids)})
    begin = None
    if start is not None:
        begin = np.array([_prior(start.get(repo_id, priors[repo_id]), repo_id) for repo_id in ids], np.float64)
    return dict(zip(ids, fit_table(table, prior, prior_weight, start=begin, max_steps=max_steps).tolist(), strict=True))


def fit_table(
    table: PairTable,
    prior: FloatArray,
    prior_weight: float = PRIOR_WEIGHT,
    *,
    start: FloatArray | None = None,
    max_steps: int = MAX_STEPS,
) -> FloatArray:
    """As :func:`fit_bradley_terry`, by position. ``prior`` and ``start`` are Elo points, shape (models,)."""
    if not 0 < prior_weight < math.inf:
        raise RatingError(f"The prior weight is {prior_weight!r}.", "It must be above 0: without it no level is fixed.")
    ratings = prior.copy()
    played = table.played
    if len(played):
        problem = _Problem.of(table, prior, prior_weight)
        begin = prior if start is None else start
        ratings[played] = problem.solve(begin[played], max_steps)
    return ratings


def fit_free(table: PairTable, *, max_steps: int = MAX_STEPS) -> FloatArray:
    """The maximum-likelihood fit without a prior, of models that have each scored against each other by some chain.

    Elo points with a mean of 1000, shape (models,); NaN without a game. See
    :func:`arena_desktop.ratings.without_prior.comparable_groups`.
    """
    ratings = np.full(table.size, np.nan)
    played = table.played
    if len(played):
        problem = _Problem.of(table, np.full(table.size, ANCHOR), 0.0)
        title = f"The Bradley–Terry fit of {len(played)} models"
        best = maximum(Level(problem, len(played)), np.zeros(len(played)), max_steps, title)
        ratings[played] = (best - best.mean() + problem.level) * ELO_PER_LOGIT
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
    return problem.curvature(ratings[table.played] / ELO_PER_LOGIT - problem.level)


def prior_information(
    table: PairTable, ratings: FloatArray, prior: FloatArray, prior_weight: float = PRIOR_WEIGHT
) -> FloatArray:
    """The part of the diagonal of :func:`information` that is the priors', shape (models with a game,)."""
    own = (ratings - prior)[table.played] / ELO_PER_LOGIT
    part: FloatArray = prior_weight * logistic_slope(own)
    return part


@dataclass(frozen=True)
class _Problem:
    """One fit over the models with a game only, in logits above their mean prior (``level``)."""

    i: IntArray
    j: IntArray
    games: FloatArray
    score: FloatArray
    prior: FloatArray
    level: float
    weight: float
    most: float

    @classmethod
    def of(cls, table: PairTable, prior: FloatArray, weight: float) -> "_Problem":
        played = table.played
        i, j = np.searchsorted(played, table.i), np.searchsorted(played, table.j)
        most = float(np.max(_by_model(i, j, table.games, table.games, len(played))))
        level = float(prior[played].mean()) / ELO_PER_LOGIT
        return cls(i, j, table.games, table.score, prior[played] / ELO_PER_LOGIT - level, level, weight, most)

    def balance(self, b: FloatArray) -> FloatArray:
        """Each model's score minus its expected score, virtual draws included: the gradient."""
        lead = b[self.i] - b[self.j]
        # score − games × q, written so that a perfect record keeps its digits.
        win, loss = both_tails(lead)
        gap = self.score * loss - (self.games - self.score) * win
        return _by_model(self.i, self.j, gap, -gap, len(b)) - self.weight * 0.5 * np.tanh(0.5 * (b - self.prior))

    def curvature(self, b: FloatArray) -> FloatArray:
        """The Hessian's negative: positive definite, though far from the optimum only by less than rounding."""
        lead, own = b[self.i] - b[self.j], b - self.prior
        each = self.games * logistic_slope(lead)
        matrix = np.zeros((len(b), len(b)))
        matrix[self.i, self.j] = -each
        matrix[self.j, self.i] = -each
        alone = self.weight * logistic_slope(own)
        np.fill_diagonal(matrix, _by_model(self.i, self.j, each, each, len(b)) + alone)
        return matrix

    def rounding(self, b: FloatArray, curvature: FloatArray) -> float:
        """The last digit of the strengths, and of the sums over games."""
        return EPS * (2 * float(np.max(np.diag(curvature))) * float(np.max(np.abs(b))) + self.most)

    def solve(self, start: FloatArray, max_steps: int) -> FloatArray:
        """The optimum from ``start``, both in Elo points."""
        title = f"The Bradley–Terry fit of {len(self.prior)} models"
        best = maximum(self, start / ELO_PER_LOGIT - self.level, max_steps, title)
        return (best + self.level) * ELO_PER_LOGIT


def _by_model(i: IntArray, j: IntArray, of_i: FloatArray, of_j: FloatArray, size: int) -> FloatArray:
    total: FloatArray = sum_by(i, of_i, size) + sum_by(j, of_j, size)
    return total


def _prior(value: object, repo_id: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _FARTHEST:
        raise RatingError(f"The prior of {shown(repo_id)} is {shown(value)}.", "Give Elo points, at most a million.")
    return float(value)
