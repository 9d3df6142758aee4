"""One of the shipped engines, whose library goes wrong as a file says while that file is there."""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np


class Engine:
    NAME = "faulty"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        shelf = next(module for name, module in sys.modules.items() if name.endswith("worker.shelf"))
        engine = {"name": settings["inner"], "module": None, "file": None, "attribute": "Engine"}
        self.control = Path(settings["control"])
        self.settings = settings.get("inner_settings", {})
        self.inner = shelf.find_class(engine)(files, self.settings, search)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def speak(self, text: str, voice: Any, settings: dict[str, Any], take: int) -> Any:
        told = {name: settings[name] for name in ("prompt_id",) if name in settings}  # comes with each request
        sound, rate = self.inner.speak(text, voice, {**self.settings, **told}, take)
        try:
            fault = self.control.read_text()
        except FileNotFoundError:
            return sound, rate
        return getattr(self, "do_" + fault)(sound, rate), rate

    def do_crash(self, sound: Any, rate: int) -> Any:
        os.abort()

    def do_kill(self, sound: Any, rate: int) -> Any:
        self.control.with_suffix(".pid").write_text(str(os.getpid()))
        time.sleep(600)

    def do_hang(self, sound: Any, rate: int) -> Any:
        time.sleep(600)

    def do_nan(self, sound: Any, rate: int) -> Any:
        return np.full_like(sound, np.nan)

    def do_silence(self, sound: Any, rate: int) -> Any:
        return sound * 0

    def do_clipping(self, sound: Any, rate: int) -> Any:
        return np.sign(sound).astype(np.float32)

    def do_short(self, sound: Any, rate: int) -> Any:
        return sound[:400]

    def do_long(self, sound: Any, rate: int) -> Any:
        return np.tile(sound, int(200 * rate / len(sound)) + 1)

    def do_memory(self, sound: Any, rate: int) -> Any:
        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGESIZE")
        resource.setrlimit(resource.RLIMIT_AS, (mapped + (64 << 20), resource.getrlimit(resource.RLIMIT_AS)[1]))
        return np.ones(1 << 30, dtype=np.float32)
