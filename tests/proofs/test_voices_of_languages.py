"""Voices of other languages than English: no recogniser for them is at hand, so their sound is measured."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import yaml

from arena_desktop.engines.worker.kokoro.languages import language_of, phonemes_for
from arena_desktop.engines.worker.kokoro.styles import blend_of
from arena_desktop.engines.worker.speech.espeak_phonemes import EspeakPhonemes
from tests.helpers.evidence import evidence
from tests.helpers.hearing import unlike_speech
from tests.voices.conftest import new_engine

PROMPTS = Path(__file__).resolve().parents[2] / "arena_desktop" / "data" / "prompts.yaml"
OWN = {
    "pt": ["O comboio chega às oito e meia.", "A minha irmã mora perto do mar.", "Onde está a chave da casa?"],
    "hi": ["आज मौसम बहुत अच्छा है।", "मेरा घर नदी के पास है।", "आप कल कहाँ जा रहे हैं?"],
}
"""Languages without built-in prompts."""
VOWELS = "aeiouyøœɐɑɒɔəɛɜɪʊʌʏɯɨɤæWAIOQY"
SLOWEST, FASTEST = 0.45, 0.08
"""Seconds a syllable: slower than any reader, faster than any."""


class Contestant(NamedTuple):
    """An engine's voice for a language, and who counts its syllables."""

    engine: str
    voice: str
    language: str

    @property
    def name(self) -> str:
        """For the figures."""
        return f"{self.language}_{self.engine}_{self.voice}".replace("-", "_")


ALL = [
    *(Contestant("pico", voice, voice[:2]) for voice in ("de-DE", "es-ES", "fr-FR", "it-IT")),
    *(Contestant("espeak", voice, voice[:2]) for voice in ("de", "de+f3", "es", "fr-fr", "it", "pt-br", "hi")),
    Contestant("kokoro", "ef_dora", "es"),
    Contestant("kokoro", "em_alex", "es"),
    Contestant("kokoro", "ff_siwis", "fr"),
    Contestant("kokoro", "if_sara", "it"),
    Contestant("kokoro", "im_nicola", "it"),
    Contestant("kokoro", "pf_dora", "pt"),
    Contestant("kokoro", "hf_alpha", "hi"),
    Contestant("kokoro", "jf_alpha", "ja"),
    Contestant("kokoro", "jm_kumo", "ja"),
]


@pytest.mark.proof("voices_of_languages")
@pytest.mark.timeout(3600)
def test_voices_of_seven_languages_sound_like_speech_of_their_texts(full_counts: bool) -> None:
    figures: dict[str, Any] = {}
    holds = True
    for one in ALL if full_counts else [ALL[0], ALL[4], ALL[-2]]:
        engine = new_engine(one.engine, {"voice": one.voice})
        assert engine.check() == []
        engine.load("cpu")
        paces, voiced, faults = [], [], []
        for text in _texts(one.language, 4 if full_counts else 1):
            sound, rate = engine.speak(text, {"id": one.voice}, {}, 0)
            syllables = _syllables(one, text)
            periodic, seconds = _voiced(sound, rate)
            paces.append(seconds / syllables)
            voiced.append(periodic)
            # as many letters as an English text of so many syllables has: what the helper measures by
            faults += [fault for fault in unlike_speech(sound, rate, 3 * syllables) if "hisses" not in fault]
        engine.close()
        pace, share = float(np.mean(paces)), float(np.mean(voiced))
        figures[f"{one.name}_s_per_syllable"] = round(pace, 3)
        figures[f"{one.name}_voiced_share"] = round(share, 2)
        figures[f"{one.name}_faults"] = "; ".join(faults) or "none"
        holds = holds and not faults and FASTEST < pace < SLOWEST and 0.3 < share < 0.98
    evidence(
        "voices_of_languages",
        figures,
        holds,
        claim="Voices for German, Spanish, French, Italian, Portuguese, Hindi and Japanese by three engines give sound "
        "that has the pace, the share of voiced sound, the loudness and the rhythm of speech of their texts. Nobody "
        "who speaks these languages has listened.",
    )


def _texts(language: str, count: int) -> list[str]:
    prompts = yaml.safe_load(PROMPTS.read_text(encoding="utf-8")).get(language)
    if prompts is None:
        return OWN[language][:count]
    kinds = [list(prompts[kind].values()) for kind in ("short", "questions", "numbers")]
    return [texts[number] for number in range(count) for texts in kinds][:count]


def _syllables(one: Contestant, text: str) -> int:
    """Rows of vowels in the phonemes of the text."""
    if one.engine == "kokoro":
        phonemes = phonemes_for(language_of(blend_of(one.voice), None)).kokoro(text)
    else:
        phonemes = EspeakPhonemes(one.voice.split("+")[0].split("-")[0] if one.engine == "pico" else one.voice).ipa(
            text
        )
    vowels = [char in VOWELS for char in phonemes if char not in "ˈˌː\u0303"]
    return max(1, sum(now and not before for before, now in zip([False, *vowels], vowels, strict=False)))


def _voiced(sound: np.ndarray, rate: int) -> tuple[float, float]:
    """The share of loud pieces that repeat with the period of a voice (60–400 Hz), and the seconds of loud ones."""
    loud, periodic = 0, 0
    for piece in _pieces(sound, rate // 25):
        if np.abs(piece).max() < 0.05 * np.abs(sound).max():
            continue
        loud += 1
        centred = piece - piece.mean()
        likeness = np.correlate(centred, centred, "full")[len(piece) - 1 :]
        periodic += bool(likeness[rate // 400 : rate // 60].max() > 0.4 * likeness[0])
    return periodic / max(1, loud), loud * 0.04


def _pieces(sound: np.ndarray, width: int) -> Iterator[np.ndarray]:
    for start in range(0, len(sound) - width, width):
        yield sound[start : start + width]
