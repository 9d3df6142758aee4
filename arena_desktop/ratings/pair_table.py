"""Who met whom, how often, with what result: the only thing a Bradley–Terry fit sees of the votes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray, sum_by
from arena_desktop.ratings.faults import RatingError, shown

_MOST_GAMES = 2.0**53
_DENSE = 4


@dataclass(frozen=True)
class PairTable:
    """Each unordered pair that met once, by position: ``i < j``, ``games`` > 0, ``score`` of ``i`` 0–``games``."""

    size: int
    i: IntArray
    j: IntArray
    games: FloatArray
    score: FloatArray

    @cached_property
    def played(self) -> IntArray:
        """Positions of the models with a game, ascending."""
        seen = np.zeros(self.size, np.bool_)
        seen[self.i] = True
        seen[self.j] = True
        return np.flatnonzero(seen).astype(np.int64, copy=False)

    def islands(self) -> IntArray:
        """For each model the smallest position that it is connected to through games.

        Models on two islands can't be compared.
        """
        island = np.arange(self.size)
        while True:
            lowest = np.minimum(island[self.i], island[self.j])
            before = island.copy()
            np.minimum.at(island, self.i, lowest)
            np.minimum.at(island, self.j, lowest)
            island = island[island]
            if np.array_equal(island, before):
                return island


def pair_table(size: int, a: IntArray, b: IntArray, games: FloatArray, score: FloatArray) -> PairTable:
    """The table of entries that may come in any order, either way round and repeatedly. ``score`` is that of ``a``."""
    lower, higher = np.minimum(a, b), np.maximum(a, b)
    lower_score = np.where(a < b, score, games - score)
    cells = lower * size + higher
    if size * size <= _DENSE * len(cells):  # counting all cells beats sorting the entries
        total, scored = sum_by(cells, games, size * size), sum_by(cells, lower_score, size * size)
        cells = np.arange(size * size)
    else:
        cells, where = np.unique(cells, return_inverse=True)
        total, scored = sum_by(where, games, len(cells)), sum_by(where, lower_score, len(cells))
    met = total > 0
    cells, total, scored = cells[met], total[met], scored[met]
    return PairTable(size, cells // size, cells % size, total, scored)


def tie_counts(table: PairTable, a: IntArray, b: IntArray, ties: FloatArray) -> FloatArray:
    """How many of each pair's games were ties; the entries are among those that made the table."""
    cells = np.minimum(a, b) * table.size + np.maximum(a, b)
    where = np.searchsorted(table.i * table.size + table.j, cells).astype(np.int64)
    return sum_by(where, ties, len(table.i))


def table_from_rows(pairs: Iterable[Sequence[object]], index: Mapping[str, int]) -> PairTable:
    """The table of rows ``[id, other id, games, score of the first]``, or :class:`RatingError`."""
    a, b, games, score = [], [], [], []
    for row in pairs:
        first, second, played, scored = _checked(row, index)
        a.append(first)
        b.append(second)
        games.append(played)
        score.append(scored)
    return pair_table(len(index), np.array(a, np.int64), np.array(b, np.int64), np.array(games), np.array(score))


def _checked(row: Sequence[object], index: Mapping[str, int]) -> tuple[int, int, float, float]:
    if len(row) != 4:
        raise RatingError("A pair is not [id, id, games, score].")
    for repo_id in row[:2]:
        if not isinstance(repo_id, str) or repo_id not in index:
            raise RatingError(f"The pair names {shown(repo_id)}, which has no prior.", "Give every model a prior.")
    if row[0] == row[1]:
        raise RatingError(f"The pair sets {shown(row[0])} against itself.", "Leave such games out.")
    games, score = (_amount(value) for value in row[2:])
    if not 0 <= score <= games:
        raise RatingError(f"{shown(row[0])} can't score {score!r} in {games!r} games.")
    return index[str(row[0])], index[str(row[1])], games, score


def _amount(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _MOST_GAMES:
        raise RatingError(f"{shown(value)} is not a number of games.")
    return float(value)
