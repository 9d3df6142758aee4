"""What several lenses say of models: their names, their order on the board, their tallies."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_desktop.domain.roster import ModelSpec
from arena_desktop.ratings.acceptability import acceptable
from arena_desktop.ratings.arrays import IntArray
from arena_desktop.ratings.ranks import verdicts
from arena_desktop.ratings.standings import Standing, Standings
from arena_desktop.ratings.vote_table import OUTCOMES
from arena_desktop.services.board_views import Estimate, Named

Orders = NDArray[np.bool_]
"""``[i, j]``, by position in the arena: whether something holds of i against j."""


def named(model: ModelSpec) -> Named:
    """The model as a lens names it."""
    return Named(model.repo_id, model.name)


def estimate(standing: Standing) -> Estimate:
    """The rating with its interval."""
    return Estimate(standing.rating, standing.low, standing.high)


def best_first(standings: Standings, models: Sequence[ModelSpec]) -> list[int]:
    """Positions as the board lists them: by rank, models without one last, in the roster's order."""

    def place(position: int) -> tuple[bool, int, str]:
        rank = standings.models[position].rank
        return (rank is None, rank or 0, "" if rank is None else models[position].repo_id)

    return sorted(range(len(models)), key=place)


def sure_orders(standings: Standings) -> Orders:
    """``[i, j]``, by position in the arena: i is surely better than j, as the board's tiers and rank ranges have it."""
    size = len(standings.models)
    better = np.zeros((size, size), np.bool_)
    doubt = standings.doubt
    if doubt is not None:
        island = np.full(size, -1, np.int64)
        for number, members in enumerate(standings.islands):
            island[list(members)] = number
        played = standings.played
        ratings = np.array([standings.models[place].rating for place in played], np.float64)
        better[np.ix_(played, played)] = verdicts(ratings, doubt.difference, doubt.verdict_quantile(), island[played])
    return better


@dataclass(frozen=True)
class Tallies:
    """Counts by model, each shape (models,)."""

    battles: IntArray
    wins: IntArray
    losses: IntArray
    ties: IntArray
    both_bad: IntArray

    def acceptable(self, model: int) -> Estimate:
        """The share of the model's battles that were not voted ``both_bad``."""
        share = acceptable(int(self.battles[model]), int(self.both_bad[model]))
        return Estimate(share.share, share.low, share.high)


def tallies(size: int, a: IntArray, b: IntArray, outcome: IntArray) -> Tallies:
    """The counts of these votes; ``outcome`` as in :class:`~arena_desktop.ratings.vote_table.VoteTable`."""
    kinds = len(OUTCOMES)

    def counts(side: IntArray) -> IntArray:
        return np.bincount(side * kinds + outcome, minlength=size * kinds).reshape(size, kinds).astype(np.int64)

    of_a, of_b = (dict(zip(OUTCOMES, counts(side).T, strict=True)) for side in (a, b))
    return Tallies(
        battles=sum(of_a.values()) + sum(of_b.values()),
        wins=of_a["a"] + of_b["b"],
        losses=of_a["b"] + of_b["a"],
        ties=of_a["tie"] + of_b["tie"],
        both_bad=of_a["both_bad"] + of_b["both_bad"],
    )
