"""What a fresh interpreter loads: services without Qt and engines, the program's other entrances with as little."""

import json
import subprocess
import sys

import pytest

from tests.helpers.sources import PACKAGE, ROOT, modules, name_of, within

FORBIDDEN = ("PySide6", "shiboken6", "torch", "transformers", "onnxruntime", "scipy", "sounddevice", "hibari")

LOAD_ONE_BY_ONE = """
import importlib, json, sys
forbidden = set(json.loads(sys.argv[1]))
for name in json.loads(sys.argv[2]):
    importlib.import_module(name)
    loaded = sorted(forbidden & set(sys.modules))
    if loaded:
        print(f"{name} loads {', '.join(loaded)}")
        break
else:
    print("nothing")
"""


def _loads(names: list[str], forbidden: tuple[str, ...]) -> str:
    done = subprocess.run(
        [sys.executable, "-c", LOAD_ONE_BY_ONE, json.dumps(forbidden), json.dumps(names)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_services_load_neither_qt_nor_an_engine_nor_portaudio() -> None:
    names = [name_of(path) for path in modules() if within(name_of(path), "arena_desktop.services")]
    assert len(names) > 5
    assert _loads(names, FORBIDDEN) == "nothing"


def test_the_command_line_loads_neither_qt_nor_an_engine_nor_portaudio() -> None:
    names = [name_of(path) for path in modules() if within(name_of(path), "arena_desktop.cli")]
    assert _loads([*names, "arena_desktop.app"], FORBIDDEN) == "nothing"


def test_the_window_loads_no_engine_no_chart_and_no_portaudio() -> None:
    names = [name_of(path) for path in modules() if within(name_of(path), "arena_desktop.ui")]
    heavy = (*(name for name in FORBIDDEN if name not in ("PySide6", "shiboken6")), "pyqtgraph", "sqlite3")
    assert _loads(names, heavy) == "nothing"


def test_the_entrance_loads_next_to_nothing() -> None:
    assert _loads(["arena_desktop.__main__"], (*FORBIDDEN, "numpy", "sqlite3", "argparse", "yaml")) == "nothing"


@pytest.mark.parametrize("flag", ["--worker", "--audio-host"])
def test_a_child_is_chosen_before_qt(flag: str) -> None:
    text = (PACKAGE / "__main__.py").read_text(encoding="utf-8")
    assert flag in text
    assert "PySide6" not in text
