"""A downloaded model in the roster: named by hub, commit and hashes, found wherever the data directory lies."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arena_desktop.cli.main import main
from arena_desktop.domain.hub import MANIFEST, hub_folder
from arena_desktop.domain.recipes import Commercial, Recipe, read_pin
from arena_desktop.domain.roster import ModelSpec, Roster
from arena_desktop.engines.hub_files import not_downloaded, placed
from arena_desktop.services.download_words import license_words
from arena_desktop.services.find_models import Finder
from arena_desktop.services.finders.downloaded import origin_of, portable
from arena_desktop.services.roster_adding import addition, candidate
from tests.helpers.disk_models import safetensors
from tests.helpers.local_hub import LocalHub

REVISION = "a" * 40
HASHES = {"x/voice.onnx": "b" * 64}
NAMED = {"hub": "acme/voice", "revision": REVISION, "sha256": HASHES}


@pytest.fixture
def models(tmp_path: Path) -> Path:
    place = tmp_path / "models" / hub_folder("acme/voice", REVISION)
    (place / "x").mkdir(parents=True)
    (place / "x" / "voice.onnx").write_bytes(b"weights")
    (place / MANIFEST).write_text(json.dumps({"schema": 1, **NAMED, "endpoint": "", "license": "mit"}), "utf-8")
    return tmp_path / "models"


def _model(**files: object) -> ModelSpec:
    return ModelSpec("acme/voice", "Voice", engine="piper", files=files)


def test_a_file_and_a_folder_of_it_are_named_without_their_place(models: Path) -> None:
    place = models / hub_folder("acme/voice", REVISION)
    assert portable({"path": str(place / "x" / "voice.onnx")}, models) == {**NAMED, "path": "x/voice.onnx"}
    assert portable({"path": str(place), "voice": "a"}, models) == {**NAMED, "voice": "a"}


def test_what_was_not_downloaded_or_was_moved_keeps_its_place(models: Path, tmp_path: Path) -> None:
    own = {"path": str(tmp_path / "mine.onnx")}
    assert portable(own, models) == own
    moved = {"path": str(models / hub_folder("acme/voice", REVISION))}
    assert portable(moved, tmp_path / "other") == moved
    assert portable({"package": "p"}, models) == {"package": "p"}


def test_it_is_found_below_any_folder_of_models(models: Path, tmp_path: Path) -> None:
    place = models / hub_folder("acme/voice", REVISION)
    search = [str(tmp_path / "nothing"), str(models)]
    assert placed(_model(**NAMED), search)["path"] == str(place)
    assert placed(_model(**NAMED, path="x/voice.onnx"), search)["path"] == str(place / "x" / "voice.onnx")
    assert not_downloaded(_model(**NAMED), search) is None
    assert placed(_model(path="mine.onnx"), search) == {"path": "mine.onnx"}


def test_what_is_not_here_says_how_to_get_it(tmp_path: Path) -> None:
    missing = not_downloaded(_model(**NAMED), [str(tmp_path)])
    assert missing is not None
    assert f"`arena-desktop models download acme/voice --revision {REVISION}`" in missing.remedy
    assert not_downloaded(_model(hub="acme/voice", revision=REVISION, path=str(tmp_path)), [str(tmp_path)]) is None
    assert not_downloaded(_model(hub="../x", revision=REVISION), [str(tmp_path)]) is None


def test_a_search_knows_where_it_came_from(models: Path) -> None:
    place = models / hub_folder("acme/voice", REVISION)
    origin = origin_of(place, {MANIFEST: 1})
    assert origin is not None
    assert (origin.repo, origin.revision, origin.root) == ("acme/voice", REVISION, place)
    assert origin_of(place / "x", {"voice.onnx": 7}) is None


@pytest.mark.parametrize(
    ("card", "licence"),
    [
        ({"license": "cc-by-nc-4.0"}, "cc-by-nc-4.0"),
        (
            {"license": "other", "license_name": "acme-terms", "license_link": "https://example.org/terms"},
            "acme-terms (https://example.org/terms)",
        ),
    ],
)
def test_the_licence_that_was_shown_before_it_was_brought_stands_in_its_roster_entry(
    tmp_path: Path, open_hub: Callable[..., LocalHub], card: dict[str, str], licence: str
) -> None:
    checkpoint = {
        "config.json": b'{"model_type": "vits", "num_speakers": 1}',
        "tokenizer_config.json": b'{"phonemize": false, "language": "de"}',
        "model.safetensors": safetensors(),
    }
    hub = open_hub(checkpoint, card={"cardData": card})  # no README among them
    words = ["--data-dir", str(tmp_path), "models", "download", "acme/voice", "--endpoint", hub.url]
    assert main(words) == 0
    [found] = Finder().find([tmp_path / "models"]).found
    assert candidate(found).license == licence
    new = addition(found, candidate(found), "ab" * 32, Roster({}, {}))
    assert f'license: "{licence}"' in new.text(Roster({}, {}))


def test_a_model_that_its_recipe_bars_from_trade_says_so_in_its_entry(tmp_path: Path) -> None:
    place = tmp_path / "acme"
    place.mkdir()
    (place / "config.json").write_text('{"model": "acme"}', "utf-8")
    (place / "README.md").write_text("---\nlicense: acme-terms\n---\n", "utf-8")
    pin = read_pin("acme==1.0")
    assert pin is not None
    recipe = Recipe(
        "acme", "Acme", "acme", (pin,), 1.0, "Terms", config={"model": "acme"}, commercial_use=Commercial.NO
    )
    [found] = Finder(recipes=(recipe,)).find([place]).found
    assert candidate(found).license == "acme-terms, no commercial use"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("apache-2.0", "Commercial use is allowed."),
        ("cc-by-nc-sa-4.0", "Commercial use is not allowed."),
        ("coqui-public-model-license", "Commercial use is not allowed."),
        ("openrail", "Whether commercial use is allowed is not known."),
        ("ncsa", "Whether commercial use is allowed is not known."),
    ],
)
def test_commercial_use_is_said_with_the_licence_where_its_name_tells(name: str, told: str) -> None:
    assert license_words(name, "https://example.org") == f"{name} (https://example.org). {told}"
