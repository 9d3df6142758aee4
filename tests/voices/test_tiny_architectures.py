"""Every architecture of transformers that this engine speaks with, by tiny checkpoints through the real loader."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from arena_desktop.engines.worker import sound
from arena_desktop.engines.worker.adapters.transformers import ARCHITECTURES, Engine
from arena_desktop.engines.worker.checkpoints.others import SENTENCES
from arena_desktop.engines.worker.faults import EngineFault
from tests.helpers.tiny_checkpoints import BUILDERS, TEXT, Tiny, build

#: Name of the tiny checkpoint → rate, takes, files that must be in the hash of the weights.
TABLE = {
    "vits": (16000, 1, {"model.safetensors", "config.json", "vocab.json"}),
    "speecht5": (16000, 1, {"model.safetensors", "spm_char.model", "speaker.npy"}),
    "fastspeech2": (22050, 1, {"model.safetensors", "vocab.json"}),
    "bark": (24000, 3, {"model.safetensors", "generation_config.json", "ann.npz", "ben.npz"}),
    "csm": (24000, 3, {"model.safetensors", "tokenizer.json", "chat_template.jinja"}),
    "dia": (44100, 3, {"model.safetensors", "tokenizer_config.json"}),
    "pocket_tts": (24000, 3, {"model.safetensors", "tokenizer.json", "carla.safetensors"}),
    "phonon": (24000, 3, {"model.safetensors", "tokenizer.json", "carla.safetensors"}),
}
DRAWS = sorted(set(TABLE) - {"fastspeech2"})
SAMPLES = sorted(name for name, (_, takes, _) in TABLE.items() if takes == 3)
WITH_COMPANION = {"speecht5": "vocoder", "dia": "codec", "pocket_tts": "codec", "phonon": "codec"}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Tiny]:
    """Built when first asked for."""
    root = tmp_path_factory.mktemp("tiny")
    built: dict[str, Tiny] = {}

    def get(name: str) -> Tiny:
        if name not in built:
            built[name] = build(name, root / name)
        return built[name]

    return get


@pytest.fixture(scope="module")
def ready(tiny: Callable[[str], Tiny], loaded: Callable[..., Any]) -> Callable[[str], Any]:
    """The loaded engine of a tiny checkpoint, the same one each time."""
    return lambda name: loaded("transformers", tiny(name).files, tiny(name).settings)


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two seconds in stereo at a rate that no model has."""
    file = tmp_path_factory.mktemp("clip") / "clip.flac"
    time = np.arange(2 * 32000) / 32000
    wave = 0.3 * np.sin(2 * np.pi * 180 * time) * (1 + np.sin(2 * np.pi * 3 * time))
    soundfile.write(file, np.stack([wave, 0.5 * wave], axis=1) / 2, 32000)
    return str(file)


def test_the_table_names_every_architecture() -> None:
    assert set(TABLE) == set(BUILDERS)
    assert len(set(ARCHITECTURES.values())) == 7


@pytest.mark.parametrize("name", TABLE)
def test_it_is_ready_and_speaks_sound_that_passes_the_checks(
    name: str, tiny: Callable[[str], Tiny], ready: Callable[[str], Any]
) -> None:
    rate, takes, files = TABLE[name]
    engine = ready(name)
    assert engine.check() == []
    assert engine.takes() == takes
    assert files <= {Path(file).name for file in engine.weight_files()}
    spoken, found = engine.speak(TEXT, tiny(name).voice, {}, 0)
    assert found == rate
    sound.check(*sound.as_mono(spoken, found), TEXT)


@pytest.mark.parametrize("name", TABLE)
def test_the_same_seed_and_take_repeat(name: str, tiny: Callable[[str], Tiny], ready: Callable[[str], Any]) -> None:
    voice = tiny(name).voice
    first, again, other, seeded = (
        ready(name).speak("Hello there.", voice, {"seed": seed}, take)[0]
        for seed, take in ((4, 0), (4, 0), (4, 1), (5, 0))
    )
    assert np.array_equal(first, again)
    assert np.array_equal(first, other) == np.array_equal(first, seeded) == (name not in DRAWS)


@pytest.mark.parametrize("name", WITH_COMPANION)
def test_what_it_needs_beside_it_is_asked_for_found_and_hashed(
    name: str, tiny: Callable[[str], Tiny], tmp_path: Path
) -> None:
    key = WITH_COMPANION[name]
    built = tiny(name)
    alone = {"path": built.files["path"]}
    (told,) = Engine(alone, built.settings, []).check()
    assert f"{key}: FOLDER" in told["remedy"]
    with pytest.raises(EngineFault, match="beside it") as caught:
        Engine(alone, built.settings, []).load("cpu")
    assert caught.value.kind == "missing"
    named = set(Engine(built.files, built.settings, []).weight_files())
    assert str(Path(built.files[key]) / "model.safetensors") in named
    inside = tmp_path / "voice"
    shutil.copytree(built.files["path"], inside)
    shutil.copytree(built.files[key], inside / key)
    assert Engine({"path": str(inside)}, built.settings, []).check() == []
    hub = tmp_path / "hub" / "models--someone--voice" / "snapshots" / "abc"
    shutil.copytree(built.files["path"], hub)
    neighbour = {"vocoder": "microsoft/speecht5_hifigan", "codec": "descript/dac_44khz"}[key]
    if name in ("speecht5", "dia"):
        shutil.copytree(
            built.files[key], tmp_path / "hub" / f"models--{neighbour.replace('/', '--')}" / "snapshots" / "def"
        )
        assert Engine({"path": str(hub)}, built.settings, []).check() == []
    wrong = {**built.files, key: built.files["path"]}
    assert "needed" in Engine(wrong, built.settings, []).check()[0]["remedy"]


def test_every_setting_has_a_range_told_in_words(tiny: Callable[[str], Tiny], ready: Callable[[str], Any]) -> None:
    wrong = {
        "temperature": 9,
        "top_k": 0,
        "top_p": 0.0,
        "guidance": 0.5,
        "max_new_tokens": 0,
        "min_eos_p": 2,
        "semantic_temperature": "hot",
        "coarse_temperature": -1,
        "fine_temperature": 3,
        "depth_temperature": 0,
        "depth_top_k": 1.5,
        "flow_steps": 0,
        "eos_threshold": "x",
        "sample": "yes",
        "speaker_id": -1,
        "threshold": 1.0,
        "minlenratio": -1,
        "maxlenratio": 0,
        "seed": -1,
    }
    seen = set()
    for name in TABLE:
        for setting in set(wrong) & {*ARCHITECTURES[_type_of(tiny(name))].SETTINGS, "seed"}:
            if name == "vits":
                continue  # its own tests
            with pytest.raises(EngineFault, match=setting) as caught:
                ready(name).speak("Hello.", tiny(name).voice, {setting: wrong[setting]}, 0)
            assert caught.value.kind == "settings"
            assert caught.value.remedy.startswith("Write ")
            seen.add(setting)
    assert seen == set(wrong) - {"speaker_id"} | {"speaker_id"} & seen


@pytest.mark.parametrize("name", sorted({"bark", "csm", "pocket_tts"}))
def test_random_weights_can_not_speak_for_ever(
    name: str, tiny: Callable[[str], Tiny], ready: Callable[[str], Any]
) -> None:
    """Without the setting that keeps the tiny ones short, the text is the limit."""
    short, rate = ready(name).speak("Hi.", tiny(name).voice, {"max_new_tokens": 9999}, 0)
    assert 0.5 < len(short) / rate < 4.0


@pytest.mark.parametrize("name", sorted({"csm", "dia", "pocket_tts"}))
def test_a_clip_changes_the_voice(
    name: str, clip: str, tiny: Callable[[str], Tiny], ready: Callable[[str], Any]
) -> None:
    voice = {"id": "joan", "audio": clip, "transcript": "What the clip says."}
    cloned, again = (ready(name).speak("Hello there.", voice, {}, 0)[0] for _ in range(2))
    plain, _ = ready(name).speak("Hello there.", None, {}, 0)
    assert np.array_equal(cloned, again)
    assert not np.array_equal(cloned, plain)
    assert ready(name).reference_files(voice) == [clip]


@pytest.mark.parametrize(
    ("name", "voice", "words"),
    [
        ("vits", {"id": "a", "audio": "clip"}, "can't clone"),
        ("speecht5", {"id": "a", "audio": "clip"}, "can't clone"),
        ("bark", {"id": "nobody"}, "no voice nobody"),
        ("bark", {"id": "../ann"}, "no voice"),
        ("csm", {"id": "joan"}, "no voice joan"),
        ("csm", {"id": "joan", "audio": "clip"}, "no transcript"),
        ("dia", {"id": "joan"}, "no voice joan"),
        ("dia", {"id": "joan", "audio": "clip"}, "no voice joan"),
        ("pocket_tts", {"id": "joan"}, "no voice joan"),
        ("pocket_tts", {"id": "../config"}, "no voice"),
        ("phonon", {"id": "joan", "audio": "clip"}, "can't clone"),
    ],
)
def test_a_voice_that_it_has_not_is_refused_in_words(
    name: str, voice: dict[str, Any], words: str, clip: str, ready: Callable[[str], Any]
) -> None:
    asked = {**voice, "audio": clip} if "audio" in voice else voice
    with pytest.raises(EngineFault, match=words) as caught:
        ready(name).speak("Hello.", asked, {}, 0)
    assert caught.value.kind == "settings"
    assert caught.value.remedy
    if "audio" not in voice:  # clips are looked at for all engines alike
        with pytest.raises(EngineFault, match=words):
            ready(name).check_voice(asked)


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("bark", "ann", "ben"),
        ("csm", "0", "3"),
        ("pocket_tts", "carla", None),
        ("phonon", "carla", None),
    ],
)
def test_voices_of_its_own(name: str, one: str, other: str | None, ready: Callable[[str], Any]) -> None:
    ready(name).check_voice({"id": one})
    by_one, by_other = (
        ready(name).speak("Hello there.", None if voice is None else {"id": voice}, {}, 0)[0] for voice in (one, other)
    )
    assert not np.array_equal(by_one, by_other)


def test_a_folder_of_embeddings_gives_speecht5_its_voices(tiny: Callable[[str], Tiny], tmp_path: Path) -> None:
    import torch

    np.savez(tmp_path / "ann.npz", np.full(512, 0.05, np.float32))
    torch.save(torch.full((1, 512), -0.05), tmp_path / "ben.pt")
    built = tiny("speecht5")
    engine = Engine(built.files, {**built.settings, "speaker_embeddings": str(tmp_path)}, [])
    engine.load("cpu")
    ann, ben = (engine.speak("Hello.", {"id": name}, {}, 0)[0] for name in ("ann", "ben"))
    assert not np.array_equal(ann, ben)
    assert {"ann.npz", "ben.pt"} <= {Path(file).name for file in engine.weight_files()}
    engine.check_voice({"id": "ben"})
    for asked in (engine.check_voice, lambda voice: engine.speak("Hello.", voice, {}, 0)):
        with pytest.raises(EngineFault, match="no voice eve") as caught:
            asked({"id": "eve"})
    assert "ann, ben" in caught.value.remedy
    np.save(tmp_path / "short.npy", np.zeros(7, np.float32))
    with pytest.raises(EngineFault, match="holds 7 numbers"):
        engine.speak("Hello.", {"id": "short"}, {}, 0)


def test_bark_takes_a_preset_of_its_own_list_and_none_from_outside(tiny: Callable[[str], Tiny], tmp_path: Path) -> None:
    built = tiny("bark")
    folder = tmp_path / "bark"
    shutil.copytree(built.files["path"], folder)
    with np.load(Path(built.settings["voice_preset"]) / "ben.npz") as preset:
        parts = {part: f"speaker_embeddings/ben_{part}.npy" for part in preset.files}
        (folder / "speaker_embeddings").mkdir()
        for part, file in parts.items():
            np.save(folder / file, preset[part])
    outside = {part: f"../{part}.npy" for part in parts}
    listed = {"repo_or_path": "somebody/bark", "v2/ben": parts, "v2/evil": outside}
    (folder / "speaker_embeddings_path.json").write_text(json.dumps(listed))
    engine = Engine({"path": str(folder)}, {"max_new_tokens": 50, "voice_preset": "v2/ben"}, [])
    assert engine.check() == []
    assert {Path(file).name for file in parts.values()} <= {Path(file).name for file in engine.weight_files()}
    engine.load("cpu")
    named, by_voice, free = (
        engine.speak("Hello.", {"id": name} if name else None, {}, 0)[0] for name in ("", "v2/ben", "")
    )
    assert np.array_equal(named, by_voice)
    assert np.array_equal(named, free)
    with pytest.raises(EngineFault, match="no voice v2/evil"):
        engine.speak("Hello.", {"id": "v2/evil"}, {}, 0)
    unlisted = Engine({"path": str(folder)}, {"voice_preset": "v2/nobody"}, []).check()
    assert "v2/ben" in unlisted[0]["what"]


@pytest.mark.parametrize("name", SAMPLES)
def test_half_precision_where_the_architecture_takes_it(name: str, tiny: Callable[[str], Tiny]) -> None:
    built = tiny(name)
    engine = Engine(built.files, {**built.settings, "dtype": "bfloat16"}, [])
    assert engine.load("cpu") == {"device": "cpu", "dtype": "bfloat16"}
    spoken, rate = engine.speak(TEXT, built.voice, {}, 0)
    sound.check(*sound.as_mono(spoken, rate), TEXT)


@pytest.mark.parametrize(
    ("name", "dtype"), [("vits", "float16"), ("speecht5", "bfloat16"), ("csm", "int8"), ("dia", 16)]
)
def test_a_dtype_that_it_does_not_speak_in(name: str, dtype: Any, tiny: Callable[[str], Tiny]) -> None:
    engine = Engine(tiny(name).files, {**tiny(name).settings, "dtype": dtype}, [])
    (told,) = engine.check()
    assert str(dtype) in told["what"]
    assert "float32" in told["remedy"]
    with pytest.raises(EngineFault) as caught:
        engine.load("cpu")
    assert caught.value.kind == "settings"


def test_takes_without_drawing_are_one(tiny: Callable[[str], Tiny]) -> None:
    for name in ("csm", "dia", "pocket_tts"):
        built = tiny(name)
        assert Engine(built.files, {**built.settings, "sample": False}, []).takes() == 1
    assert Engine({"path": "nowhere"}, {}, []).takes() == 1


def test_one_long_text_is_spoken_in_parts(tiny: Callable[[str], Tiny], ready: Callable[[str], Any]) -> None:
    short, _ = ready("pocket_tts").speak("One sentence.", None, {}, 0)
    long, _ = ready("pocket_tts").speak("One sentence of some words, and more. " * 6, None, {}, 0)
    assert len(long) > 3 * len(short)


def _type_of(built: Tiny) -> str:
    return str(json.loads((Path(built.files["path"]) / "config.json").read_text())["model_type"])


def test_a_language_in_another_script_needs_uroman_and_says_so(tmp_path: Path) -> None:
    from tests.helpers.checkpoints import tiny_vits

    engine = Engine({"path": str(tiny_vits(tmp_path / "hin", is_uroman=True))}, {}, [])
    (told,) = engine.check()
    assert "Latin letters" in told["what"]
    assert "pip install" in told["remedy"]
    assert "uroman" in told["remedy"]
    with pytest.raises(EngineFault, match="uroman"):
        engine.load("cpu")


@pytest.mark.parametrize("kind", sorted(SENTENCES))
def test_what_can_not_speak_here_is_told_in_one_sentence_or_two(kind: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": kind}))
    engine = Engine({"path": str(tmp_path)}, {}, [])
    (told,) = engine.check()
    assert f"model_type {kind}" in told["what"]
    assert told["remedy"].endswith(".")
    with pytest.raises(EngineFault):
        engine.load("cpu")


def test_speecht5_reads_numbers_in_english_words(tiny: Callable[[str], Tiny], ready: Callable[[str], Any]) -> None:
    spoken, words = (
        ready("speecht5").speak(text, None, {}, 0)[0] for text in ("I see 12 ships.", "I see twelve ships.")
    )
    assert np.array_equal(spoken, words)
