"""The built-in prompts of other languages than English: the voices that are installed speak them, all of the text."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from arena_desktop.domain.prompts import Prompt
from arena_desktop.engines.worker.kokoro.languages import language_of, phonemes_for
from arena_desktop.engines.worker.kokoro.model import packaged_vocabulary
from arena_desktop.engines.worker.kokoro.styles import blend_of
from arena_desktop.engines.worker.speech.espeak_library import espeak_library
from arena_desktop.store.prompt_files import built_in_prompts

VOICES = {"de": ("de-DE", "de"), "es": ("es-ES", "es"), "fr": ("fr-FR", "fr-fr"), "it": ("it-IT", "it")}
STYLES = {"es": "ef_dora", "fr": "ff_siwis", "it": "if_sara", "ja": "jf_alpha"}
#: Seconds of sound a letter: the prompts lie between 0.035 and 0.21, numbers the longest.
QUICKEST, SLOWEST = 0.03, 0.25
SAMPLE = 7
"""Every seventh prompt in the short run: each category comes up."""


def prompts_of(language: str) -> list[Prompt]:
    return [prompt for prompt in built_in_prompts() if prompt.language == language]


@pytest.mark.parametrize("language", VOICES)
def test_no_word_is_read_by_the_rules_of_another_language(language: str) -> None:
    library = espeak_library()
    for prompt in prompts_of(language):
        said = " ".join(phonemes for phonemes, _ in library.clauses(prompt.text, VOICES[language][1], ""))
        assert not re.search(r"\([a-z]", said), (prompt.id, said)


@pytest.mark.parametrize("style", STYLES.values(), ids=list(STYLES))
def test_kokoro_knows_every_sound_of_a_prompt(style: str) -> None:
    language = language_of(blend_of(style), None)
    reader = phonemes_for(language)
    known = set(packaged_vocabulary())
    for prompt in prompts_of(language.tag.split("-")[0]):
        sounds = reader.kokoro(reader.prepared(prompt.text))
        assert set(sounds) <= known, (prompt.id, set(sounds) - known)
        least = 0.8 if language.tag == "ja" else 0.45
        assert len(sounds) >= least * len(prompt.text), (prompt.id, sounds)


@pytest.mark.parametrize("engine", ["pico", "espeak"])
@pytest.mark.parametrize("language", VOICES)
def test_each_prompt_is_spoken_whole(language: str, engine: str, loaded: Callable[..., Any]) -> None:
    voice = VOICES[language][engine == "espeak"]
    speaker = loaded(engine, {"voice": voice})
    for prompt in prompts_of(language)[::SAMPLE]:
        sound, rate = speaker.speak(prompt.text, {"id": voice}, {}, 0)
        assert np.abs(sound).max() > 0.05, prompt
        assert QUICKEST < len(sound) / rate / len(prompt.text) < SLOWEST, prompt
