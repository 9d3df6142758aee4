"""Adding entries to a person's own roster file without touching what else stands there: comments, order, spelling.

Text is put in where it belongs, and nothing is written unless the result reads back as exactly what was meant.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster, merged, roster_json
from arena_desktop.errors import ArenaError
from arena_desktop.store.documents import read_text
from arena_desktop.store.roster_reader import RosterFile, read_roster
from arena_desktop.store.yaml_insert import cant_add, put, read_own, replace_own

_NEW = """\
# Your own models and arenas, beside those that come with the program. An entry with a known id replaces that one whole.
schema: 1
"""


@dataclass(frozen=True)
class NewEntries:
    """What is to be added: ``models`` (repo_id, name) that are only rated, ``specs`` of models with all that is known
    of them, and ``arenas``, each with the members that it is to have more; one that the roster lacks is made, as
    ``made`` has it if it does.
    """

    models: Mapping[str, str]
    arenas: Mapping[str, tuple[str, ...]]
    specs: tuple[ModelSpec, ...] = ()
    made: Mapping[str, ArenaSpec] = field(default_factory=dict)


def add_entries(path: Path, roster: Roster, new: NewEntries) -> Path | None:
    """Add ``new`` to the user's file at ``path``, which is made if it isn't there. ``roster`` is the effective one.

    Returns where a copy of the old file was put, None if there was none. :class:`ArenaError`: nothing was changed.
    """
    text = read_own(path)
    changed = _with_entries(path, text or _NEW, roster, new)
    if _effective(path, changed, roster) != _wanted(roster, new):
        raise cant_add(path)
    return replace_own(path, text, changed)


def model_entry(spec: ModelSpec) -> dict[str, Any]:
    """A model as an entry of a roster file: every key that says something."""
    entry: dict[str, Any] = roster_json(Roster({spec.repo_id: spec}, {}))["models"][0]
    usual: dict[str, Any] = roster_json(Roster({"": ModelSpec("", "")}, {}))["models"][0]
    entry["voices"] = [_without_nothing(voice) for voice in entry["voices"]]
    return {key: value for key, value in entry.items() if value != usual.get(key)}


def arena_entry(spec: ArenaSpec) -> dict[str, Any]:
    """An arena as an entry of a roster file, its members last."""
    entry: dict[str, Any] = roster_json(Roster({}, {spec.id: spec}))["arenas"][0]
    members = entry.pop("models")
    return {**_without_nothing(entry), "models": members}


def _without_nothing(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if value is not None and value != [] and value != {}}


def _wanted(roster: Roster, new: NewEntries) -> Roster:
    models = {name: ModelSpec(name, title) for name, title in new.models.items()}
    models |= {spec.repo_id: spec for spec in new.specs}
    return merged(roster, Roster(models, {arena: _grown(roster, new, arena) for arena in new.arenas}))


def _grown(roster: Roster, new: NewEntries, arena: str) -> ArenaSpec:
    base = roster.arenas.get(arena) or new.made.get(arena) or ArenaSpec(arena, (), title=arena)
    return replace(base, id=arena, models=base.models + new.arenas[arena])


def _effective(path: Path, text: str, roster: Roster) -> Roster | None:
    """The roster with a file of this text in place of the user's; None if it has faults. ``roster`` holds everything
    that the file itself doesn't define.
    """
    file = _parsed(text, path)
    file.check_members(roster.models)
    return None if file.faults else merged(roster, file.roster)


def _parsed(text: str, path: Path) -> RosterFile:
    return read_roster(read_text(text, str(path), json_only=path.suffix.lower() == ".json"), path)


def _with_entries(path: Path, text: str, roster: Roster, new: NewEntries) -> str:
    own = _parsed(text, path)
    if own.faults:
        raise ArenaError(f"The roster has a fault: {own.faults[0]}", "Mend it first; nothing was added.")
    models: list[dict[str, Any]] = [{"repo_id": name, "name": title} for name, title in new.models.items()]
    models += [model_entry(spec) for spec in new.specs]
    fresh = [arena_entry(_grown(roster, new, arena)) for arena in new.arenas if arena not in own.arenas]
    grown = {arena: list(members) for arena, members in new.arenas.items() if arena in own.arenas}
    if text.lstrip().startswith("{"):
        return _in_json(text, path, models, fresh, grown)
    for arena, more in grown.items():
        text = put(text, path, ("arenas", arena, "models"), more)
    text = put(text, path, ("models",), models)
    return put(text, path, ("arenas",), fresh)


def _in_json(text: str, path: Path, models: list[Any], fresh: list[Any], grown: Mapping[str, list[str]]) -> str:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise cant_add(path) from error
    value["models"] = [*(value.get("models") or []), *models]
    value["arenas"] = [*(value.get("arenas") or []), *fresh]
    for arena in value["arenas"]:
        arena["models"] = [*arena["models"], *grown.get(arena["id"], [])]
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
