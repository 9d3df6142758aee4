"""Qwen3-TTS in its three kinds, from a local folder in safetensors with its codec in ``speech_tokenizer``: CustomVoice
(named speakers), Base (clones a clip) and VoiceDesign (a voice described in words).

``files``: ``{path: FOLDER}``. A voice is a speaker's name (CustomVoice) or has ``audio`` (Base; with ``transcript``
the clip is continued, without one only its timbre is taken). ``settings``: ``language`` (en, de, zh, …; without one the
model guesses), ``instruct`` (VoiceDesign: the voice in words; CustomVoice of 1.7B: the manner), ``temperature``,
``top_k``, ``top_p``, ``repetition_penalty``, ``seed``. It samples: another take is another reading.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

import numpy as np

from ..checkpoints.directory import Checkpoint, read_checkpoint
from ..checkpoints.sampling import chosen
from ..faults import EngineFault
from ..speech.clip import read_clip
from ..speech.cloned_voice import clip_of, kept_as
from ..speech.model_folder import lacking, unnamed
from ..speech.places import place_of
from ..speech.torch_engine import TorchEngine
from ..texts import longest_plausible_s

TYPES = ("qwen3_tts",)
CODEC = "speech_tokenizer"
CODEC_TYPES = ("qwen3_tts_tokenizer_12hz", "qwen3_tts_tokenizer_25hz")
CLIP_RATE = 24000
LONGEST_PART_S = 60.0
LANGUAGES = {
    "de": "german", "en": "english", "es": "spanish", "fr": "french", "it": "italian", "ja": "japanese",
    "ko": "korean", "pt": "portuguese", "ru": "russian", "zh": "chinese",
}  # fmt: skip
SAMPLING = ("temperature", "top_k", "top_p", "repetition_penalty")


class Engine(TorchEngine):
    """Speaks with a Qwen3-TTS model."""

    NAME = "qwen_tts"
    TITLE = "Qwen3-TTS"
    RECIPE = "qwen-tts"
    MODULES: ClassVar[dict[str, str]] = {
        "qwen_tts": "qwen-tts",
        "transformers": "transformers",
        "torch": "torch",
        "torchaudio": "torchaudio",
    }
    SETTINGS = ("language", "instruct", *SAMPLING)
    DTYPES = ("float32", "bfloat16")

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        super().__init__(files, settings, search)
        self._folder = place_of(files, search)
        self._prompts: dict[tuple[tuple[str, int, int], str], Any] = {}

    def problems(self) -> list[dict[str, str]]:
        if self._folder is None:
            return unnamed("the folder of a Qwen3-TTS model", "files: {path: FOLDER}")
        names = ("config.json", "generation_config.json", "tokenizer_config.json", f"{CODEC}/config.json")
        missing = lacking(self._folder, *names)
        if not missing:
            self._checkpoints()
        return missing

    def model_files(self) -> list[Any]:
        return [] if self._folder is None else [file for part in self._checkpoints() for file in part.files()]

    def open(self, device: str, dtype: str) -> Any:
        import torch
        from qwen_tts import Qwen3TTSModel

        # The library hands what it is given here to the codec, too, and neither takes local_files_only twice; the
        # worker is offline, and the path is a folder.
        model = Qwen3TTSModel.from_pretrained(
            str(self._folder), dtype=getattr(torch, dtype), device_map=device, attn_implementation="sdpa"
        )
        self.rate = int(model.model.speech_tokenizer.get_output_sample_rate())
        return model

    def ready(self, voice: dict[str, Any] | None, settings: dict[str, Any]) -> None:
        self._language(settings)
        kind = str(self.model.model.tts_model_type)
        if kind == "base":
            clip_of(voice, "Qwen3-TTS Base")
        elif kind == "custom_voice":
            self._speaker(voice)
        elif not settings.get("instruct"):
            raise EngineFault(
                "settings",
                "Qwen3-TTS VoiceDesign needs the voice in words.",
                "Write settings: {instruct: a calm old man, …}.",
            )

    def say(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        kind = str(self.model.model.tts_model_type)
        seconds = min(LONGEST_PART_S, longest_plausible_s(text))
        options: dict[str, Any] = {"text": text, "language": self._language(settings)}
        options |= {"max_new_tokens": round(seconds * self._frames_a_second()), **chosen(settings, *SAMPLING)}
        instruct = str(settings.get("instruct") or "")
        if kind == "base":
            made, _ = self.model.generate_voice_clone(voice_clone_prompt=self._prompt(voice), **options)
        elif kind == "custom_voice":
            made, _ = self.model.generate_custom_voice(
                speaker=self._speaker(voice), instruct=instruct or None, **options
            )
        else:
            made, _ = self.model.generate_voice_design(instruct=instruct, **options)
        return np.asarray(made[0], np.float32)

    def close(self) -> None:
        super().close()
        self._prompts.clear()

    def _prompt(self, voice: dict[str, Any] | None) -> Any:
        """What the model takes from a clip."""
        file = str(clip_of(voice, "Qwen3-TTS Base"))
        words = " ".join(str((voice or {}).get("transcript") or "").split())
        known = (kept_as(file), words)
        if known not in self._prompts:
            self._prompts[known] = self.model.create_voice_clone_prompt(
                ref_audio=(read_clip(file, CLIP_RATE), CLIP_RATE), ref_text=words or None, x_vector_only_mode=not words
            )
        return self._prompts[known]

    def _speaker(self, voice: dict[str, Any] | None) -> str:
        known = sorted(str(name) for name in self.model.get_supported_speakers() or ())
        name = str((voice or {}).get("id") or (known[0] if known else ""))
        if name.lower() not in [speaker.lower() for speaker in known]:
            raise EngineFault(
                "settings", f"This Qwen3-TTS has no speaker {name}.", f"Write one of: {', '.join(known[:12])}."
            )
        return name

    def _language(self, settings: dict[str, Any]) -> str:
        written = settings.get("language")
        if written is None:
            return "Auto"
        code = re.split("[-_]", str(written).lower())[0]
        name = LANGUAGES.get(code, code)
        known = sorted(str(language).lower() for language in self.model.get_supported_languages() or ())
        if name not in known:
            raise EngineFault(
                "settings", f"This Qwen3-TTS doesn't speak the language {written}.", f"It speaks: {', '.join(known)}."
            )
        return name

    def _frames_a_second(self) -> float:
        return 25.0 if "25hz" in str(self.model.model.tokenizer_type) else 12.5

    def _checkpoints(self) -> tuple[Checkpoint, Checkpoint]:
        assert self._folder is not None
        return read_checkpoint(self._folder, TYPES), read_checkpoint(self._folder / CODEC, CODEC_TYPES)
