"""From what is chosen to what battles are drawn from."""

from collections.abc import Mapping, Sequence

from arena_desktop.domain.canonical import canonical, sha256_hex
from arena_desktop.domain.planning import can_speak
from arena_desktop.domain.prompts import Prompt, PromptDeck
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster, roster_json
from arena_desktop.domain.settings import Settings
from arena_desktop.domain.takes import Reading
from arena_desktop.services.plan_queue import Context

_NOTHING_HEARD: Mapping[Reading, int] = {}


def spoken_by_two(models: Sequence[ModelSpec], prompts: Sequence[Prompt]) -> list[Prompt]:
    """The prompts that a battle of these models can have."""
    return [prompt for prompt in prompts if sum(can_speak(model, prompt) for model in models) >= 2]


def context_of(
    arena: ArenaSpec,
    models: tuple[ModelSpec, ...],
    prompts: Sequence[Prompt],
    settings: Settings,
    takes: Mapping[str, int],
    heard: Mapping[Reading, int] = _NOTHING_HEARD,
) -> Context:
    """What battles are drawn from. ``takes``: of the models that have several; ``heard``: by whoever listens.

    Battles that were prepared are kept for an arena and a source of texts (and a listener, where models have several
    takes), and taken up again while models, texts and pair choice are the same to the letter.
    """
    listener = settings.listener if takes else ""
    source = [settings.prompt_kind, settings.prompt_category, settings.prompt_path]
    key = {
        "roster": roster_json(Roster({model.repo_id: model for model in models}, {arena.id: arena})),
        "prompts": [[prompt.id, prompt.sha256, prompt.language] for prompt in prompts],
        "policy": settings.pair_choice,
        "takes": dict(takes),
        "listener": listener,
    }
    return Context(
        arena=arena,
        models=models,
        deck=PromptDeck(prompts),
        target_lufs=settings.target_lufs,
        policy=settings.pair_choice,
        takes=takes,
        heard=heard,
        place="\n".join([arena.id, *source, listener]),
        key=sha256_hex(canonical(key)),
    )
