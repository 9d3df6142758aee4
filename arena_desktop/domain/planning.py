"""Drawing a battle: which two models meet, who stands on which side, who is played first.

A plan is a function of three things: the seed that is stored with the battle; the chances of the pairs, which the pair
choice works out from the votes before it; and, for models with several takes, which of them this listener has heard
already or is going to hear. The same three draw the same battle again, and how quickly a model speaks is none of them.
"""

import itertools
import math
import random
from collections.abc import Sequence

from arena_desktop.domain.battle import Competitor, Plan
from arena_desktop.domain.like_voices import candidates, is_free, voice_pairs
from arena_desktop.domain.prompts import Prompt
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Voice
from arena_desktop.domain.takes import Takes
from arena_desktop.domain.votes import Side

ONE_TAKE = Takes()
"""Every model reads a text in one way."""


def eligible(arena: ArenaSpec, models: Sequence[ModelSpec]) -> list[ModelSpec]:
    """The models among ``models`` that can play in ``arena``: members of it that speak its language (or name none)
    and have a voice of its kind.
    """
    members = set(arena.models)
    return [
        model
        for model in models
        if model.repo_id in members and speaks(model, arena.language or "") and candidates(arena, model)
    ]


def speaks(model: ModelSpec, language: str) -> bool:
    """Whether ``model`` speaks the language of a BCP 47 tag: ``en`` is one with ``en-GB``. A model that names no
    language, and a language that isn't known (""), are taken on trust.
    """
    return not language or not model.language or any(_base(own) == _base(language) for own in model.language)


def can_speak(model: ModelSpec, prompt: Prompt) -> bool:
    """Whether ``prompt`` may be put before ``model``."""
    return speaks(model, prompt.language)


def _base(language: str) -> str:
    return language.split("-")[0].casefold()


def draw_plan(
    arena: ArenaSpec,
    models: Sequence[ModelSpec],
    prompt_id: str,
    seed: str,
    *,
    policy: str,
    chances: Sequence[float],
    takes: Takes = ONE_TAKE,
) -> Plan:
    """Draw one pair of ``models``, the side of each by a fair coin, and, apart from it, the side played first by
    another.

    ``chances`` are those of the unordered pairs under ``policy``, in the order of ``itertools.combinations``; the plan
    keeps that of the pair drawn. A model with several voices gets one of them, drawn evenly, and of its ``takes`` of
    this text with this voice one that was heard least often. Where the arena lets only some voices meet, the two are
    drawn together, evenly among the pairs that may; two models without such a pair must have no chance.
    """
    pairs = list(itertools.combinations(models, 2))
    total = math.fsum(chances)
    if (
        not pairs
        or len(chances) != len(pairs)
        or not all(chance >= 0 for chance in chances)
        or not 0 < total < math.inf
    ):
        raise ValueError("a battle needs two models, and a chance for each pair of them")
    chance = random.Random(seed)  # noqa: S311 — reproducible, and nothing secret hangs on it
    drawn = _draw(chances, chance.random() * total)
    pair = list(pairs[drawn])
    if chance.random() < 0.5:
        pair.reverse()
    first = Side.A if chance.random() < 0.5 else Side.B
    a, b = _competitors(arena, (pair[0], pair[1]), prompt_id, takes, chance)
    return Plan(
        arena=arena.id,
        question=arena.question,
        a=a,
        b=b,
        prompt_id=prompt_id,
        first=first,
        policy=policy,
        probability=chances[drawn] / total,
        seed=seed,
    )


def _draw(chances: Sequence[float], point: float) -> int:
    """The first entry at which the sum of the chances passes ``point``: never one without a chance."""
    for position, reached in enumerate(itertools.accumulate(chances)):
        if point < reached:
            return position
    # Rounding left the last sum a hair below the point.
    return max(position for position, own in enumerate(chances) if own > 0)


def _competitors(
    arena: ArenaSpec, pair: tuple[ModelSpec, ModelSpec], prompt_id: str, takes: Takes, chance: random.Random
) -> tuple[Competitor, Competitor]:
    fitting = voice_pairs(arena, *pair)
    if not fitting:
        raise ValueError(f"{pair[0].repo_id} and {pair[1].repo_id} have no voices that may meet in {arena.id}")
    together = None if is_free(arena) else chance.choice(fitting)
    sides = []
    for place, model in enumerate(pair):
        voice = _voice(arena, model, chance) if together is None else together[place]
        name = None if voice is None else voice.id
        sides.append(Competitor(model.repo_id, name, takes.draw(model.repo_id, name, prompt_id, chance)))
    return sides[0], sides[1]


def _voice(arena: ArenaSpec, model: ModelSpec, chance: random.Random) -> Voice | None:
    # A model without listed voices takes no number of the generator.
    own = candidates(arena, model)
    return chance.choice(own) if model.voices else own[0]
