"""Who met whom, with what result: the head-to-head counts of an arena, and what they are worth for each pair."""

from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray
from arena_desktop.ratings.vote_table import OUTCOMES, VoteTable


@dataclass(frozen=True, eq=False)
class Meetings:
    """Counts by position of the model, shape (models, models): ``wins[i, j]`` of i over j; ``ties`` and ``both_bad``
    are symmetric.

    ``worth[i, j]`` is the number of direct meetings of i and j that all votes together amount to, infinite on the
    diagonal and 0 where no chain of games connects them: games are wires in parallel and in series, and this is the
    conductance between two nodes.
    """

    wins: IntArray
    ties: IntArray
    both_bad: IntArray
    worth: FloatArray

    @property
    def games(self) -> IntArray:
        """How often each two met."""
        total: IntArray = self.wins + self.wins.T + self.ties + self.both_bad
        return total

    @property
    def draw_share(self) -> float:
        """The share of votes that decided nothing, 0 without votes."""
        games = int(self.games.sum())
        return float((self.ties + self.both_bad).sum()) / games if games else 0.0


def meetings(table: VoteTable) -> Meetings:
    """The meetings in a table of votes."""
    size, kinds = len(table.models), len(OUTCOMES)
    cells = (table.outcome * size + table.a) * size + table.b
    counted = np.bincount(cells, minlength=kinds * size * size).reshape(kinds, size, size).astype(np.int64)
    by = dict(zip(OUTCOMES, counted, strict=True))
    wins = by["a"] + by["b"].T
    ties, both_bad = (by[kind] + by[kind].T for kind in ("tie", "both_bad"))
    return Meetings(wins, ties, both_bad, _worth((wins + wins.T + ties + both_bad).astype(np.float64)))


def _worth(games: FloatArray) -> FloatArray:
    """One over the effective resistance (D. J. Klein, M. Randić, J. Math. Chem. 12, 1993) with ``games`` as
    conductances.
    """
    worth = np.zeros_like(games)
    np.fill_diagonal(worth, np.inf)
    left = set(np.flatnonzero(games.any(axis=1)).tolist())
    while left:
        island = _connected(games, left.pop())
        left.difference_update(island.tolist())
        inner = games[np.ix_(island, island)]
        # A constant added to every cell makes the Laplacian invertible and leaves all differences as they were.
        inverse = np.linalg.inv(np.diag(inner.sum(axis=1)) - inner + inner.mean())
        own = np.diag(inverse)
        resistance = own[:, None] + own[None, :] - 2.0 * inverse
        np.fill_diagonal(resistance, 0.0)
        with np.errstate(divide="ignore"):
            worth[np.ix_(island, island)] = 1.0 / np.maximum(resistance, 0.0)
    return worth


def _connected(games: FloatArray, start: int) -> IntArray:
    reached = np.zeros(len(games), bool)
    reached[start] = True
    front = reached
    while front.any():
        front = games[front].any(axis=0) & ~reached
        reached = reached | front
    return np.flatnonzero(reached).astype(np.int64)
