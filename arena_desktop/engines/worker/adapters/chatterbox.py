"""Chatterbox (Resemble AI), the English model and the multilingual one: clone a voice from a clip.

``files``: ``{path: FOLDER}`` as the hub has it: ``ve.safetensors``, ``s3gen.safetensors``, ``tokenizer.json`` and
``t3_cfg.safetensors``, or for the multilingual one ``ve.pt``, ``s3gen.pt``, ``t3_mtl23ls_v2.safetensors`` and
``grapheme_mtl_merged_expanded_v1.json``. A voice without ``audio`` is the model's own (``conds.pt``). ``settings``:
``language`` (multilingual: de, fr, …), ``exaggeration`` 0.25–2 (0.5), ``guidance`` 0–1 (0.5), ``temperature`` (0.8),
``seed``. It samples: another take is another reading. The library marks its sound with an inaudible watermark.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..faults import EngineFault
from ..speech.cloned_voice import clip_of, kept_as
from ..speech.model_folder import lacking, open_weights, unnamed
from ..speech.options import number
from ..speech.places import place_of
from ..speech.torch_engine import TorchEngine

OWN_VOICE = "conds.pt"
ENGLISH = ("ve.safetensors", "t3_cfg.safetensors", "s3gen.safetensors", "tokenizer.json")
MULTILINGUAL = ("ve.pt", "t3_mtl23ls_v2.safetensors", "s3gen.pt", "grapheme_mtl_merged_expanded_v1.json")


class Engine(TorchEngine):
    """Speaks with Chatterbox."""

    NAME = "chatterbox"
    TITLE = "Chatterbox"
    RECIPE = "chatterbox"
    MODULES: ClassVar[dict[str, str]] = {
        "chatterbox": "chatterbox-tts",
        "torch": "torch",
        "torchaudio": "torchaudio",
        "transformers": "transformers",
        "diffusers": "diffusers",
        "perth": "resemble-perth",
        "s3tokenizer": "s3tokenizer",
    }
    SETTINGS = ("language", "exaggeration", "guidance", "temperature")

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        super().__init__(files, settings, search)
        self._folder = place_of(files, search)
        self._conditions: dict[tuple[str | tuple[str, int, int], float], Any] = {}

    def problems(self) -> list[dict[str, str]]:
        if self._folder is None:
            return unnamed("the folder of a Chatterbox model", "files: {path: FOLDER}")
        missing = lacking(self._folder, *self._names())
        language = self.settings.get("language")
        if language is not None and not self._multilingual() and str(language).split("-")[0] != "en":
            what = f"a model that speaks {language}: the one in {self._folder} speaks English"
            missing.append({"what": what, "remedy": "Get the multilingual model, or leave language out."})
        return missing

    def model_files(self) -> list[Any]:
        if self._folder is None:
            return []
        files = [self._folder / name for name in (*self._names(), OWN_VOICE)]
        return [file for file in files if file.is_file()]

    def open(self, device: str, dtype: str) -> Any:
        assert self._folder is not None
        for name in (*self._names(), OWN_VOICE):
            if name.endswith(".pt") and (self._folder / name).is_file():
                open_weights(self._folder / name)  # refuses in words what the library would stumble over
        kind = _multilingual_class() if self._multilingual() else _english_class()
        model = kind.from_local(self._folder, device)
        self.rate = int(model.sr)
        return model

    def ready(self, voice: dict[str, Any] | None, settings: dict[str, Any]) -> None:
        exaggeration = number(settings, "exaggeration", 0.5, 0.25, 2.0)
        audio = str((voice or {}).get("audio") or "")
        if not audio and ("", 0.0) not in self._conditions:
            if self.model.conds is None:
                clip_of(voice, self.TITLE)  # raises: it has no voice of its own here
            self._conditions["", 0.0] = self.model.conds
        key = (kept_as(str(clip_of(voice, self.TITLE))), exaggeration) if audio else ("", 0.0)
        if key not in self._conditions:
            self.model.prepare_conditionals(str(clip_of(voice, self.TITLE)), exaggeration=exaggeration)
            self._conditions[key] = self.model.conds
        self.model.conds = self._conditions[key]

    def say(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        options: dict[str, Any] = {
            "exaggeration": number(settings, "exaggeration", 0.5, 0.25, 2.0),
            "cfg_weight": number(settings, "guidance", 0.5, 0.0, 1.0),
            "temperature": number(settings, "temperature", 0.8, 0.05, 2.0),
        }
        if self._multilingual():
            options["language_id"] = self._language(settings)
        return np.asarray(self.model.generate(text, **options).float().numpy(), np.float32).ravel()

    def close(self) -> None:
        super().close()
        self._conditions.clear()

    def _language(self, settings: dict[str, Any]) -> str:
        language = str(settings.get("language") or "en").lower().split("-")[0]
        known = type(self.model).get_supported_languages()
        if language not in known:
            some = ", ".join(sorted(known))
            raise EngineFault(
                "settings", f"Chatterbox doesn't speak the language {language}.", f"Write one of: {some}."
            )
        return language

    def _multilingual(self) -> bool:
        return self._folder is not None and not (self._folder / ENGLISH[1]).exists() and (
            (self._folder / MULTILINGUAL[1]).exists()
        )  # fmt: skip

    def _names(self) -> tuple[str, ...]:
        return MULTILINGUAL if self._multilingual() else ENGLISH


def _english_class() -> Any:
    from chatterbox.tts import ChatterboxTTS

    return ChatterboxTTS


def _multilingual_class() -> Any:
    from chatterbox.mtl_tts import ChatterboxMultilingualTTS

    return ChatterboxMultilingualTTS
