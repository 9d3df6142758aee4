"""Drawing a battle: which two models meet, who stands on which side, who is played first.

Everything is a function of the seed that is stored with the battle, so that any draw can be made again.
"""

import random
from collections.abc import Sequence

from arena_desktop.domain.battle import Competitor, Plan
from arena_desktop.domain.roster import ArenaSpec, ModelSpec
from arena_desktop.domain.votes import Side

UNIFORM = "uniform"
"""Every unordered pair of the eligible models is equally likely."""


def eligible(arena: ArenaSpec, models: Sequence[ModelSpec]) -> list[ModelSpec]:
    """The models among ``models`` that can play in ``arena``: members of it that speak its language (or name none)."""
    members = set(arena.models)
    return [
        model
        for model in models
        if model.repo_id in members and (not arena.language or not model.language or _speaks(model, arena.language))
    ]


def _speaks(model: ModelSpec, language: str) -> bool:
    base = language.split("-")[0].lower()
    return any(own.split("-")[0].lower() == base for own in model.language)


def draw_plan(arena: ArenaSpec, models: Sequence[ModelSpec], prompt_id: str, seed: str) -> Plan:
    """Draw two of at least two eligible ``models`` uniformly, the side of each by a fair coin, and, apart from it, the
    side played first by another. A model with several voices gets one of them, drawn evenly.
    """
    if len(models) < 2:
        raise ValueError("a battle needs two models")
    chance = random.Random(seed)  # noqa: S311 — reproducible, and nothing secret hangs on it
    pair = chance.sample(range(len(models)), 2)
    if chance.random() < 0.5:
        pair.reverse()
    first = Side.A if chance.random() < 0.5 else Side.B
    a, b = (_competitor(models[index], chance) for index in pair)
    pairs = len(models) * (len(models) - 1) // 2
    return Plan(
        arena=arena.id,
        question=arena.question,
        a=a,
        b=b,
        prompt_id=prompt_id,
        first=first,
        policy=UNIFORM,
        probability=1 / pairs,
        seed=seed,
    )


def _competitor(model: ModelSpec, chance: random.Random) -> Competitor:
    voice = chance.choice(model.voices).id if model.voices else None
    return Competitor(model.repo_id, voice)
