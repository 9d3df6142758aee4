"""What all checks look at: the votes, and the board made of them, each part computed once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray, logistic
from arena_desktop.ratings.audit.bias_fit import BiasFit, bias_fit
from arena_desktop.ratings.bradley_terry import fit_table
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.intervals import Uncertainty
from arena_desktop.ratings.pair_table import PairTable, pair_table
from arena_desktop.ratings.ranks import verdicts
from arena_desktop.ratings.standings import Standings, rating_standings
from arena_desktop.ratings.vote_table import VoteTable

ERROR_RATE = 0.005
"""How often a check that tests may fire on a board without its defect. Six of the checks test; the others compare
sizes.
"""

_PLACES = 9


@dataclass(frozen=True, eq=False)
class Case:
    """One arena under audit.

    ``votes`` are those that count; ``priors`` the models' ratings in Elo points that Live Elo starts from, shape
    (models,). ``retracted`` are votes that their listeners took back of their own will (None: not known), over the
    same models. ``seed`` drives what is drawn by lot.
    """

    votes: VoteTable
    priors: FloatArray
    retracted: VoteTable | None = None
    seed: int = 0

    @property
    def size(self) -> int:
        """How many models the arena has."""
        return len(self.votes.models)

    @cached_property
    def table(self) -> PairTable:
        """Who met whom."""
        return table_of(self.votes)

    @cached_property
    def games(self) -> IntArray:
        """Each model's games."""
        both = np.concatenate([self.votes.a, self.votes.b])
        return np.bincount(both, minlength=self.size).astype(np.int64)

    @cached_property
    def ratings(self) -> FloatArray:
        """The Rating of each model, in Elo points, not centred."""
        return fit(self.table)

    @cached_property
    def expected(self) -> FloatArray:
        """A's expected score in each vote."""
        strengths = self.ratings / ELO_PER_LOGIT
        return logistic(strengths[self.votes.a] - strengths[self.votes.b])

    @cached_property
    def residual(self) -> FloatArray:
        """A's score less what was expected, in each vote."""
        return self.votes.score - self.expected

    @cached_property
    def standings(self) -> Standings:
        """The board."""
        return rating_standings(self.votes.columns(), best=False)

    @cached_property
    def islands(self) -> IntArray:
        """For each model the number of its island."""
        return self.table.islands()

    @cached_property
    def ladder(self) -> IntArray:
        """The models of the island with the most votes, best first."""
        played = self.table.played
        if not len(played):
            return played
        votes = np.bincount(self.islands[self.votes.a], minlength=self.size)
        island = played[self.islands[played] == int(np.argmax(votes))]
        order: IntArray = island[np.argsort(-self.ratings[island], kind="stable")]
        return order

    @cached_property
    def sure(self) -> NDArray[np.bool_]:
        """``[i, j]``: the board says that i is surely better than j."""
        found = np.zeros((self.size, self.size), bool)
        doubt: Uncertainty | None = self.standings.doubt
        if doubt is not None:
            played = self.standings.played
            ratings, islands = self.ratings[played], self.islands[played]
            better = verdicts(ratings, doubt.difference, doubt.verdict_quantile(), islands)
            found[np.ix_(played, played)] = better
        return found

    @cached_property
    def bias(self) -> BiasFit:
        """The fit with an advantage of side and of order."""
        return bias_fit(self.votes, self.table.played)

    def name(self, model: int) -> str:
        """The model's id."""
        return self.votes.models[int(model)]

    def names(self, models: Sequence[int] | IntArray) -> tuple[str, ...]:
        """The models' ids."""
        return tuple(self.name(int(model)) for model in models)


def table_of(votes: VoteTable) -> PairTable:
    """Who met whom in these votes."""
    each = _weights(votes)
    return pair_table(len(votes.models), votes.a, votes.b, each, each * votes.score)


def without(table: PairTable, votes: VoteTable) -> PairTable:
    """The table less these votes, which must be in it. Counts stay exact: all are halves; sums of weights are rounded,
    so that nothing is left of a pair whose votes have all gone.
    """
    a, b, each = votes.a, votes.b, _weights(votes)
    rest = pair_table(
        table.size,
        np.concatenate([table.i, a]),
        np.concatenate([table.j, b]),
        np.concatenate([table.games, -each]),
        np.concatenate([table.score, -each * votes.score]),
    )
    if votes.weight is None:
        return rest
    return pair_table(rest.size, rest.i, rest.j, np.round(rest.games, _PLACES), np.round(rest.score, _PLACES))


def _weights(votes: VoteTable) -> FloatArray:
    return np.ones(len(votes)) if votes.weight is None else votes.weight


def fit(table: PairTable) -> FloatArray:
    """The Rating of each model, in Elo points, not centred; those without a game are at 1000."""
    return fit_table(table, np.full(table.size, ANCHOR))


def largest_move(before: FloatArray, after: FloatArray, models: IntArray) -> tuple[float, int]:
    """By how many points, and which of ``models`` moved the most, measured from the middle of them."""
    move = (after - after[models].mean())[models] - (before - before[models].mean())[models]
    where = int(np.argmax(np.abs(move)))
    return float(move[where]), int(models[where])
