"""What counts as speech of a text, and how it is written down."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from arena_desktop.engines.worker import sound, texts
from arena_desktop.engines.worker.faults import EngineFault, describe

RATE = 22_050
TEXT = "The birch canoe slid on the smooth planks."


def speech_like(
    seconds: float = 3.0, level: float = 0.2, seed: int = 1
) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    """Noise in syllables, with silence around it."""
    random = np.random.default_rng(seed)
    at = np.arange(int(seconds * RATE)) / RATE
    syllables = np.clip(np.sin(2 * np.pi * 4 * at), 0, None) * (at > 0.3) * (at < seconds - 0.3)
    return (level * syllables * random.standard_normal(at.size)).astype(np.float32)


def kind_of(samples: "np.ndarray[tuple[int], np.dtype[np.float32]]", text: str = TEXT) -> str:
    try:
        sound.check(samples, RATE, text)
    except EngineFault as fault:
        return fault.kind
    return "fine"


def test_speech_passes() -> None:
    assert kind_of(speech_like()) == "fine"
    assert kind_of(speech_like(level=0.004)) == "fine"  # very quiet, but there


def test_samples_that_are_no_numbers() -> None:
    for bad in (np.nan, np.inf, -np.inf):
        samples = speech_like()
        samples[7] = bad
        assert kind_of(samples) == "not_finite"


def test_silence_and_a_lone_click_are_silence() -> None:
    assert kind_of(speech_like() * 0) == "silence"
    assert kind_of(speech_like(level=1e-5)) == "silence"
    click = speech_like() * 0
    click[5000:5100] = 0.9
    assert kind_of(click) == "silence"
    offset = speech_like() * 0 + np.float32(0.0005)
    assert kind_of(offset) == "silence"


def test_length_is_judged_by_the_text() -> None:
    assert kind_of(speech_like(0.09), "Hi") == "too_short"
    assert kind_of(speech_like(1.0), "Hi") == "fine"
    assert kind_of(speech_like(1.0), TEXT * 10) == "too_short"
    assert kind_of(speech_like(20.0), "Hi") == "too_long"
    assert kind_of(speech_like(20.0), "1234567890 1234567890") == "fine"  # spelled out as numbers, slowly


def test_flat_tops_are_clipping_and_high_ones_are_not() -> None:
    assert kind_of(np.clip(speech_like(level=2.0), -1, 1)) == "clipping"
    assert kind_of(np.clip(speech_like(level=2.0), -1, 1) * np.float32(0.5)) == "clipping"  # turned down afterwards
    positive = speech_like(level=2.0)
    assert kind_of(np.minimum(positive, 1.0)) == "clipping"
    high = speech_like(level=0.2)
    high *= np.float32(1.2) / np.abs(high).max()  # some engines reach 1.2 without distortion
    assert kind_of(high) == "fine"
    assert kind_of(speech_like() * np.float32(32767)) == "clipping"


def test_a_few_clipped_samples_are_forgiven() -> None:
    samples = speech_like(level=0.2)
    assert kind_of(np.clip(samples, -0.75, 0.75)) == "fine"


@pytest.mark.parametrize("rate", [0, -1, 1_000, 1e9, 22_050.5, float("nan"), True, None, "22050", np.float32(np.inf)])
def test_a_rate_that_no_sound_has(rate: object) -> None:
    with pytest.raises(EngineFault, match="sample rate"):
        sound.as_mono(speech_like(), rate)


@pytest.mark.parametrize("rate", [8_000, 44_100.0, np.int64(24_000), np.float32(16_000)])
def test_a_rate_of_any_number_type(rate: object) -> None:
    samples, found = sound.as_mono(speech_like().astype(np.float64).reshape(1, -1), rate)
    assert (samples.dtype.name, samples.ndim, type(found)) == ("float32", 1, int)


def test_what_is_not_mono_floating_point_is_refused() -> None:
    for wrong in (np.zeros((2, 100), np.float32), np.zeros(100, np.int16), "sound", None, [[0.1, 0.2], [0.3, 0.4]]):
        with pytest.raises(EngineFault):
            sound.as_mono(wrong, RATE)


@given(
    hnp.arrays(np.float32, st.integers(0, 500), elements=st.floats(-4, 4, width=32)), st.sampled_from([8000, 24_000])
)
def test_a_written_file_holds_the_same_bits(
    tmp_path_factory: pytest.TempPathFactory, samples: object, rate: int
) -> None:
    assert isinstance(samples, np.ndarray)
    path = tmp_path_factory.mktemp("wav") / "a.wav"
    digest = sound.write_wav(samples, rate, str(path))
    assert digest == hashlib.sha256(path.read_bytes()).hexdigest()
    read, read_rate = soundfile.read(path, dtype="float32")
    assert read_rate == rate
    assert read.tobytes() == samples.tobytes()
    assert list(path.parent.iterdir()) == [path]


@given(st.text(max_size=200))
def test_every_text_is_either_refused_in_one_sentence_or_has_a_plausible_length(text: str) -> None:
    refusal = texts.refusal(text)
    if refusal is None:
        assert any(letter.isalnum() for letter in text)
        assert 0.1 <= texts.shortest_plausible_s(text) < texts.longest_plausible_s(text)
    else:
        assert refusal.endswith(".")
        assert "\n" not in refusal


def test_errors_become_words() -> None:
    assert describe(EngineFault("text", "Too odd.", "Change it.")) == {
        "kind": "text",
        "message": "Too odd.",
        "remedy": "Change it.",
    }
    assert describe(MemoryError())["kind"] == "out_of_memory"
    assert (
        describe(RuntimeError("[enforce fail] DefaultCPUAllocator: not enough memory: you tried"))["kind"]
        == "out_of_memory"
    )
    assert describe(RuntimeError("shape mismatch"))["kind"] == "engine"
    missing = describe(ModuleNotFoundError("No module named 'vits'", name="vits"))
    assert (missing["kind"], "vits" in missing["message"]) == ("environment", True)
    assert (
        describe(ValueError("first line\nsecond line"))["message"] == "The engine failed with ValueError: first line."
    )
    assert len(describe(ValueError("x" * 10_000))["message"]) < 400


def test_a_third_partys_own_fault_keeps_its_words(tmp_path: Path) -> None:
    class Own(Exception):
        kind, message, remedy = "settings", "No such speaker.", "Choose 0 to 3."

    assert describe(Own())["kind"] == "settings"
