"""Taking entries out of a YAML file that a person wrote: lines of other entries, and all comments that have a line of
their own, stay as they are. Whoever calls reads the result back before it is written.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from arena_desktop.store.yaml_insert import cant_add
from arena_desktop.store.yaml_reader import LOADER


def take_out(text: str, path: Path, place: tuple[str, ...], unwanted: Callable[[Any], bool]) -> str:
    """``text`` without the members of the list at ``place`` that are ``unwanted``, a question put to each member's
    node. The place is a key at the top, or a key of an entry that is named by its ``id`` in a list at the top.
    Nothing changes where there is no such list. :class:`ArenaError`: the file can't be read.
    """
    while True:
        try:
            root = yaml.compose(text, Loader=LOADER)
        except (yaml.YAMLError, RecursionError) as error:
            raise cant_add(path) from error
        node = _list_at(root, place)
        number = next((n for n, item in enumerate(node.value) if unwanted(item)), None) if node is not None else None
        if node is None or number is None:
            return text
        text = _without(text, node, number)


def value_of(node: Any, key: str) -> Any:
    """The node under ``key`` in a mapping, None if there is none."""
    if not isinstance(node, yaml.MappingNode):
        return None
    return next((value for name, value in node.value if name.value == key), None)


def text_of(node: Any) -> str:
    """A scalar's text, "" for everything else."""
    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""


def _list_at(root: Any, place: tuple[str, ...]) -> Any:
    found = value_of(root, place[0])
    if len(place) == 3:
        items = found.value if isinstance(found, yaml.SequenceNode) else []
        named = (item for item in items if text_of(value_of(item, "id")) == place[1])
        found = value_of(next(named, None), place[2])
    return found if isinstance(found, yaml.SequenceNode) else None


def _without(text: str, node: yaml.SequenceNode, number: int) -> str:
    if node.flow_style:
        return _without_inside(text, node, number)
    item = node.value[number]
    before = node.start_mark.index if number == 0 else _end_of_line(text, node.value[number - 1])
    begins = _dash(text, before, node.start_mark.column)
    return text[:begins] + text[_end_of_line(text, item) :]


def _dash(text: str, begins: int, column: int) -> int:
    """Where the line of the next dash in this column begins."""
    at = text.rfind("\n", 0, begins) + 1
    while text[at : at + column].strip() or text[at + column : at + column + 1] != "-":
        at = text.index("\n", at) + 1
    return at


def _end_of_line(text: str, node: yaml.Node) -> int:
    """Where the line after the last one of this node begins."""
    last = node
    while isinstance(last, yaml.CollectionNode) and not last.flow_style and last.value:
        found = last.value[-1]
        last = found[1] if isinstance(found, tuple) else found
    at = text.find("\n", max(last.end_mark.index - (last.end_mark.index > last.start_mark.index), 0))
    return len(text) if at < 0 else at + 1


def _without_inside(text: str, node: yaml.SequenceNode, number: int) -> str:
    """A member of a list in brackets, with the comma after it; the last one with the comma before it."""
    item, members = node.value[number], node.value
    if number + 1 < len(members):
        return text[: item.start_mark.index] + text[members[number + 1].start_mark.index :]
    begins = members[number - 1].end_mark.index if number else item.start_mark.index
    return text[:begins] + text[item.end_mark.index :]
