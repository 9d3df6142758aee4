"""Engines that come with a recipe: what they say where their packages are missing, and what they refuse before any
library is asked.
"""

import json
import os
import struct
import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from arena_desktop.engines.worker.adapters import chatterbox, f5, kokoro_torch, orpheus, parler, qwen_tts, xtts
from arena_desktop.engines.worker.faults import EngineFault
from arena_desktop.engines.worker.speech.cloned_voice import clip_of, words_of
from arena_desktop.engines.worker.speech.model_folder import open_weights
from tests.helpers.sounds import babble

ENGINES = (chatterbox, f5, kokoro_torch, orpheus, parler, qwen_tts, xtts)


def write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def tensors(path: Path, shapes: dict[str, list[int]]) -> Path:
    """A safetensors file of zeros."""
    header, at = {}, 0
    for name, shape in shapes.items():
        size = 4 * int(np.prod(shape))
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(text)) + text + bytes(at))
    return path


@pytest.mark.parametrize("module", ENGINES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_a_folder_that_is_not_there_and_a_misspelt_setting_are_told(module: Any, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere")
    engine = module.Engine({"path": nowhere}, {"sped": 1.0}, [])
    said = [f"{item['what']} | {item['remedy']}" for item in engine.check()]
    assert any("a setting sped of" in line for line in said)
    assert any(nowhere in line for line in said)
    unnamed = module.Engine({}, {}, []).check()
    assert any("files: {path:" in item["remedy"] for item in unnamed)
    assert engine.version()
    assert engine.RUNTIME == "torch"
    assert engine.takes() in (1, 3)
    with pytest.raises(EngineFault, match="before it was loaded"):
        engine.speak("Hello.", None, {}, 0)
    with pytest.raises(EngineFault, match="lacks"):
        engine.load("cpu")


@pytest.mark.parametrize(
    ("voice", "said"),
    [
        (None, "no voice is named"),
        ({"id": "ann"}, "the voice ann has none"),
        ({"id": "ann", "audio": "/nowhere/ann.wav"}, "The clip /nowhere/ann.wav is not there"),
    ],
)
def test_a_voice_without_a_clip_is_refused_in_words(voice: dict[str, Any] | None, said: str) -> None:
    with pytest.raises(EngineFault, match=said):
        clip_of(voice, "XTTS")


def test_a_clip_without_its_words_is_refused_where_they_are_needed() -> None:
    with pytest.raises(EngineFault, match="no transcript"):
        words_of({"id": "ann", "audio": "ann.wav", "transcript": "  "}, "F5-TTS")
    assert words_of({"transcript": " two\n words "}, "F5-TTS") == "two words"


def f5_folder(folder: Path, name: str = "F5TTS_v1_Base") -> Path:
    tensors(
        folder / name / "model_1.safetensors",
        {
            "ema_model.transformer.proj_out.weight": [100, 128],
            "ema_model.transformer.transformer_blocks.0.attn.to_q.weight": [192, 128],
            "ema_model.transformer.transformer_blocks.0.ff.ff.0.0.weight": [256, 128],
            "ema_model.transformer.transformer_blocks.1.attn.to_q.weight": [192, 128],
            "ema_model.transformer.text_embed.text_embed.weight": [10, 32],
            "ema_model.transformer.text_embed.text_blocks.0.dwconv.weight": [32, 1, 7],
        },
    )
    write(folder / "vocos" / "config.yaml")
    write(folder / "vocos" / "pytorch_model.bin")
    return folder


def test_f5_reads_the_sizes_from_the_weights_and_the_version_from_the_folder(tmp_path: Path) -> None:
    weights = f5_folder(tmp_path) / "F5TTS_v1_Base" / "model_1.safetensors"
    shape = {"dim": 128, "depth": 2, "heads": 3, "ff_mult": 2, "text_dim": 32, "conv_layers": 1}
    assert f5._shape(weights) == shape
    assert f5.Engine({"path": str(tmp_path)}, {}, []).problems() == []
    own = f5_folder(tmp_path / "own", "my_voice")
    with pytest.raises(EngineFault, match="doesn't tell"):
        f5.Engine({"path": str(own)}, {}, []).problems()
    assert f5.Engine({"path": str(own)}, {"version": "v0"}, []).problems() == []


def test_another_file_in_the_place_of_a_clip_is_learned_anew(tmp_path: Path) -> None:
    file = tmp_path / "me.wav"
    voice = {"id": "me", "audio": str(file), "transcript": "Words."}
    engine = f5.Engine({}, {}, [])
    heard = []
    for seed in (1, 2):
        soundfile.write(file, babble(1.0, seed, rate=8_000), 8_000)
        os.utime(file, ns=(seed, seed))
        engine.ready(voice, {})
        assert engine._clip is not None
        heard.append(engine._clip[1])
    engine.ready(voice, {})
    assert engine._clip is not None
    assert engine._clip[1] is heard[1]
    assert not np.array_equal(heard[0], heard[1])


def test_f5_takes_the_newest_of_the_makers_models_and_refuses_to_choose_among_others(tmp_path: Path) -> None:
    f5_folder(f5_folder(tmp_path), "F5TTS_Base")
    names = {Path(file).parent.name for file in f5.Engine({"path": str(tmp_path)}, {}, []).weight_files()}
    assert names == {"F5TTS_v1_Base", "vocos"}
    several = f5_folder(f5_folder(tmp_path / "several", "ann"), "ben")
    with pytest.raises(EngineFault, match="should hold one model"):
        f5.Engine({"path": str(several)}, {"version": "v1"}, []).problems()


def test_f5_refuses_a_damaged_model_in_words(tmp_path: Path) -> None:
    file = f5_folder(tmp_path) / "F5TTS_v1_Base" / "model_1.safetensors"
    file.write_bytes(b"version https://git-lfs.github.com/spec/v1")
    what = f5.Engine({"path": str(tmp_path)}, {}, []).check()[-1]["what"]
    assert "is no model of F5-TTS, or not whole" in what


def test_a_vocoder_that_would_run_something_else_is_refused(tmp_path: Path) -> None:
    folder = f5_folder(tmp_path)
    described = "backbone: {class_path: subprocess.Popen, init_args: {args: [touch, /tmp/x]}}"
    write(folder / "vocos" / "config.yaml", described)
    with pytest.raises(EngineFault, match="is not the vocoder of F5-TTS"):
        f5.vocoder_classes(folder / "vocos" / "config.yaml")


def test_a_weights_file_that_runs_code_is_refused(tmp_path: Path) -> None:
    import pickle

    file = tmp_path / "af_heart.pt"
    file.write_bytes(pickle.dumps(Path("x")))
    with pytest.raises(EngineFault, match=r"could run any code|are not whole"):
        open_weights(file)


@pytest.mark.parametrize("voice", ["../../secret", "", "jf_alpha", "zf_xiaobei"])
def test_kokoro_refuses_voices_that_are_none_or_that_it_cant_read_for(voice: str, tmp_path: Path) -> None:
    vocabulary = {"vocab": {"a": 1}, "istftnet": {}, "plbert": {}}
    write(tmp_path / "config.json", json.dumps(vocabulary))
    write(tmp_path / "kokoro-v1_0.pth")
    for name in ("af_heart", "jf_alpha", "zf_xiaobei"):
        write(tmp_path / "voices" / f"{name}.pt")
    files = {"path": str(tmp_path), "voice": voice or "af_heart"}
    said = " ".join(item["what"] for item in kokoro_torch.Engine(files, {}, []).check())
    expected = {"../../secret": "Kokoro has no voice", "": ""}.get(voice, "a front end for the language")
    assert expected in said
    assert "voices/af_heart" not in said


def test_orpheus_knows_a_plain_llama_from_its_tokenizer_only_when_loaded_but_wants_both_folders(tmp_path: Path) -> None:
    write(tmp_path / "config.json", json.dumps({"model_type": "llama"}))
    write(tmp_path / "tokenizer.json", "{}")
    said = [item["what"] for item in orpheus.Engine({"path": str(tmp_path)}, {}, []).check()]
    assert any(str(tmp_path / "snac" / "config.json") in line or "snac" in line for line in said)


def test_chatterbox_tells_its_two_models_apart_and_the_english_one_speaks_english(tmp_path: Path) -> None:
    for name in chatterbox.ENGLISH:
        write(tmp_path / "english" / name)
    for name in chatterbox.MULTILINGUAL:
        write(tmp_path / "many" / name)
    german = {"language": "de"}
    assert chatterbox.Engine({"path": str(tmp_path / "many")}, german, []).problems() == []
    assert chatterbox.Engine({"path": str(tmp_path / "english")}, {}, []).problems() == []
    refused = chatterbox.Engine({"path": str(tmp_path / "english")}, german, []).problems()
    assert "a model that speaks de" in refused[0]["what"]


def test_a_clip_is_part_of_what_the_vote_names(tmp_path: Path) -> None:
    clip = tmp_path / "clip.wav"
    with wave.open(str(clip), "wb") as sound:
        sound.setparams((1, 2, 16000, 0, "NONE", ""))
        sound.writeframes(bytes(32000))
    voice = {"id": "ann", "audio": str(clip), "transcript": "Nothing."}
    assert xtts.Engine({"path": str(tmp_path)}, {}, []).reference_files(voice) == [str(clip)]
    assert xtts.Engine({"path": str(tmp_path)}, {}, []).reference_files({"id": "Ana Florence"}) == []


def test_a_number_type_that_an_engine_cant_speak_in_is_refused(tmp_path: Path) -> None:
    def said(engine: Any) -> str:
        return " ".join(item["what"] for item in engine.check())

    assert "does not speak in bfloat16" in said(xtts.Engine({"path": str(tmp_path)}, {"dtype": "bfloat16"}, []))
    assert "bfloat16" not in said(parler.Engine({"path": str(tmp_path)}, {"dtype": "bfloat16"}, []))
    assert qwen_tts.Engine({}, {}, []).dtypes() == ["float32", "bfloat16"]
