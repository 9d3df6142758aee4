"""Which records stand out of order in a file: the fewest that would have to move."""

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any


def out_of_place(keys: Sequence[Any]) -> list[int]:
    """The positions that are not on a longest ascending run through ``keys`` (patience sorting)."""
    tails: list[Any] = []
    ends = array("q")
    before = array("q")
    for position, key in enumerate(keys):
        pile = bisect_right(tails, key)
        before.append(ends[pile - 1] if pile else -1)
        if pile == len(tails):
            tails.append(key)
            ends.append(position)
        else:
            tails[pile] = key
            ends[pile] = position
    kept = bytearray(len(keys))
    position = ends[-1] if ends else -1
    while position >= 0:
        kept[position] = 1
        position = before[position]
    return [position for position in range(len(keys)) if not kept[position]]
