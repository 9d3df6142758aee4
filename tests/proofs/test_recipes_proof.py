"""The recipes that come with the program: each is made for real, and its engine speaks from a tiny checkpoint."""

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_desktop.domain.recipes import Commercial, Recipe
from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.engines.catalogue import Catalogue
from arena_desktop.engines.deadlines import Deadlines
from arena_desktop.engines.host import SpeechHost
from arena_desktop.errors import ArenaError
from arena_desktop.services.environments import Environments
from arena_desktop.services.find_models import Finder, FoundState
from arena_desktop.store.recipe_reader import load_recipes
from tests.helpers.evidence import Figure, evidence

MAKER = Path(__file__).resolve().parents[1] / "helpers" / "recipe_checkpoints.py"
TEXT = "Hello there, old friend."
SPEAKS = ("kokoro-torch", "orpheus", "parler", "xtts", "f5", "qwen-tts")
"""Those of which a small checkpoint can be made; the sizes of Chatterbox are fixed in its code (3 GB)."""
NOT_COMMERCIAL = {"xtts", "f5"}
PATIENT = Deadlines(check=120, load=900, speak=900)

SAMPLES: dict[str, dict[str, dict[str, object] | None]] = {
    "kokoro-torch": {"config.json": {"istftnet": {}}, "kokoro-v1_0.pth": None, "voices/af_heart.pt": None},
    "orpheus": {
        "config.json": {"model_type": "llama", "vocab_size": 156940},
        "tokenizer.json": {},
        "model-00001-of-00004.safetensors": None,
    },
    "parler": {
        "config.json": {"model_type": "parler_tts"},
        "tokenizer_config.json": {},
        "model.safetensors": None,
    },
    "xtts": {"config.json": {"model": "xtts"}, "model.pth": None, "vocab.json": {}},
    "f5": {"F5TTS_v1_Base/model_1250000.safetensors": None, "F5TTS_v1_Base/vocab.txt": None},
    "qwen-tts": {
        "config.json": {"model_type": "qwen3_tts"},
        "model.safetensors": None,
        "speech_tokenizer/config.json": {},
    },
    "chatterbox": {"ve.safetensors": None, "s3gen.safetensors": None, "t3_cfg.safetensors": None},
}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[SpeechHost]:
    host = SpeechHost(tmp_path / "log", tmp_path / "run", deadlines=PATIENT, device="cpu")
    yield host
    host.close()


@pytest.mark.proof("recipes")
@pytest.mark.timeout(4 * 3600)
def test_recipes_make_environments_in_which_their_engines_speak(
    host: SpeechHost, tmp_path: Path, full_counts: bool
) -> None:
    loaded = load_recipes()
    assert loaded.faults == ()
    recipes = {name: loaded.recipes[name] for name in SAMPLES}
    figures: dict[str, Figure] = {"recipes": len(recipes), "pins": sum(len(one.packages) for one in recipes.values())}
    figures["told_what_is_missing"] = sum(_tells_what_is_missing(host, recipe) for recipe in recipes.values())
    figures["recognised"] = sum(_is_recognised(recipe, tmp_path / "found") for recipe in recipes.values())
    holds = figures["told_what_is_missing"] == figures["recognised"] == len(recipes)
    holds = holds and {name for name in recipes if recipes[name].commercial_use is Commercial.NO} == NOT_COMMERCIAL
    if full_counts:
        made = [_make_and_speak(host, recipe, tmp_path, figures) for recipe in recipes.values()]
        holds = holds and made.count(True) == len(recipes)
    evidence(
        "recipes",
        figures,
        holds=holds,
        claim="Each recipe makes an environment from the package registries in which its engine answers; where a "
        "small checkpoint can be made, it speaks, and the same take gives the same sound.",
    )


def _tells_what_is_missing(host: SpeechHost, recipe: Recipe) -> bool:
    """Without its environment: one sentence that names the packages and the way to them."""
    assert Catalogue().find(recipe.engine) is not None
    model = ModelSpec(repo_id=f"test/{recipe.id}", name=recipe.title, engine=recipe.engine, files={"path": "/nowhere"})
    said = [f"{missing.what} | {missing.remedy}" for missing in host.check(model)]
    return any("the package" in line and f"environments make {recipe.id}" in line for line in said)


def _is_recognised(recipe: Recipe, place: Path) -> bool:
    """A folder with the files of its models is known, by names and small descriptions alone."""
    folder = place / recipe.id
    for name, content in SAMPLES[recipe.id].items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("" if content is None else json.dumps(content), encoding="utf-8")
    found = Finder(load_recipes().recipes.values()).recognise(folder)
    return found.recipe == recipe.id and found.state is FoundState.SET_UP and found.engine == recipe.engine


def _make_and_speak(host: SpeechHost, recipe: Recipe, place: Path, figures: dict[str, Figure]) -> bool:
    environments = Environments(place / "environments", load_recipes, place / "log")
    began = time.monotonic()
    try:
        made = environments.make(recipe, lambda making: None)
    except ArenaError as fault:  # the others are tried all the same
        figures[f"{recipe.id}_not_made"] = str(fault)
        return False
    figures[f"{recipe.id}_made_s"] = round(time.monotonic() - began)
    figures[f"{recipe.id}_mb"] = round(made.size_bytes / 1e6)
    python = environments.interpreter(made.name)
    try:
        answer = _answers(host, recipe, python)
        figures[f"{recipe.id}_answers"] = answer
        if recipe.id in SPEAKS:
            figures[f"{recipe.id}_sound_s"] = sound_s = _speaks(host, recipe, python, place / "checkpoints")
            return answer and sound_s > 0
        return answer
    except (ArenaError, subprocess.SubprocessError) as fault:
        figures[f"{recipe.id}_fault"] = str(fault)
        return False
    finally:
        print(recipe.id, {name: value for name, value in figures.items() if name.startswith(recipe.id)}, flush=True)
        environments.remove(made.name)


def _answers(host: SpeechHost, recipe: Recipe, python: Path) -> bool:
    """In its environment no package is missing: only the model is."""
    model = ModelSpec(
        repo_id=f"test/{recipe.id}-empty",
        name=recipe.title,
        engine=recipe.engine,
        files={"path": "/nowhere"},
        python=str(python),
    )
    said = [missing.what for missing in host.check(model)]
    return bool(said) and not any("the package" in what for what in said)


def _speaks(host: SpeechHost, recipe: Recipe, python: Path, place: Path) -> float:
    """Seconds of sound of the first take; 0 unless the same take repeats to the bit."""
    folder = place / recipe.id
    place.mkdir(exist_ok=True)
    subprocess.run([python, MAKER, recipe.engine, folder], check=True, capture_output=True, timeout=900)
    spec = json.loads((folder / "spec.json").read_text(encoding="utf-8"))
    voice = Voice(**spec["voices"][0])
    model = ModelSpec(
        repo_id=f"test/{recipe.id}",
        name=recipe.title,
        engine=recipe.engine,
        files=spec["files"],
        settings=spec["settings"],
        voices=(voice,),
        python=str(python),
    )
    assert host.check(model) == ()
    first, again = (host.speak(model, TEXT, voice, place / f"{recipe.id}-{n}.wav") for n in range(2))
    shutil.rmtree(folder)
    return round(first.frames / first.rate, 2) if first.clip_sha256 == again.clip_sha256 else 0.0
