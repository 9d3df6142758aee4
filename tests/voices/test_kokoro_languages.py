"""Kokoro in the languages that its phonemes can be made for here; and the languages of Pico."""

import sys
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.engines.worker.adapters import kokoro, pico
from arena_desktop.engines.worker.faults import EngineFault
from arena_desktop.engines.worker.kokoro.languages import language_of, phonemes_for
from arena_desktop.engines.worker.kokoro.model import packaged_vocabulary
from arena_desktop.engines.worker.kokoro.styles import blend_of
from arena_desktop.engines.worker.speech import packages
from tests.helpers.hearing import unlike_speech

SENTENCES = {
    "ef_dora": "El tren sale hoy con retraso.",
    "ff_siwis": "Le train part en retard.",
    "hf_alpha": "आज रेलगाड़ी देर से चलेगी।",
    "if_sara": "Il treno parte in ritardo.",
    "jf_alpha": "電車は二十分遅れています。",
    "pf_dora": "O trem sai hoje com atraso.",
}
PHONEMES = {
    "ef_dora": ("¿Qué tal, señor?", "kˈe tˈal, seɲˈoɾ?"),
    "ff_siwis": ("Bonjour, le monde.", "bɔ̃ʒˈuʁ, lə mˈɔ̃d."),
    "if_sara": ("Gli zii giocano.", "ʎɪ ʣjˈi ʤˈɔkano."),
    "pf_dora": ("O menino não está.", "ʊ mˌenˈinʊ nˌɐ̃ʊ̃ estˌa."),
    "hf_alpha": ("नमस्ते दुनिया।", "nəmˈʌsteː dˈʊnɪjˌaː."),
    "jf_alpha": ("今日は2024年です。", "kʲoː βa ɲi seɴ ɲi ʥɨː jo neɴ desɨ."),
}


@pytest.mark.parametrize("style", PHONEMES)
def test_the_phonemes_of_a_language_are_those_that_the_model_knows(style: str) -> None:
    text, expected = PHONEMES[style]
    found = phonemes_for(language_of(blend_of(style), None)).kokoro(text)
    assert found == expected
    assert set(found) <= set(packaged_vocabulary())


@pytest.mark.parametrize("style", SENTENCES)
def test_each_language_speaks(loaded: Any, style: str) -> None:
    assert kokoro.Engine({"voice": style}, {}, []).check() == []
    engine = loaded("kokoro", {"voice": "ef_dora"})
    sound, rate = engine.speak(SENTENCES[style], None if style == "ef_dora" else {"id": style}, {}, 0)
    assert unlike_speech(sound, rate, 3 * len(SENTENCES[style]) if style == "jf_alpha" else 26) == []


def test_the_language_is_that_of_the_largest_share_or_of_the_settings() -> None:
    tags = {
        "af_heart": "en-us", "bf_emma*0.6+af_heart*0.4": "en-gb", "ff_siwis*0.4+if_sara*0.6": "it", "own": "en-us",
    }  # fmt: skip
    assert {written: language_of(blend_of(written), None).tag for written in tags} == tags
    assert language_of(blend_of("af_heart"), "fr_FR").tag == "fr"
    assert kokoro.Engine({"voice": "af_heart"}, {"language": "es"}, []).languages() == ["es"]
    with pytest.raises(EngineFault, match="does not speak xx"):
        language_of(blend_of("af_heart"), "xx")


def test_chinese_is_refused_with_the_reason() -> None:
    [entry] = kokoro.Engine({"voice": "zf_xiaobei"}, {}, []).check()
    assert "can't speak zh" in entry["what"]
    assert "tables of tones" in entry["what"]
    assert kokoro.Engine({"voice": "zf_xiaobei"}, {}, []).languages() == []


@pytest.mark.parametrize(("style", "package"), [("ff_siwis", "espeakng-loader"), ("jf_alpha", "pyopenjtalk-plus")])
def test_what_makes_the_phonemes_is_asked_for(style: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    there = packages.there
    monkeypatch.setattr(
        packages, "there", lambda module: module not in ("espeakng_loader", "pyopenjtalk") and there(module)
    )
    engine = kokoro.Engine({"voice": style}, {}, [])
    [entry] = engine.check()
    assert package in entry["remedy"]
    assert engine.languages() == []
    with pytest.raises(EngineFault, match=package):
        phonemes_for(language_of(blend_of(style), None))


def test_all_styles_of_the_hub_are_listed_with_language_and_gender() -> None:
    listed = {voice["id"]: voice for voice in kokoro.voices()}
    assert len(listed) == 46  # 54 less the Chinese ones
    assert listed["im_nicola"] == {"id": "im_nicola", "name": "Nicola", "language": "it", "gender": "male"}
    place = Path(sys.prefix) / "share" / "arena-desktop" / "kokoro-js"
    engine = kokoro.Engine({"path": str(place)}, {}, [])
    assert set(engine.languages()) == {voice["language"] for voice in listed.values()}


PICO = {
    "en-US": "The train is late today.",
    "en-GB": "The train is late today.",
    "de-DE": "Der Zug hat heute Verspätung.",
    "es-ES": "Las seis casas de la plaza están vacías.",
    "fr-FR": "Six cents personnes sont passées ici ce samedi.",
    "it-IT": "Sei stanze spaziose sono senza sole stasera.",
}


def test_pico_speaks_its_six_voices(loaded: Any) -> None:
    assert {voice["id"] for voice in pico.voices()} == set(PICO)
    for voice, text in PICO.items():
        engine = loaded("pico", {"package": "py-nanotts", "voice": voice})
        assert engine.languages() == [voice.lower()]
        sound, rate = engine.speak(text, {"id": voice}, {}, 0)
        assert unlike_speech(sound, rate, len(text)) == [], voice
        assert len(engine.weight_files()) == 2
