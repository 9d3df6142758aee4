"""The examination of clips: real voices pass it; no speech, and damaged speech, is flagged for what it is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_desktop.audio.examine import Flag, examine, paced, same_twice
from arena_desktop.audio.signs import signs
from arena_desktop.audio.types import Clip
from arena_desktop.domain.fixed_set import FIXED_SETS, FixedText
from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.engines.types import FailureKind, Missing, SpeechFailure, Spoken
from arena_desktop.services.examining import examine_model
from tests.helpers.tiny_checkpoints import build

Sound = NDArray[np.float32]
Loaded = Callable[..., Any]
VOICES = [
    ("hibari", {"package": "hibari-tts"}, "heart", "en"),
    ("pico", {"voice": "en-US"}, "en-US", "en"),
    ("pico", {"voice": "en-GB"}, "en-GB", "en"),
    ("espeak", {"voice": "en-us"}, "en-us", "en"),
    *(("pico", {"voice": voice}, voice, voice[:2]) for voice in ("de-DE", "es-ES", "fr-FR", "it-IT")),
    *(("espeak", {"voice": voice}, voice, voice[:2]) for voice in ("de", "es", "fr-fr", "it")),
]
RATE = 16000
RANDOM = np.random.default_rng(3)


def speak(loaded: Loaded, engine: str, files: dict[str, Any], voice: str, text: str) -> tuple[Sound, int]:
    sound, rate = loaded(engine, files).speak(text, {"id": voice}, {}, 0)
    return np.asarray(sound, dtype=np.float32), int(rate)


def kinds(flags: tuple[Flag, ...]) -> set[str]:
    return {flag.kind for flag in flags}


@pytest.mark.parametrize(("engine", "files", "voice", "language"), VOICES, ids=[f"{one[0]}-{one[2]}" for one in VOICES])
def test_voices_pass(loaded: Loaded, engine: str, files: dict[str, Any], voice: str, language: str) -> None:
    active, clips = 0.0, []
    for text in FIXED_SETS[language].texts:
        sound, rate = speak(loaded, engine, files, voice, text.text)
        assert examine(sound, rate, text.text, language, text.letters) == (), text.kind
        assert not kinds(examine(sound, rate, text.text, language)) - {"fast", "slow"}
        active += signs(sound, rate).active
        clips.append((sound, rate))
    letters = sum(text.letters for text in FIXED_SETS[language].texts)
    assert paced(active, letters, language) == ()
    assert same_twice(clips) is None
    assert kinds(paced(active / 2, letters, language)) == {"fast"}  # spoken twice as fast


def noise(sound: Sound, rate: int) -> Sound:
    return RANDOM.normal(0, 0.1, len(sound)).astype(np.float32)


def pulsed_noise(sound: Sound, rate: int) -> Sound:
    """Noise that rises and falls as the speech does: only its spectrum gives it away."""
    level = np.sqrt(np.convolve(np.square(sound), np.ones(rate // 50) / (rate // 50), "same"))
    changed: Sound = (noise(sound, rate) * level * 10).astype(np.float32)
    return changed


def tone(sound: Sound, rate: int) -> Sound:
    return (0.3 * np.sin(2 * np.pi * 220 * np.arange(len(sound)) / rate)).astype(np.float32)


def tops_cut(sound: Sound, rate: int) -> Sound:
    return np.clip(sound, -0.4 * np.abs(sound).max(), 0.4 * np.abs(sound).max())


def with_hum(sound: Sound, rate: int) -> Sound:
    return (sound + 0.01 * np.sin(2 * np.pi * 50 * np.arange(len(sound)) / rate)).astype(np.float32)


def loudest(sound: Sound, rate: int) -> int:
    return int(np.argmax(np.convolve(np.square(sound), np.ones(rate // 20), "same")))


MUTATIONS: dict[str, tuple[Callable[[Sound, int], Sound], str]] = {
    "nothing": (lambda sound, rate: sound[:10], "silence"),
    "silence": (lambda sound, rate: np.zeros_like(sound), "silence"),
    "noise": (noise, "noise"),
    "noise with the rhythm of speech": (pulsed_noise, "noise"),
    "a tone": (tone, "tone"),
    "cut tops": (tops_cut, "clipping"),
    "cut in the middle of a vowel": (lambda sound, rate: sound[: loudest(sound, rate)], "cut_end"),
    "begun in the middle of a vowel": (lambda sound, rate: sound[loudest(sound, rate) :], "cut_start"),
    "off zero": (lambda sound, rate: sound + np.float32(0.02), "offset"),
    "hum": (with_hum, "hum"),
    "very faint": (lambda sound, rate: sound / np.float32(200), "faint"),
    "the same over and over": (lambda sound, rate: np.tile(sound[: int(1.2 * rate)], 6), "loop"),
    "a quarter of it": (lambda sound, rate: sound[: len(sound) // 4], "fast"),
    "three times": (lambda sound, rate: np.tile(sound, 3), "slow"),
}


@pytest.mark.parametrize("name", MUTATIONS)
@pytest.mark.parametrize(("engine", "files", "voice"), [one[:3] for one in VOICES[:2]], ids=["hibari", "pico"])
def test_what_is_done_to_a_clip_is_flagged(
    loaded: Loaded, name: str, engine: str, files: dict[str, Any], voice: str
) -> None:
    text = FIXED_SETS["en"].texts[0]
    sound, rate = speak(loaded, engine, files, voice, text.text)
    change, kind = MUTATIONS[name]
    assert examine(sound, rate, text.text, "en", text.letters) == ()
    assert kind in kinds(examine(change(sound, rate), rate, text.text, "en", text.letters))


@pytest.mark.parametrize("name", ["vits", "speecht5"])
def test_an_untrained_network_is_flagged(name: str, tmp_path: Path) -> None:
    from tests.voices.conftest import new_engine

    tiny = build(name, tmp_path / name)
    engine = new_engine("transformers", tiny.files, tiny.settings)
    engine.load("cpu")
    text = FIXED_SETS["en"].texts[0]
    sound, rate = engine.speak(text.text, tiny.voice, {}, 0)
    engine.close()
    assert kinds(examine(np.asarray(sound, dtype=np.float32), int(rate), text.text, "en", text.letters))


def test_a_clip_is_known_again_louder_and_not_another_one(loaded: Loaded) -> None:
    sound, rate = speak(loaded, "pico", {"voice": "en-US"}, "en-US", "Turn left at the old bakery.")
    other, _ = speak(loaded, "pico", {"voice": "en-US"}, "en-US", "Leave your boots by the door.")
    other = np.resize(other, len(sound))
    assert same_twice([(other, rate), (sound, rate), (sound * np.float32(0.5), rate)]) == (1, 2)
    assert same_twice([(other, rate), (sound, rate)]) is None


class Host:
    """Speaks what ``acts`` says by the kind of the text; else a clip of Pico."""

    def __init__(self, sounds: dict[str, Sound], acts: dict[str, FailureKind]) -> None:
        self._sounds = sounds
        self._acts = acts
        self.asked: list[str] = []
        self._last = np.zeros(0, dtype=np.float32)

    def check(self, model: ModelSpec) -> tuple[Missing, ...]:
        return ()

    def prompts(self, model: ModelSpec) -> frozenset[str] | None:
        return None

    def speak(self, model: ModelSpec, text: str, voice: Voice | None, out: Path, take: int = 0) -> Spoken:
        kind = next(one.kind for one in FIXED_SETS["en"].texts if one.text == text)
        self.asked.append(kind)
        if kind in self._acts:
            raise SpeechFailure(self._acts[kind], model.repo_id, f"It did {self._acts[kind].value}.")
        self._last = self._sounds[kind]
        return Spoken(out, RATE, len(self._last), 0.1, 0.1, "cpu", "float32", "00" * 32)

    def read(self, path: Path) -> Clip:
        return Clip(samples=self._last, rate=RATE)


@pytest.fixture(scope="module")
def sounds(loaded: Loaded) -> dict[str, Sound]:
    def of(text: FixedText) -> Sound:
        return speak(loaded, "pico", {"voice": "en-US"}, "en-US", text.text)[0]

    return {text.kind: of(text) for text in FIXED_SETS["en"].texts}


MODEL = ModelSpec("x/one", "One", engine="pico", language=("en",))


def test_one_failure_does_not_keep_the_other_texts_from_being_heard(sounds: dict[str, Sound]) -> None:
    host = Host(sounds, {"names": FailureKind.CRASH})
    found = examine_model(MODEL, host, host.read, tuple)
    assert host.asked == [text.kind for text in FIXED_SETS["en"].texts]
    assert (found.spoke, found.clear, found.words) == (False, False, ("could not speak: crash",))


def test_after_a_hang_nothing_more_is_asked(sounds: dict[str, Sound]) -> None:
    host = Host(sounds, {"numbers": FailureKind.HANG})
    found = examine_model(MODEL, host, host.read, tuple)
    assert host.asked == ["sentence", "numbers"]
    assert found.words == ("could not speak: hang",)


def test_what_only_shows_over_all_texts_is_flagged(sounds: dict[str, Sound]) -> None:
    host = Host(sounds, {})
    assert examine_model(MODEL, host, host.read, tuple).clear
    host = Host({**sounds, "names": sounds["sentence"]}, {})
    assert "the same clip for different texts" in examine_model(MODEL, host, host.read, tuple).words
    host = Host({kind: sound[::2].copy() for kind, sound in sounds.items()}, {})
    assert "too short for the text" in examine_model(MODEL, host, host.read, tuple).words


def test_progress_can_end_it(sounds: dict[str, Sound]) -> None:
    host = Host(sounds, {})

    def stop(done: int, total: int) -> None:
        assert total == len(FIXED_SETS["en"].texts)
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        examine_model(MODEL, host, host.read, tuple, progress=stop)
    assert len(host.asked) == 2
