"""What each process loads for sound: the window no sound library, the sound process nothing it does not need."""

import subprocess
import sys

import pytest

from arena_desktop.audio.child import host_environment

WINDOW = "arena_desktop.audio.host, arena_desktop.audio.devices, arena_desktop.audio.silent, arena_desktop.audio.levels"


@pytest.mark.parametrize(
    ("modules", "unwanted"),
    [
        (WINDOW, {"sounddevice", "soundfile", "scipy", "torch", "PySide6"}),
        ("arena_desktop.audio.player", {"sounddevice", "soxr", "soundfile", "scipy", "torch", "PySide6", "subprocess"}),
    ],
)
def test_unwanted_libraries_are_not_loaded(modules: str, unwanted: set[str]) -> None:
    program = f"import sys, {modules}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], env=host_environment(), capture_output=True, text=True, check=True
    )
    assert not unwanted & set(done.stdout.split())
