"""Local checkpoints of the transformers library, in safetensors only; never from the hub, never with code of their own.

``files``: ``{path: FOLDER}``. ``settings`` for all: ``seed``; VITS: ``speaker_id``, ``noise_scale``,
``noise_scale_duration``, ``speaking_rate``, ``phonemes: hibari`` (English IPA from hibari's front end, for a
checkpoint that reads phonemes), ``language`` (``en-gb`` for British phonemes). A voice whose id is a number is a
speaker of a model with several. The same seed, take and device give the same sound, another take another one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..checkpoints.device import chosen_device, memory_in_words
from ..checkpoints.directory import Checkpoint, read_checkpoint
from ..checkpoints.vits import Vits
from ..faults import EngineFault
from ..speech import packages
from ..speech.onnx_session import threads
from ..speech.options import known_only, seed_of
from ..speech.sound import joined
from ..speech.text import cleaned, nothing_said
from ..speech.text_split import split_sentences

ARCHITECTURES: dict[str, Any] = {"vits": Vits}


def _placed(written: str, search: list[str]) -> Path:
    """A path of the roster; a relative one in the first of the folders ``search`` that has it."""
    path = Path(written).expanduser()
    places = [Path(place) / path for place in search]
    return next((place for place in places if place.exists()), places[0] if places else path)


class Engine:
    """Speaks with a checkpoint folder."""

    NAME = "transformers"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self._path = _placed(str(files["path"]), search) if files.get("path") else None
        self._settings = dict(settings)
        self._voice: Any = None
        self._device = "cpu"

    def check(self) -> list[dict[str, str]]:
        missing = packages.missing("torch", "transformers")
        try:
            checkpoint = self._checkpoint()
            self._known(checkpoint, self._settings)
        except EngineFault as fault:
            missing.append({"what": fault.message, "remedy": fault.remedy})
        return missing

    def version(self) -> str:
        return packages.versions("transformers", "torch")

    def weight_files(self) -> list[str]:
        return [str(file) for file in self._checkpoint().files()]

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return []

    def load(self, device: str) -> dict[str, str]:
        checkpoint = self._checkpoint()
        self._known(checkpoint, self._settings)
        import torch
        import transformers

        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        torch.set_num_threads(threads())
        self._device = chosen_device(torch, device)
        with memory_in_words(self._device):
            self._voice = ARCHITECTURES[checkpoint.model_type](checkpoint, self._settings, self._device)
        return {"device": self._device, "dtype": "float32"}

    def speak(
        self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any], take: int
    ) -> tuple[np.ndarray, int]:
        speaker = self._voice
        if speaker is None:
            raise EngineFault("engine", "The checkpoint was asked to speak before it was loaded.")
        import torch

        chosen = {**self._settings, **settings}
        known_only(chosen, ("seed", *speaker.SETTINGS), "this checkpoint")
        torch.manual_seed(seed_of(chosen, take))
        spoken = []
        with memory_in_words(self._device):
            for part in split_sentences(speaker.prepared(cleaned(text)), speaker.fits):
                sound = speaker.speak(part.text, voice, chosen)
                if sound is not None:
                    spoken.append((sound, part.pause))
        if not spoken:
            raise nothing_said("This checkpoint")
        return joined(spoken, speaker.rate), speaker.rate

    def close(self) -> None:
        self._voice = None
        if self._device == "cuda":
            import torch

            torch.cuda.empty_cache()

    def _checkpoint(self) -> Checkpoint:
        if self._path is None:
            raise EngineFault("missing", "No checkpoint folder is named.", "Write files: {path: FOLDER}.")
        return read_checkpoint(self._path, tuple(ARCHITECTURES))

    @staticmethod
    def _known(checkpoint: Checkpoint, settings: dict[str, Any]) -> None:
        known_only(
            settings, ("seed", *ARCHITECTURES[checkpoint.model_type].SETTINGS), f"a {checkpoint.model_type} checkpoint"
        )
