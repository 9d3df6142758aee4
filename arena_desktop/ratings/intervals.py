"""How sure the ratings are: standard errors of each model and of each difference, and the quantiles to go with them.

The sandwich estimator (:mod:`arena_desktop.ratings.sandwich`) with each vote, with each listener, and with listeners
and prompts together as the independent unit; the largest counts. Votes of one listener are alike, and so are votes on
one prompt, so the first alone would be far too sure of itself. The prior has no part in the middle of any sandwich.

A sandwich lives on its residuals, and the first few votes leave hardly any: after two equal votes it is sure. So no
error is smaller than the one that the model itself expects of that many votes.
"""

from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray
from arena_desktop.ratings.games import Games
from arena_desktop.ratings.quantiles import normal_upper, t_upper
from arena_desktop.ratings.sandwich import Sandwich
from arena_desktop.ratings.scores import bradley_terry_scores
from arena_desktop.ratings.vote_columns import VoteColumns

CONFIDENCE = 0.95
ENOUGH_LISTENERS = 5.0
"""From this many effective listeners on the intervals speak of listeners in general."""

ENOUGH_PROMPTS = 5.0
"""From this many effective prompts on they are a second cluster."""


@dataclass(frozen=True)
class Uncertainty:
    """Standard errors in Elo points, by position among the models with a game.

    ``error`` of each centred rating, shape (m,); ``difference`` of each pair's difference, shape (m, m), and
    ``vote_difference`` the same with each vote as its own unit (their ratio squared is the design effect).
    ``listeners`` is the effective number. ``general``: there are enough of them to speak of listeners in general; if
    not, the errors are about these votes of these listeners, and quantiles are the normal ones.
    ``prompts`` is the effective number of prompts where they are a second cluster, else None.
    """

    error: FloatArray
    difference: FloatArray
    vote_difference: FloatArray
    listeners: float
    general: bool
    prompts: float | None = None

    @property
    def df(self) -> float | None:
        """Degrees of freedom of Student's t: one less than the effective listeners or prompts, whichever are fewer.

        None stands for the normal distribution.
        """
        if not self.general:
            return None
        return min(self.listeners, self.listeners if self.prompts is None else self.prompts) - 1.0

    def quantile(self, confidence: float) -> float:
        """How many standard errors to either side hold ``confidence``, 0–1."""
        tail = 0.5 * (1.0 - confidence)
        return normal_upper(tail) if self.df is None else t_upper(tail, self.df)

    def verdict_quantile(self, confidence: float = CONFIDENCE) -> float:
        """How many standard errors a difference must exceed, so that all pairs together hold (Šidák, JASA 62, 1967)."""
        pairs = max(1, len(self.error) * (len(self.error) - 1) // 2)
        return self.quantile(confidence ** (1.0 / pairs))


def effective_listeners(listener: IntArray, weight: FloatArray | None = None) -> float:
    """1 / Σ (share of the votes)²: the number of equally diligent listeners that would be worth as much; 0 without
    votes. The same of prompts.
    """
    votes = np.bincount(listener, weights=weight).astype(np.float64)
    return float(votes.sum() ** 2 / np.square(votes).sum()) if len(listener) else 0.0


def uncertainty(votes: VoteColumns, strengths: FloatArray, curvature: FloatArray) -> Uncertainty:
    """The standard errors at a Bradley–Terry fit.

    ``votes`` hold positions among the models with a game; ``strengths`` are the fitted ratings in logits, shape (m,),
    ``curvature`` the negated second derivative there, shape (m, m), prior included.
    """
    games = Games.of(votes)
    return uncertainty_of(games.votes, Sandwich(games, lambda some: bradley_terry_scores(some, strengths), curvature))


def uncertainty_of(votes: VoteColumns, sandwich: Sandwich) -> Uncertainty:
    """The standard errors at any fit: the largest that its votes, listeners and prompts give."""
    covariances = list(sandwich.by_vote())
    listeners, prompts = effective_listeners(votes.listener, votes.weight), None
    general = listeners >= ENOUGH_LISTENERS
    if general:
        covariances.append(sandwich.by_cluster(votes.listener))
        if votes.prompt is not None:
            effective = effective_listeners(votes.prompt, votes.weight)
            prompts = effective if effective >= ENOUGH_PROMPTS else None
    if prompts is not None and votes.prompt is not None:
        by_prompt = sandwich.by_cluster(votes.prompt)
        both = covariances[-1] + by_prompt - sandwich.by_cell(votes.listener, votes.prompt)
        covariances += [by_prompt, both]
    error = np.max([np.diag(covariance) for covariance in covariances], axis=0)
    differences = [np.sqrt(_of_differences(covariance)) * ELO_PER_LOGIT for covariance in covariances]
    by_vote = np.maximum(differences[0], differences[1])
    return Uncertainty(
        np.sqrt(error) * ELO_PER_LOGIT, np.max(differences, axis=0), by_vote, listeners, general, prompts
    )


def _of_differences(covariance: FloatArray) -> FloatArray:
    own = np.diag(covariance)
    # Rounding may leave a difference that never varies a hair below 0.
    return np.maximum(own[:, None] + own[None, :] - (covariance + covariance.T), 0.0)
