"""Taking a model out of a person's own roster file without touching what else stands there."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from arena_desktop.domain.roster import Roster
from arena_desktop.errors import ArenaError
from arena_desktop.store.documents import read_text
from arena_desktop.store.located import shown
from arena_desktop.store.roster_reader import RosterFile, read_roster
from arena_desktop.store.yaml_insert import cant_add, read_own, replace_own
from arena_desktop.store.yaml_remove import take_out, text_of, value_of


def own_models(path: Path) -> frozenset[str]:
    """The repo_ids that the user's file at ``path`` defines; none if it isn't there or can't be read."""
    try:
        text = read_own(path)
    except ArenaError:
        return frozenset()
    return frozenset() if text is None else frozenset(_parsed(text, path).models)


def remove_model(path: Path, shipped: Roster, repo_id: str) -> Path | None:
    """Take ``repo_id`` out of the file at ``path``, and out of the arenas in it unless ``shipped`` has the model, too.
    An arena that would be left without a model goes as well.

    Returns where a copy of the old file was put. :class:`ArenaError`: nothing was changed.
    """
    text = read_own(path)
    own = _parsed(text or "", path)
    if own.faults and text is not None:
        raise ArenaError(f"The roster has a fault: {own.faults[0]}", "Mend it first; nothing was removed.")
    if text is None or repo_id not in own.models:
        comes = f"{shown(repo_id)} comes with the program: switch it out of battles instead."
        raise ArenaError(
            f"Your own roster {path} has no model {shown(repo_id)}.",
            comes if repo_id in shipped.models else "`arena-desktop models list` names the models.",
        )
    wanted = _wanted(own, shipped, repo_id)
    changed = _changed(text, path, own, wanted, repo_id)
    after = _parsed(changed, path)
    after.check_members(shipped.models)
    if after.faults or after.roster != wanted:
        raise cant_add(path)
    return replace_own(path, text, changed)


def _wanted(own: RosterFile, shipped: Roster, repo_id: str) -> Roster:
    models = {name: spec for name, spec in own.models.items() if name != repo_id}
    if repo_id in shipped.models:
        return Roster(models, own.arenas)
    arenas = {
        name: replace(arena, models=tuple(member for member in arena.models if member != repo_id))
        for name, arena in own.arenas.items()
    }
    return Roster(models, {name: arena for name, arena in arenas.items() if arena.models})


def _changed(text: str, path: Path, own: RosterFile, wanted: Roster, repo_id: str) -> str:
    if text.lstrip().startswith("{"):
        return _in_json(text, path, wanted, repo_id)
    text = take_out(text, path, ("models",), lambda item: text_of(value_of(item, "repo_id")) == repo_id)
    for name, arena in own.arenas.items():
        if name not in wanted.arenas:
            text = take_out(text, path, ("arenas",), partial(_is_called, name))
        elif arena != wanted.arenas[name]:
            text = take_out(text, path, ("arenas", name, "models"), lambda item: text_of(item) == repo_id)
    return text


def _is_called(name: str, item: Any) -> bool:
    return text_of(value_of(item, "id")) == name


def _in_json(text: str, path: Path, wanted: Roster, repo_id: str) -> str:
    try:
        value: dict[str, Any] = json.loads(text)
        value["models"] = [model for model in value["models"] if model["repo_id"] != repo_id]
        if "arenas" in value:
            value["arenas"] = [arena for arena in value["arenas"] if arena["id"] in wanted.arenas]
            for arena in value["arenas"]:
                arena["models"] = list(wanted.arenas[arena["id"]].models)
    except (ValueError, KeyError, TypeError) as error:
        raise cant_add(path) from error
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _parsed(text: str, path: Path) -> RosterFile:
    return read_roster(read_text(text, str(path), json_only=path.suffix.lower() == ".json"), path)
