"""CSM checkpoints (sesame/csm-1b): a conversational model that goes on in the voice of what was said before.

A voice is a number (the speaker's), or a clip with its transcript: that is then the first turn of the conversation.
"""

from __future__ import annotations

import copy
import re
from typing import Any

import numpy as np

from ..faults import EngineFault
from ..speech.clip import read_clip
from ..speech.options import whole
from . import sampling
from .architecture import Architecture, Target, as_samples, most_seconds, no_such_voice, speaks_something
from .loading import load_model, load_part
from .source import Source


class Csm(Architecture):
    """A loaded CSM model with its codec."""

    SETTINGS = ("speaker_id", "sample", "temperature", "top_k", "depth_temperature", "depth_top_k", "max_new_tokens")
    CLONES = True
    TRANSCRIPT = True

    def __init__(self, source: Source, target: Target) -> None:
        from transformers import AutoTokenizer, CsmForConditionalGeneration, CsmProcessor, EncodecFeatureExtractor

        path = source.checkpoint.path
        self._processor: Any = CsmProcessor(
            load_part(EncodecFeatureExtractor, path), load_part(AutoTokenizer, path), chat_template=_template(source)
        )
        self._model = load_model(CsmForConditionalGeneration, source.checkpoint, target.device, target.dtype)
        codec = self._model.config.codec_config
        self.rate = int(codec.sampling_rate)
        self._frames_a_second = float(codec.frame_rate)
        self._usual_depth = copy.deepcopy(self._model.depth_decoder.generation_config)

    @classmethod
    def takes(cls, settings: dict[str, Any]) -> int:
        """One when it does not draw."""
        return cls.TAKES if settings.get("sample", True) else 1

    @classmethod
    def check_voice(cls, source: Source, voice: dict[str, Any]) -> None:
        """A voice is a number, or has a clip."""
        _who(voice, source.settings)

    def speak(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        """Sound for one part."""
        import torch

        if not speaks_something(text):
            return None
        inputs = self._inputs(text, voice, settings).to(self._model.device)
        if "input_values" in inputs:
            inputs["input_values"] = inputs["input_values"].to(self._model.dtype)
        options = sampling.chosen(settings, "sample", "temperature", "top_k")
        depth = sampling.chosen(settings, "depth_temperature", "depth_top_k")
        if "do_sample" in options:
            depth["depth_do_sample"] = options["do_sample"]
        # The library keeps what one call sets for the depth decoder: the next would speak with it too.
        self._model.depth_decoder.generation_config = copy.deepcopy(self._usual_depth)
        frames = sampling.capped(settings, int(most_seconds(text) * self._frames_a_second))
        with torch.inference_mode():
            sounds = self._model.generate(
                **inputs,
                output_audio=True,
                max_new_tokens=frames,
                **options,
                **{name.replace("depth_", "depth_decoder_", 1): value for name, value in depth.items()},
            )
        return as_samples(sounds[0])

    def _inputs(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> Any:
        speaker, clip, transcript = _who(voice, settings)
        if clip is None and not self._processor.chat_template:
            return self._processor(text=[f"[{speaker}]{text}"], add_special_tokens=True, return_tensors="pt")
        turns: list[dict[str, Any]] = []
        if clip is not None:
            if not self._processor.chat_template:
                raise EngineFault(
                    "missing",
                    "This checkpoint lacks chat_template.jinja, which puts a clip in its place.",
                    "Get it again.",
                )
            said = [{"type": "text", "text": transcript}, {"type": "audio", "audio": read_clip(clip, self.rate)}]
            turns.append({"role": speaker, "content": said})
        turns.append({"role": speaker, "content": [{"type": "text", "text": text}]})
        return self._processor.apply_chat_template(turns, tokenize=True, return_dict=True, return_tensors="pt")


def _who(voice: dict[str, Any] | None, settings: dict[str, Any]) -> tuple[str, str | None, str]:
    """The speaker's number, the clip, its transcript."""
    name = str((voice or {}).get("id") or "")
    clip, transcript = (voice or {}).get("audio"), (voice or {}).get("transcript")
    speaker = str(whole(settings, "speaker_id", 0, 0, 99))
    if clip:
        if not transcript:
            raise EngineFault(
                "settings", f"The voice {name} has a clip but no transcript.", "Write what the clip says as transcript."
            )
        return speaker, str(clip), str(transcript)
    if name and not re.fullmatch(r"[0-9]{1,2}", name):
        raise no_such_voice(name, "Write a number from 0 to 99, or give the voice a clip: {id, audio, transcript}.")
    return name or speaker, None, ""


def _template(source: Source) -> str | None:
    file = source.checkpoint.path / "chat_template.jinja"
    return file.read_text(encoding="utf-8") if file.is_file() else None
