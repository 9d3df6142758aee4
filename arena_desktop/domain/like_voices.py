"""Which voices of two models may meet in an arena: of its kind, of the same clip, alike in what it matches."""

import itertools
from collections.abc import Sequence

from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Voice

CLONED = "cloned"

VoicePair = tuple[Voice | None, Voice | None]


def candidates(arena: ArenaSpec, model: ModelSpec) -> tuple[Voice | None, ...]:
    """The voices with which ``model`` plays in ``arena``, in roster order; None is the engine's own, of a model that
    lists none. In a cloned arena these are the voices with a clip that can be read, in any other those without one.
    """
    if arena.kind == CLONED:
        return tuple(voice for voice in model.voices if voice.audio is not None and voice.clip is not None)
    return tuple(voice for voice in model.voices if voice.audio is None) or (() if model.voices else (None,))


def is_free(arena: ArenaSpec) -> bool:
    """Whether any voice may meet any other there, so that each side's is drawn for itself."""
    return arena.kind != CLONED and not arena.match


def voice_pairs(arena: ArenaSpec, a: ModelSpec, b: ModelSpec) -> list[VoicePair]:
    """Every pair of voices with which the two may meet, in roster order; empty: they never do."""
    return [
        (one, other)
        for one, other in itertools.product(candidates(arena, a), candidates(arena, b))
        if is_free(arena) or _alike(arena, one, other)
    ]


def pairings(arena: ArenaSpec, models: Sequence[ModelSpec]) -> list[bool]:
    """For each pair of ``models``, in the order of ``itertools.combinations``, whether the two may meet."""
    return [bool(voice_pairs(arena, a, b)) for a, b in itertools.combinations(models, 2)]


def any_may_meet(arena: ArenaSpec, models: Sequence[ModelSpec]) -> bool:
    """Whether two of ``models`` may meet."""
    return any(voice_pairs(arena, a, b) for a, b in itertools.combinations(models, 2))


def left_alone(arena: ArenaSpec, models: Sequence[ModelSpec]) -> list[ModelSpec]:
    """Those among ``models`` that may meet none of the others."""
    return [
        model
        for model in models
        if not any(voice_pairs(arena, model, other) for other in models if other.repo_id != model.repo_id)
    ]


def why_none(arena: ArenaSpec) -> tuple[str, str]:
    """What to say, and what to do, where no two models of ``arena`` may meet."""
    title = arena.title or arena.id
    agree = " and ".join(arena.match)
    if arena.kind == CLONED:
        also = f" and agree in {agree}" if agree else ""
        return (
            f"No two voices of the arena «{title}» clone the same clip{also}.",
            "Give two of its models a voice with the same audio, a file that is there, in the roster.",
        )
    return (
        f"No two models of the arena «{title}» have voices that agree in {agree}.",
        f"Write the {agree} of their voices in the roster, or take match out of the arena.",
    )


def _alike(arena: ArenaSpec, one: Voice | None, other: Voice | None) -> bool:
    if one is None or other is None:
        return False  # nothing is known of an engine's own voice
    if arena.kind == CLONED and one.clip != other.clip:
        return False
    for name in arena.match:
        mine, yours = getattr(one, name), getattr(other, name)
        if mine is None or yours is None or mine.casefold() != yours.casefold():
            return False
    return True
