"""Members of an arena that can never play in it as the roster stands: the wrong kind of voice, no clip in common,
nothing alike.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena_desktop.domain.like_voices import CLONED, candidates, left_alone, voice_pairs, why_none
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster


@dataclass(frozen=True)
class ArenaFault:
    """``what`` is wrong in a sentence, ``remedy`` what to do. ``closed``: no battle can be had in that arena."""

    arena: str
    what: str
    remedy: str
    closed: bool = False


def arena_faults(roster: Roster) -> list[ArenaFault]:
    """The faults of all arenas, in roster order. Models without an engine never play, and are no fault."""
    found: list[ArenaFault] = []
    for arena in roster.arenas.values():
        members = [roster.models[one] for one in arena.models if one in roster.models]
        found += _faults(arena, [model for model in members if model.engine is not None])
    return found


def _faults(arena: ArenaSpec, models: Sequence[ModelSpec]) -> Iterator[ArenaFault]:
    playing = [model for model in models if candidates(arena, model)]
    out = [model for model in models if not candidates(arena, model)]
    title = arena.title or arena.id
    if out:
        why, remedy = _CLONED if arena.kind == CLONED else _PRESET
        yield ArenaFault(arena.id, f"{_names(out)} can't play in the arena «{title}»: {why}.", remedy)
    if len(playing) < 2:
        return
    if not any(voice_pairs(arena, one, other) for one in playing for other in playing if one is not other):
        yield ArenaFault(arena.id, *why_none(arena), closed=True)
        return
    alone = left_alone(arena, playing)
    if alone:
        common = ["clones a clip that another member has"] if arena.kind == CLONED else []
        agree = [f"agrees in {' and '.join(arena.match)} with another member's"] if arena.match else []
        yield ArenaFault(
            arena.id,
            f"{_names(alone)} can't meet anybody in the arena «{title}»: no voice {' and '.join([*common, *agree])}.",
            why_none(arena)[1],
        )


_CLONED = (
    "it is for clones, and there is no voice with a clip that can be read",
    "Give them a voice with audio: the same file as the others, or take them out of the arena.",
)
_PRESET = (
    "it is for voices without a clip, and there is none",
    "Put them into an arena of kind: cloned, or give them a voice without audio.",
)
_NAMED = 4


def _names(models: Sequence[ModelSpec]) -> str:
    names = [model.name for model in models]
    if len(names) > _NAMED:
        names = [*names[:_NAMED], f"{len(names) - _NAMED} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
