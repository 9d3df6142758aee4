"""A downloaded model in the roster: named by hub, commit and hashes, found wherever the data directory lies."""

import json
from pathlib import Path

import pytest

from arena_desktop.domain.hub import MANIFEST, hub_folder
from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.hub_files import not_downloaded, placed
from arena_desktop.services.finders.downloaded import origin_of, portable

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
