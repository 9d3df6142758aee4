"""Checkpoint folders of transformers: the tiny ones speak, the broken and the unsafe ones are refused in words."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena_desktop.engines.worker.adapters import transformers
from arena_desktop.engines.worker.faults import EngineFault
from tests.helpers.checkpoints import tiny_vits

ROOT = Path(__file__).resolve().parents[2]
TEXT = "The birch canoe slid on the smooth planks."


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_vits(tmp_path_factory.mktemp("tiny") / "vits")


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_vits(tmp_path_factory.mktemp("tiny") / "several", speakers=4, rate=22050)


@pytest.fixture
def broken(tiny: Path, tmp_path: Path) -> Path:
    """A copy to be broken."""
    for file in tiny.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def loaded_engine(folder: Path, **settings: Any) -> transformers.Engine:
    engine = transformers.Engine({"path": str(folder)}, settings, [])
    assert engine.check() == []
    assert engine.load("cpu") == {"device": "cpu", "dtype": "float32"}
    return engine


def test_a_take_repeats_and_another_one_differs(tiny: Path) -> None:
    engine = loaded_engine(tiny)
    (first, rate), (again, _), (other, _) = (engine.speak(TEXT, None, {}, take) for take in (0, 0, 1))
    assert rate == 16000
    assert first.dtype == np.float32
    assert first.ndim == 1
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    seeded, _ = loaded_engine(tiny, seed=7).speak(TEXT, None, {}, 0)
    assert not np.array_equal(first, seeded)
    engine.close()


def test_a_relative_path_starts_where_the_roster_lies(tiny: Path, tmp_path: Path) -> None:
    engine = transformers.Engine({"path": tiny.name}, {}, [str(tmp_path), str(tiny.parent)])
    assert engine.check() == []
    lost = transformers.Engine({"path": "nowhere"}, {}, [str(tmp_path), str(tiny.parent)]).check()
    assert str(tmp_path / "nowhere") in str(lost)


def test_the_same_sound_after_loading_again(tiny: Path) -> None:
    engine = loaded_engine(tiny)
    first, _ = engine.speak(TEXT, None, {}, 2)
    engine.close()
    with pytest.raises(EngineFault, match="before it was loaded"):
        engine.speak(TEXT, None, {}, 2)
    engine.load("cpu")
    assert np.array_equal(engine.speak(TEXT, None, {}, 2)[0], first)


def test_speakers_by_setting_and_by_voice(several: Path) -> None:
    engine = loaded_engine(several)
    by_voice = [engine.speak(TEXT, {"id": str(speaker)}, {}, 0)[0] for speaker in range(4)]
    assert len({sound.tobytes() for sound in by_voice}) == 4
    assert np.array_equal(engine.speak(TEXT, None, {"speaker_id": 2}, 0)[0], by_voice[2])
    assert np.array_equal(engine.speak(TEXT, {"id": "somebody"}, {}, 0)[0], by_voice[0])


@pytest.mark.parametrize("speaker", [4, -1, "two", 1.0])
def test_a_wrong_speaker_is_refused_with_the_range(speaker: Any, several: Path) -> None:
    with pytest.raises(EngineFault, match="speaker_id") as caught:
        loaded_engine(several).speak(TEXT, None, {"speaker_id": speaker}, 0)
    assert caught.value.kind == "settings"
    assert "0 to 3" in caught.value.remedy


def test_speaking_rate_and_noise_are_the_model_s_own_settings(tiny: Path) -> None:
    engine = loaded_engine(tiny, noise_scale_duration=0.0)
    usual, slow = (engine.speak(TEXT, None, {"speaking_rate": rate}, 0)[0] for rate in (1.0, 0.5))
    assert len(slow) > 1.4 * len(usual)


def test_a_misspelt_setting_is_refused(tiny: Path) -> None:
    engine = transformers.Engine({"path": str(tiny)}, {"speakerid": 1}, [])
    assert "speakerid" in engine.check()[0]["what"]
    with pytest.raises(EngineFault, match="speakerid"):
        engine.load("cpu")


def test_text_without_a_letter_that_the_model_knows(tiny: Path) -> None:
    with pytest.raises(EngineFault, match="knows no sound") as caught:
        loaded_engine(tiny).speak("你好", None, {}, 0)
    assert caught.value.kind == "text"


def test_a_long_text_is_spoken_in_parts(tiny: Path) -> None:
    engine = loaded_engine(tiny, noise_scale_duration=0.0)
    short, _ = engine.speak("word " * 70, None, {}, 0)
    long, _ = engine.speak("word " * 700, None, {}, 0)
    assert len(long) > 5 * len(short)


def test_the_weights_and_all_that_decides_the_sound_are_hashed(tiny: Path) -> None:
    names = {Path(file).name for file in transformers.Engine({"path": str(tiny)}, {}, []).weight_files()}
    assert {"model.safetensors", "config.json", "vocab.json", "tokenizer_config.json"} <= names


def refusal(folder: Path) -> EngineFault:
    """The fault of ``load``, which ``check`` must have told in the same words."""
    engine = transformers.Engine({"path": str(folder)}, {}, [])
    with pytest.raises(EngineFault) as caught:
        engine.load("cpu")
    assert engine.check() == [{"what": caught.value.message, "remedy": caught.value.remedy}]
    assert caught.value.remedy
    return caught.value


def test_no_such_folder(tmp_path: Path) -> None:
    assert "is not there" in refusal(tmp_path / "nowhere").message
    (tmp_path / "a file").touch()
    assert "is a file" in refusal(tmp_path / "a file").message


def test_no_checkpoint(tmp_path: Path) -> None:
    assert "no config.json" in refusal(tmp_path).message


@pytest.mark.parametrize("content", ["", "{", "[1]", "\xff"])
def test_a_configuration_that_is_none(content: str, broken: Path) -> None:
    (broken / "config.json").write_bytes(content.encode("latin-1"))
    assert "config.json" in refusal(broken).message


def test_another_architecture_is_named(broken: Path) -> None:
    (broken / "config.json").write_text('{"model_type": "deberta"}')
    fault = refusal(broken)
    assert (fault.kind, "deberta" in fault.message) == ("settings", True)
    assert "vits" in fault.remedy


def test_code_of_its_own_is_never_run(broken: Path) -> None:
    (broken / "config.json").write_text('{"model_type": "own", "auto_map": {"AutoModel": "evil.Model"}}')
    (broken / "evil.py").write_text("raise SystemExit('this ran')")
    assert "never does" in refusal(broken).message


def test_code_beside_a_known_architecture_is_not_run_either(broken: Path) -> None:
    config = json.loads((broken / "config.json").read_text())
    config["auto_map"] = {"AutoConfig": "evil.Config", "AutoModel": "evil.Model", "AutoTokenizer": "evil.Tokenizer"}
    (broken / "config.json").write_text(json.dumps(config))
    (broken / "evil.py").write_text("raise SystemExit('this ran')")
    assert len(loaded_engine(broken).speak(TEXT, None, {}, 0)[0]) > 1000


def test_weights_as_a_pickle_are_refused_with_the_reason(broken: Path) -> None:
    (broken / "model.safetensors").unlink()
    (broken / "pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'echo this ran'\ntR.")
    fault = refusal(broken)
    assert "pytorch_model.bin" in fault.message
    assert "any code" in fault.message


def test_no_weights(broken: Path) -> None:
    (broken / "model.safetensors").unlink()
    assert "no model.safetensors" in refusal(broken).message


@pytest.mark.parametrize("cut", [0, 4, 100, -1])
def test_weights_that_are_not_whole(cut: int, broken: Path) -> None:
    file = broken / "model.safetensors"
    file.write_bytes(file.read_bytes()[:cut])
    assert "not whole" in refusal(broken).message


def test_a_pointer_in_place_of_the_weights(broken: Path) -> None:
    (broken / "model.safetensors").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    assert "not whole" in refusal(broken).message


def test_a_shard_that_is_missing(broken: Path) -> None:
    index = {"weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}}
    (broken / "model.safetensors").rename(broken / "model-00001-of-00002.safetensors")
    (broken / "model.safetensors.index.json").write_text(json.dumps(index))
    assert "model-00002-of-00002.safetensors" in refusal(broken).message


def test_a_weight_that_is_missing_would_be_noise(broken: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(str(broken / "model.safetensors"))
    del weights["decoder.conv_pre.weight"]
    save_file(weights, str(broken / "model.safetensors"), {"format": "pt"})
    with pytest.raises(EngineFault, match=r"lacks 1 of .* decoder\.conv_pre\.weight"):
        transformers.Engine({"path": str(broken)}, {}, []).load("cpu")


def test_a_configuration_of_another_size(broken: Path) -> None:
    config = json.loads((broken / "config.json").read_text())
    (broken / "config.json").write_text(json.dumps({**config, "hidden_size": 32}))
    with pytest.raises(EngineFault, match="can't be loaded"):
        transformers.Engine({"path": str(broken)}, {}, []).load("cpu")


def test_phonemes_need_a_front_end(tmp_path: Path) -> None:
    folder = tiny_vits(tmp_path / "phonemes", phonemize=True)
    with pytest.raises(EngineFault, match="reads phonemes") as caught:
        transformers.Engine({"path": str(folder)}, {}, []).load("cpu")
    assert "phonemes: hibari" in caught.value.remedy
    assert len(loaded_engine(folder, phonemes="hibari").speak(TEXT, None, {}, 0)[0]) > 1000


@pytest.mark.parametrize("settings", [{"phonemes": "espeak"}, {"phonemes": "hibari", "language": "de"}])
def test_a_front_end_that_there_is_not(settings: dict[str, Any], tiny: Path) -> None:
    with pytest.raises(EngineFault, match="phonemes"):
        transformers.Engine({"path": str(tiny)}, settings, []).load("cpu")


@pytest.mark.parametrize("device", ["cuda", "mps", "tpu"])
def test_a_device_that_is_not_there(device: str, tiny: Path) -> None:
    import torch

    there = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "tpu": False}
    engine = transformers.Engine({"path": str(tiny)}, {}, [])
    if there[device]:
        assert engine.load(device)["device"] == device
        assert len(engine.speak(TEXT, None, {}, 0)[0]) > 1000
    else:
        with pytest.raises(EngineFault) as caught:
            engine.load(device)
        assert "cpu" in caught.value.remedy
        assert engine.load("auto")["device"] in ("cpu", "cuda", "mps")


def test_running_out_of_memory_in_words(tiny: Path) -> None:
    """A real refusal by the system: the process may have little more memory than it already has."""
    script = f"""
import resource, sys
sys.path.insert(0, {str(ROOT)!r})
from arena_desktop.engines.worker.adapters.transformers import Engine
from arena_desktop.engines.worker.faults import EngineFault
engine = Engine({{"path": {str(tiny)!r}}}, {{}}, [])
engine.load("cpu")
engine.speak("Hello.", None, {{}}, 0)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 30_000_000, resource.RLIM_INFINITY))
try:
    engine.speak("word " * 79, None, {{"speaking_rate": 0.1}}, 0)
except EngineFault as fault:
    print(fault.kind, fault.message)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=100, check=False)
    assert done.stdout.startswith("out_of_memory The memory of this machine"), done.stderr
