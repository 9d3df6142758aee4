"""One mapping of a hand-written file, read key by key: types, forms, unknown keys."""

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from arena_desktop.store.located import Located, plain, shown

_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""A text with them does not read as it is written: one model's name could look like another's."""


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The one of ``words`` that ``word`` was probably meant to be, None if none is near."""
    close = difflib.get_close_matches(word[:200], list(words), n=1, cutoff=0.6)
    return close[0] if close else None


class Entry:
    """A mapping of the file, read key by key; what it finds wrong goes to ``report``."""

    def __init__(self, node: Located, what: str, report: Callable[[int, str, str], None]) -> None:
        assert isinstance(node.value, dict)
        self.line = node.line
        self.values = node.value
        self.key_lines = node.key_lines
        self.what = what
        self.sound = True
        self._report = report

    def check_keys(self, keys: tuple[str, ...]) -> None:
        """Report each key that is none of ``keys``."""
        for key in self.values:
            if key not in keys:
                near = nearest(key, keys)
                remedy = f"did you mean {near}?" if near else "it may have " + ", ".join(keys)
                self.fault(self.key_lines[key], f"{self.what} has the unknown key {shown(key)}", remedy)

    def fault(self, line: int, message: str, remedy: str) -> None:
        self.sound = False
        self._report(line, message, remedy)

    def get(self, key: str) -> Located | None:
        """The value; None if it is absent, null, or was found broken before."""
        node = self.values.get(key)
        if node is not None and node.broken:
            self.sound = False
        return None if node is None or node.value is None else node

    def require(self, key: str, example: str) -> None:
        node = self.values.get(key)
        if node is None or (node.value is None and not node.broken):
            self.fault(node.line if node else self.line, f"{self.what} has no {key}", f"write {key}: {example}")

    def text(self, key: str, longest: int = 200) -> str | None:
        node = self.get(key)
        return None if node is None else self.as_text(node, key, longest)

    def as_text(self, node: Located, key: str, longest: int = 200) -> str | None:
        """A text on one line; an unquoted number or word counts as what was written."""
        found = node.value if isinstance(node.value, str) else node.raw
        value = "" if found is None else found.strip()
        if not value:
            self.fault(node.line, f"{key} of {self.what} is no text", f"write {key}: and a text, in quotes if need be")
        elif len(value) > longest:
            self.fault(node.line, f"{key} of {self.what} is longer than {longest:,} characters", "shorten it")
        elif any(unicodedata.category(char) in ("Cc", "Zl", "Zp") for char in value):
            self.fault(node.line, f"{key} of {self.what} holds line breaks or other control characters", "remove them")
        elif turning := sorted(_TURNING.intersection(value)):
            marks = ", ".join(f"U+{ord(char):04X}" for char in turning)
            fault = f"{key} of {self.what} holds marks that turn the direction of writing ({marks})"
            self.fault(node.line, fault, "write it without them")
        else:
            return value
        return None

    def matching(self, key: str, pattern: re.Pattern[str], form: str) -> str | None:
        node = self.get(key)
        return None if node is None else self.as_matching(node, key, pattern, form)

    def as_matching(self, node: Located, key: str, pattern: re.Pattern[str], form: str) -> str | None:
        value = self.as_text(node, key)
        if value is not None and not pattern.fullmatch(value):
            self.fault(node.line, f"{key} of {self.what} can't be {shown(value)}", form)
            return None
        return value

    def number(self, key: str, low: float, high: float) -> float | None:
        node = self.get(key)
        if node is None:
            return None
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            self.fault(node.line, f"{key} of {self.what} is no number from {low:g} to {high:g}", f"write {key}: NUMBER")
            return None
        return value

    def items(self, key: str, example: str) -> list[Located]:
        """The members of a list; a single value counts as a list of one."""
        node = self.get(key)
        if node is None:
            return []
        if isinstance(node.value, list):
            return node.value
        if isinstance(node.value, dict):
            self.fault(node.line, f"{key} of {self.what} is no list", f"write {key}: {example}")
            return []
        return [node]

    def mapping(self, key: str, example: str) -> Mapping[str, Any]:
        node = self.get(key)
        if node is None:
            return MappingProxyType({})
        if not isinstance(node.value, dict):
            self.fault(node.line, f"{key} of {self.what} is no mapping", f"write {key}: {example}")
            return MappingProxyType({})
        if _has_broken(node):
            self.sound = False
        return MappingProxyType(plain(node))


def _has_broken(node: Located) -> bool:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.broken:
            return True
        if isinstance(one.value, dict):
            waiting.extend(one.value.values())
        elif isinstance(one.value, list):
            waiting.extend(one.value)
    return False
