"""Finished recordings as contestants: found by prompt, of any form, and only where there is one."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.engines.host import SpeechHost
from arena_desktop.engines.types import FailureKind, SpeechFailure
from tests.engines.conftest import MakeHost

TEXTS = {"One day, early.": "en-short-001", "Two boats.": "en-short-002", "Three!": "en-short-003"}


@pytest.fixture
def host(make_host: MakeHost) -> SpeechHost:
    return make_host(prompt_id=lambda text: TEXTS.get(text, ""))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "recordings"
    found.mkdir()
    return found


def record(path: Path, pitch: float, rate: int = 24000, channels: int = 1, **form: str) -> None:
    time = np.arange(rate) / rate
    tone = 0.3 * np.sin(2 * np.pi * pitch * time)
    path.parent.mkdir(exist_ok=True)
    soundfile.write(path, np.repeat(tone[:, None], channels, axis=1), rate, **form)


def model(folder: Path, *voices: str) -> ModelSpec:
    return ModelSpec(
        "test/human", "Human", engine="recordings", files={"path": str(folder)}, voices=tuple(map(Voice, voices))
    )


def pitch_of(path: Path) -> float:
    samples, rate = soundfile.read(path)
    return float(np.argmax(np.abs(np.fft.rfft(samples))) * rate / len(samples))


@pytest.mark.parametrize(
    ("name", "rate", "channels"),
    [("a.wav", 8000, 1), ("a.flac", 96000, 2), ("a.mp3", 44100, 2), ("a.ogg", 48000, 6), ("a.WAV", 22050, 1)],
)
def test_a_recording_of_any_form_is_played(
    host: SpeechHost, folder: Path, tmp_path: Path, name: str, rate: int, channels: int
) -> None:
    record(folder / name.replace("a", "en-short-001", 1), 440, rate, channels)
    human = model(folder)
    assert host.check(human) == ()
    assert host.prompts(human) == frozenset({"en-short-001"})
    spoken = host.speak(human, "One day, early.", None, tmp_path / "out.wav")
    assert spoken.rate == rate
    assert abs(pitch_of(spoken.path) - 440) < 3


def test_an_index_tells_voices_apart_and_only_complete_prompts_compete(
    host: SpeechHost, folder: Path, tmp_path: Path
) -> None:
    for number, name in enumerate(("ann-1", "ann-2", "bob-1", "both-3")):
        record(folder / f"{name}.wav", 300 + 100 * number)
    (folder / "index.csv").write_text(
        "prompt_id,file,voice\r\nen-short-001,ann-1.wav,ann\r\nen-short-002,ann-2.wav,ann\r\n"
        "en-short-001,bob-1.wav,bob\r\nen-short-003,both-3.wav,\r\n"
    )
    human = model(folder, "ann", "bob")
    assert host.check(human) == ()
    assert host.prompts(human) == frozenset({"en-short-001", "en-short-003"})
    bob = host.speak(human, "One day, early.", Voice("bob"), tmp_path / "out.wav")
    assert abs(pitch_of(bob.path) - 500) < 3


def test_a_text_without_a_recording_is_refused_in_words(host: SpeechHost, folder: Path, tmp_path: Path) -> None:
    record(folder / "en-short-001.wav", 440)
    with pytest.raises(SpeechFailure, match="no recording of this text") as caught:
        host.speak(model(folder), "Two boats.", None, tmp_path / "out.wav")
    assert caught.value.kind is FailureKind.TEXT


def test_a_recording_that_is_none_is_a_failure_of_its_own(host: SpeechHost, folder: Path, tmp_path: Path) -> None:
    record(folder / "en-short-001.wav", 440)
    (folder / "en-short-002.mp3").write_bytes(b"not music" * 100)
    human = model(folder)
    with pytest.raises(SpeechFailure, match=r"en-short-002\.mp3 is no sound that can be read"):
        host.speak(human, "Two boats.", None, tmp_path / "out.wav")
    assert host.speak(human, "One day, early.", None, tmp_path / "out.wav").frames == 24000


@pytest.mark.parametrize(
    ("index", "words"),
    [
        ("id,path\nx,en-short-001.wav\n", "its first line does not name prompt_id and file"),
        ("prompt_id,file\nen-short-001,../outside.wav\n", "line 2 names a file outside the folder"),
        ("prompt_id,file\nen-short-001,gone.wav\n", "line 2 names a file that is not there, gone.wav"),
        ("prompt_id,file\nen-short-001,\n", "line 2 lacks a prompt_id or a file"),
        ("prompt_id,file\na,en-short-001.wav\na,en-short-001.wav\n", "line 3 lists a a second time"),
        ("", "its first line does not name"),
        ("prompt_id,file\n\x00\x01\xff", "can't be used"),
    ],
)
def test_a_wrong_index_is_told_with_its_line(host: SpeechHost, folder: Path, index: str, words: str) -> None:
    record(folder / "en-short-001.wav", 440)
    record(folder.parent / "outside.wav", 440)
    (folder / "index.csv").write_text(index, encoding="latin-1")
    assert words in " ".join(item.what for item in host.check(model(folder)))


def test_an_empty_folder_a_missing_one_and_a_prompt_recorded_twice_are_told(host: SpeechHost, folder: Path) -> None:
    assert "holds no recordings" in host.check(model(folder))[0].what
    assert "is not there" in host.check(model(folder / "gone"))[0].what
    record(folder / "a.wav", 440)
    record(folder / "a.flac", 440)
    assert "two recordings of a" in host.check(model(folder))[0].what


def test_another_recording_makes_another_competitor(host: SpeechHost, folder: Path) -> None:
    record(folder / "en-short-001.wav", 440)
    before = host.identify(model(folder)).weights_hash
    record(folder / "en-short-001.wav", 550)
    host.check(model(folder))
    assert host.identify(model(folder)).weights_hash != before
