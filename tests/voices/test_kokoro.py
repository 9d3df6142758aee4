"""Kokoro: styles that are missing or damaged, one model for all its voices, texts longer than its 510 tokens."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena_desktop.engines.worker.adapters import kokoro
from arena_desktop.engines.worker.faults import EngineFault
from arena_desktop.engines.worker.kokoro.model import LONGEST
from tests.helpers.hearing import Ear, in_order


@pytest.fixture
def heart(loaded: Callable[..., Any]) -> Any:
    return loaded("kokoro", {"voice": "af_heart"})


def style_file() -> Path:
    return next(
        Path(file) for file in kokoro.Engine({"voice": "af_heart"}, {}, []).weight_files() if "af_heart" in file
    )


def test_a_missing_style_says_which_file_to_put_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    [entry] = kokoro.Engine({"voice": "bf_lily"}, {}, []).check()
    assert "bf_lily.bin" in entry["what"]
    assert "npm pack kokoro-js@1.2.1" in entry["remedy"]
    assert str(Path("kokoro-js") / "bf_lily.bin") in entry["remedy"]
    [entry] = kokoro.Engine({"voice": "af_nobody"}, {}, []).check()
    assert "npm" not in entry["remedy"]  # it is in no package
    assert str(Path("kokoro-js") / "af_nobody.bin") in entry["remedy"]


def test_a_style_is_found_in_the_folders_that_are_named(tmp_path: Path) -> None:
    content = style_file().read_bytes()
    (tmp_path / "kokoro-js").mkdir()
    (tmp_path / "kokoro-js" / "my_style.bin").write_bytes(content)
    assert kokoro.Engine({"voice": "my_style"}, {}, [str(tmp_path)]).check() == []
    assert kokoro.Engine({"voice": "my_style", "path": str(tmp_path / "kokoro-js")}, {}, []).check() == []


@pytest.mark.parametrize("damage", ["short", "changed", "not finite"])
def test_a_damaged_style_is_refused(damage: str, tmp_path: Path, heart: Any) -> None:
    content = bytearray(style_file().read_bytes())
    name = "af_heart"
    if damage == "short":
        content = content[:-4]
    elif damage == "changed":
        content[1000] ^= 1
    else:
        name = "own_style"  # of an unknown style no hash is known
        content[:4] = np.float32(np.nan).tobytes()
    (tmp_path / f"{name}.bin").write_bytes(content)
    engine = kokoro.Engine({"voice": name, "path": str(tmp_path)}, {}, [])
    [entry] = engine.check()
    assert f"{name}.bin" in entry["what"]
    engine.load("cpu")
    with pytest.raises(EngineFault, match="sound copy") as caught:
        engine.speak("Hello there.", {"id": name}, {}, 0)
    assert caught.value.kind == "missing"
    engine.close()


def test_a_style_is_a_name_never_a_path(heart: Any) -> None:
    with pytest.raises(EngineFault, match=r"\.\./af_heart"):
        heart.speak("Hello.", {"id": "../af_heart"}, {}, 0)


def test_one_model_serves_all_voices(heart: Any, loaded: Callable[..., Any]) -> None:
    assert loaded("kokoro", {"voice": "am_michael"})._network is heart._network


def test_the_same_text_gives_the_same_sound_in_any_take(heart: Any) -> None:
    first, second = (heart.speak("Yes, indeed.", {"id": "af_heart"}, {}, take)[0] for take in (0, 3))
    assert np.array_equal(first, second)
    faster, _ = heart.speak("Yes, indeed.", {"id": "af_heart"}, {"speed": 1.6}, 0)
    assert len(faster) < 0.9 * len(first)


@pytest.mark.parametrize("settings", [{"speed": 9}, {"speed": "fast"}, {"sped": 1.0}])
def test_a_wrong_setting_is_named(settings: dict[str, Any], heart: Any) -> None:
    with pytest.raises(EngineFault, match=next(iter(settings))) as caught:
        heart.speak("Hello.", {"id": "af_heart"}, settings, 0)
    assert caught.value.kind == "settings"


def test_no_run_of_the_model_gets_more_than_it_takes(heart: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real phonemes of long texts, with the model's runs recorded in place of 100 s of synthesis."""
    runs: list[list[int]] = []

    def recorded(ids: list[int], style: Any, speed: float) -> Any:
        runs.append(ids)
        return np.full(2400, 0.1, np.float32)

    monkeypatch.setattr(heart._network, "run", recorded)
    plain = "The quick brown fox jumps over the lazy dog, and runs away. " * 34
    for text in (plain, plain.replace(".", "").replace(",", ""), "x" * 2000, "9" * 400):
        runs.clear()
        heart.speak(text, {"id": "af_heart"}, {}, 0)
        assert max(len(ids) for ids in runs) <= LONGEST
        assert sum(len(ids) for ids in runs) > LONGEST
    vocab = {token: char for char, token in heart._network.vocabulary.items()}
    heart.speak(plain, {"id": "af_heart"}, {}, 0)
    assert sum("".join(vocab[token] for token in ids).count("fˈɑks") for ids in runs[-20:]) == 34


def test_a_text_in_two_parts_is_heard_to_its_end(heart: Any, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kokoro, "LONGEST", 40)
    start, end = "Open the door and come into the house.", "This is the end of the story."
    sound, rate = heart.speak(f"{start} {end}", {"id": "af_heart"}, {}, 0)
    heard = ear.words(sound, rate)
    assert in_order(start, heard) >= 6, heard
    assert in_order(end, heard) >= 5, heard
