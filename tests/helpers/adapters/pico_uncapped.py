"""SVOX Pico as it comes, without the cap on words: 300 letters hang it for ever, with the interpreter's lock held."""

from __future__ import annotations

from typing import Any

import numpy as np


class Engine:
    NAME = "pico_uncapped"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self.engine: Any = None

    def check(self) -> list[dict[str, str]]:
        return []

    def version(self) -> str:
        return "pico"

    def weight_files(self) -> list[str]:
        return []

    def reference_files(self, voice: Any) -> list[str]:
        return []

    def load(self, device: str) -> dict[str, str]:
        from py_nanotts import NanoTTS

        self.engine = NanoTTS()
        return {"device": "cpu", "dtype": "int16"}

    def speak(self, text: str, voice: Any, settings: dict[str, Any], take: int) -> Any:
        pcm = self.engine.speak(text, voice="en-US", volume=0.5)
        return np.frombuffer(pcm, "<i2").astype(np.float32) / 32768, 16_000

    def close(self) -> None:
        self.engine = None
