"""Who can be rated: the models and the arenas, checked once."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from arena_desktop.ratings.elo import prior_elo
from arena_desktop.ratings.faults import RegistryError, shown


@dataclass(frozen=True)
class RatedModel:
    """What a rating needs to know of a model.

    ``prior`` is its Elo before any vote; ``params_m`` counts millions (0 unknown).
    """

    repo_id: str
    name: str
    params: str
    params_m: float
    prior: float


def rated_models(models: Iterable[Mapping[str, object]]) -> dict[str, RatedModel]:
    """The models by ``repo_id``.

    Each is an object ``{repo_id, name, params, params_m, tts_index}``; all but ``repo_id`` may be left out.
    Raises :class:`RegistryError` naming the entry that can't be used.
    """
    found: dict[str, RatedModel] = {}
    for position, entry in enumerate(models):
        if not isinstance(entry, Mapping) or not isinstance(entry.get("repo_id"), str):
            raise RegistryError(f"Model {position} of the roster has no repo_id.", "Give each model a repo_id (text).")
        model = _rated_model(entry, str(entry["repo_id"]))
        if model.repo_id in found:
            raise RegistryError(f"Model {model.repo_id!r} is twice in the roster.", "Remove one of the two entries.")
        found[model.repo_id] = model
    return found


def _rated_model(entry: Mapping[str, object], repo_id: str) -> RatedModel:
    params_m = entry.get("params_m", 0)
    if isinstance(params_m, bool) or not isinstance(params_m, int | float) or not 0 <= params_m < math.inf:
        raise RegistryError(
            f"params_m of {repo_id!r} is {shown(params_m)}.", "Write the millions of parameters, or 0 for unknown."
        )
    index = entry.get("tts_index")
    try:
        prior = prior_elo(index)  # type: ignore[arg-type]  # prior_elo refuses whatever is no number
    except RegistryError as fault:
        raise RegistryError(f"Model {repo_id!r}: {fault.message}", fault.remedy) from fault
    return RatedModel(repo_id, str(entry.get("name", repo_id)), str(entry.get("params", "unknown")), params_m, prior)


def rated_arenas(arenas: Mapping[str, Iterable[str]], models: Mapping[str, RatedModel]) -> dict[str, tuple[str, ...]]:
    """Each arena's models in roster order.

    Raises :class:`RegistryError` on a model that is unknown or twice in one arena.
    """
    found: dict[str, tuple[str, ...]] = {}
    for arena, members in arenas.items():
        ids = tuple(members)
        for repo_id in ids:
            if repo_id not in models:
                raise RegistryError(
                    f"Arena {arena!r} names {repo_id!r}, which is not in the roster.",
                    "Add the model or correct the id.",
                )
        if len(set(ids)) != len(ids):
            raise RegistryError(f"Arena {arena!r} names a model twice.", "Remove the second mention.")
        found[arena] = ids
    return found
