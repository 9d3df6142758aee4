"""Which records stand out of order in a file: the fewest that would have to move."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any


def out_of_place(keys: Sequence[Any]) -> list[int]:
    """The positions that are not on a longest ascending run through ``keys`` (patience sorting)."""
    tails: list[Any] = []
    ends: list[int] = []
    before: list[int] = []
    for position, key in enumerate(keys):
        pile = bisect_right(tails, key)
        before.append(ends[pile - 1] if pile else -1)
        if pile == len(tails):
            tails.append(key)
            ends.append(position)
        else:
            tails[pile] = key
            ends[pile] = position
    kept = set()
    position = ends[-1] if ends else -1
    while position >= 0:
        kept.add(position)
        position = before[position]
    return [position for position in range(len(keys)) if position not in kept]
