"""Whisper checkpoints of transformers, from a folder on this disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..checkpoints.directory import read_checkpoint
from ..checkpoints.loading import load_model, load_part
from ..faults import EngineFault
from ..speech import packages
from ..speech.onnx_session import threads
from . import RATE

WINDOW_S = 30
"""What the network hears at once; longer sound goes window by window, which needs its marks of time."""


class Recogniser:
    """``path`` is the folder with config.json and model.safetensors."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self.title = f"Whisper ({self._path.name})"
        self.files: tuple[str, ...] = ()
        self.languages: tuple[str, ...] = ()
        self._model: Any = None
        self._ear: Any = None
        self._letters: Any = None

    def missing(self) -> list[dict[str, str]]:
        return packages.missing("torch", "transformers")

    def load(self) -> None:
        checkpoint = read_checkpoint(self._path, ("whisper",))
        import torch
        from transformers import AutoFeatureExtractor, AutoTokenizer, WhisperForConditionalGeneration

        torch.set_num_threads(threads())
        self._letters = load_part(AutoTokenizer, self._path)
        self._ear = load_part(AutoFeatureExtractor, self._path)
        if int(self._ear.sampling_rate) != RATE:
            raise EngineFault("settings", f"{self._path} hears at {self._ear.sampling_rate} Hz, not {RATE}.")
        self._model = load_model(WhisperForConditionalGeneration, checkpoint, "cpu")
        self.languages = _languages(self._model.generation_config)
        self.files = tuple(str(file) for file in checkpoint.files())

    def hear(self, sound: np.ndarray, language: str) -> str:
        import torch

        long = sound.size > WINDOW_S * RATE
        features = self._ear(
            sound,
            sampling_rate=RATE,
            return_tensors="pt",
            return_attention_mask=True,
            **({"truncation": False, "padding": "longest"} if long else {}),
        )
        asked: dict[str, Any] = {"return_timestamps": True} if long else {}
        if getattr(self._model.generation_config, "is_multilingual", False):
            asked.update(language=language, task="transcribe")
        with torch.no_grad():
            found = self._model.generate(**features, **asked)
        return str(self._letters.batch_decode(found, skip_special_tokens=True)[0])


def _languages(generation: Any) -> tuple[str, ...]:
    """Codes such as ``en``; a checkpoint that isn't multilingual hears English."""
    known = getattr(generation, "lang_to_id", None)
    if not getattr(generation, "is_multilingual", False) or not known:
        return ("en",)
    return tuple(sorted(token.strip("<|>") for token in known))
