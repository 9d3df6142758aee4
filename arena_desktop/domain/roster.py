"""The roster: models that compete, and the arenas in which they meet."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from arena_desktop.domain.canonical import canonical, sha256_hex

MATCHED = ("gender", "accent")
"""What an arena may have the two voices of a battle agree in."""

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Voice:
    """One voice of a model. ``audio`` and ``transcript`` are for voices cloned from a clip.

    ``clip`` is the SHA-256 of what lies at ``audio``, None where that can't be read: a fact of this machine, like a
    model's ``base``, and left out of :func:`roster_json`.
    """

    id: str
    audio: str | None = None
    transcript: str | None = None
    gender: str | None = None
    accent: str | None = None
    clip: str | None = None


@dataclass(frozen=True)
class ModelSpec:
    """A competitor. ``repo_id`` is its identity in every vote; ``params_m`` counts millions of parameters (0 unknown).

    ``tts_index`` is a benchmark score, 0–100, or None. ``files``, ``settings`` are plain JSON values as in the roster.
    Without ``engine`` the model is rated but can't speak on this machine.

    ``base`` is the directory of the file that names the model, "" if unknown: relative paths in ``files``,
    ``settings`` and
    voices start there. It is a fact of this machine, no part of the competitor: left out of comparisons and of
    :func:`roster_json`.
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
    base: str = field(default="", compare=False)


@dataclass(frozen=True)
class ArenaSpec:
    """Models that meet each other, in roster order, and the question put to the listener.

    ``kind``: ``preset``, or ``cloned`` where both voices of a battle speak with the voice of one clip. ``match``: what
    the two voices agree in, of :data:`MATCHED`.
    """

    id: str
    models: tuple[str, ...]
    title: str = ""
    language: str | None = None
    kind: str = "preset"
    question: str = "Which voice sounds more natural?"
    match: tuple[str, ...] = ()


@dataclass(frozen=True)
class Roster:
    """Models by ``repo_id`` and arenas by id, both in roster order. The first arena is the default one."""

    models: Mapping[str, ModelSpec]
    arenas: Mapping[str, ArenaSpec]


_PART = r"[A-Za-z0-9_][A-Za-z0-9._-]*"
_REPO_ID = re.compile(rf"{_PART}/{_PART}(#[A-Za-z0-9_+][A-Za-z0-9._+@-]*)?")
_LOCAL_ID = re.compile(rf"local/{_PART}#[0-9a-f]{{8}}")
LONGEST_REPO_ID = 200

REPO_ID_FORM = (
    "write OWNER/REPO, OWNER/REPO#VARIANT, or local/NAME#<first 8 hex digits of the weights hash>,"
    " with letters, digits and . _ - in each part"
)


def is_repo_id(text: str) -> bool:
    """Whether ``text`` can name a competitor, see :data:`REPO_ID_FORM`."""
    if len(text) > LONGEST_REPO_ID:
        return False
    pattern = _LOCAL_ID if text.startswith("local/") else _REPO_ID
    return pattern.fullmatch(text) is not None


def merged(shipped: Roster, own: Roster) -> Roster:
    """``shipped`` with the user's ``own`` entries: a known id is replaced whole, where it stands; a new one is
    added at the end.
    """
    return Roster(models={**shipped.models, **own.models}, arenas={**shipped.arenas, **own.arenas})


def unknown_members(roster: Roster) -> list[tuple[str, str]]:
    """Every (arena id, repo_id) where an arena names a model that the roster lacks."""
    return [
        (arena.id, repo_id)
        for arena in roster.arenas.values()
        for repo_id in arena.models
        if repo_id not in roster.models
    ]


def default_arena(roster: Roster) -> ArenaSpec | None:
    """The first arena, None in a roster without arenas."""
    return next(iter(roster.arenas.values()), None)


def roster_json(roster: Roster) -> dict[str, Any]:
    """The effective roster as a JSON value: the form of ``models.yaml`` with every default written out.

    Reading it as a roster file gives the same roster; its canonical form (RFC 8785) is what ``roster_hash`` hashes.
    """
    return {
        "schema": 1,
        "models": [_model_json(model) for model in roster.models.values()],
        "arenas": [
            {
                "id": arena.id,
                "title": arena.title,
                "language": arena.language,
                "kind": arena.kind,
                "question": arena.question,
                "match": list(arena.match),
                "models": list(arena.models),
            }
            for arena in roster.arenas.values()
        ],
    }


def roster_hash(roster: Roster) -> str:
    """SHA-256 of the canonical form of :func:`roster_json`, in small hex digits."""
    return sha256_hex(canonical(roster_json(roster)))


def _model_json(model: ModelSpec) -> dict[str, Any]:
    return {
        "repo_id": model.repo_id,
        "name": model.name,
        "params": model.params,
        "params_m": _number(model.params_m),
        "tts_index": None if model.tts_index is None else _number(model.tts_index),
        "tts_index_source": model.tts_index_source,
        "engine": model.engine,
        "files": plain_json(model.files),
        "voices": [
            {
                "id": voice.id,
                "audio": voice.audio,
                "transcript": voice.transcript,
                "gender": voice.gender,
                "accent": voice.accent,
            }
            for voice in model.voices
        ],
        "language": list(model.language),
        "license": model.license,
        "settings": plain_json(model.settings),
        "python": model.python,
    }


def _number(value: float) -> float:
    # whole numbers as integers, so that 82 and 82.0 are one roster; beyond 2^53 an integer is no JSON number everywhere
    return int(value) if abs(value) < 2**53 and value == int(value) else value


def plain_json(value: Any) -> Any:
    """``value`` with its mappings as dicts, its sequences as lists and whole numbers as integers: what a JSON
    writer takes.
    """
    if isinstance(value, Mapping):
        return {key: plain_json(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain_json(item) for item in value]
    return _number(value) if isinstance(value, float) else value
