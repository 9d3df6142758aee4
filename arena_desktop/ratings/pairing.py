"""Pair choice: how likely each pair of models is to meet next, given what the votes say so far.

Every policy gives each unordered pair an exact probability, so that what is stored with a battle is true and votes can
be weighted by it later. Rank gain is the information that one more vote brings about the pair's distance,
ln(1 + q(1−q)·Var), times how open its order still is, exp(−z²/2) to the power of :data:`SHARPNESS`, with z the gap in
standard errors: votes go where the order is not settled yet. Part of the chance stays uniform, else a model that had
bad luck at first would never be heard again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray, logistic
from arena_desktop.ratings.faults import RatingError, shown

UNIFORM = "uniform"
"""Every pair alike."""
RANK_GAIN = "rank-gain"
""":data:`UNIFORM_SHARE` uniform, the rest in proportion to rank gain; a model without a game meets the middle first."""
BALANCED = "balanced"
"""Only the pairs that met least often on the text, among them those that met least often at all, all alike."""

UNIFORM_SHARE = 0.3
"""The part of the chance that rank gain leaves to all pairs alike."""

SHARPNESS = 10.0
"""How strongly rank gain prefers pairs whose order is open: the plain product (1) saves too few votes, and more than
this saves no more (docs/ratings.md)."""

_FEWEST_FOR_A_MIDDLE = 3


@dataclass(frozen=True, eq=False)
class PairKnowledge:
    """What pair choice knows of an arena's models, by their position in ``models``.

    ``rating``: Elo points, shape (models,). ``error``: standard error of each pair's difference, Elo points, shape
    (models, models). ``games``: how often each pair met, same shape, symmetric. ``texts``: the same for each text by
    its id, as far as it is known.
    """

    models: tuple[str, ...]
    rating: FloatArray
    error: FloatArray
    games: FloatArray
    texts: Mapping[str, FloatArray] = field(default_factory=dict)

    def among(self, positions: IntArray, text: str = "") -> "PairKnowledge":
        """What is known of these models alone, in this order, with a view to a text of this id."""
        block = np.ix_(positions, positions)
        return PairKnowledge(
            tuple(self.models[position] for position in positions),
            self.rating[positions],
            self.error[block],
            self.games[block],
            {text: self.texts[text][block]} if text in self.texts else {},
        )


def unordered(size: int) -> tuple[IntArray, IntArray]:
    """The pairs of ``size`` models, first position below the second, in the order in which chances are listed."""
    i, j = np.triu_indices(size, 1)
    return i.astype(np.int64), j.astype(np.int64)


def uniform_chances(size: int) -> FloatArray:
    """Every pair of ``size`` models alike, shape (pairs,)."""
    pairs = size * (size - 1) // 2
    return np.full(pairs, 1.0 / pairs)


def rank_gain_chances(
    rating: FloatArray, error: FloatArray, played: NDArray[np.bool_], share: float = UNIFORM_SHARE
) -> FloatArray:
    """The chance of each pair by rank gain, shape (…, pairs): any number of boards at once.

    ``rating`` (…, models) and ``error`` (…, models, models) in Elo points; ``played`` says who has a game. ``share`` of
    the chance is uniform over the pairs allowed: a model without a game is kept for the middle of the board, the middle
    third of those with a game, as soon as at least half of the models, and three, have one.
    """
    i, j = unordered(rating.shape[-1])
    allowed = _allowed(rating, played)[..., i, j]
    gap = np.abs(rating[..., i] - rating[..., j]) / ELO_PER_LOGIT
    spread = np.maximum(error[..., i, j] / ELO_PER_LOGIT, 1e-12)
    # Of a model without a game nothing is known: its order is open against anyone.
    known = played[..., i] & played[..., j]
    open_still = np.where(known, -0.5 * SHARPNESS * np.square(gap / spread), 0.0)
    gain = np.log1p(logistic(gap) * logistic(-gap) * np.square(spread))
    # In logarithms, so that a board on which everything is settled still has its least settled pair.
    weight = np.where(allowed, np.log(np.maximum(gain, 1e-300)) + open_still, -np.inf)
    weight = np.exp(weight - weight.max(axis=-1, keepdims=True))
    chances: FloatArray = (1.0 - share) * weight / weight.sum(axis=-1, keepdims=True)
    chances += share * allowed / allowed.sum(axis=-1, keepdims=True)
    return chances


def _allowed(rating: FloatArray, played: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """``[…, i, j]``: these two may meet. Between two without a game, and among those with one, everything goes, but a
    model without a game meets no one outside the middle.
    """
    size = rating.shape[-1]
    count = played.sum(axis=-1, keepdims=True)
    place = np.argsort(np.argsort(np.where(played, rating, np.inf), axis=-1, kind="stable"), axis=-1, kind="stable")
    middle = played & (place >= count // 3) & (place < count - count // 3)
    has_middle = (count >= _FEWEST_FOR_A_MIDDLE) & (2 * count >= size)
    free = played[..., :, None] & played[..., None, :]
    first = middle[..., :, None] & ~played[..., None, :]
    allowed: NDArray[np.bool_] = free | first | np.swapaxes(first, -1, -2) | ~has_middle[..., None]
    return allowed


def balanced_chances(games: FloatArray, on_text: FloatArray) -> FloatArray:
    """The pairs that met least often on the text, among them those that met least often at all, all alike.

    Both counts have the shape (models, models); the result (pairs,).
    """
    i, j = unordered(len(games))
    least = on_text[i, j] == on_text[i, j].min()
    fewest = np.where(least, games[i, j], np.inf)
    best = fewest == fewest.min()
    chances: FloatArray = best / best.sum()
    return chances


def _uniform(known: PairKnowledge, text: str) -> FloatArray:
    return uniform_chances(len(known.models))


def _rank_gain(known: PairKnowledge, text: str) -> FloatArray:
    return rank_gain_chances(known.rating, known.error, known.games.sum(axis=1) > 0)


def _balanced(known: PairKnowledge, text: str) -> FloatArray:
    none = np.zeros_like(known.games)
    return balanced_chances(known.games, known.texts.get(text, none))


POLICIES: Mapping[str, Callable[[PairKnowledge, str], FloatArray]] = MappingProxyType(
    {UNIFORM: _uniform, RANK_GAIN: _rank_gain, BALANCED: _balanced}
)
"""The ways to choose a pair, by the name that is stored with a vote."""


def pair_chances(policy: str, known: PairKnowledge, text: str = "") -> FloatArray:
    """The chance of each pair of the models in ``known``, in the order of :func:`unordered`, for a text of this id.

    Raises :class:`RatingError` for an unknown policy and for fewer than two models.
    """
    check_policy(policy)
    if len(known.models) < 2:
        raise RatingError("A pair needs two models.")
    return POLICIES[policy](known, text)


def check_policy(policy: str) -> None:
    """Raises :class:`RatingError` unless ``policy`` is the name of one."""
    if policy not in POLICIES:
        raise RatingError(f"There is no pair choice {shown(policy)}.", f"Known: {', '.join(POLICIES)}.")
