"""An engine that does what its settings say: a tone when well, and every fault that a real engine has shown."""

from __future__ import annotations

import ctypes
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

RATE = 16_000


def tone(seconds: float, rate: int = RATE, level: float = 0.3) -> Any:
    at = np.arange(int(seconds * rate)) / rate
    return (level * np.sin(2 * np.pi * 220 * at)).astype(np.float32)


class NoVoice(Exception):
    """As somebody else's engine would say it."""

    kind, message, remedy = "settings", "Acting has no voice nobody.", "Write another."


class Engine:
    NAME = "acting"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self.files = files
        self.settings = settings
        self.act = settings.get("act", "tone")
        self.ballast: Any = None

    def check(self) -> list[dict[str, str]]:
        if self.act == "lacking":
            return [{"what": "the voice file", "remedy": "Run: get voice"}]
        return []

    def check_voice(self, voice: dict[str, Any]) -> None:
        if voice["id"] == "nobody":
            raise NoVoice

    def version(self) -> str:
        return "acting 1.0"

    def weight_files(self) -> list[str]:
        return [str(path) for path in self.files.get("paths", [])]

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return [voice["audio"]] if voice and voice.get("audio") else []

    def load(self, device: str) -> dict[str, str]:
        megabytes = self.settings.get("megabytes", 0)
        self.ballast = np.ones(megabytes << 20, dtype=np.uint8)
        return {"device": "cpu" if device == "auto" else device, "dtype": "float32"}

    def close(self) -> None:
        self.ballast = None

    def speak(self, text: str, voice: Any, settings: dict[str, Any], take: int) -> Any:
        sound = tone(min(0.08 * len(text) + 0.2, 20))
        return getattr(self, "do_" + self.act)(text, sound)

    def takes(self) -> int:
        takes: int = self.settings.get("takes", 1)
        return takes

    def do_doze(self, text: str, sound: Any) -> Any:
        time.sleep(self.settings["seconds"])
        return sound, RATE

    def do_tone(self, text: str, sound: Any) -> Any:
        return sound, RATE

    def do_over_full_scale(self, text: str, sound: Any) -> Any:
        return sound * 4, RATE

    def do_sleep(self, text: str, sound: Any) -> Any:
        if "slow" in text:
            Path(self.settings["mark"]).write_text(str(os.getpid()))
            time.sleep(600)
        return sound, RATE

    def do_segfault(self, text: str, sound: Any) -> Any:
        ctypes.string_at(0)

    def do_leave(self, text: str, sound: Any) -> Any:
        os._exit(3)

    def do_flood(self, text: str, sound: Any) -> Any:
        drained = sys.stdin.read() if sys.stdin else ""
        assert drained == ""
        assert os.read(0, 100) == b""
        line = b"x" * 4095 + b"\n"
        for _ in range(2000):
            os.write(1, line)
            os.write(2, line)
            print("y" * 1000)
        sys.stdout.flush()
        return sound, RATE

    def do_close_standard(self, text: str, sound: Any) -> Any:
        os.close(0)
        os.close(1)
        return sound, RATE

    def do_nan(self, text: str, sound: Any) -> Any:
        sound[100] = np.nan
        return sound, RATE

    def do_silence(self, text: str, sound: Any) -> Any:
        return sound * 0, RATE

    def do_click(self, text: str, sound: Any) -> Any:
        sound[30:] = 0
        return sound, RATE

    def do_short(self, text: str, sound: Any) -> Any:
        return sound[:800], RATE

    def do_empty(self, text: str, sound: Any) -> Any:
        return sound[:0], RATE

    def do_endless(self, text: str, sound: Any) -> Any:
        return tone(0.5 * len(text) + 30), RATE

    def do_clipped(self, text: str, sound: Any) -> Any:
        return np.clip(sound * 6, -1, 1), RATE

    def do_integers(self, text: str, sound: Any) -> Any:
        return (sound * 32767).astype(np.int16), RATE

    def do_unscaled(self, text: str, sound: Any) -> Any:
        return sound * 32767, RATE

    def do_stereo(self, text: str, sound: Any) -> Any:
        return np.stack([sound, sound]), RATE

    def do_wrong_rate(self, text: str, sound: Any) -> Any:
        return sound, 0

    def do_no_rate(self, text: str, sound: Any) -> Any:
        return sound

    def do_memory(self, text: str, sound: Any) -> Any:
        raise MemoryError

    def do_gpu_memory(self, text: str, sound: Any) -> Any:
        raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")

    def do_odd_error(self, text: str, sound: Any) -> Any:
        raise ValueError("öde\n\udcff\x00 wörter " + "x" * 5000)

    def do_exit(self, text: str, sound: Any) -> Any:
        raise SystemExit(7)

    def do_child(self, text: str, sound: Any) -> Any:
        import subprocess

        started = subprocess.Popen(["sleep", "600"])
        Path(self.settings["mark"]).write_text(str(started.pid))
        time.sleep(600)

    def do_slow_native(self, text: str, sound: Any) -> Any:
        """Hold the interpreter's lock for ever, in native code."""
        Path(self.settings["mark"]).write_text(str(os.getpid()))
        ctypes.PyDLL(None).sleep(600)
