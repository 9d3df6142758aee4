"""What models can do, as far as it decides which texts they are given and how often the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from arena_desktop.domain.like_voices import any_may_meet
from arena_desktop.domain.planning import can_speak
from arena_desktop.domain.prompts import Prompt
from arena_desktop.domain.roster import ArenaSpec, ModelSpec

ENGLISH = "en"


class Host(Protocol):
    """What the last check of a model found."""

    def takes(self, model: ModelSpec) -> int: ...
    def prompts(self, model: ModelSpec) -> frozenset[str] | None: ...


@dataclass(frozen=True)
class Abilities:
    """``takes``: how many readings of a text are worth hearing, of the models that have several. ``only``: the ids of
    the prompts that a model has, of those that have no others (recordings).
    """

    takes: Mapping[str, int]
    only: Mapping[str, frozenset[str]]

    def fits(self, model: ModelSpec, prompt: Prompt) -> bool:
        """Whether ``prompt`` may be put before ``model``: it is in a language that it speaks, and it has it."""
        return can_speak(model, prompt) and self._has(model, prompt)

    def _has(self, model: ModelSpec, prompt: Prompt) -> bool:
        only = self.only.get(model.repo_id)
        return only is None or prompt.id in only

    def spoken_by_two(self, arena: ArenaSpec, models: Sequence[ModelSpec], prompts: Sequence[Prompt]) -> list[Prompt]:
        """The prompts that a battle of these models in ``arena`` can have: two that may meet there speak them."""
        by_language: dict[str, list[ModelSpec]] = {}
        may_meet: dict[tuple[str, ...], bool] = {}
        found = []
        for prompt in prompts:
            if prompt.language not in by_language:
                by_language[prompt.language] = [model for model in models if can_speak(model, prompt)]
            speakers = [model for model in by_language[prompt.language] if self._has(model, prompt)]
            who = tuple(model.repo_id for model in speakers)  # few differ: only recordings lack texts
            if who not in may_meet:
                may_meet[who] = any_may_meet(arena, speakers)
            if may_meet[who]:
                found.append(prompt)
        return found

    @property
    def why_none(self) -> str:
        """What two voices would have to do with a text, where no text is left to them."""
        return (
            "speak the language of these texts and have them recorded"
            if self.only
            else "speak the language of these texts"
        )

    def as_key(self) -> tuple[object, ...]:
        """Equal for equal abilities, and hashable."""
        return (tuple(self.takes.items()), tuple(self.only.items()))


def abilities_of(models: Sequence[ModelSpec], host: Host) -> Abilities:
    """What ``host`` knows of these models."""
    takes = {model.repo_id: count for model in models if (count := host.takes(model)) > 1}
    only = {model.repo_id: has for model in models if (has := host.prompts(model)) is not None}
    return Abilities(takes, only)


def language_of_texts(arena: ArenaSpec, models: Sequence[ModelSpec]) -> str | None:
    """The language in which the built-in prompts of an arena are: its own; of an arena without one English, for a model
    that names no language must not meet a text in another; None, which is every language, where all models name theirs.
    """
    return arena.language or (None if all(model.language for model in models) else ENGLISH)
