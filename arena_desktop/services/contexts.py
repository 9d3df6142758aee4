"""From what is chosen to what battles are drawn from."""

from collections.abc import Mapping, Sequence

from arena_desktop.domain.canonical import canonical, sha256_hex
from arena_desktop.domain.prompts import Prompt, PromptDeck
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster, roster_json
from arena_desktop.domain.settings import Settings
from arena_desktop.domain.takes import Reading
from arena_desktop.services.abilities import Abilities
from arena_desktop.services.plan_queue import Context

_NOTHING_HEARD: Mapping[Reading, int] = {}


def context_of(
    arena: ArenaSpec,
    models: tuple[ModelSpec, ...],
    prompts: Sequence[Prompt],
    settings: Settings,
    abilities: Abilities,
    heard: Mapping[Reading, int] = _NOTHING_HEARD,
) -> Context:
    """What battles are drawn from. ``heard``: the takes that whoever listens has heard.

    Battles that were prepared are kept for an arena and a source of texts (and a listener, where models have several
    takes), and taken up again while models, texts and pair choice are the same to the letter.
    """
    takes = abilities.takes
    listener = settings.listener if takes else ""
    source = [settings.prompt_kind, settings.prompt_category, settings.prompt_path]
    key = {
        "roster": roster_json(Roster({model.repo_id: model for model in models}, {arena.id: arena})),
        "prompts": [[prompt.id, prompt.sha256, prompt.language] for prompt in prompts],
        "policy": settings.pair_choice,
        "takes": dict(takes),
        "only": {model: sorted(has) for model, has in abilities.only.items()},
        "listener": listener,
        "clips": {model.repo_id: [voice.clip for voice in model.voices if voice.audio] for model in models},
    }
    return Context(
        arena=arena,
        models=models,
        deck=PromptDeck(prompts),
        target_lufs=settings.target_lufs,
        policy=settings.pair_choice,
        fits=abilities.fits,
        takes=takes,
        heard=heard,
        place="\n".join([arena.id, *source, listener]),
        key=sha256_hex(canonical(key)),
    )
