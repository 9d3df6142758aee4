"""An engine that really takes the memory that its settings say, and says how often it was loaded and as what."""

from __future__ import annotations

import os
import resource
from pathlib import Path
from typing import Any

import numpy as np

RATE = 16_000
SHARE = {"float32": 1.0, "bfloat16": 0.5}


class Engine:
    NAME = "hungry"
    RUNTIME = "torch"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self.settings = settings
        self.ballast: Any = None

    def check(self) -> list[dict[str, str]]:
        return []

    def version(self) -> str:
        return "hungry 1.0"

    def architecture(self) -> str:
        return str(self.settings.get("architecture", "vits"))

    def dtypes(self) -> list[str]:
        return list(self.settings.get("dtypes", ["float32"]))

    def weight_files(self) -> list[str]:
        return []

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return []

    def load(self, device: str) -> dict[str, str]:
        dtype = self.settings["dtype"]
        if "mark" in self.settings:
            with Path(self.settings["mark"]).open("a") as mark:
                mark.write(f"{device} {dtype}\n")
        if device.startswith("cuda") and not self.settings.get("fits_gpu"):
            raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
        if "limit" in self.settings:  # megabytes beside what the process has mapped already
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            most = pages * os.sysconf("SC_PAGESIZE") + (self.settings["limit"] << 20)
            resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
        if self.settings.get("act") == "abort":
            os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
            os.abort()
        size = int((self.settings.get("megabytes", 1) << 20) * SHARE[dtype])
        self.ballast = np.ones(size, dtype=np.uint8)
        return {"device": device, "dtype": dtype}

    def speak(self, text: str, voice: Any, settings: dict[str, Any], take: int) -> Any:
        at = np.arange(RATE) / RATE
        return (0.3 * np.sin(2 * np.pi * 220 * at)).astype(np.float32), RATE

    def close(self) -> None:
        self.ballast = None
