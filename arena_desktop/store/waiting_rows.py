"""Rows that wait to be written together: bounded by number, and by letters, of which one field may have millions."""

from collections.abc import Sequence
from typing import Generic, TypeVar

_MOST_LETTERS = 4_000_000

_Row = TypeVar("_Row", bound=Sequence[object])


class WaitingRows(Generic[_Row]):
    """At most about ``most`` rows: whoever :meth:`add` answers with True writes them and then calls :meth:`clear`."""

    def __init__(self, most: int) -> None:
        self.rows: list[_Row] = []
        self._most = most
        self._letters = 0

    def add(self, row: _Row) -> bool:
        """Take in one more; whether it is time to write them all."""
        self.rows.append(row)
        self._letters += sum([len(part) for part in row if isinstance(part, str | bytes)])
        return len(self.rows) >= self._most or self._letters >= _MOST_LETTERS

    def clear(self) -> None:
        """They are written."""
        self.rows.clear()
        self._letters = 0
