"""How sure the ratings are: standard errors of each model and of each difference, and the quantiles to go with them.

The sandwich estimator around the Bradley–Terry fit, once with each vote and once with each listener as the independent
unit. Votes of one listener are alike, so the first alone would be far too sure of itself. The listener's form is CR3,
the jackknife-like correction of R. M. Bell and D. F. McCaffrey (Survey Methodology 28, 2002), which holds with few
listeners of very unequal diligence. The prior has no part in the middle of either sandwich.

A sandwich lives on its residuals, and the first few votes leave hardly any: after two equal votes it is sure. So no
error is smaller than the one that the model itself expects of that many votes.
"""

from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray, logistic, sum_by
from arena_desktop.ratings.quantiles import normal_upper, t_upper
from arena_desktop.ratings.vote_columns import VoteColumns

CONFIDENCE = 0.95
ENOUGH_LISTENERS = 5.0
"""From this many effective listeners on the intervals speak of listeners in general."""

_CHUNK_CELLS = 4_000_000  # what the matrices of the listeners that are solved together may hold


@dataclass(frozen=True)
class Uncertainty:
    """Standard errors in Elo points, by position among the models with a game.

    ``error`` of each centred rating, shape (m,); ``difference`` of each pair's difference, shape (m, m), and
    ``vote_difference`` the same with each vote as its own unit (their ratio squared is the design effect).
    ``listeners`` is the effective number. ``general``: there are enough of them to speak of listeners in general; if
    not, the errors are about these votes of these listeners, and quantiles are the normal ones.
    """

    error: FloatArray
    difference: FloatArray
    vote_difference: FloatArray
    listeners: float
    general: bool

    def quantile(self, confidence: float) -> float:
        """How many standard errors to either side hold ``confidence``, 0–1."""
        tail = 0.5 * (1.0 - confidence)
        return t_upper(tail, self.listeners - 1.0) if self.general else normal_upper(tail)

    def verdict_quantile(self, confidence: float = CONFIDENCE) -> float:
        """How many standard errors a difference must exceed, so that all pairs together hold (Šidák, JASA 62, 1967)."""
        pairs = max(1, len(self.error) * (len(self.error) - 1) // 2)
        return self.quantile(confidence ** (1.0 / pairs))


def effective_listeners(listener: IntArray) -> float:
    """1 / Σ (share of the votes)²: the number of equally diligent listeners that would be worth as much; 0 without
    votes.
    """
    votes = np.bincount(listener).astype(np.float64)
    return float(votes.sum() ** 2 / np.square(votes).sum()) if len(listener) else 0.0


def uncertainty(votes: VoteColumns, strengths: FloatArray, curvature: FloatArray) -> Uncertainty:
    """The standard errors at a fit.

    ``votes`` hold positions among the models with a game; ``strengths`` are the fitted ratings in logits, shape (m,),
    ``curvature`` the negated second derivative there, shape (m, m), prior included.
    """
    expected = logistic(strengths[votes.a] - strengths[votes.b])
    residual = votes.score - expected
    bread = _centre(np.linalg.inv(curvature).astype(np.float64, copy=False))
    spread = _spread(votes.score, expected, len(curvature))
    covariances = [_by_vote(votes, variance, bread) for variance in (np.square(residual), spread)]
    listeners = effective_listeners(votes.listener)
    general = listeners >= ENOUGH_LISTENERS
    if general:
        covariances.append(_by_listener(votes, residual, expected * (1.0 - expected), curvature))
    error = np.max([np.diag(covariance) for covariance in covariances], axis=0)
    differences = [np.sqrt(_of_differences(covariance)) * ELO_PER_LOGIT for covariance in covariances]
    by_vote = np.maximum(differences[0], differences[1])
    return Uncertainty(np.sqrt(error) * ELO_PER_LOGIT, np.max(differences, axis=0), by_vote, listeners, general)


def _of_differences(covariance: FloatArray) -> FloatArray:
    own = np.diag(covariance)
    # Rounding may leave a difference that never varies a hair below 0.
    return np.maximum(own[:, None] + own[None, :] - 2.0 * covariance, 0.0)


def _spread(score: FloatArray, expected: FloatArray, models: int) -> FloatArray:
    """The variance of a score of 0, ½ or 1 around ``expected``, at the share of ties seen, two decided votes a model
    added: a handful of ties alone does not make a tie certain.
    """
    ties = float(np.sum(score == 0.5)) / (len(score) + 2 * models)
    return np.maximum(expected * (1.0 - expected) - 0.25 * ties, 0.0)


def _by_vote(votes: VoteColumns, variance: FloatArray, bread: FloatArray) -> FloatArray:
    """The covariance with each vote as its own unit of the given variance."""
    size = len(bread)
    sums = sum_by(votes.a * size + votes.b, variance, size * size).reshape(size, size)
    sums = sums + sums.T
    covariance: FloatArray = bread @ (np.diag(sums.sum(axis=1)) - sums) @ bread.T
    return covariance


def _by_listener(votes: VoteColumns, residual: FloatArray, weight: FloatArray, curvature: FloatArray) -> FloatArray:
    """The covariance with each listener as a unit, CR3.

    With U_g the listener's sum of residuals and H_g their part of the curvature H, the corrected score is
    (I − H_g H⁻¹)⁻¹ U_g, so that H⁻¹ times it is (H − H_g)⁻¹ U_g.
    """
    size = len(curvature)
    order = np.argsort(votes.listener, kind="stable")
    listener, a, b = votes.listener[order], votes.a[order], votes.b[order]
    residual, weight = residual[order], weight[order]
    count = int(listener[-1]) + 1
    total = np.zeros((size, size))
    chunk = max(1, _CHUNK_CELLS // size**2)
    for first in range(0, count, chunk):
        some = slice(*np.searchsorted(listener, [first, first + chunk]))
        here = min(chunk, count - first)
        shifts = _shifts(curvature, listener[some] - first, a[some], b[some], residual[some], weight[some], here)
        total += shifts.T @ shifts
    return total * ((count - 1) / count)


def _shifts(
    curvature: FloatArray, who: IntArray, a: IntArray, b: IntArray, r: FloatArray, weight: FloatArray, count: int
) -> FloatArray:
    """How far leaving each listener out would move the centred ratings, to first order: shape (listeners, models)."""
    size = len(curvature)
    score = sum_by(who * size + a, r, count * size) - sum_by(who * size + b, r, count * size)
    cells = who * size**2
    own = np.zeros(count * size**2)
    for row, column, sign in ((a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)):
        own += sign * sum_by(cells + row * size + column, weight, count * size**2)
    others = curvature - own.reshape(count, size, size)
    shifts = np.linalg.solve(others, score.reshape(count, size, 1))[:, :, 0].astype(np.float64, copy=False)
    return _centre(shifts.T).T


def _centre(columns: FloatArray) -> FloatArray:
    """Each column less its mean: differences from the middle of the board are what the votes determine."""
    centred: FloatArray = columns - columns.mean(axis=0)
    return centred
