"""The roster: models that compete, and the arenas in which they meet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Voice:
    """One voice of a model. ``audio`` and ``transcript`` are for voices cloned from a clip."""

    id: str
    audio: str | None = None
    transcript: str | None = None
    gender: str | None = None
    accent: str | None = None


@dataclass(frozen=True)
class ModelSpec:
    """A competitor. ``repo_id`` is its identity in every vote; ``params_m`` counts millions of parameters (0 unknown).

    ``tts_index`` is a benchmark score, 0–100, or None. ``files``, ``settings`` are plain JSON values as in the roster.
    Without ``engine`` the model is rated but can't speak on this machine.
    """

    repo_id: str
    name: str
    params: str = "unknown"
    params_m: float = 0
    tts_index: float | None = None
    tts_index_source: str | None = None
    engine: str | None = None
    files: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    voices: tuple[Voice, ...] = ()
    language: tuple[str, ...] = ()
    license: str | None = None
    settings: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    python: str | None = None


@dataclass(frozen=True)
class ArenaSpec:
    """Models that meet each other, in roster order, and the question put to the listener."""

    id: str
    models: tuple[str, ...]
    title: str = ""
    language: str | None = None
    kind: str = "preset"
    question: str = "Which voice sounds more natural?"


@dataclass(frozen=True)
class Roster:
    """Models by ``repo_id`` and arenas by id, both in roster order. The first arena is the default one."""

    models: Mapping[str, ModelSpec]
    arenas: Mapping[str, ArenaSpec]
