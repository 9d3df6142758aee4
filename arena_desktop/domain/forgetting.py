"""Listeners who withdrew: of which records nothing private may be kept.

``forgotten`` is a set of names: the pseudonyms of such listeners, and the ids of legacy votes whose original record had
named one in another way.
"""

import re
import unicodedata
from collections.abc import Container, Mapping
from typing import Any

from arena_desktop.domain.canonical import canonical_text

_PSEUDONYM = re.compile(r"l-[a-z2-7]{16}")
_PERSON_KEYS = frozenset(
    f"{who}{part}"
    for who in ("listener", "rater", "judge", "voter", "user", "person", "participant", "subject", "worker",
                "evaluator", "annotator", "assessor", "author")
    for part in ("", "_id", "_name", "id", "name")
) | {"name", "email"}  # fmt: skip
"""Keys under which other programs write who voted."""


def is_forgotten(record: Mapping[str, Any], forgotten: Container[str] | None) -> bool:
    """Whether nothing private of this record may be kept."""
    if not forgotten:
        return False
    names = (record.get("listener"), record.get("id"))
    if any(isinstance(name, str) and name in forgotten for name in names):
        return True
    original = record.get("original")
    return original is not None and any(name in forgotten for name in _PSEUDONYM.findall(canonical_text(original)))


def names_person(original: Any, pseudonym: str, name: str) -> bool:
    """Whether another program's record names this person: the pseudonym anywhere in it, or the name (upper and lower
    case alike; "" for none) under a key that tells who voted.
    """
    return pseudonym in canonical_text(original) or (bool(name) and _is_named(original, folded(name)))


def folded(name: str) -> str:
    """A name as it is compared with others."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _is_named(value: Any, name: str) -> bool:
    if isinstance(value, list):
        return any(_is_named(item, name) for item in value)
    if not isinstance(value, dict):
        return False
    return any(
        (isinstance(item, str) and key.casefold() in _PERSON_KEYS and folded(item) == name) or _is_named(item, name)
        for key, item in value.items()
    )
