"""Davidson's fit: Bradley–Terry with a parameter of its own for ties.

With strengths π and the tie parameter ν the chances of i's win, j's win and a tie are π_i, π_j and ν √(π_i π_j),
divided by their sum (R. R. Davidson, JASA 65, 1970). A lead of 400 points then means ten to one among *decided* votes,
so where ties are common the scale is stretched against ``rating``, in which ties pull two models together: the two
never share a column. The order is all but the same, for wins + ½ ties are sufficient here too.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray, logistic, sum_by
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT
from arena_desktop.ratings.newton import EPS, MAX_STEPS, Concave, Level, maximum
from arena_desktop.ratings.pair_table import PairTable
from arena_desktop.ratings.scores import Scores, TieScores, smoothed
from arena_desktop.ratings.vote_columns import VoteColumns

_TIE_WEIGHT = 1.0
_MOST = 60.0  # of the logarithm of ν: beyond, chances are 0 or 1 to the last digit


@dataclass(frozen=True)
class DavidsonFit:
    """``ratings`` in Elo points, uncentred, shape (size,); models without a game stay at the prior. ``nu`` is the tie
    parameter: equals tie with probability ν / (2 + ν).
    """

    ratings: FloatArray
    nu: float


def fit_davidson(
    table: PairTable,
    ties: FloatArray,
    prior: FloatArray,
    prior_weight: float = PRIOR_WEIGHT,
    *,
    start: DavidsonFit | None = None,
    max_steps: int = MAX_STEPS,
) -> DavidsonFit:
    """The fit of the pair table, of whose games ``ties`` were ties (shape of ``table.games``).

    The prior is that of :func:`arena_desktop.ratings.bradley_terry.fit_table`, as ``prior_weight`` / 2 wins and as many
    losses against an opponent at the prior, so that it says nothing about ties; and one battle between equals, half of
    it a tie, keeps ν within bounds when all votes are ties or none is. With ``prior_weight`` 0 there is neither: the
    fit by maximum likelihood, its mean at that of the priors, for a table with a tie whose models each beat one another
    by some chain of games. Raises :class:`arena_desktop.ratings.faults.NotConverged`.
    """
    played = table.played
    ratings = prior.copy()
    if not len(played):
        return DavidsonFit(ratings, math.nan)
    problem = _Problem.of(table, ties, prior, prior_weight)
    begin = np.append(problem.prior, 0.0)
    if start is not None and len(start.ratings) == table.size and start.nu > 0:
        begin = np.append(start.ratings[played] / ELO_PER_LOGIT - problem.level, math.log(start.nu))
    whole: Concave = problem if prior_weight > 0 else Level(problem, len(played))
    best = maximum(whole, begin, max_steps, f"Davidson's fit of {len(played)} models")
    ratings[played] = (best[:-1] + problem.level) * ELO_PER_LOGIT
    return DavidsonFit(ratings, math.exp(best[-1]))


def davidson_information(
    table: PairTable, ties: FloatArray, fit: DavidsonFit, prior: FloatArray, prior_weight: float = PRIOR_WEIGHT
) -> FloatArray:
    """The log-likelihood's negated second derivative at the fit, models with a game first, then log ν; in logits."""
    problem = _Problem.of(table, ties, prior, prior_weight)
    return problem.curvature(np.append(fit.ratings[table.played] / ELO_PER_LOGIT - problem.level, math.log(fit.nu)))


def davidson_scorer(fit: DavidsonFit, all_votes: VoteColumns) -> Callable[[VoteColumns], Scores]:
    """What votes say at the fit of ``all_votes``, which hold positions among the models with a game."""
    strengths, log_nu = fit.ratings / ELO_PER_LOGIT, math.log(fit.nu)
    rarer = smoothed(all_votes.total, all_votes.total, all_votes.size)

    def score(votes: VoteColumns) -> Scores:
        win, loss, tie = _chances(strengths[votes.a] - strengths[votes.b], log_nu)
        tied = votes.score == 0.5
        fair = np.square(win - loss)
        second = 0.25 * (win + loss - fair)
        spread = np.maximum(0.25 * (1.0 - tie * rarer - fair), second)
        of_tie = TieScores(tied - tie, -0.5 * (win - loss) * tie, tie * (1.0 - tie))
        return Scores(votes.size, votes.a, votes.b, votes.counts, votes.score - win - 0.5 * tie, second, spread, of_tie)

    return score


def _chances(lead: FloatArray, log_nu: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Of a win, a loss and a tie at this lead in logits; they keep their digits in both tails."""
    half = 0.5 * lead
    top = np.maximum(np.abs(half), log_nu)
    win, loss, tie = np.exp(half - top), np.exp(-half - top), np.exp(log_nu - top)
    whole = win + loss + tie
    return win / whole, loss / whole, tie / whole


@dataclass(frozen=True)
class _Problem:
    """One fit over the models with a game, in logits above their mean prior; the last parameter is log ν."""

    i: IntArray
    j: IntArray
    games: FloatArray
    score: FloatArray
    ties: FloatArray
    prior: FloatArray
    level: float
    weight: float
    tie_weight: float

    @classmethod
    def of(cls, table: PairTable, ties: FloatArray, prior: FloatArray, weight: float) -> "_Problem":
        played = table.played
        i, j = np.searchsorted(played, table.i), np.searchsorted(played, table.j)
        level = float(prior[played].mean()) / ELO_PER_LOGIT
        own = prior[played] / ELO_PER_LOGIT - level
        return cls(i, j, table.games, table.score, ties, own, level, weight, _TIE_WEIGHT if weight > 0 else 0.0)

    def balance(self, b: FloatArray) -> FloatArray:
        strength, log_nu = b[:-1], float(b[-1])
        win, loss, tie = _chances(strength[self.i] - strength[self.j], log_nu)
        won = self.score - 0.5 * self.ties
        lost = self.games - self.score - 0.5 * self.ties
        # ½ (wins − losses − games × (win − loss)), written so that a perfect record keeps its digits.
        gap = 0.5 * (won * (loss + loss + tie) - lost * (win + win + tie) + self.ties * (loss - win))
        size = len(strength)
        own = sum_by(self.i, gap, size) - sum_by(self.j, gap, size)
        own -= self.weight * 0.5 * np.tanh(0.5 * (strength - self.prior))
        equal = 1.0 - 1.0 / (1.0 + 0.5 * math.exp(min(log_nu, _MOST)))
        of_tie = float(np.sum(self.ties * (win + loss) - (won + lost) * tie)) + self.tie_weight * (0.5 - equal)
        return np.append(own, of_tie)

    def curvature(self, b: FloatArray) -> FloatArray:
        strength, log_nu = b[:-1], float(b[-1])
        size = len(strength)
        win, loss, tie = _chances(strength[self.i] - strength[self.j], log_nu)
        each = self.games * (win * loss + 0.25 * tie * (win + loss))
        cross = -0.5 * self.games * (win - loss) * tie
        matrix = np.zeros((size + 1, size + 1))
        matrix[self.i, self.j] = -each
        matrix[self.j, self.i] = -each
        own = strength - self.prior
        alone = self.weight * logistic(own) * logistic(-own)
        equal = 1.0 - 1.0 / (1.0 + 0.5 * math.exp(min(log_nu, _MOST)))
        of_tie = float(np.sum(self.games * tie * (win + loss))) + self.tie_weight * equal * (1.0 - equal)
        diagonal = sum_by(self.i, each, size) + sum_by(self.j, each, size) + alone
        np.fill_diagonal(matrix, np.append(diagonal, of_tie))
        matrix[:size, size] = sum_by(self.i, cross, size) - sum_by(self.j, cross, size)
        matrix[size, :size] = matrix[:size, size]
        return matrix

    def rounding(self, b: FloatArray, curvature: FloatArray) -> float:
        """The last digit of the parameters, and of the sums over games."""
        return EPS * (2 * float(np.max(np.diag(curvature))) * float(np.max(np.abs(b))) + float(self.games.sum()))
