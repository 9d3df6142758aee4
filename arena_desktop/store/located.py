"""Plain values that know their lines: what is read from files that people write by hand and must be told about.

Nothing in such a file runs code or builds objects; size, depth and number of values are bounded; doubled keys are
faults.
"""

import math
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from arena_desktop.harmless import shortened

DEEPEST = 24
"""The deepest nesting that is read."""
MOST_VALUES = 50_000
"""So many values are read, those that aliases repeat included."""
LARGEST_INTEGER = 2**53 - 1
"""Beyond it a JSON number is not the same number everywhere."""

Scalar: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True)
class Fault:
    """What is wrong in line ``line`` (from 1; 0 for the file as a whole) of ``file``, and what to write instead."""

    file: str
    line: int
    message: str
    remedy: str = ""

    def __str__(self) -> str:
        where = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{where}: {self.message}; {self.remedy}" if self.remedy else f"{where}: {self.message}"


@dataclass
class Located:
    """A value and its line. ``raw`` is a plain YAML scalar as it was written, so that ``no`` can still be Norwegian.

    ``size`` counts the values in it. ``broken``: a fault has been reported for it already.
    """

    value: "Scalar | list[Located] | dict[str, Located]"
    line: int
    raw: str | None = None
    size: int = 1
    broken: bool = False
    key_lines: dict[str, int] = field(default_factory=dict)


@dataclass
class Document:
    """What a file says: ``root`` (None when it is empty or unreadable) and every fault of form found on the way."""

    root: Located | None
    faults: list[Fault]


class Unreadable(Exception):
    """The text cannot be read on from line ``line``."""

    def __init__(self, line: int, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.remedy = remedy


def plain(node: Located) -> Any:
    """The value without its lines."""
    if isinstance(node.value, dict):
        return {key: plain(item) for key, item in node.value.items()}
    if isinstance(node.value, list):
        return [plain(item) for item in node.value]
    return node.value


def shown(text: str, longest: int = 60) -> str:
    """``text`` as it may stand in a one-line message: quoted, on one line, not endless."""
    return f'"{shortened(text, longest)}"'


class Builder:
    """Puts values together for either notation: bounds, doubled keys, numbers and texts that can't stand in JSON."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.faults: list[Fault] = []
        self._count = 0

    def fault(self, line: int, message: str, remedy: str = "") -> None:
        self.faults.append(Fault(self.name, line, message, remedy))

    def count(self, line: int, values: int = 1) -> None:
        """Account for so many more values. Raises :class:`Unreadable` at the bound."""
        self._count += values
        if self._count > MOST_VALUES:
            raise Unreadable(line, f"there are more than {MOST_VALUES:,} values up to here", "split the file")

    def check_depth(self, line: int, depth: int) -> None:
        """Raises :class:`Unreadable` when ``depth`` open collections are too many."""
        if depth > DEEPEST:
            raise Unreadable(line, f"values are nested more than {DEEPEST} deep", "write it flatter")

    def put(self, target: Located, key: str, line: int, item: Located) -> None:
        """Add an entry to the mapping ``target``; a doubled key is a fault, and the first one holds."""
        assert isinstance(target.value, dict)
        if self.scalar(key, line).broken:
            return
        if key in target.value:
            first = target.key_lines[key]
            self.fault(line, f"the key {shown(key)} stands here again (first in line {first})", "keep one of the two")
            return
        target.value[key] = item
        target.key_lines[key] = line
        target.size += item.size

    def add(self, target: Located, item: Located) -> None:
        """Append to the list ``target``."""
        assert isinstance(target.value, list)
        target.value.append(item)
        target.size += item.size

    def scalar(self, value: Scalar, line: int, raw: str | None = None) -> Located:
        """A single value; a fault and a broken null if it can't stand in JSON everywhere."""
        if isinstance(value, float) and not math.isfinite(value):
            self.fault(line, "a number is not finite", "write an ordinary number, or leave the key out")
        elif isinstance(value, int) and not isinstance(value, bool) and abs(value) > LARGEST_INTEGER:
            self.fault(line, "an integer is beyond 2^53 − 1", "write it in quotes, as text")
        elif isinstance(value, str) and any(0xD800 <= ord(char) <= 0xDFFF for char in value):
            self.fault(line, "a text holds half of a surrogate pair", "write the character itself")
        elif isinstance(value, str) and "\0" in value:
            self.fault(line, "a text holds a NUL character", "remove it")
        else:
            return Located(value, line, raw)
        return Located(None, line, broken=True)
