"""``models find``, ``add`` and ``remove`` as a person at a terminal meets them, with a real voice."""

import json
import shlex
from pathlib import Path

import pytest

from arena_desktop.cli.main import main
from arena_desktop.store.roster_file import load_roster
from tests.helpers.disk_models import hub_repository, joe, piper_voice, safetensors


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def run(data: Path, *words: str) -> int:
    return main(["--data-dir", str(data), "models", *words])


def test_a_voice_is_found_added_and_removed(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = piper_voice(tmp_path / "voices")
    assert run(data, "find", str(tmp_path / "voices")) == 0
    told = capsys.readouterr().out
    assert "ready          Piper joe (medium)" in told
    assert f"models add {model}" in told

    assert run(data, "add", str(model), "--dry-run") == 0
    entries = capsys.readouterr().out
    assert not (data / "models.yaml").exists()
    assert run(data, "add", str(model), "--name", "My Joe") == 0
    told = capsys.readouterr().out
    assert "My Joe was added to the arena «English»" in told
    assert "It spoke" in told
    written = (data / "models.yaml").read_text(encoding="utf-8")
    for line in entries.replace("Piper joe (medium)", "My Joe").splitlines():
        assert line.replace("My-Joe", "Piper-joe-medium") in written.replace("My-Joe", "Piper-joe-medium")
    roster = load_roster(data / "models.yaml")
    repo_id = next(name for name, spec in roster.models.items() if spec.name == "My Joe")

    assert run(data, "find", str(model), "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["schema"] == 1
    assert [(one["state"], one["in_roster"]) for one in report["found"]] == [("ready", repo_id)]
    assert run(data, "add", str(model)) == 1
    assert "in the roster already, as My Joe" in capsys.readouterr().err

    assert run(data, "remove", repo_id) == 0
    assert "Its votes stay" in capsys.readouterr().out
    assert repo_id not in load_roster(data / "models.yaml").models


def test_the_command_that_is_shown_can_be_run_whatever_a_folder_is_called(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "$(touch here); it's <b>one"
    place.mkdir()
    model = piper_voice(place, "en_US-mine-low")
    assert run(data, "find", str(place)) == 0
    shown = capsys.readouterr().out.rpartition("Add one with: ")[2].strip()
    assert shlex.split(shown) == ["arena-desktop", "models", "add", str(model)]
    assert shown == shlex.join(shlex.split(shown))


def test_the_shipped_voice_is_known_again_by_its_weights(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("en_US-joe-medium.onnx", "en_US-joe-medium.onnx.json"):
        (copy / name).symlink_to(joe() / name)
    assert run(data, "add", str(copy)) == 1
    assert "as Piper Joe (rhasspy/piper-voices#en_US-joe-medium)" in capsys.readouterr().err
    assert not (data / "models.yaml").exists()


def test_the_hubs_cache_is_searched_unasked_and_its_models_go_by_their_hub_id(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setenv("HF_HUB_CACHE", str(cache))
    config = json.dumps({"model_type": "whisper"}).encode()
    hub_repository(cache, "openai/whisper-tiny", {"config.json": config, "model.safetensors": safetensors()})
    snapshot = hub_repository(cache, "ada/voices", {"README.md": b"---\nlicense: cc0-1.0\n---\n"})
    piper_voice(snapshot, "en_US-mine-low")
    assert run(data, "find") == 0
    told = capsys.readouterr().out
    assert "Piper mine (low)" in told
    assert "cc0-1.0" in told
    assert "whisper" not in told.replace(str(cache), "")
    assert run(data, "find", "--all") == 0
    assert "A whisper model recognises speech." in capsys.readouterr().out
    assert run(data, "add", "ada/voices#en_US-mine-low") == 0
    capsys.readouterr()
    spec = load_roster(data / "models.yaml").models["ada/voices#en_US-mine-low"]
    assert spec.files["revision"] == snapshot.name
    assert spec.license == "cc0-1.0"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["find", "GONE"], "is not there"),
        (["add", "GONE"], "nothing of that name was found"),
        (["add", "EMPTY"], "Nothing in"),
        (["remove", "x/y"], "has no model"),
        (["remove", "hexgrad/Kokoro-82M#af_heart"], "comes with the program"),
    ],
)
def test_what_cant_be_done_is_said_in_one_line(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    (tmp_path / "empty").mkdir()
    names = {"GONE": str(tmp_path / "gone"), "EMPTY": str(tmp_path / "empty")}
    assert run(data, *(names.get(word, word) for word in words)) == 1
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_a_roster_that_was_named_is_never_written_to(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roster = tmp_path / "r.yaml"
    text = "schema: 1\nmodels: [{repo_id: a/b, name: B}]\narenas: [{id: e, language: en, models: [a/b]}]\n"
    roster.write_text(text, encoding="utf-8")
    model = piper_voice(tmp_path / "voices")
    words = ["--data-dir", str(data), "--roster", str(roster), "models", "add", str(model)]
    assert main(words) == 1
    assert "never writes to" in capsys.readouterr().err
    assert roster.read_text(encoding="utf-8") == text
    assert not (data / "models.yaml").exists()
