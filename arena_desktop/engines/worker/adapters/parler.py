"""Parler-TTS: a voice described in words, from a local folder in safetensors.

``files``: ``{path: FOLDER}``, and ``description_tokenizer: FOLDER`` where the descriptions have a tokenizer of their
own (the multilingual models: that of the text encoder). ``settings``: ``description`` (the voice in words; ``{voice}``
stands for the voice's id, such as Jon or Lea), ``temperature``, ``seed``. It samples: another take is another reading,
and with a description that names nobody perhaps another person.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..checkpoints.directory import read_checkpoint
from ..checkpoints.loading import load_part
from ..faults import EngineFault
from ..speech.model_folder import lacking, unnamed
from ..speech.options import number
from ..speech.places import place_of, placed
from ..speech.torch_engine import TorchEngine
from ..texts import longest_plausible_s

USUAL = "{voice} speaks clearly at a normal pace, in a very close recording with very clear audio."
TYPES = ("parler_tts",)
LONGEST_PART_S = 30.0
"""What these models learned at most."""


class Engine(TorchEngine):
    """Speaks with a Parler-TTS checkpoint."""

    NAME = "parler"
    TITLE = "Parler-TTS"
    RECIPE = "parler"
    MODULES: ClassVar[dict[str, str]] = {"parler_tts": "parler-tts", "transformers": "transformers", "torch": "torch"}
    SETTINGS = ("description", "temperature")
    DTYPES = ("float32", "bfloat16")

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        super().__init__(files, settings, search)
        self._folder = place_of(files, search)
        written = files.get("description_tokenizer")
        self._describing = placed(str(written), search) if written else self._folder
        self._texts: Any = None
        self._descriptions: Any = None

    def problems(self) -> list[dict[str, str]]:
        if self._folder is None or self._describing is None:
            return unnamed("the folder of a Parler-TTS checkpoint", "files: {path: FOLDER}")
        missing = lacking(self._folder, "config.json", "tokenizer_config.json")
        missing += [] if self._describing == self._folder else lacking(self._describing, "tokenizer_config.json")
        if not missing:
            read_checkpoint(self._folder, TYPES)
        return missing

    def model_files(self) -> list[Any]:
        return [] if self._folder is None else read_checkpoint(self._folder, TYPES).files()

    def open(self, device: str, dtype: str) -> Any:
        import torch
        from parler_tts import ParlerTTSForConditionalGeneration
        from transformers import AutoTokenizer

        assert self._folder is not None
        assert self._describing is not None
        self._texts = load_part(AutoTokenizer, self._folder)
        self._descriptions = load_part(AutoTokenizer, self._describing)
        model, found = ParlerTTSForConditionalGeneration.from_pretrained(
            str(self._folder),
            local_files_only=True,
            use_safetensors=True,
            torch_dtype=getattr(torch, dtype),
            output_loading_info=True,
        )
        if found["missing_keys"]:
            raise EngineFault(
                "missing",
                f"{self._folder} lacks {len(found['missing_keys'])} of the model's weights.",
                "Get the checkpoint again.",
            )
        self.rate = int(model.audio_encoder.config.sampling_rate)
        return model.to(device).eval()

    def ready(self, voice: dict[str, Any] | None, settings: dict[str, Any]) -> None:
        if not isinstance(settings.get("description", ""), str):
            raise EngineFault("settings", "The setting description is no text.", "Write the voice in words.")

    def say(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        name = str((voice or {}).get("id") or "A woman")
        description = str(settings.get("description") or USUAL).replace("{voice}", name)
        described = self._descriptions(description, return_tensors="pt").to(self.device)
        said = self._texts(text, return_tensors="pt").to(self.device)
        frames = self.model.audio_encoder.config.frame_rate
        most = round(min(LONGEST_PART_S, longest_plausible_s(text)) * frames)
        sound = self.model.generate(
            input_ids=described.input_ids,
            attention_mask=described.attention_mask,
            prompt_input_ids=said.input_ids,
            prompt_attention_mask=said.attention_mask,
            do_sample=True,
            temperature=number(settings, "temperature", 1.0, 0.1, 2.0),
            max_new_tokens=most,
        )
        return np.asarray(sound.float().cpu().numpy(), np.float32).ravel()

    def close(self) -> None:
        super().close()
        self._texts = self._descriptions = None
