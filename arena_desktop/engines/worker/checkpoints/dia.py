"""Dia checkpoints (nari-labs/Dia-1.6B) with their codec (descript/dac_44khz).

``files: {path: …, codec: FOLDER}``. A voice is a clip with its transcript; without one Dia makes a voice up, another in
each take.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..faults import EngineFault
from ..speech.clip import read_clip
from . import sampling
from .architecture import Architecture, Target, as_samples, most_seconds, no_such_voice, speaks_something
from .directory import Checkpoint
from .loading import load_model, load_part
from .source import Source

SPEAKER = "[S1] "


class Dia(Architecture):
    """A loaded Dia model with its codec."""

    SETTINGS = ("sample", "temperature", "top_k", "top_p", "guidance", "max_new_tokens")
    FILES = ("codec",)
    CLONES = True
    TRANSCRIPT = True

    def __init__(self, source: Source, target: Target) -> None:
        from transformers import DacModel, DiaFeatureExtractor, DiaForConditionalGeneration, DiaProcessor, DiaTokenizer

        path = source.checkpoint.path
        codec = load_model(DacModel, _codec(source), target.device, "float32")
        self._processor: Any = DiaProcessor(
            load_part(DiaFeatureExtractor, path), load_part(DiaTokenizer, path), audio_tokenizer=codec
        )
        self._model = load_model(DiaForConditionalGeneration, source.checkpoint, target.device, target.dtype)
        self.rate = int(codec.config.sampling_rate)
        self._frames_a_second = self.rate / float(np.prod(codec.config.downsampling_ratios))
        self._delay = max(self._model.config.delay_pattern)
        self._positions = int(self._model.config.decoder_config.max_position_embeddings)

    @classmethod
    def companions(cls, source: Source) -> list[Checkpoint]:
        """The codec."""
        return [_codec(source)]

    @classmethod
    def takes(cls, settings: dict[str, Any]) -> int:
        """One when it does not draw."""
        return cls.TAKES if settings.get("sample", True) else 1

    @classmethod
    def check_voice(cls, source: Source, voice: dict[str, Any]) -> None:
        """A voice has a clip and what it says."""
        if voice.get("id"):
            _must_have_clip(voice)

    def speak(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        """Sound for one part."""
        import torch

        if not speaks_something(text):
            return None
        inputs, heard = self._inputs(text, voice)
        options = sampling.chosen(
            settings, "sample", "temperature", "top_k", "top_p", "guidance", ranges={"temperature": (1.0, 3.0)}
        )
        frames = sampling.capped(settings, int(most_seconds(text) * self._frames_a_second))
        room = self._positions - inputs["decoder_input_ids"].shape[1] - self._delay
        if room < 10:
            raise EngineFault("settings", "The clip of this voice leaves no room for speech.", "Give a shorter clip.")
        with torch.inference_mode():
            tokens = self._model.generate(
                **inputs.to(self._model.device), max_new_tokens=min(frames + self._delay, room), **options
            )
            sounds = self._processor.batch_decode(tokens, audio_prompt_len=heard)
        return as_samples(sounds[0])

    def _inputs(self, text: str, voice: dict[str, Any] | None) -> tuple[Any, int | None]:
        """What ``generate`` takes, and how many frames of it are the clip (None without one)."""
        if voice is None or not voice.get("id"):
            return self._processor(text=[SPEAKER + text], text_kwargs={"padding": False}, return_tensors="pt"), None
        _must_have_clip(voice)
        inputs = self._processor(
            text=[f"{SPEAKER}{voice['transcript']} {text}"],
            audio=[read_clip(str(voice["audio"]), int(self._processor.feature_extractor.sampling_rate))],
            text_kwargs={"padding": False},
            return_tensors="pt",
        )
        return inputs, int(self._processor.get_audio_prompt_len(inputs["decoder_attention_mask"]))


def _must_have_clip(voice: dict[str, Any]) -> None:
    if not voice.get("audio") or not voice.get("transcript"):
        raise no_such_voice(str(voice["id"]), "Give the voice a clip and what it says: {id, audio, transcript}.")


def _codec(source: Source) -> Checkpoint:
    return source.companion("codec", ("dac",), "descript/dac_44khz", "its codec, DAC")
