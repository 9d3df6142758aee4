"""Each kind of thing that lies on people's disks: what it is, what plays it, and why it can't speak."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.recipes import Recipe, read_pin
from arena_desktop.errors import ArenaError
from arena_desktop.services.find_models import Finder, Found, FoundState, usual_places
from tests.helpers.disk_models import REVISION, hub_repository, piper_voice, safetensors

BIG = b"\0" * 200_000


def only(finder: Finder, place: Path) -> Found:
    found = finder.find([place]).found
    assert len(found) == 1, found
    return found[0]


LETTERS = b'{"phonemize": false}'
WEIGHTS = safetensors()


def write(folder: Path, **files: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        (folder / name.replace("__", ".")).write_bytes(data)
    return folder


@pytest.fixture
def finder() -> Finder:
    return Finder()


def test_a_piper_voice_is_told_with_language_size_and_the_licence_of_its_card(finder: Finder, tmp_path: Path) -> None:
    model = piper_voice(tmp_path / "voices")
    (tmp_path / "voices" / "MODEL_CARD").write_text("# Model card\n\n* License: CC0\n", encoding="utf-8")
    found = only(finder, tmp_path)
    assert (found.title, found.engine, found.state) == ("Piper joe (medium)", "piper", FoundState.READY)
    assert (found.path, dict(found.files)) == (str(model), {"path": str(model)})
    assert (found.language, found.license, found.voices) == (("en-US",), "CC0", ())
    assert found.size_bytes > 60_000_000


def test_a_piper_voice_of_another_language_with_speakers(finder: Finder, tmp_path: Path) -> None:
    piper_voice(tmp_path, "xyz", language={"code": "de_DE"}, num_speakers=2, speaker_id_map={"anna": 0, "bernd": 1})
    found = only(finder, tmp_path)
    assert found.language == ("de-DE",)
    assert [voice.id for voice in found.voices] == ["anna", "bernd"]


def test_a_checkpoint_that_the_adapter_knows_is_ready_with_what_its_card_says(finder: Finder, tmp_path: Path) -> None:
    write(
        tmp_path / "mms-tts-deu",
        config__json={"model_type": "vits", "num_speakers": 1},
        tokenizer_config__json={"phonemize": False},
        model__safetensors=safetensors(),
        README__md=b"---\nlicense: cc-by-nc-4.0\npipeline_tag: text-to-speech\n---\n# MMS\n",
    )
    found = only(finder, tmp_path)
    assert (found.engine, found.state) == ("transformers", FoundState.READY), found.reason
    assert (found.language, found.license) == (("de",), "cc-by-nc-4.0")


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"config__json": {"model_type": "vits"}}, "model.safetensors"),
        ({"config__json": {"model_type": "whisper"}}, "recognises speech"),
        ({"config__json": {"model_type": "nobody_knows_this"}}, "nobody_knows_this"),
        ({"config__json": {"model_type": "vits"}, "model__safetensors": b"version https://git-lfs"}, "not whole"),
        ({"config__json": {"model_type": "speecht5"}, "model__safetensors": WEIGHTS}, "vocoder"),
        ({"config__json": {"model_type": "vits"}, "model__safetensors": WEIGHTS}, "reads phonemes"),
        ({"voice__gguf": BIG}, "llama.cpp"),
        ({"epoch__ckpt": BIG}, "pickle"),
        ({"lonely__safetensors": BIG}, "config.json"),
        ({"lonely__onnx": BIG}, "No description"),
    ],
)
def test_what_cant_speak_says_why(finder: Finder, tmp_path: Path, files: dict[str, Any], reason: str) -> None:
    found = only(finder, write(tmp_path / "thing", **files))
    assert found.state is FoundState.CANT
    assert reason in found.reason
    assert not found.usable


@pytest.mark.parametrize("copies", [False, True])
def test_the_hubs_cache_gives_repository_and_commit_whether_it_links_or_copies(
    finder: Finder, tmp_path: Path, copies: bool
) -> None:
    config = json.dumps({"model_type": "vits"}).encode()
    files = {"config.json": config, "model.safetensors": safetensors(), "tokenizer_config.json": LETTERS}
    files["README.md"] = b"---\nlanguage: fr\n---\n"
    snapshot = hub_repository(tmp_path / "hub", "facebook/mms-tts-fra", files, copies=copies)
    (tmp_path / "hub" / ".locks").mkdir()
    hub_repository(tmp_path / "hub", "some/other", {"config.json": b'{"model_type": "bert"}'}, copies=copies)
    found = finder.find([tmp_path / "hub"]).found
    assert [one.title for one in found] == ["mms-tts-fra", "other"]
    assert (found[0].source, found[0].revision, found[0].language) == ("facebook/mms-tts-fra", REVISION, ("fr",))
    assert found[0].path == str(snapshot)
    assert not found[1].speech


def test_usual_places_follow_the_hubs_own_variables(tmp_path: Path) -> None:
    for name in ("a", "b/hub", "home/.cache/huggingface/hub", "own", "x/tts"):
        (tmp_path / name).mkdir(parents=True)
    environ = {
        "HF_HUB_CACHE": str(tmp_path / "a"),
        "HF_HOME": str(tmp_path / "b"),
        "XDG_DATA_HOME": str(tmp_path / "x"),
    }
    found = usual_places(tmp_path / "own", environ, tmp_path / "home")
    names = [str(place.relative_to(tmp_path)) for place in found]
    assert names == ["a", "b/hub", "home/.cache/huggingface/hub", "x/tts", "own"]


def recipe(**changed: Any) -> Recipe:
    pin = read_pin("coqui-tts==0.27.0")
    assert pin is not None
    return Recipe("xtts", "Coqui XTTS", "xtts", (pin,), 5.2, "CPML", **changed)


@pytest.mark.parametrize(
    "rule",
    [
        {"config": {"model": "xtts"}, "files": ("model.pth", "vocab.json")},
        {"files": ("*.pth", "speakers/*.pt")},
        {"config": {"model": "xtts", "audio": {"sample_rate": 22050}}},
    ],
)
def test_a_recipe_knows_its_models_by_configuration_and_files(tmp_path: Path, rule: dict[str, Any]) -> None:
    place = write(
        tmp_path / "xtts_v2",
        config__json={"model": "xtts", "audio": {"sample_rate": 22050, "hop": 256}},
        model__pth=BIG,
        vocab__json={},
    )
    write(place / "speakers", ana__pt=b"x")
    needs = only(Finder([recipe(**rule)]), tmp_path)
    assert (needs.state, needs.recipe, needs.engine) == (FoundState.SET_UP, "xtts", "xtts")
    assert "5.2 GB" in needs.reason
    made = only(Finder([recipe(**rule)], lambda: {"xtts": "mine"}), tmp_path)
    assert (made.state, made.python) == (FoundState.READY, "env:mine")
    other = Finder([recipe(config={"model": "another"}, files=("model.pth",))])
    assert only(other, tmp_path).state is FoundState.CANT


def test_a_folder_of_recordings_is_told_by_prompt_ids_or_by_its_list(finder: Finder, tmp_path: Path) -> None:
    write(tmp_path / "human", **{f"en-short-00{n}__wav": b"RIFF" for n in (1, 2, 3)})
    rows = "prompt_id,file\nen-short-001,a.wav\nen-short-002,b.wav\n"
    write(tmp_path / "listed", index__csv=rows.encode(), a__wav=b"RIFF", b__wav=b"RIFF")
    write(tmp_path / "music", song__mp3=b"ID3", other__mp3=b"ID3")
    found = finder.find([tmp_path]).found
    assert [(one.title, one.engine, one.language) for one in found] == [
        ("human", "recordings", ("en",)),
        ("listed", "recordings", ("en",)),
    ]


def test_kokoro_is_one_entry_a_language(finder: Finder, tmp_path: Path) -> None:
    place = write(tmp_path / "kokoro", kokoro__onnx=BIG)
    write(place / "voices", **{f"{name}__bin": b"x" for name in ("af_heart", "bm_george", "ff_siwis", "README")})
    found = finder.find([tmp_path]).found
    assert [(one.language, [voice.id for voice in one.voices]) for one in found] == [
        (("en",), ["af_heart", "bm_george"]),
        (("fr",), ["ff_siwis"]),
    ]
    assert found[0].voices[1].gender == "male"
    assert found[0].voices[1].accent == "British"


def test_one_path_is_recognised_alone(finder: Finder, tmp_path: Path) -> None:
    model = piper_voice(tmp_path / "a")
    piper_voice(tmp_path / "a", "en_US-other-low")
    assert finder.recognise(model).path == str(model)
    with pytest.raises(ArenaError, match="holds 2 models"):
        finder.recognise(tmp_path / "a")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ArenaError, match="Nothing in"):
        finder.recognise(tmp_path / "empty")
    with pytest.raises(ArenaError, match="is not there"):
        finder.recognise(tmp_path / "gone")


def test_a_snapshot_named_by_itself_keeps_its_repository(finder: Finder, tmp_path: Path) -> None:
    config = json.dumps({"model_type": "vits"}).encode()
    files = {"config.json": config, "model.safetensors": safetensors(), "tokenizer_config.json": LETTERS}
    snapshot = hub_repository(tmp_path, "facebook/mms-tts-spa", files)
    for place in (snapshot, snapshot / "model.safetensors"):
        found = finder.recognise(place)
        assert (found.source, found.revision, found.language) == ("facebook/mms-tts-spa", REVISION, ("es",)), place


def test_a_file_is_looked_at_without_walking_through_its_folder(finder: Finder, tmp_path: Path) -> None:
    model = piper_voice(tmp_path)
    piper_voice(tmp_path / "deeper", "en_US-other-low")
    (tmp_path / "b.gguf").write_bytes(BIG)
    (tmp_path / "a.gguf").write_bytes(BIG)
    assert [one.path for one in finder.find([model]).found] == [str(model)]
    assert [one.title for one in finder.find([tmp_path / "b.gguf"]).found] == ["b.gguf"]


def test_what_an_engine_with_a_recipe_must_be_told_stands_in_its_entry(tmp_path: Path) -> None:
    pin = read_pin("kokoro==0.9.4")
    assert pin is not None
    torch = Recipe("kokoro-torch", "Kokoro", "kokoro_torch", (pin,), 1.3, "Apache-2.0", files=("*.pth", "voices/*.pt"))
    place = write(tmp_path / "k", kokoro__pth=BIG)
    write(place / "voices", af_heart__pt=b"x", ff_siwis__pt=b"x")
    found = Finder([torch]).find([place]).found
    assert [(one.language, one.files["voice"]) for one in found] == [(("en",), "af_heart"), (("fr",), "ff_siwis")]
    german = write(tmp_path / "x", model__pth=BIG, README__md=b"---\nlanguage: [de, fr]\n---\n")
    spoken = only(Finder([recipe(files=("model.pth",))]), german)
    assert (spoken.language, dict(spoken.settings)) == (("de",), {"language": "de"})
