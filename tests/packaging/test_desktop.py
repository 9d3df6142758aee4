"""The desktop that the checks start: a screen with a window manager, a sink, and nothing left behind."""

import os
import shutil
import subprocess
from pathlib import Path

import psutil
import pytest

from desktop import SINK, desktop
from saying import Fault


def _ask(environment: dict[str, str], *command: str) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=30)
    return done.stdout


def test_two_desktops_live_side_by_side_and_leave_nothing() -> None:
    with desktop() as one, desktop() as other:
        folders = [Path(environment["XDG_RUNTIME_DIR"]) for environment in (one, other)]
        assert one["DISPLAY"] != other["DISPLAY"]
        assert one["PULSE_SERVER"] != other["PULSE_SERVER"]
        for environment in (one, other):
            assert int(_ask(environment, "xdotool", "get_num_desktops")) >= 1
            sink = _ask(environment, "pactl", "list", "short", "sinks").split("\t")
            assert sink[1] == SINK
            assert sink[3] == "float32le 2ch 48000Hz"
            assert f"{SINK}.monitor" in _ask(environment, "pactl", "list", "short", "sources")
        started = {child.pid for child in psutil.Process().children(recursive=True)}
        assert len(started) >= 6
    assert not started & {child.pid for child in psutil.Process().children(recursive=True)}
    assert not any(folder.exists() for folder in folders)


def test_what_fails_inside_still_stops_everything() -> None:
    folders: list[Path] = []

    def fail_inside() -> None:
        with desktop() as environment:
            folders.append(Path(environment["XDG_RUNTIME_DIR"]))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_inside()
    assert not folders[0].exists()
    assert not psutil.Process().children(recursive=True)


def test_the_persons_own_desktop_is_not_inherited() -> None:
    own = dict(os.environ) | {
        "WAYLAND_DISPLAY": "wayland-0",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/x",
        "DISPLAY": ":77",
    }
    with desktop(own) as environment:
        assert "WAYLAND_DISPLAY" not in environment
        assert "DBUS_SESSION_BUS_ADDRESS" not in environment
        assert environment["DISPLAY"] != ":77"


def test_a_missing_part_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "openbox" else name)
    with pytest.raises(Fault, match="openbox"), desktop():
        pass


def test_a_sound_server_that_dies_is_reported_with_its_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pulseaudio").write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    (tmp_path / "pulseaudio").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(Fault, match=r"pulseaudio\) did not start"), desktop():
        pass
    assert not psutil.Process().children(recursive=True)
