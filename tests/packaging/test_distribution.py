"""What ``pip install .`` gives: both ways to start, the roster and the licences inside; and pins that are exact."""

import re
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from tests.helpers.sources import PACKAGE, tracked_files

ROOT = Path(__file__).resolve().parent.parent.parent
REQUIREMENTS = ROOT / "packaging" / "requirements"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built from a copy of the tracked files so that the checkout stays clean."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for path in tracked_files():
        name = path.relative_to(ROOT)
        if name.parts[0] == "arena_desktop" or len(name.parts) == 1:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes(path.read_bytes())
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run([*command, "-w", str(out), str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.glob("*.whl")
    return zipfile.ZipFile(built)


def test_the_wheel_holds_program_data_roster_and_licences(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    present = {str(path.relative_to(ROOT)) for path in tracked_files() if PACKAGE in path.parents}
    assert present <= names, sorted(present - names)
    assert wheel.read("arena_desktop/models.yaml") == (ROOT / "models.yaml").read_bytes()
    assert not [name for name in names if name.split("/")[0] not in ("arena_desktop", _info(wheel))]
    for licence in ("LICENSE", "THIRD_PARTY.md"):
        assert f"{_info(wheel)}/licenses/{licence}" in names


def test_the_wheel_gives_the_command(wheel: zipfile.ZipFile) -> None:
    entry = wheel.read(f"{_info(wheel)}/entry_points.txt").decode()
    assert "arena-desktop = arena_desktop.__main__:main" in entry
    metadata = Parser().parsestr(wheel.read(f"{_info(wheel)}/METADATA").decode())
    assert metadata["License-Expression"] == "Apache-2.0"
    for package in ("PySide6-Essentials", "sounddevice", "soundfile", "torch", "transformers", "platformdirs"):
        assert any(line.startswith(package) for line in metadata.get_all("Requires-Dist") or [])


def test_python_m_arena_desktop_starts() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "arena_desktop", "--version"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.split()[0]) == (0, "arena-desktop")


@pytest.mark.parametrize("group", ["base", "espeak", "torch", "test"])
def test_pins_are_exact(group: str) -> None:
    lines = (REQUIREMENTS / f"{group}.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert pins
    for line in pins:
        assert re.fullmatch(r"[a-z0-9-]+==[0-9][\w.]*( ; .+)?", line), line


def test_pins_fulfil_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {re.split(r"[<>=; ]", line)[0].lower() for line in project["dependencies"]}
    pinned = {"torch"}  # chosen by torch_build.py
    for file in REQUIREMENTS.glob("*.txt"):
        pinned |= {line.split("==")[0] for line in file.read_text(encoding="utf-8").splitlines() if "==" in line}
    assert asked <= pinned, sorted(asked - pinned)


def test_every_pinned_package_has_its_licence_named() -> None:
    text = (ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8").lower()
    missing = []
    for file in REQUIREMENTS.glob("*.txt"):
        for line in file.read_text(encoding="utf-8").splitlines():
            name = line.split("==")[0]
            family = re.sub(r"-model-\d$", "-model", name)
            if "==" in line and not line.startswith("#") and family not in text:
                missing.append(name)
    assert not missing


def _info(wheel: zipfile.ZipFile) -> str:
    return next(name.split("/")[0] for name in wheel.namelist() if ".dist-info/" in name)
