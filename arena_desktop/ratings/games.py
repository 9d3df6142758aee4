"""Votes by position among the models with a game, and what they add up to: computed once for all that a board shows."""

from dataclasses import dataclass, replace

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray, sum_by
from arena_desktop.ratings.pair_table import PairTable, pair_table, tie_counts
from arena_desktop.ratings.vote_columns import VoteColumns, numbered

_RESULTS = 3  # score of the lower position in halves: 0, 1, 2
_MOST_CELLS = 4_000_000


@dataclass(frozen=True, eq=False)
class Games:
    """``votes`` on the models at the positions ``played`` of all ``size``, each of its ``kind`` (:func:`kinds`); their
    ``table``, and how many of its games were ``ties``.
    """

    size: int
    played: IntArray
    votes: VoteColumns
    kind: IntArray
    table: PairTable
    ties: FloatArray

    @classmethod
    def of(cls, votes: VoteColumns) -> "Games":
        """All models with a vote, whatever its weight."""
        seen = np.bincount(votes.a, minlength=votes.size) + np.bincount(votes.b, minlength=votes.size)
        played = np.flatnonzero(seen).astype(np.int64)
        inner = replace(votes, size=len(played))
        if len(played) < votes.size:
            place = np.zeros(votes.size, np.int64)
            place[played] = np.arange(len(played))
            inner = replace(inner, a=place[votes.a], b=place[votes.b])
        kind = kinds(inner)
        table, ties = _table(inner, kind)
        return cls(votes.size, played, inner, kind, table, ties)

    def whole(self, values: FloatArray) -> FloatArray:
        """``values`` of the models with a game at their positions among all, NaN elsewhere."""
        spread = np.full(self.size, np.nan)
        spread[self.played] = values
        return spread

    def by_unit(self, unit: IntArray | None = None) -> tuple[VoteColumns, IntArray, int]:
        """The votes with equal ones of one unit in one entry where that makes them fewer; each entry's unit, numbered
        from 0 without gaps, and how many units there are. Without units those of all are put together.
        """
        votes = self.votes
        number, units = (np.zeros(0, np.int64), 1)
        if unit is not None:
            number, known = numbered(unit)
            units = len(known)
        cells = votes.size**2 * _RESULTS
        if cells * units > min(len(votes), _MOST_CELLS):
            return votes, number if unit is not None else np.zeros(len(votes), np.int64), units
        key = self.kind if unit is None else number * cells + self.kind
        total = np.bincount(key, votes.weight, cells * units).astype(np.float64, copy=False)
        kept = np.flatnonzero(total).astype(np.int64)
        number, kind = np.divmod(kept, cells)
        pair, halves = np.divmod(kind, _RESULTS)
        a, b = np.divmod(pair, votes.size)
        return VoteColumns(votes.size, a, b, halves / 2.0, number, None, total[kept]), number, units


def kinds(votes: VoteColumns) -> IntArray:
    """A number for who met whom with what result, the same whichever side a model was on: below 3 · size²."""
    halves = np.rint(2.0 * votes.score).astype(np.int64)
    cell = votes.a * votes.size + votes.b
    if votes.size**2 <= len(votes):  # fewer pairs than votes: the other way round is looked up
        a, b = np.divmod(np.arange(votes.size**2), max(votes.size, 1))
        whole = np.where(a > b, b * votes.size + a, a * votes.size + b) * _RESULTS
        plain = np.arange(_RESULTS)
        table = whole[:, None] + np.where((a > b)[:, None], 2 - plain, plain)
        found: IntArray = table.ravel()[cell * _RESULTS + halves]
        return found
    swapped = votes.a > votes.b
    return np.where(swapped, (votes.b * votes.size + votes.a) * _RESULTS + 2 - halves, cell * _RESULTS + halves)


def aggregate(votes: VoteColumns) -> VoteColumns:
    """The same votes with equal ones in one entry each: worth it where few listeners cast many votes."""
    if not len(votes):
        return votes
    cells = votes.size**2 * _RESULTS
    number, listeners = numbered(votes.listener)
    key = number * cells + kinds(votes)
    if votes.prompt is not None:
        which, prompts = numbered(votes.prompt)
        key = key * len(prompts) + which
    kept, back = np.unique(key, return_inverse=True)
    total, prompt = sum_by(back, votes.counts, len(kept)), None
    if votes.prompt is not None:
        kept, which = np.divmod(kept, len(prompts))
        prompt = prompts[which]
    number, kind = np.divmod(kept, cells)
    pair, halves = np.divmod(kind, _RESULTS)
    a, b = np.divmod(pair, votes.size)
    return VoteColumns(votes.size, a, b, halves / 2.0, listeners[number], prompt, total)


def _table(votes: VoteColumns, kind: IntArray) -> tuple[PairTable, FloatArray]:
    cells = votes.size**2
    if cells * _RESULTS > 4 * len(votes):  # more kinds than votes: sorting beats counting
        table = pair_table(votes.size, votes.a, votes.b, votes.counts, votes.counts * votes.score)
        return table, tie_counts(table, votes.a, votes.b, votes.counts * (votes.score == 0.5))
    counts = np.bincount(kind, votes.weight, cells * _RESULTS).astype(np.float64, copy=False).reshape(cells, 3)
    games = counts.sum(axis=1)
    met = np.flatnonzero(games).astype(np.int64)
    counts, games = counts[met], games[met]
    i, j = np.divmod(met, max(votes.size, 1))
    return PairTable(votes.size, i, j, games, 0.5 * counts[:, 1] + counts[:, 2]), counts[:, 1].copy()
