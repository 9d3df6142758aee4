"""Ranks that don't say more than is known: verdicts on pairs, rank ranges, tiers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Ranks:
    """By position among the rated models, all counted from 1.

    ``rank`` orders by rating, equal ratings share one. ``low`` … ``high`` is the range of ranks that the verdicts leave
    open. A tier begins with its highest model and goes on until one is surely worse than that.
    """

    rank: IntArray
    low: IntArray
    high: IntArray
    tier: IntArray


def verdicts(ratings: FloatArray, difference: FloatArray, quantile: float, islands: IntArray) -> NDArray[np.bool_]:
    """``[i, j]``: i is surely better than j. Models on different islands were never compared: no verdict on them."""
    gap = ratings[:, None] - ratings[None, :]
    surely: NDArray[np.bool_] = (gap > quantile * difference) & (islands[:, None] == islands[None, :])
    return surely


def ranks(ratings: FloatArray, better: NDArray[np.bool_]) -> Ranks:
    """The ranks of ``ratings`` under the verdicts ``better``, shape (m, m)."""
    higher = (ratings[None, :] > ratings[:, None]).sum(axis=1)
    return Ranks(
        rank=1 + higher.astype(np.int64),
        low=1 + better.sum(axis=0).astype(np.int64),
        high=len(ratings) - better.sum(axis=1).astype(np.int64),
        tier=_tiers(ratings, better),
    )


def _tiers(ratings: FloatArray, better: NDArray[np.bool_]) -> IntArray:
    tiers = np.zeros(len(ratings), np.int64)
    tier, leader = 0, -1
    for model in np.argsort(-ratings, kind="stable"):
        if leader < 0 or better[leader, model]:
            tier, leader = tier + 1, int(model)
        tiers[model] = tier
    return tiers
