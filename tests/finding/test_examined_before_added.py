"""A model that doesn't sound like speech enters the roster only by somebody's will."""

from pathlib import Path

import pytest

from arena_desktop.cli.main import main
from arena_desktop.store.roster_file import load_roster
from tests.helpers.tiny_checkpoints import build


def test_an_untrained_network_is_held_up_and_may_be_added_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build("vits", tmp_path / "tiny")
    data = tmp_path / "data"
    words = ["--data-dir", str(data), "models", "add", str(tmp_path / "tiny" / "vits"), "--arena", "english"]
    assert main(words) == 1
    told = capsys.readouterr().err
    assert "no speech" in told
    assert "--anyway" in told
    assert not (data / "models.yaml").exists()
    assert main([*words, "--anyway"]) == 0
    assert "flags: no speech" in capsys.readouterr().out
    assert "vits" in {spec.name for spec in load_roster(data / "models.yaml").models.values()}


def test_what_needs_an_environment_first_is_added_unheard_only_by_somebodys_will(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "xtts"
    folder.mkdir()
    (folder / "config.json").write_text('{"model": "xtts", "languages": ["en"]}', encoding="utf-8")
    for name in ("model.pth", "vocab.json", "speakers_xtts.pth"):
        (folder / name).write_bytes(bytes(1000))
    data = tmp_path / "data"
    words = ["--data-dir", str(data), "models", "add", str(folder), "--arena", "english"]
    assert main(words) == 1
    told = capsys.readouterr().err
    assert "can't be heard yet" in told
    assert "--new-env" in told
    assert not (data / "models.yaml").exists()
    assert main([*words, "--anyway"]) == 0
    assert "can't be heard yet" in capsys.readouterr().out
    assert "xtts" in {spec.name for spec in load_roster(data / "models.yaml").models.values()}
