"""``~somebody`` where nobody is called so is a path that isn't there, wherever it is written."""

import ast
from pathlib import Path

import pytest
import yaml

from arena_desktop.cli.main import main
from arena_desktop.paths import app_paths, from_home
from tests.helpers.sources import ROOT, modules

NOBODY = "~nobody-is-called-so/x"


def test_a_home_that_there_is_takes_its_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert from_home("~/x") == tmp_path / "x"
    assert from_home(NOBODY) == Path(NOBODY)
    assert app_paths(Path("~/x")).data == tmp_path / "x"


def test_a_roster_may_name_such_paths(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = {"language": ["en"], "engine": "transformers", "files": {"path": NOBODY}}
    models = [
        {**model, "repo_id": "a/clip", "name": "Clip", "voices": [{"id": "me", "audio": NOBODY}]},
        {**model, "repo_id": "a/python", "name": "Python", "python": NOBODY},
    ]
    (tmp_path / "models.yaml").write_text(yaml.safe_dump({"schema": 1, "models": models}), encoding="utf-8")
    arguments = ["--data-dir", str(tmp_path / "data"), "--roster", str(tmp_path / "models.yaml"), "models", "list"]
    assert main(arguments) == 0
    told = capsys.readouterr().out
    assert "is not there" in told
    assert "RuntimeError" not in told


@pytest.mark.parametrize("command", [["models", "find", NOBODY], ["models", "add", NOBODY]])
def test_the_commands_say_that_it_is_not_there(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data-dir", str(tmp_path), *command]) == 1
    told = capsys.readouterr().err
    assert "~nobody-is-called-so" in told
    assert "bug" not in told


def test_a_data_directory_of_nobody_is_not_made(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data-dir", NOBODY, "models", "list"]) == 1
    assert "nobody here is called nobody-is-called-so" in capsys.readouterr().err


def test_paths_are_not_expanded_in_the_way_that_fails() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr == "expanduser"
        and not (isinstance(node.value, ast.Attribute) and node.value.attr == "path")
    ]
    assert not found
