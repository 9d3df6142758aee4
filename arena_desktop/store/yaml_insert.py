"""Putting entries into a YAML file that a person wrote, without touching what else stands there: comments, order,
spelling. Whoever calls reads the result back before it is written.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from arena_desktop.errors import ArenaError
from arena_desktop.store.bounded import read_bounded, reason
from arena_desktop.store.documents import LARGEST_FILE, decoded
from arena_desktop.store.small_files import write_new, write_whole
from arena_desktop.store.yaml_reader import LOADER

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null"})
_ODD = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""What JSON leaves as it is in a text and YAML does not allow."""


def cant_add(path: Path) -> ArenaError:
    """What to say where the file's form is beyond this module."""
    return ArenaError(f"{path} is written in a way that the program can't add to.", "Add the entries by hand.")


def read_own(path: Path) -> str | None:
    """The text of a person's file, None if it isn't there. :class:`ArenaError` if it can't be read."""
    try:
        data = read_bounded(path, LARGEST_FILE)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ArenaError(f"{path} can't be read ({reason(error)}).", "Change its permissions.") from error
    if data is None:
        raise ArenaError(f"{path} is larger than {LARGEST_FILE:,} bytes.", "Remove what doesn't belong there.")
    text, fault = decoded(data, str(path))
    if fault is not None:
        raise ArenaError(f"{fault}.")
    return text


def replace_own(path: Path, old: str | None, new: str) -> Path | None:
    """Put ``new`` in place of ``old`` (None: there is no file yet). Returns where a copy of what was there lies now.

    :class:`ArenaError`: nothing was changed.
    """
    backup = None
    try:
        if old is not None:
            mode = path.stat().st_mode
            backup = _copy_beside(path)
        write_whole(path, new.encode())
        if backup is not None:
            path.chmod(mode)
    except OSError as error:
        raise ArenaError(
            f"{path} can't be written ({reason(error)}).", "Make room, or change its permissions; it is as it was."
        ) from error
    return backup


def _copy_beside(path: Path) -> Path:
    data = path.read_bytes()
    number = 1
    while not write_new(backup := path.with_name(f"{path.name}.before-{number}"), data):
        number += 1
    return backup


def put(text: str, path: Path, place: tuple[str, ...], items: list[Any] | Mapping[str, str]) -> str:
    """``text`` with ``items`` at the end of the list or mapping at ``place``: a key at the top, which is made if it
    isn't there, or the key of an entry that is named by its ``id`` in a list at the top. :class:`ArenaError`: it can't
    be done.
    """
    if not items:
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    try:
        root = yaml.compose(text, Loader=LOADER)
    except (yaml.YAMLError, RecursionError) as error:
        raise cant_add(path) from error
    if root is not None and (not isinstance(root, yaml.MappingNode) or root.flow_style):
        raise cant_add(path)
    key, node = _entry(root, place)
    if node is None and len(place) == 1:
        at, lines = len(text), [f"{place[0]}:", *_block(items, 2)]
    elif isinstance(node, yaml.ScalarNode) and node.value == "" and not node.style:  # all of it was taken out
        at, lines = _end_of_line(text, key.end_mark.index), _block(items, key.start_mark.column + 2)
    elif not isinstance(node, yaml.SequenceNode if isinstance(items, list) else yaml.MappingNode):
        raise cant_add(path)
    elif node.flow_style:
        at = node.end_mark.index - 1
        filled = text[node.start_mark.index + 1 : at].strip()
        comma = ", " if node.value and not filled.endswith(",") else ""
        return text[:at].rstrip() + comma + _inside(items) + text[at:]
    else:
        at, lines = _end_of_block(text, node), _block(items, node.start_mark.column)
    before = text[:at]
    if before and not before.endswith("\n"):
        before += end
    return before + end.join(lines) + end + text[at:]


def as_block(key: str, items: list[Any]) -> str:
    """``items`` under ``key``, as :func:`put` writes them."""
    return "\n".join([f"{key}:", *_block(items, 2)]) + "\n" if items else ""


def _entry(root: Any, place: tuple[str, ...]) -> tuple[Any, Any]:
    """The key and the value at ``place``; None for both if nothing is there."""
    found = _pair(root, place[0])
    if len(place) == 1 or not isinstance(found[1], yaml.SequenceNode):
        return found
    for item in found[1].value:
        _, name = _pair(item, "id")
        if name is not None and name.value == place[1]:
            return _pair(item, place[2])
    return None, None


def _pair(node: Any, key: str) -> tuple[Any, Any]:
    if not isinstance(node, yaml.MappingNode):
        return None, None
    return next((pair for pair in node.value if pair[0].value == key), (None, None))


def _end_of_block(text: str, node: yaml.CollectionNode) -> int:
    """Where the last line of a collection in block style ends. Comments and blank lines after it belong to what
    follows.
    """
    last: yaml.Node = node
    while isinstance(last, yaml.CollectionNode) and not last.flow_style and last.value:
        found = last.value[-1]
        last = found[1] if isinstance(found, tuple) else found
    return _end_of_line(text, max(last.end_mark.index - (last.end_mark.index > last.start_mark.index), 0))


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _block(items: list[Any] | Mapping[str, str], indent: int) -> list[str]:
    if isinstance(items, Mapping):
        return [f"{' ' * indent}{_scalar(key)}: {_scalar(value)}" for key, value in items.items()]
    lines = []
    for item in items:
        first = True
        for line in _lines(item):
            lines.append(" " * indent + ("- " if first else "  ") + line)
            first = False
    return lines


def _lines(item: Any) -> list[str]:
    if not isinstance(item, Mapping):
        return [_flow(item)]
    lines = []
    for key, value in item.items():
        if key == "models" and isinstance(value, list):  # a list that grows, one line an entry
            lines.append(f"{key}:")
            lines += [f"  - {_flow(member)}" for member in value]
        else:
            lines.append(f"{_key(key)}: {_flow(value)}")
    return lines


def _inside(items: list[Any] | Mapping[str, str]) -> str:
    if isinstance(items, Mapping):
        return ", ".join(f"{_scalar(key)}: {_scalar(value)}" for key, value in items.items())
    return ", ".join(map(_flow, items))


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)}: {_flow(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return _scalar(value) if isinstance(value, str) else json.dumps(value)


def _key(key: str) -> str:
    """Plain where YAML takes it for nothing but a text."""
    return key if _PLAIN.fullmatch(key) and key.lower() not in _WORDS else _scalar(key)


def _scalar(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _ODD.sub(lambda found: f"\\u{ord(found.group()):04x}", quoted)
