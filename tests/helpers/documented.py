"""The reports of commands as docs/command-line.md writes them down, read so that real ones can be held beside them.

A sketch is JSON with less in it: ``{"name", "rows": [{"id", "when"}]}``. A key with nothing behind it, or with words,
has a plain value, or a list of such; ``null | {…}`` is one of several; ``{name: version}`` has keys of its own making,
and so has ``{…}``; ``…`` stands for what isn't said.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.helpers.sources import ROOT

PAGE = ROOT / "docs" / "command-line.md"
_TOKEN = re.compile(r'\s*("[^"]*"|[{}\[\]:,|…]|[^"{}\[\]:,|…]+)')


@dataclass(eq=False)
class Sketch:
    """One value: the objects that it may be (by their keys), and whether it may be a list (of what)."""

    objects: list[dict[str, "Sketch"]] = field(default_factory=list)
    lists: list["Sketch"] = field(default_factory=list)
    free: bool = False
    """Any object will do."""

    def differences(self, value: Any, seen: "set[int] | None" = None, place: str = "") -> Iterator[str]:
        """What ``value`` has and the sketch hasn't, and the other way round. ``seen`` gets the id of each object of
        the sketch that was met.
        """
        if isinstance(value, dict):
            if self.free:
                return
            if not self.objects:
                yield f"{place or 'the report'} has keys that are not documented: {', '.join(value)}"
                return
            known = min(self.objects, key=lambda one: len(set(one) ^ set(value)))
            if seen is not None:
                seen.add(id(known))
            yield from (f"{place}.{key} is not documented" for key in value if key not in known)
            yield from (f"{place}.{key} is documented and not there" for key in known if key not in value)
            for key in set(known) & set(value):
                yield from known[key].differences(value[key], seen, f"{place}.{key}")
        elif isinstance(value, list):
            inner = self.lists[0] if self.lists else Sketch()
            for one in value:
                yield from inner.differences(one, seen, f"{place}[]")

    def all_objects(self, place: str = "") -> Iterator[tuple[int, str]]:
        """Every object in it, with its place."""
        for one in self.objects:
            yield id(one), place or "the report"
            for key, inner in one.items():
                yield from inner.all_objects(f"{place}.{key}")
        for inner in self.lists:
            yield from inner.all_objects(f"{place}[]")


def sketch(command: str, *, number: int = 0) -> Sketch:
    """The report of ``command`` ("models check"); with ``number`` another one of the same paragraphs."""
    text = PAGE.read_text(encoding="utf-8")
    start = re.search(rf"^`arena-desktop {re.escape(command)}[ `]", text, re.MULTILINE)
    assert start is not None, f"no paragraph begins with `arena-desktop {command}`"
    end = re.search(r"^(`arena-desktop |#)", text[start.end() :], re.MULTILINE)
    part = text[start.start() : start.end() + end.start() if end else None]
    spans = [span for span in re.findall(r"`([^`]+)`", part) if re.match(r'(\[\s*)?\{\s*"', span)]
    assert len(spans) > number, f"the paragraphs of `arena-desktop {command}` have no report {number}"
    return read(spans[number])


def read(text: str) -> Sketch:
    """The sketch that is written in ``text``."""
    words = [word.strip() for word in _TOKEN.findall(" ".join(text.split()))]
    found = _value(words)
    assert not words, f"what comes after the sketch? {words}"
    return found


def _value(words: list[str]) -> Sketch:
    found = Sketch()
    while True:
        if words[0] == "{":
            _object(words, found)
        elif words[0] == "[":
            words.pop(0)
            inner = Sketch()
            while words[0] != "]":
                inner = _value(words)
                if words[0] == ",":
                    words.pop(0)
            words.pop(0)
            found.lists.append(inner)
        else:
            while words and words[0] not in {",", "]", "}", "|"}:
                words.pop(0)
        if not words or words[0] != "|":
            return found
        words.pop(0)


def _object(words: list[str], found: Sketch) -> None:
    words.pop(0)
    keys: dict[str, Sketch] = {}
    while words[0] != "}":
        key = words.pop(0)
        inner = Sketch()
        if words[0] == ":":
            words.pop(0)
            inner = _value(words)
        if key.startswith('"'):
            keys[key.strip('"')] = inner
        else:
            found.free = True
        if words[0] == ",":
            words.pop(0)
    words.pop(0)
    if keys:
        found.objects.append(keys)
