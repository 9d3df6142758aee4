"""The engine of the documentation, installed as its reader would, and used."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.catalogue import Catalogue
from tests.engines.conftest import MakeHost

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has installed the example."""
    folder = tmp_path_factory.mktemp("site")
    copy = tmp_path_factory.mktemp("source")
    for file in (DOCS / "example-engine").iterdir():
        if file.is_file():
            (copy / file.name).write_bytes(file.read_bytes())
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet"]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, "--target", str(folder), str(copy)], check=True)
    return folder


def test_the_example_of_the_documentation_speaks(
    make_host: MakeHost, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", str(site))
    host = make_host(catalogue=Catalogue())
    model = ModelSpec("you/morse", "Morse", engine="morse", language=("en",), settings={"pitch": 600})
    assert host.check(model) == ()
    spoken = host.speak(model, "The birch canoe slid on the smooth planks.", None, tmp_path / "a.wav")
    samples, rate = soundfile.read(spoken.path)
    spectrum = np.abs(np.fft.rfft(samples))
    assert abs(np.argmax(spectrum) * rate / len(samples) - 600) < 5
    assert host.identify(model).engine_version == "arena-morse 1.0"
    wrong = host.check(ModelSpec("you/morse", "Morse", engine="morse", settings={"pitch": 6}))
    assert [item.what for item in wrong] == ["a pitch, not 6"]


def test_every_method_of_the_table_is_in_the_example_and_the_other_way_round() -> None:
    table = re.findall(r"^\| `(\w+)\(", (DOCS / "own-engine.md").read_text(), re.MULTILINE)
    methods = re.findall(r"def (\w+)\(", (DOCS / "example-engine" / "arena_morse.py").read_text())
    assert sorted(table) == sorted(methods)
