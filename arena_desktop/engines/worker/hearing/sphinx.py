"""pocketsphinx with the US English model inside its package: small, and weak."""

from __future__ import annotations

import importlib.metadata
from typing import Any

import numpy as np

from ..speech import packages
from . import RATE


class Recogniser:
    """``path`` is not used: the model comes with the library."""

    files: tuple[str, ...] = ()
    languages = ("en",)

    def __init__(self, path: str) -> None:
        self.title = "pocketsphinx"
        self._decoder: Any = None

    def missing(self) -> list[dict[str, str]]:
        return packages.missing("pocketsphinx")

    def load(self) -> None:
        from pocketsphinx import Decoder

        self.title = f"pocketsphinx {importlib.metadata.version('pocketsphinx')}"
        self._decoder = Decoder(samprate=RATE, loglevel="FATAL")

    def hear(self, sound: np.ndarray, language: str) -> str:
        if not sound.size:  # it would fail
            return ""
        self._decoder.start_utt()
        self._decoder.process_raw((np.clip(sound, -1.0, 1.0) * 32767.0).astype("<i2").tobytes(), full_utt=True)
        self._decoder.end_utt()
        found = self._decoder.hyp()
        return "" if found is None else str(found.hypstr)
