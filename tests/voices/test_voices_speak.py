"""Every shipped English voice speaks this sentence, as far as a recogniser for American English can tell."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena_desktop.store.roster_file import load_roster, shipped_roster_path
from tests.helpers.hearing import Ear, in_order, unlike_speech

ROSTER = load_roster(Path("none"), override=shipped_roster_path())
#: A sentence of common words, of which the recogniser needs to hear 6 of 11 in order (a tone or noise gives at most
#: one). It heard at least 7 from every voice but espeak-ng's: a formant voice is far from the speech that it was
#: trained on, so there only the properties of speech are asked for.
SENTENCE = "This is the first time that I have seen the sea."
ENOUGH = 6
DEAF_TO = "espeak"
#: Uncommon words, heard from the voices nearest to American English: 3 of 8, as rough as that is, takes real words.
RARE = "The birch canoe slid on the smooth planks."
RARE_HEARD = (
    "maureesewilliams/hibari#heart",
    "rhasspy/piper-voices#en_US-joe-medium",
    "hexgrad/Kokoro-82M#af_heart",
)


def spoken(loaded: Callable[..., Any], repo_id: str, text: str) -> tuple[Any, int]:
    model = ROSTER.models[repo_id]
    engine = loaded(model.engine, dict(model.files), dict(model.settings))
    sound, rate = engine.speak(text, {"id": model.voices[0].id}, {}, 0)
    return sound, rate


@pytest.mark.parametrize("repo_id", ROSTER.arenas["english"].models)
def test_a_recogniser_hears_the_sentence(repo_id: str, loaded: Callable[..., Any], ear: Ear) -> None:
    sound, rate = spoken(loaded, repo_id, SENTENCE)
    assert unlike_speech(sound, rate, len(SENTENCE)) == []
    if ROSTER.models[repo_id].engine != DEAF_TO:
        heard = ear.words(sound, rate)
        assert in_order(SENTENCE, heard) >= ENOUGH, heard


@pytest.mark.parametrize("repo_id", RARE_HEARD)
def test_rare_words_are_heard_too(repo_id: str, loaded: Callable[..., Any], ear: Ear) -> None:
    heard = ear.words(*spoken(loaded, repo_id, RARE))
    assert in_order(RARE, heard) >= 3, heard


def test_two_accents_read_the_same_word_differently(loaded: Callable[..., Any]) -> None:
    loaded("kokoro", {"voice": "bm_george"})
    from arena_desktop.engines.worker.speech.phonemes import front_end

    assert front_end(british=True).kokoro("bath") != front_end(british=False).kokoro("bath")


@pytest.mark.parametrize(
    "noise",
    [
        lambda times, random: np.sin(2 * np.pi * 220 * times),
        lambda times, random: random.standard_normal(len(times)) * 0.1,
        lambda times, random: np.zeros(len(times)),
    ],
    ids=["tone", "noise", "silence"],
)
def test_what_is_no_speech_does_not_pass(noise: Callable[..., Any], ear: Ear) -> None:
    times = np.arange(3 * 22050) / 22050
    sound = noise(times, np.random.default_rng(3)).astype(np.float32) * 0.3
    assert unlike_speech(sound, 22050, len(SENTENCE)) != []
    assert in_order(SENTENCE, ear.words(sound, 22050)) <= 1
