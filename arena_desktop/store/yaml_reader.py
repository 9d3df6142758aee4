"""YAML text as located values."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from arena_desktop.store.located import Builder, Document, Located, Scalar, Unreadable, shown

_NULL = re.compile(r"~|null|Null|NULL|")
_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]{1,400}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?(\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN")
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TEXT_TAGS = {"!", "tag:yaml.org,2002:str"}


def read_yaml(text: str, name: str, loader: Any = None) -> Document:
    """Parse ``text``; ``name`` stands in faults. Never raises. ``loader`` is PyYAML's, the compiled one where
    there is one.
    """
    builder = Builder(name)
    try:
        return Document(_Tree(builder).grow(text, loader or LOADER), builder.faults)
    except Unreadable as stop:
        builder.fault(stop.line, stop.message, stop.remedy)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line if mark else 0
        words = " ".join(part for part in (error.context, error.problem) if part)
        tabs = "\t" in "".join(text.splitlines()[line : line + 1])
        remedy = "indent with blanks, not tabs" if tabs else "check indentation, colons and quotes"
        builder.fault(line + 1, f"this is not YAML ({words})", remedy)
    except yaml.YAMLError as error:
        builder.fault(1, f"this is not YAML ({' '.join(str(error).split())})", "check the file's encoding")
    return Document(None, builder.faults)


def plain_scalar(raw: str) -> Scalar:
    """What an unquoted YAML word means, by the core schema of YAML 1.2: ``no``, ``1:30`` and dates stay text."""
    if _NULL.fullmatch(raw):
        return None
    if _BOOL.fullmatch(raw):
        return raw.lower() == "true"
    if _INT.fullmatch(raw):
        return int(raw)
    if _FLOAT.fullmatch(raw):
        return float(raw)
    if _NOT_FINITE.fullmatch(raw):
        return float(raw.lower().replace(".", ""))
    return raw


@dataclass
class _Open:
    """A collection whose end has not come yet; ``key`` waits for its value."""

    node: Located
    anchor: str | None
    key: tuple[str, int] | None = None


class _Tree:
    """Builds values from PyYAML's events one by one: no recursion, and no object is ever constructed."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._open: list[_Open] = []
        self._anchors: dict[str, Located] = {}
        self._root: Located | None = None

    def grow(self, text: str, loader: Any) -> Located | None:
        """The root, None for a file without content."""
        events: Iterator[Any] = yaml.parse(text, Loader=loader)
        for event in events:
            line = event.start_mark.line + 1
            if isinstance(event, yaml.DocumentStartEvent) and self._root is not None:
                raise Unreadable(line, "a second document starts here", "keep one document in a file")
            if isinstance(event, yaml.CollectionStartEvent):
                self._builder.count(line)
                self._check_tag(event.tag, line, event.implicit)
                node = Located([] if isinstance(event, yaml.SequenceStartEvent) else {}, line)
                self._open.append(_Open(node, event.anchor))
                self._builder.check_depth(line, len(self._open))
            elif isinstance(event, yaml.CollectionEndEvent):
                closed = self._open.pop()
                self._place(closed.node, closed.anchor)
            elif isinstance(event, yaml.ScalarEvent):
                self._builder.count(line)
                self._place(self._scalar(event, line), event.anchor)
            elif isinstance(event, yaml.AliasEvent):
                self._place(self._aliased(event.anchor or "", line), None)
        root = self._root
        return None if root is not None and root.raw == "" else root

    def _scalar(self, event: Any, line: int) -> Located:
        if event.implicit[0]:
            return self._builder.scalar(plain_scalar(event.value), line, raw=event.value)
        self._check_tag(event.tag, line, event.implicit[1])
        return self._builder.scalar(event.value, line)

    def _check_tag(self, tag: str | None, line: int, implicit: bool) -> None:
        if tag is not None and not implicit and tag not in _TEXT_TAGS:
            raise Unreadable(line, f"tags such as {shown(tag)} are not used here", "remove it")

    def _aliased(self, anchor: str, line: int) -> Located:
        target = self._anchors.get(anchor)
        if target is None:
            raise Unreadable(line, f"*{anchor} stands for nothing that is complete by here", "write the value out")
        self._builder.count(line, target.size)
        return target

    def _place(self, node: Located, anchor: str | None) -> None:
        if anchor is not None:
            self._anchors[anchor] = node
        if not self._open:
            self._root = node
            return
        top = self._open[-1]
        if isinstance(top.node.value, list):
            self._builder.add(top.node, node)
        elif top.key is None:
            top.key = self._key(node)
        else:
            (key, line), top.key = top.key, None
            self._builder.put(top.node, key, line, node)

    def _key(self, node: Located) -> tuple[str, int]:
        text = node.raw if node.raw is not None else node.value
        if not isinstance(text, str):
            raise Unreadable(node.line, "a key is no simple word", "write KEY: VALUE")
        if text == "<<":
            raise Unreadable(node.line, "merging with << is not supported", "write the keys out")
        return text, node.line
