"""The saved state of Live Elo, version 2: the form in which the original arena kept its numbers.

A state is read as strictly as if a stranger had written it: a number that can't be right is refused by name, never
repaired.
"""

from collections.abc import Mapping

from arena_desktop.ratings.elo import ANCHOR, SCALE
from arena_desktop.ratings.faults import StateError, shown
from arena_desktop.ratings.tally import COUNTS, ArenaTally, ModelTally, Pairs

VERSION = 2
METHOD = "sequential Elo, gap-dependent, per-model K"
PRIOR_WEIGHT = 4.0

_BAR = "|"
_LARGEST_COUNT = 2**53
_REMEDY = "Rebuild the ratings from the vote log instead."


def save_state(tallies: Mapping[str, ArenaTally]) -> dict[str, object]:
    """The state of all arenas as plain JSON values; :class:`StateError` where a pair's key would be ambiguous."""
    return {
        "version": VERSION,
        "rating": {"method": METHOD, "anchor": ANCHOR, "scale": SCALE, "prior_weight": PRIOR_WEIGHT},
        "arenas": {
            arena: {
                "models": {key: model.to_dict() for key, model in {**tally.models, **tally.parked}.items()},
                "pairs": {_pair_key(*pair): list(numbers) for pair, numbers in tally.pairs.items()},
            }
            for arena, tally in tallies.items()
        },
    }


def _pair_key(lower: str, higher: str) -> str:
    for repo_id in (lower, higher):
        if _BAR in repo_id:
            raise StateError(
                f"The id {repo_id!r} holds a bar (|), which the saved state uses between two ids.",
                "Keep the vote log instead: it has no such limit.",
            )
    return f"{lower}{_BAR}{higher}"


def load_state(state: object) -> dict[str, ArenaTally]:
    """Each arena of a saved state, with every model that it names.

    Raises :class:`StateError` for anything that can't be right.
    """
    top = _object(state, "The saved state")
    version = top.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version != VERSION:
        raise StateError(f"The saved state has version {shown(version)}, not {VERSION}.", _REMEDY)
    _check_method(top)
    arenas = _object(top.get("arenas"), "'arenas' of the saved state")
    named = {_text(arena, "An arena of the saved state"): saved for arena, saved in arenas.items()}
    return {arena: _load_arena(arena, saved) for arena, saved in named.items()}


def _check_method(top: Mapping[object, object]) -> None:
    if "rating" not in top:
        return
    rating = _object(top["rating"], "'rating' of the saved state")
    for key, ours in (("method", METHOD), ("anchor", ANCHOR), ("scale", SCALE)):
        if key in rating and rating[key] != ours:
            raise StateError(f"The saved state's rating {key} is {shown(rating[key])}, not {ours!r}.", _REMEDY)


def _load_arena(arena: str, saved: object) -> ArenaTally:
    where = f"arena {shown(arena)}"
    fields = _object(saved, f"{where} of the saved state")
    models = _object(fields.get("models"), f"'models' of {where}")
    pairs = _object(fields.get("pairs"), f"'pairs' of {where}")
    named = {_text(key, f"A model of {where}"): entry for key, entry in models.items()}
    return ArenaTally({key: _load_model(key, entry, where) for key, entry in named.items()}, _load_pairs(pairs, where))


def _load_model(repo_id: str, saved: object, where: str) -> ModelTally:
    which = f"{shown(repo_id)} in {where}"
    entry = _object(saved, which)
    if entry.get("repo_id", repo_id) != repo_id:
        raise StateError(f"{which} calls itself {shown(entry['repo_id'])}.", _REMEDY)
    counts = {kind: _count(entry.get(kind), f"{kind} of {which}") for kind in COUNTS}
    battles = _count(entry.get("battles"), f"battles of {which}")
    if battles != sum(counts.values()):
        raise StateError(f"{which} has {battles} battles, but {sum(counts.values())} results.", _REMEDY)
    return ModelTally(repo_id, _number(entry.get("elo"), f"elo of {which}"), battles, **counts)


def _load_pairs(saved: Mapping[object, object], where: str) -> Pairs:
    pairs: Pairs = {}
    for key, numbers in saved.items():
        which = f"pair {shown(key)} in {where}"
        ids = tuple(_text(key, which).split(_BAR))
        if len(ids) != 2 or not ids[0] < ids[1]:
            raise StateError(f"{which} does not name two models in order.", _REMEDY)
        if not isinstance(numbers, list | tuple) or len(numbers) != 2:
            raise StateError(f"{which} is not [games, score].", _REMEDY)
        games = _number(numbers[0], f"games of {which}")
        score = _number(numbers[1], f"score of {which}")
        if not games.is_integer() or not (2 * score).is_integer() or not 0 <= score <= games <= _LARGEST_COUNT:
            raise StateError(f"{which} can't have {games!r} games and score {score!r}.", _REMEDY)
        pairs[ids[0], ids[1]] = [games, score]
    return pairs


def _object(value: object, what: str) -> Mapping[object, object]:
    if not isinstance(value, dict):
        raise StateError(f"{what} is not an object but {shown(value)}.", _REMEDY)
    return value


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise StateError(f"{what} is named by {shown(value)}, not by text.", _REMEDY)
    return value


def _count(value: object, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _LARGEST_COUNT:
        raise StateError(f"{what} is {shown(value)}, not a count.", _REMEDY)
    return value


def _number(value: object, what: str) -> float:
    if not isinstance(value, bool) and isinstance(value, int | float) and -_LARGEST_COUNT <= value <= _LARGEST_COUNT:
        return float(value)
    raise StateError(f"{what} is {shown(value)}, not a number that can be used.", _REMEDY)
