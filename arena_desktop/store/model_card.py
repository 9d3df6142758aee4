"""What a model's card says of it: the front matter of its README, as model hubs have it."""

import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from arena_desktop.harmless import one_line

_MOST_HEAD = 65_536
_LONGEST = 200
_MOST_LANGUAGES = 100


@dataclass(frozen=True)
class ModelCard:
    """``license`` in the card's own words ("" unknown), ``languages`` as it codes them, ``task`` such as
    ``text-to-speech``.
    """

    license: str = ""
    languages: tuple[str, ...] = ()
    task: str = ""


NO_CARD = ModelCard()


def read_card(folder: Path) -> ModelCard:
    """The card in ``folder``; an empty one if there is none that can be read. Never raises."""
    try:
        text = _head(folder / "README.md")
    except (OSError, ValueError):
        return NO_CARD
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---":
        return NO_CARD
    end = next((number for number, line in enumerate(lines[1:], 1) if line.strip() == "---"), None)
    return NO_CARD if end is None else _card("\n".join(lines[1:end]))


def _head(path: Path) -> str:
    if not stat.S_ISREG(path.stat().st_mode):  # a pipe might never end
        return ""
    with path.open("rb") as file:
        return file.read(_MOST_HEAD).decode("utf-8", "replace")


def _card(text: str) -> ModelCard:
    try:
        # Composed, not constructed: merged keys and references can't make it grow.
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return NO_CARD
    if not isinstance(root, yaml.MappingNode):
        return NO_CARD
    said: dict[str, Any] = {str(name.value): value for name, value in root.value if isinstance(name, yaml.ScalarNode)}
    words = _texts(said.get("license"))[:1]
    if words == ["other"] or not words:
        words = _texts(said.get("license_name"))[:1] or words
    return ModelCard(
        license=words[0] if words else "",
        languages=tuple(_texts(said.get("language"))[:_MOST_LANGUAGES]),
        task=next(iter(_texts(said.get("pipeline_tag"))), ""),
    )


def _texts(node: Any) -> list[str]:
    """The texts of a scalar or of a list of scalars, short and harmless."""
    nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
    found = (one_line(str(one.value)[:_LONGEST]) for one in nodes if isinstance(one, yaml.ScalarNode))
    return [text for text in found if text]
