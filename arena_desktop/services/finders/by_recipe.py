"""Models that speak in an environment of their own: known by what their recipe says of them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

from arena_desktop.domain.recipes import Commercial, Recipe, commercial_use_of
from arena_desktop.services.finders.checkpoint import language_of
from arena_desktop.services.finders.folder import Folder
from arena_desktop.services.finders.found import Found, FoundState
from arena_desktop.services.finders.kokoro import by_language, styles_of


def by_recipe(folder: Folder, recipes: Iterable[Recipe], made: Mapping[str, str]) -> list[Found]:
    """What lies in ``folder`` by the first recipe that knows it; ``made`` are environments that are there."""
    recipe = next((one for one in recipes if _knows(one, folder)), None)
    if recipe is None:
        return []
    there = recipe.id in made
    reason = "" if there else f"{recipe.title} needs an environment of its own ({recipe.size_words})."
    found = Found(
        path=str(folder.path),
        kind=f"model for {recipe.title}",
        title=folder.title,
        state=FoundState.READY if there else FoundState.SET_UP,
        reason=reason,
        engine=recipe.engine,
        files={"path": str(folder.path)},
        license=_licence(folder.card.license, recipe),
        size_bytes=folder.size(),
        source=folder.source,
        revision=folder.revision,
        recipe=recipe.id,
        python=f"env:{made.get(recipe.id, recipe.id)}",
    )
    return _MORE.get(recipe.engine, _one_language)(found, folder)


def _licence(own: str, recipe: Recipe) -> str:
    """The model's ``own`` licence, else that of the recipe, with what its name doesn't tell: that it bars trade."""
    named = own or recipe.license
    told = recipe.commercial_use is not Commercial.NO or commercial_use_of(named) is Commercial.NO
    return named if told else f"{named}, no commercial use"


def _one_language(found: Found, folder: Folder) -> list[Found]:
    """An entry speaks one language, English where the model has it."""
    languages = language_of(folder)
    english = next((code for code in languages if code.startswith("en")), None)
    chosen = english or next(iter(languages), None)
    return [replace(found, language=() if chosen is None else (chosen,))]


def _told_its_language(found: Found, folder: Folder) -> list[Found]:
    """As above, for an engine that must be told any other language than English."""
    [one] = _one_language(found, folder)
    code = next(iter(one.language), "en").partition("-")[0]
    return [one if code == "en" else replace(one, settings={"language": code})]


_MORE: Mapping[str, Callable[[Found, Folder], list[Found]]] = {
    "kokoro_torch": lambda found, folder: by_language(found, folder, styles_of(folder)),
    "xtts": _told_its_language,
    "chatterbox": _told_its_language,
    "qwen_tts": _told_its_language,
}
"""What an engine needs to know beside the folder."""


def _knows(recipe: Recipe, folder: Folder) -> bool:
    whole = folder.origin is not None and folder.origin.root == folder.path
    if whole and folder.source in recipe.hub:
        return True
    if not recipe.config and not recipe.files:
        return False
    return _has(recipe.files, folder) and (not recipe.config or _holds(folder.json("config.json"), recipe.config))


def _has(patterns: Iterable[str], folder: Folder) -> bool:
    return all(_is_there(folder, pattern) for pattern in patterns)


def _is_there(folder: Folder, pattern: str) -> bool:
    """Whether a file is there that is called so, in the folder or (``voices/*.pt``) in a folder of it."""
    where, _, name = pattern.rpartition("/")
    names = (
        list(folder.files)
        if not where
        else [name for inner in folder.folders if fnmatchcase(inner, where) for name in folder.inside(inner)]
    )
    return any(fnmatchcase(one, name) for one in names)


def _holds(config: Any, wanted: Mapping[str, Any]) -> bool:
    """Whether ``config`` has all that is ``wanted``, mappings by their parts."""
    if not isinstance(config, Mapping):
        return False
    for key, value in wanted.items():
        own = config.get(key)
        if not (_holds(own, value) if isinstance(value, Mapping) else own == value):
            return False
    return True
