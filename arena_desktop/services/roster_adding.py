"""A model that was found becomes a contestant: its entry, its id, the arenas it joins, and what was there already."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from arena_desktop.domain.canonical import canonical
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster, Voice, is_repo_id, plain_json
from arena_desktop.engines.types import Identity
from arena_desktop.errors import ArenaError
from arena_desktop.harmless import one_line
from arena_desktop.services.finders.found import Found, FoundState
from arena_desktop.services.finders.languages import title_of
from arena_desktop.store.roster_editor import NewEntries, add_entries, arena_entry, model_entry
from arena_desktop.store.yaml_insert import as_block

LONGEST_NAME = 100
_LONGEST_PART = 60


class Identifier(Protocol):
    """What is needed of the speech host."""

    def identify(self, model: ModelSpec, voice: Voice | None = None) -> Identity: ...


@dataclass(frozen=True)
class Addition:
    """One model with the arenas that it joins; ``made`` are those among them that the roster lacks."""

    spec: ModelSpec
    arenas: tuple[str, ...]
    made: Mapping[str, ArenaSpec]

    @property
    def entries(self) -> NewEntries:
        """The form in which the file's editor takes it."""
        return NewEntries({}, dict.fromkeys(self.arenas, (self.spec.repo_id,)), (self.spec,), self.made)

    def text(self, roster: Roster) -> str:
        """What stands in the roster file afterwards, as YAML."""
        arenas = [self.made.get(arena) or roster.arenas[arena] for arena in self.arenas]
        joined = [replace(arena, models=(*arena.models, self.spec.repo_id)) for arena in arenas]
        return as_block("models", [model_entry(self.spec)]) + as_block("arenas", [arena_entry(one) for one in joined])


def candidate(found: Found, *, voice: str | None = None, engine: str | None = None) -> ModelSpec:
    """The model of ``found`` before its weights are known, enough to have it checked and heard. ``voice``: one of its
    voices instead of the first. Raises :class:`ArenaError` if it can't speak.
    """
    if found.state is FoundState.CANT and engine is None:
        raise ArenaError(f"{found.title} can't be added: {found.reason}")
    chosen = _voice(found, voice)
    files = dict(found.files) or {"path": found.path}
    if "voice" in files and chosen is not None:
        files["voice"] = chosen.id
    if found.revision:
        files["revision"] = found.revision
    return ModelSpec(
        repo_id=f"local/{_part(found.title)}#00000000",
        name=_name(found, chosen),
        engine=engine or found.engine,
        files=files,
        voices=() if chosen is None else (chosen,),
        language=found.language,
        license=one_line(found.license)[:200] or None,
        settings=found.settings,
        python=found.python,
    )


def addition(
    found: Found,
    spec: ModelSpec,
    weights_hash: str | None,
    roster: Roster,
    *,
    name: str | None = None,
    arena: str | None = None,
) -> Addition:
    """How ``spec``, made by :func:`candidate` and found to have these weights, enters ``roster``: by its hub id where
    it has one, else by a local one; under a name that nobody has; in every arena of its languages, or in ``arena``
    alone. Raises :class:`ArenaError` where that can't be told.
    """
    repo_id = _hub_id(found, spec) or _local_id(spec, weights_hash)
    if repo_id in roster.models:
        repo_id = _local_id(spec, weights_hash)
    if repo_id in roster.models:
        raise already_there(roster.models[repo_id])
    named = one_line(name)[:LONGEST_NAME] if name else spec.name
    if name and any(model.name.casefold() == named.casefold() for model in roster.models.values()):
        raise ArenaError(f"A model is called {named} already.", "Give another name.")
    final = replace(spec, repo_id=repo_id, name=_free(named, roster))
    arenas, made = _arenas(final, roster, arena)
    return Addition(final, arenas, made)


def duplicate(
    spec: ModelSpec, weights_hash: str | None, roster: Roster, host: Identifier, *, first: str | None = None
) -> ModelSpec | None:
    """The model of ``roster`` that has the same weights and settings, and, where those weights speak with several
    voices, of which ``first`` is the first (None: they have one), the same voice. None if there is none; models
    whose weights can't be looked at are passed over.
    """
    if weights_hash is None:
        return None
    for model in roster.models.values():
        if model.engine != spec.engine or _heard(model, first) != _heard(spec, first):
            continue
        try:
            known = host.identify(model, model.voices[0] if model.voices else None).weights_hash
        except ArenaError:
            continue
        if known == weights_hash:
            return model
    return None


def already_there(model: ModelSpec) -> ArenaError:
    """What to say of a model that the roster has."""
    return ArenaError(f"It is in the roster already, as {model.name} ({model.repo_id}).", "Nothing was added.")


def add_model(path: Path, roster: Roster, new: Addition) -> Path | None:
    """Write ``new`` into the user's roster file at ``path`` beside the effective ``roster``. Nothing is copied.

    Returns where a copy of the old file was put, None if there was none. :class:`ArenaError`: nothing was changed.
    """
    return add_entries(path, roster, new.entries)


def _heard(model: ModelSpec, first: str | None) -> bytes:
    """What decides, beside the weights, how a model sounds."""
    voices = [] if first is None else [voice.id for voice in model.voices] or [first]
    return canonical([voices, plain_json(model.settings)])


def _voice(found: Found, wanted: str | None) -> Voice | None:
    if not wanted:
        return found.voices[0] if found.voices else None
    known = next((voice for voice in found.voices if voice.id == wanted), None)
    if known is None and found.voices:
        names = ", ".join(voice.id for voice in found.voices[:12])
        raise ArenaError(f"{found.title} has no voice {wanted}.", f"It has {names}{', …' * (len(found.voices) > 12)}.")
    return known or Voice(wanted)


def _name(found: Found, voice: Voice | None) -> str:
    several = voice is not None and len(found.voices) > 1
    named = f"{found.title}, {voice.id}" if several and voice is not None else found.title
    return one_line(named)[:LONGEST_NAME] or "Model"


def _free(name: str, roster: Roster) -> str:
    taken = {model.name.casefold() for model in roster.models.values()}
    found, number = name, 1
    while found.casefold() in taken:
        number += 1
        found = f"{name[: LONGEST_NAME - 6]} ({number})"
    return found


def _hub_id(found: Found, spec: ModelSpec) -> str:
    """OWNER/REPO, with the file's and the voice's name where the repository has several; "" without a hub."""
    if not found.source:
        return ""
    parts = [found.variant, spec.voices[0].id if len(found.voices) > 1 else ""]
    variant = re.sub(r"[^A-Za-z0-9._+@-]+", "-", "-".join(part for part in parts if part)).strip("-")
    repo_id = f"{found.source}#{variant}" if variant else found.source
    return repo_id if is_repo_id(repo_id) and not repo_id.startswith("local/") else ""


def _local_id(spec: ModelSpec, weights_hash: str | None) -> str:
    if weights_hash is None:
        raise ArenaError(
            f"{spec.name} has no files by which it could be known again.", "Write its entry by hand (docs/voices.md)."
        )
    return f"local/{_part(spec.name)}#{weights_hash[:8]}"


def _part(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9._-]+", "-", plain).strip(".-")[:_LONGEST_PART] or "model"


def _arenas(spec: ModelSpec, roster: Roster, wanted: str | None) -> tuple[tuple[str, ...], Mapping[str, ArenaSpec]]:
    if wanted is not None:
        if wanted not in roster.arenas:
            known = ", ".join(roster.arenas) or "none"
            raise ArenaError(f"There is no arena {wanted} in the roster.", f"Known arenas: {known}.")
        return (wanted,), {}
    if not spec.language:
        known = ", ".join(roster.arenas) or "none"
        raise ArenaError(f"Nothing tells which language {spec.name} speaks.", f"Name an arena for it: {known}.")
    own = dict.fromkeys(_base(code) for code in spec.language)
    joined = tuple(
        arena.id for arena in roster.arenas.values() if arena.kind == "preset" and _base(arena.language or "") in own
    )
    if joined:
        return joined, {}
    code = next(iter(own))
    arena_id = _arena_id(title_of(code), roster.arenas)
    made = ArenaSpec(arena_id, (), title=title_of(code), language=code)
    return (arena_id,), {arena_id: made}


def _arena_id(title: str, taken: Iterable[str]) -> str:
    stem = _part(title).lower()
    found, number = stem, 1
    while found in set(taken):
        number += 1
        found = f"{stem}-{number}"
    return found


def _base(code: str) -> str:
    return code.partition("-")[0].lower()
