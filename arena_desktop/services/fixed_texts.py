"""What a model is asked to say before it competes: the fixed set of its language, or prompts that it has."""

from collections.abc import Callable, Iterable, Mapping

from arena_desktop.domain.fixed_set import FixedSet, FixedText, fixed_set, letters_of
from arena_desktop.domain.prompts import Prompt
from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.types import Missing
from arena_desktop.errors import ArenaError
from arena_desktop.services.sample_text import SENTENCES, sample_for

OF_ITS_OWN = 6
"""So many of the prompts of which a model has finished recordings are listened to."""
SENTENCE = "sentence"


class UnknownTexts(ArenaError):
    """A model has nothing but recordings, and nobody knows what they say."""


def texts_for(model: ModelSpec, only: frozenset[str] | None, prompts: Iterable[Prompt]) -> FixedSet:
    """The texts for ``model``: of those that have finished recordings (``only``: ids of prompts) some that stand among
    ``prompts``, spread over all; else the set of its first language that has one; else one sentence.

    A model that names no language is taken to speak English. Raises :class:`UnknownTexts` where no text is known.
    """
    if only is not None:
        return _recorded(model, only, {prompt.id: prompt for prompt in prompts})
    languages = model.language or ("en",)
    return fixed_set(languages) or quick(model)


def sample_of(model: ModelSpec, only: frozenset[str] | None, prompts: Callable[[], Iterable[Prompt]]) -> str:
    """What ``model`` is asked to say to be heard once: a sentence in its language, or a prompt that it has."""
    if only is None:
        return sample_for(model.language)
    return _recorded(model, only, {prompt.id: prompt for prompt in prompts()}).texts[0].text


def quick(model: ModelSpec) -> FixedSet:
    """One sentence alone."""
    text = sample_for(model.language)
    language = next((code for code, said in SENTENCES.items() if said == text), "en")
    return FixedSet(language, (FixedText(SENTENCE, text, letters_of(text)),))


def _recorded(model: ModelSpec, only: frozenset[str], prompts: Mapping[str, Prompt]) -> FixedSet:
    known = [prompts[id_] for id_ in sorted(only) if id_ in prompts]
    if not known:
        raise UnknownTexts(
            f"{model.name} has recordings of no built-in prompt, so it isn't known what they should say.",
            "Listen to some of them by hand.",
        )
    step = max(1, len(known) // OF_ITS_OWN)
    chosen = known[::step][:OF_ITS_OWN]
    texts = tuple(FixedText(one.id, one.text, letters_of(one.text)) for one in chosen)
    return FixedSet(chosen[0].language, texts, exact=False)


def lacking(missing: Iterable[Missing]) -> str:
    """What a model lacks, in words."""
    return " ".join(item.of("It") if item.what[:1].islower() else item.line for item in missing)
