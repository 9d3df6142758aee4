"""An engine that imports a package when it is loaded: ``files: {folder, package}``."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import numpy as np


class Engine:
    NAME = "importing"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self.files = files

    def check(self) -> list[dict[str, str]]:
        return []

    def version(self) -> str:
        return "importing 1.0"

    def weight_files(self) -> list[str]:
        return []

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return []

    def load(self, device: str) -> dict[str, str]:
        if self.files["folder"] not in sys.path:
            sys.path.insert(0, self.files["folder"])
        importlib.invalidate_caches()
        module = importlib.import_module(self.files["package"])
        if hasattr(module, "load"):
            module.load()
        return {"device": "cpu", "dtype": "float32"}

    def close(self) -> None:
        pass

    def speak(self, text: str, voice: Any, settings: dict[str, Any], take: int) -> Any:
        return (0.3 * np.sin(np.arange(16_000 * 2) / 6)).astype(np.float32), 16_000
