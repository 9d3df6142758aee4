"""The votes of one arena as columns: what fits and intervals are computed from."""

from array import array
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray
from arena_desktop.ratings.elo import SCORES


@dataclass(frozen=True)
class VoteColumns:
    """One entry a vote: positions of the models on both sides, A's score, and a number for the listener. ``size``
    models.
    """

    size: int
    a: IntArray
    b: IntArray
    score: FloatArray
    listener: IntArray

    def __len__(self) -> int:
        return len(self.a)


class ColumnBuilder:
    """Collects the votes of one arena in order."""

    def __init__(self, models: tuple[str, ...]) -> None:
        self.models = models
        self._index = {repo_id: position for position, repo_id in enumerate(models)}
        self._listeners: dict[Hashable, int] = {}
        self._a = array("q")
        self._b = array("q")
        self._score = array("d")
        self._listener = array("q")

    def add(self, a: str, b: str, vote: str, listener: Hashable) -> None:
        """One vote. The models are members of the arena; ``listener`` is whoever is taken for one person."""
        self._a.append(self._index[a])
        self._b.append(self._index[b])
        self._score.append(SCORES[vote])
        self._listener.append(self._listeners.setdefault(listener, len(self._listeners)))

    def __len__(self) -> int:
        return len(self._a)

    @property
    def listeners(self) -> int:
        """How many different listeners there are."""
        return len(self._listeners)

    def columns(self) -> VoteColumns:
        """What was collected so far; later votes don't change it."""
        whole = (np.array(column, np.int64) for column in (self._a, self._b, self._listener))
        a, b, listener = whole
        return VoteColumns(len(self.models), a, b, np.array(self._score, np.float64), listener)
