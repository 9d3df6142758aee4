"""Pocket TTS checkpoints (kyutai) and Phonon (gradium), which is made the same way, with their codec.

``files: {path: …, codec: FOLDER}``. A voice is a clip (Pocket TTS only), or the name of a file of latents in the
checkpoint's folder ``voices``, or none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..faults import EngineFault
from ..speech.clip import read_clip
from ..speech.options import number, whole
from . import sampling
from .architecture import Architecture, Target, as_samples, most_seconds, no_such_voice, speaks_something
from .directory import Checkpoint, read_json
from .loading import load_model, load_part
from .source import Source
from .tensors import read_arrays

PHONON = "gradium_phonon_tts"
_FIELDS = ("short_text_max_words", "frames_after_eos_short_text", "frames_after_eos", "fade_in_duration")
_NUMBERS = (".safetensors", ".npy", ".npz", ".pt")
_TOKENS = 50
"""So much the models read at once, as their makers cut text."""


class PocketTts(Architecture):
    """A loaded Pocket TTS or Phonon model with its codec."""

    SETTINGS = ("sample", "temperature", "flow_steps", "eos_threshold", "max_new_tokens")
    FILES = ("codec",)
    CLONES = True

    def __init__(self, source: Source, target: Target) -> None:
        import transformers

        path = source.checkpoint.path
        self._phonon = source.checkpoint.model_type == PHONON
        kind = "GradiumPhononTTS" if self._phonon else "PocketTTS"
        codec = load_model(transformers.PocketTTSAudioTokenizerModel, _codec(source), target.device, "float32")
        template, fields = _processor_config(path)
        self._processor: Any = transformers.PocketTTSProcessor(
            load_part(transformers.PocketTTSFeatureExtractor, path),
            load_part(transformers.AutoTokenizer, path),
            audio_tokenizer=codec,
            chat_template=template,
            **fields,
        )
        model = getattr(transformers, f"{kind}ForConditionalGeneration")
        self._model = load_model(model, source.checkpoint, target.device, target.dtype)
        self._voices = path / "voices"
        self.rate = int(self._processor.feature_extractor.sampling_rate)
        self._frames_a_second = float(self._model.config.frame_rate)

    @classmethod
    def companions(cls, source: Source) -> list[Checkpoint]:
        """The codec."""
        return [_codec(source)]

    @classmethod
    def small_files(cls, source: Source) -> list[Path]:
        """The latents of its voices."""
        voices = source.checkpoint.path / "voices"
        return sorted(file for file in voices.glob("*") if file.suffix in _NUMBERS) if voices.is_dir() else []

    @classmethod
    def check_voice(cls, source: Source, voice: dict[str, Any]) -> None:
        """There must be latents of that name, or a clip."""
        if voice.get("id") and not voice.get("audio"):
            _latents_file(source.checkpoint.path / "voices", str(voice["id"]))

    @classmethod
    def clip_needs(cls, source: Source) -> dict[str, Any]:
        """Phonon's checkpoint lacks the encoder of its speakers."""
        return {"clones": source.checkpoint.model_type != PHONON}

    @classmethod
    def takes(cls, settings: dict[str, Any]) -> int:
        """One when it does not draw."""
        return cls.TAKES if settings.get("sample", True) else 1

    def fits(self, text: str) -> bool:
        """Whether ``text`` is short enough in tokens."""
        return len(text) <= self.LETTERS and len(self._processor.tokenizer.tokenize(text)) <= self._most_tokens()

    def speak(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        """Sound for one part."""
        import torch

        if not speaks_something(text):
            return None
        device = self._model.device
        inputs = {name: value.to(device) for name, value in self._inputs(text, voice).items()}
        options: dict[str, Any] = {
            "do_sample": sampling.flag(settings, "sample", True),
            **sampling.chosen(settings, "temperature"),
        }
        if "flow_steps" in settings:
            options["num_flow_steps"] = whole(settings, "flow_steps", 1, 1, 64)
        if "eos_threshold" in settings:
            options["eos_threshold"] = number(settings, "eos_threshold", 0.0, -50.0, 50.0)
        frames = sampling.capped(settings, int(most_seconds(text) * self._frames_a_second))
        with torch.inference_mode():
            spoken = self._model.generate(**inputs, max_new_tokens=frames, return_dict_in_generate=True, **options)
            sound = self._processor.decode(spoken.audio_latents[0].float())
        return as_samples(sound)

    def _inputs(self, text: str, voice: dict[str, Any] | None) -> dict[str, Any]:
        content: list[dict[str, Any]] = [{"type": "text", "text": text}]
        name = str((voice or {}).get("id") or "")
        clip = (voice or {}).get("audio")
        latents = None if clip else self._latents(name)
        if clip and self._phonon:
            raise EngineFault(
                "settings",
                "Phonon can't clone a clip: the encoder of its speakers is not part of the checkpoint.",
                "Use one of the checkpoint's own voices.",
            )
        if clip:
            content.insert(0, {"type": "audio", "audio": read_clip(str(clip), self.rate)})
        if latents is None:
            turn = [{"role": "user", "content": content}]
            options = {"sampling_rate": self.rate} if clip else {}
            filled = self._processor.apply_chat_template(
                turn, tokenize=True, return_dict=True, return_tensors="pt", processor_kwargs=options
            )
            return dict(filled)
        import torch

        content.insert(0, {"type": "audio"})
        prompt = self._processor.apply_chat_template([{"role": "user", "content": content}], tokenize=False)
        given = [torch.from_numpy(latents)]
        return dict(self._processor(text=[prompt], audio_prompt_latents=given, return_tensors="pt"))

    def _latents(self, name: str) -> np.ndarray | None:
        """The latents of a voice of the checkpoint, None for no name."""
        if not name:
            return None
        file = _latents_file(self._voices, name)
        flat = [np.asarray(array, np.float32) for array in read_arrays(file).values() if array.dtype.kind == "f"]
        width = int(getattr(self._model.config, "audio_prompt_dim", 0) or self._model.config.latent_dim)
        rows = [array.reshape(-1, width) for array in flat if array.shape[-1:] == (width,) and 2 <= array.ndim <= 3]
        if len(rows) != 1:
            raise EngineFault(
                "missing", f"{file} does not hold the latents of one voice ({width} numbers a frame).", "Get it again."
            )
        return rows[0]

    def _most_tokens(self) -> int:
        return _TOKENS


def _latents_file(voices: Path, name: str) -> Path:
    """The file of the voice of this name in the folder ``voices``; EngineFault if there is none."""
    plain = Path(name).name == name
    for end in _NUMBERS if plain else ():
        if (voices / f"{name}{end}").is_file():
            return voices / f"{name}{end}"
    known = sorted({found.stem for found in voices.glob("*") if found.suffix in _NUMBERS})
    has = f"It has {', '.join(known[:8])}. " if known else ""
    raise no_such_voice(name, f"{has}Give the voice a clip: {{id, audio}}.")


def _codec(source: Source) -> Checkpoint:
    return source.companion("codec", ("pocket_tts_audio_tokenizer",), "kyutai/pocket-tts-codec", "its codec")


def _processor_config(path: Path) -> tuple[str, dict[str, Any]]:
    """The chat template and the processor's numbers."""
    template, config = path / "chat_template.jinja", path / "processor_config.json"
    if not template.is_file():
        raise EngineFault("missing", f"{path} has no chat_template.jinja.", "Get the checkpoint again.")
    written = read_json(config) if config.is_file() else {}
    fields = {name: written[name] for name in _FIELDS if isinstance(written, dict) and name in written}
    return template.read_text(encoding="utf-8"), fields
