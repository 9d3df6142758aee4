"""What a recogniser says of one thing that it knows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from arena_desktop.domain.roster import Voice

NOTHING: Mapping[str, Any] = MappingProxyType({})


class FoundState(StrEnum):
    """What can be done with it: it may speak as it lies there, something must be set up first, or it can't."""

    READY = "ready"
    SET_UP = "set_up"
    CANT = "cant"


@dataclass(frozen=True)
class Found:
    """One thing on the disk that is, or looks like, a speech model.

    ``path`` is the file or folder that names it; ``kind`` what it is, in words. ``engine``, ``files`` and ``settings``
    are those of its roster entry. Of its ``voices`` the first is taken unless another is asked for; none: it has one
    that needs no name. ``language`` is empty where nothing tells. ``license`` and ``source`` (OWNER/REPO) with
    ``revision`` come from its card and from the hub's cache, "" unknown. ``size_bytes`` counts what it needs on the
    disk. ``recipe`` names the environment that it needs, ``python`` is the roster's. ``reason`` says why it can't
    speak, or what must be set up. ``speech``: whether it is made to speak at all.
    """

    path: str
    kind: str
    title: str
    state: FoundState = FoundState.READY
    reason: str = ""
    engine: str | None = None
    files: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    settings: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    voices: tuple[Voice, ...] = ()
    language: tuple[str, ...] = ()
    license: str = ""
    size_bytes: int = 0
    source: str = ""
    revision: str = ""
    variant: str = ""
    recipe: str | None = None
    python: str | None = None
    speech: bool = True

    @property
    def usable(self) -> bool:
        """Whether it may become a contestant, perhaps after a set-up."""
        return self.state is not FoundState.CANT
