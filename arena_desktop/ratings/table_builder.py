"""Collects counted votes into a :class:`~arena_desktop.ratings.vote_table.VoteTable`, which then costs no copy."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.vote_table import NAMES, OUTCOMES, UNKNOWN, VoteRow, VoteTable

_TOGETHER = 512
"""So many rows wait at most before they become columns: they take twenty times the room. Some 4 ms for all of them."""

_FIRST_ROOM = 256


class TableBuilder:
    """Collects the counted votes of one arena in order. ``models`` are its members.

    A table that was handed out looks at the builder's own memory, at the part that was filled by then. Later votes go
    behind that part, so they neither change the table nor cost a copy of what was there before.
    """

    def __init__(self, models: tuple[str, ...]) -> None:
        self.models = models
        self._waiting: list[VoteRow] = []
        self._codes = {name: _Codes() for name in NAMES}
        index = {repo_id: position for position, repo_id in enumerate(models)}.__getitem__
        outcome = {vote: position for position, vote in enumerate(OUTCOMES)}.__getitem__
        self._columns = {name: _Column(*self._kind(name, index, outcome)) for name in VoteRow._fields if name != "id"}
        self._row = _Column(np.int64, None)
        self._ids: list[str] = []
        self._table: VoteTable | None = None

    def __len__(self) -> int:
        return len(self._ids) + len(self._waiting)

    @property
    def listeners(self) -> int:
        """How many different listeners there are."""
        self._settle()
        return len(self._codes["listeners"].values_by_number())

    def add(self, vote: VoteRow) -> None:
        """One vote. Its models are members of the arena."""
        self._waiting.append(vote)
        if len(self._waiting) >= _TOGETHER:
            self._settle()

    def table(self) -> VoteTable:
        """What was collected so far; later votes don't change it."""
        self._settle()
        if self._table is None:
            names: dict[str, Any] = {name: codes.values_by_number() for name, codes in self._codes.items()}
            columns: dict[str, Any] = {_COLUMN_OF.get(name, name): of.view() for name, of in self._columns.items()}
            ids = _Start(self._ids, len(self._ids))
            self._table = VoteTable(models=self.models, ids=ids, row=self._row.view(), **names, **columns)
        return self._table

    def _settle(self) -> None:
        """Turn the rows that wait into columns."""
        if not self._waiting:
            return
        self._table = None
        for name, values in zip(VoteRow._fields, zip(*self._waiting, strict=True), strict=True):
            if name == "id":
                self._row.extend(range(len(self._ids), len(self._ids) + len(values)))
                self._ids.extend(values)
            else:
                self._columns[name].extend(values)
        self._waiting = []

    def _kind(
        self, name: str, index: Callable[[Any], int], outcome: Callable[[Any], int]
    ) -> tuple[type, Callable[[Any], int] | None]:
        """The type of a column, and how a value becomes a number (None: it is one)."""
        if name in ("a", "b"):
            return np.int64, index
        if name == "vote":
            return np.int64, outcome
        plural = next((plural for plural, columns in NAMES.items() if name in columns), None)
        if plural is not None:
            return np.int64, self._codes[plural].__getitem__
        return (np.float64 if isinstance(VoteRow._field_defaults[name], float) else np.int64), None


_COLUMN_OF = {"vote": "outcome"}


class _Codes(dict[Any, int]):
    """Numbers for values, in the order in which they first came; None has none. Looking a value up numbers it."""

    def __init__(self) -> None:
        super().__init__({None: UNKNOWN})
        self._known: tuple[Any, ...] = ()

    def __missing__(self, value: Hashable) -> int:
        number = self[value] = len(self) - 1
        return number

    def values_by_number(self) -> tuple[Any, ...]:
        """All values, None left out."""
        if len(self._known) != len(self) - 1:
            self._known = tuple(self)[1:]
        return self._known


class _Column:
    """Numbers that grow at their end. What :meth:`view` gave is never written to again."""

    def __init__(self, kind: type, number: Callable[[Any], int] | None) -> None:
        self._number = number
        self._room: NDArray[Any] = np.empty(_FIRST_ROOM, kind)
        self._size = 0

    def extend(self, values: Sequence[Any]) -> None:
        """Append values."""
        numbers = values if self._number is None else map(self._number, values)
        new = np.fromiter(numbers, self._room.dtype, len(values))
        end = self._size + len(new)
        if end > len(self._room):
            wider = np.empty(max(end, len(self._room) * 3 // 2), self._room.dtype)
            wider[: self._size] = self._room[: self._size]
            self._room = wider
        self._room[self._size : end] = new
        self._size = end

    def view(self) -> NDArray[Any]:
        """What is there now, not to be written to."""
        seen = self._room[: self._size]
        seen.flags.writeable = False
        return seen


class _Start(Sequence[str]):
    """The first ``size`` texts of a list that only ever grows."""

    def __init__(self, texts: list[str], size: int) -> None:
        self._texts = texts
        self._size = size

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self._texts[at] for at in range(*place.indices(self._size))]
        return self._texts[range(self._size)[place]]
