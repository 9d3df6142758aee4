"""Live Elo: one step of the sequential rating.

Expected score after A. Elo, *The Rating of Chessplayers* (1978), §1.4, in its logistic form; step sizes and priors as
in the rating rules ``elo-1``. All ratings are Elo points: a lead of 400 points means ten to one.
"""

import math

from arena_desktop.ratings.faults import RegistryError, shown

RULES = "elo-1"
ANCHOR = 1000.0
SCALE = 400.0

STEP_FIRST = 48.0
STEP_LAST = 12.0
STEP_HALF = 15.0

INDEX_CENTRE = 82.0
POINTS_PER_INDEX = 8.0

SCORES = {"a": 1.0, "b": 0.0, "tie": 0.5, "both_bad": 0.5}
"""A's score for each vote; B's is one minus that."""


def expected(ra: float, rb: float) -> float:
    """A's expected score, 0–1, at ratings ``ra`` and ``rb``. Finite for any gap."""
    try:
        return 1.0 / (1.0 + math.pow(10.0, (rb - ra) / SCALE))
    except OverflowError:  # B leads by more than 120,000 points
        return 0.0


def k_factor(battles: int) -> float:
    """The step size in Elo points after ``battles`` earlier battles: 48 at the first, 30 after 15, towards 12."""
    return STEP_LAST + (STEP_FIRST - STEP_LAST) * STEP_HALF / (STEP_HALF + battles)


def prior_elo(tts_index: float | None) -> float:
    """The rating before any vote, from a benchmark score of 0–100; 1000 without one."""
    if tts_index is None:
        return ANCHOR
    if isinstance(tts_index, bool) or not isinstance(tts_index, int | float):
        raise RegistryError(
            f"tts_index {shown(tts_index)} is not a number.", "Write a score from 0 to 100, or leave it out."
        )
    try:
        prior = ANCHOR + POINTS_PER_INDEX * (tts_index - INDEX_CENTRE)
    except OverflowError:
        prior = math.inf
    if not math.isfinite(prior):
        raise RegistryError(
            f"tts_index {shown(tts_index)} is not a finite number.", "Write a score from 0 to 100, or leave it out."
        )
    return prior


def step(ra: float, rb: float, battles_a: int, battles_b: int, score: float) -> tuple[float, float]:
    """Both ratings after one vote. ``score`` is A's: 1, 0.5 or 0. Each side moves by its own step size."""
    surprise = score - expected(ra, rb)
    return ra + k_factor(battles_a) * surprise, rb - k_factor(battles_b) * surprise
