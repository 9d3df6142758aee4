"""The votes of one arena as columns: what fits and intervals are computed from."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.arrays import FloatArray, IntArray

Which = NDArray[np.bool_] | IntArray | slice

_DENSE = 4  # codes for each entry up to which counting them all beats sorting the entries


@dataclass(frozen=True)
class VoteColumns:
    """One entry a vote: positions of the models on both sides, A's score (1, ½, 0), and numbers from 0 for the listener
    and the prompt (None: prompts are not known). ``size`` models.

    ``weight``: how many equal votes each entry stands for (None: one). Every number computed from the columns is the
    same as if those votes stood there one by one.
    """

    size: int
    a: IntArray
    b: IntArray
    score: FloatArray
    listener: IntArray
    prompt: IntArray | None = None
    weight: FloatArray | None = None

    def __len__(self) -> int:
        """Entries, which are votes only where ``weight`` is None."""
        return len(self.a)

    @property
    def counts(self) -> FloatArray:
        """How many votes each entry stands for."""
        return np.ones(len(self.a)) if self.weight is None else self.weight

    @property
    def total(self) -> float:
        """How many votes there are."""
        return float(len(self.a)) if self.weight is None else float(self.weight.sum())

    def pick(self, which: Which) -> "VoteColumns":
        """The entries that a mask, positions or a slice select."""
        return replace(
            self,
            a=self.a[which],
            b=self.b[which],
            score=self.score[which],
            listener=self.listener[which],
            prompt=None if self.prompt is None else self.prompt[which],
            weight=None if self.weight is None else self.weight[which],
        )


def numbered(codes: IntArray) -> tuple[IntArray, IntArray]:
    """``codes`` (from 0, any gaps) as numbers without gaps, and the code of each number."""
    if not len(codes):
        return codes, codes
    if int(codes.max()) < _DENSE * len(codes) + 1000:
        known = np.flatnonzero(np.bincount(codes)).astype(np.int64)
        if len(known) == known[-1] + 1:
            return codes, known
        numbers = np.zeros(int(known[-1]) + 1, np.int64)
        numbers[known] = np.arange(len(known))
        return numbers[codes], known
    known, back = np.unique(codes, return_inverse=True)
    return back.astype(np.int64, copy=False), known.astype(np.int64, copy=False)
