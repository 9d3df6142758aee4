"""``environments``, ``doctor environments``: what they say, what they refuse, and how they end."""

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from arena_desktop.cli.main import main
from tests.helpers.wheels import installed, make_wheel, use_wheels

MINE = """\
schema: 1
id: mine
title: My engine
engine: recordings
packages: [numpy==9.9]
size_gb: 0.001
license: CC-BY-NC-4.0
license_url: https://example.org/licence
commercial_use: no
recognise: {files: [mine.bin]}
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data" / "recipes").mkdir(parents=True)
    (tmp_path / "data" / "recipes" / "mine.yaml").write_text(MINE)
    return tmp_path / "data"


class Said:
    """Runs commands on one data directory."""

    def __init__(self, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._data = data
        self._capsys = capsys

    def __call__(self, *words: str) -> tuple[int, str, str]:
        status = main(["--data-dir", str(self._data), *words])
        said = self._capsys.readouterr()
        return status, said.out, said.err


@pytest.fixture
def said(data: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said(data, capsys)


def test_the_recipes_are_listed_with_size_and_licence(said: Said) -> None:
    status, out, _ = said("environments", "recipes")
    assert status == 0
    assert "mine: My engine, 1.0 MB, Python any version. Licence: CC-BY-NC-4.0 (https://example.org/licence)." in out
    found = json.loads(said("environments", "recipes", "--json")[1])
    (mine,) = [recipe for recipe in found["recipes"] if recipe["id"] == "mine"]
    assert (found["schema"], mine["needs_consent"], mine["commercial_use"]) == (1, True, "no")
    assert mine["packages"] == ["numpy==9.9"]


def test_nothing_is_made_before_its_licence_is_accepted(said: Said, data: Path) -> None:
    status, _, err = said("environments", "make", "mine")
    assert status == 2
    assert "CC-BY-NC-4.0" in err
    assert "Commercial use is not allowed." in err
    assert "--accept-licence" in err
    assert err.count("\n") == 1
    assert not (data / "environments").exists()


def test_an_environment_is_made_shown_and_removed(
    said: Said, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_wheel(tmp_path / "wheels", "numpy", "9.9", {"numpy/__init__.py": "__version__ = '9.9'\n"})
    use_wheels(monkeypatch, tmp_path / "wheels", tmp_path / "cache")
    status, out, err = said("environments", "make", "mine", "--name", "other", "--accept-licence")
    assert (status, out.startswith("other: ")) == (0, True), err
    assert "python: env:other" in out
    assert "Licence: CC-BY-NC-4.0" in err
    assert "100 %" not in err
    (one,) = json.loads(said("environments", "list", "--json")[1])["environments"]
    assert (one["name"], one["recipe"], one["whole"], one["wrong"]) == ("other", "mine", True, "")
    assert installed(one["packages"]) == {"numpy": "9.9"}
    assert "used by no model of the roster" in said("environments", "list")[1]
    assert "--remove-environment other" in said("doctor", "environments")[1]

    note = data / "environments" / "other" / "environment.json"
    note.write_text(note.read_text().replace('"finished": true', '"finished": false'))
    status, out, _ = said("environments", "list")
    assert (status, "can't be used" in out) == (0, True)
    assert "arena-desktop environments make mine --name other" in out
    (finding,) = json.loads(said("doctor", "environments", "--json")[1])["findings"]
    assert (finding["area"], finding["level"]) == ("environments", "warning")

    status, out, _ = said("doctor", "--remove-environment", "other")
    assert (status, "are free again" in out) == (0, True)
    assert not (data / "environments" / "other").exists()
    status, out, _ = said("doctor", "environments")
    assert (status, out) == (0, "Everything that is needed is there.\n")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("environments", "make", "unheard-of"), "There is no recipe unheard-of."),
        (("environments", "make", "../mine"), "There is no recipe ../mine."),
        (
            ("environments", "make", "mine", "--name", "../up", "--accept-licence"),
            "can't be the name of an environment",
        ),
        (("environments", "remove", "unheard-of"), "There is no environment unheard-of."),
        (("environments", "remove", "../data"), "can't be the name of an environment"),
        (("doctor", "--remove-environment", "../data"), "can't be the name of an environment"),
    ],
)
def test_what_cannot_be_done_is_one_line(said: Said, words: tuple[str, ...], reason: str) -> None:
    status, _, err = said(*words)
    assert status == 1
    assert reason in err.splitlines()[-1]
    assert "Traceback" not in err


def test_a_recipe_with_a_fault_says_where(said: Said, data: Path) -> None:
    (data / "recipes" / "mine.yaml").write_text(MINE.replace("numpy==9.9", "numpy"))
    status, _, err = said("environments", "make", "mine", "--accept-licence")
    assert status == 1
    assert "mine.yaml, line 5" in err
    assert "write NAME==VERSION" in err


def test_a_model_is_added_with_the_environment_that_it_needs(said: Said, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "mine.bin").write_bytes(b"weights")
    soundfile.write(folder / "a.wav", np.zeros(16_000, np.float32), 16_000)
    status, out, err = said("models", "add", str(folder), "--arena", "english", "--new-env", "--dry-run")
    assert status == 0, err
    assert 'python: "env:mine"' in out
    assert 'engine: "recordings"' in out
    status, _, err = said("models", "add", str(folder), "--arena", "english", "--new-env")
    assert (status, "--accept-licence" in err) == (2, True)
    status, _, err = said("models", "add", str(folder), "--new-env", "unheard-of")
    assert (status, "There is no recipe unheard-of." in err) == (1, True)
