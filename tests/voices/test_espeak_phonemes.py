"""espeak-ng as a front end and as a voice: phonemes with their punctuation, every language, speakers, what it lacks."""

import unicodedata
from pathlib import Path

import numpy as np
import pytest

from arena_desktop.engines.worker.adapters import espeak
from arena_desktop.engines.worker.faults import EngineFault
from arena_desktop.engines.worker.speech import espeak_library, packages
from arena_desktop.engines.worker.speech.espeak_phonemes import EspeakPhonemes
from arena_desktop.engines.worker.speech.espeak_voices import find, voices
from tests.helpers.hearing import unlike_speech

COUNT = "1 2 3 4 5 6 7 8 9 10."
#: Languages for which espeak-ng has no words for digits.
NO_DIGITS = {
    "chr": "tsalagi gawonihisdi osiyo",
    "cv": "Ырӑ кун пултӑр, салам сире.",
    "sjn": "Elen sila lumenn omentielvo, sindarin.",
}


@pytest.mark.parametrize(
    ("voice", "text", "phonemes"),
    [
        ("de", "Guten Tag, wie geht es Ihnen? Sehr gut!", "ɡˈuːtən tˈɑːk, viː ɡˈeːt ɛs ˈiːnən? zˈeːɾ ɡˈuːt!"),
        ("es", "Hola señor. ¿Qué tal? ¡Bien!", "ˈola seɲˈoɾ. kˈe tˈal? bjˈen!"),
        ("fr-fr", "Bonjour: « très » bien; oui.", "bɔ̃ʒˈuʁ: tʁɛ bjˈɛ̃; wˈi."),
        ("it", "Il ragazzo mangia", "il raɡˈatsːo mˈandʒa"),
        ("hi", "नमस्ते दुनिया। आप कैसे हैं?", "nəmˈʌsteː dˈʊnɪjˌaː. ˌaːp kˈɛːseː hɛ̃?"),
        ("de", "Der Computer, right?", "dɛɾ kɔmpjˈuːtɜ, ɹˈaɪt?"),  # without the marks of a change of language
        ("cmn", "你好，世界。", "ni2χˈɑu2, s.ˈi.5 tɕˈiɛ5."),
    ],
)
def test_phonemes_keep_the_punctuation_of_the_text(voice: str, text: str, phonemes: str) -> None:
    assert EspeakPhonemes(voice).ipa(text) == unicodedata.normalize("NFD", phonemes)


def test_kokoro_s_alphabet_has_one_letter_for_a_diphthong_or_an_affricate() -> None:
    assert EspeakPhonemes("it").kokoro("Gli zii giocano.") == "ʎɪ ʣjˈi ʤˈɔkano."
    assert "tˈWzənt" in EspeakPhonemes("de").kokoro("tausend")


@pytest.mark.parametrize("text", ["...", "?", "", " ", "\n\n", "'" * 2000, "a" * 5000, "?!" * 3000, "\U0001f600"])
def test_odd_texts_come_to_an_end(text: str) -> None:
    EspeakPhonemes("fr").ipa(text)


def test_every_voice_that_is_listed_speaks_and_is_found_by_each_of_its_tags() -> None:
    engine = espeak.Engine({}, {}, [])
    engine.load("cpu")
    listed = espeak.voices()
    assert len(listed) > 130
    assert {"de", "en-us", "es", "fr-fr", "hi", "it", "pt-br"} <= {voice["language"] for voice in listed}
    for voice in listed:
        sound, rate = engine.speak(NO_DIGITS.get(voice["id"], COUNT), {"id": voice["id"]}, {}, 0)
        assert unlike_speech(sound, rate, 50) == [], voice
    data = espeak_library.data_folder()
    assert data is not None
    library = espeak_library.espeak_library()
    for one in voices(data):
        for tag in one.tags:
            library.choose(tag)
    assert [found.id if (found := find(data, tag)) else None for tag in ("zh", "no", "en-gb", "fr-fr", "xx")] == [
        "cmn", "nb", "en", "fr", None,
    ]  # fmt: skip


def test_japanese_is_read_in_kana_alone_and_kanji_are_refused() -> None:
    engine = espeak.Engine({"voice": "ja"}, {}, [])
    engine.load("cpu")
    assert engine.languages() == []
    assert len(engine.speak("でんしゃはおくれています。", None, {}, 0)[0]) > 22050
    with pytest.raises(EngineFault, match="Chinese letter") as caught:
        engine.speak("電車は遅れています。", None, {}, 0)
    assert caught.value.kind == "text"
    assert "ja" not in {voice["language"] for voice in espeak.voices()}
    assert EspeakPhonemes("cmn").ipa("你好") != ""


def test_another_speaker_of_a_language_has_another_voice_and_another_hash() -> None:
    genders = {speaker["id"]: speaker["gender"] for speaker in espeak.speakers()}
    assert (genders["f3"], genders["m3"]) == ("female", "male")
    engine = espeak.Engine({"voice": "de"}, {}, [])
    engine.load("cpu")
    own, rate = engine.speak("Guten Tag, meine Damen und Herren.", {"id": "de"}, {}, 0)
    other, _ = engine.speak("Guten Tag, meine Damen und Herren.", {"id": "de+f3"}, {}, 0)
    assert pitch(other, rate) > 1.3 * pitch(own, rate)
    files = [espeak.Engine({"voice": voice}, {}, []).weight_files() for voice in ("de", "de+f3")]
    assert set(files[1]) - set(files[0]) == {str(Path(files[0][0]).parent / "voices" / "!v" / "f3")}


def test_what_decides_the_sound_is_the_language_s_own_dictionary() -> None:
    names = {Path(file).name for file in espeak.Engine({"voice": "nb"}, {}, []).weight_files()}
    assert names == {"phondata", "phonindex", "phontab", "intonations", "no_dict"}
    assert espeak.Engine({"voice": "pt-br"}, {}, []).languages() == ["pt-br"]


@pytest.mark.parametrize("name", ["xx", "de+nobody", "", "../de"])
def test_a_voice_that_there_is_not_is_said_before_and_while_speaking(name: str) -> None:
    engine = espeak.Engine({"voice": "de"}, {}, [])
    engine.load("cpu")
    if name:
        [entry] = espeak.Engine({"voice": name}, {}, []).check()
        assert name in entry["what"]
        assert "de+f3" in entry["remedy"]
        with pytest.raises(EngineFault, match="has no voice"):
            engine.speak("Guten Tag.", {"id": name}, {}, 0)
    with pytest.raises(EngineFault, match="has no voice"):
        EspeakPhonemes(name)


def test_without_the_package_there_are_no_voices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "there", lambda module: False)
    assert espeak.voices() == espeak.speakers() == []
    assert espeak.Engine({"voice": "de"}, {}, []).languages() == []
    [entry] = espeak.Engine({"voice": "de"}, {}, []).check()
    assert "espeakng-loader" in entry["remedy"]


def pitch(sound: np.ndarray, rate: int) -> float:
    """The middle of the pitches in Hz of the loud pieces, by autocorrelation."""
    found = []
    width = rate // 20
    for start in range(0, len(sound) - width, width):
        piece = sound[start : start + width] - sound[start : start + width].mean()
        if np.abs(piece).max() < 0.2 * np.abs(sound).max():
            continue
        likeness = np.correlate(piece, piece, "full")[width - 1 :]
        low, high = rate // 400, rate // 60
        found.append(rate / (low + int(np.argmax(likeness[low:high]))))
    return float(np.median(found))
