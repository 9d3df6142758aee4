"""Before the first paint nothing is loaded but Qt, our own code and the settings."""

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import json, os, sys
from arena_desktop.services import trace
def event(self, name, battle=None, **more):
    if name == "first_paint":
        print(json.dumps(sorted(sys.modules)), flush=True)
        os._exit(0)
trace.Trace.event = event
from arena_desktop.__main__ import main
main(["--data-dir", sys.argv[1], "--silent"])
"""
LATER = {
    "numpy",
    "yaml",
    "sqlite3",
    "orjson",
    "rfc8785",
    "zstandard",
    "soxr",
    "soundfile",
    "sounddevice",
    "onnxruntime",
    "torch",
    "transformers",
    "platformdirs",
    "asyncio",
    "arena_desktop.app",
    "arena_desktop.window_services",
    "arena_desktop.store.roster_file",
    "arena_desktop.store.database",
}


def test_only_qt_and_the_settings_come_before_the_first_paint(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    loaded = set(json.loads(done.stdout))
    assert "PySide6.QtWidgets" in loaded
    assert not LATER & loaded
