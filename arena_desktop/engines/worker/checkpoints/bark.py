"""Bark checkpoints (suno/bark, suno/bark-small), with voice presets from files.

``settings: {voice_preset: …}`` or a voice's id names one: a preset of the checkpoint's own list, an .npz file, or a
name in a folder that ``voice_preset`` names. Without one Bark makes a voice up.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..faults import EngineFault
from . import sampling
from .architecture import Architecture, Missing, Target, as_samples, most_seconds, no_such_voice, speaks_something
from .directory import read_json
from .loading import load_model, load_part
from .source import Source
from .tensors import read_arrays, single_array

#: What a preset holds, and of how many dimensions each is.
_PARTS = {"semantic_prompt": 1, "coarse_prompt": 2, "fine_prompt": 2}
_TOKENS = 256
_LIST = "speaker_embeddings_path.json"


class Bark(Architecture):
    """A loaded Bark model."""

    SETTINGS = (
        "voice_preset",
        "temperature",
        "semantic_temperature",
        "coarse_temperature",
        "fine_temperature",
        "top_k",
        "top_p",
        "min_eos_p",
        "max_new_tokens",
    )
    LETTERS = 180  # it was made for about 13 seconds at once

    def __init__(self, source: Source, target: Target) -> None:
        from transformers import AutoTokenizer, BarkModel

        self._presets = _Presets(source)
        self._tokenizer: Any = load_part(AutoTokenizer, source.checkpoint.path)
        self._model = load_model(BarkModel, source.checkpoint, target.device, target.dtype)
        usual = self._model.generation_config
        if not isinstance(getattr(usual, "semantic_config", None), dict):
            raise EngineFault(
                "missing",
                f"{source.checkpoint.path} lacks generation_config.json, without which Bark can't speak.",
                "Get the checkpoint again.",
            )
        self.rate = int(usual.sample_rate)
        self._tokens_a_second = float(usual.semantic_config.get("semantic_rate_hz", 49.9))

    @classmethod
    def missing(cls, source: Source) -> Missing:
        """The preset that is named."""
        _Presets(source)
        return []

    @classmethod
    def small_files(cls, source: Source) -> list[Path]:
        """The presets."""
        return _Presets(source).files()

    @classmethod
    def check_voice(cls, source: Source, voice: dict[str, Any]) -> None:
        """There must be a preset of that name."""
        if voice.get("id"):
            _Presets(source).file(str(voice["id"]))

    def fits(self, text: str) -> bool:
        """Whether ``text`` is short enough in letters and tokens."""
        return len(text) <= self.LETTERS and len(self._tokenizer(text, add_special_tokens=False)["input_ids"]) < _TOKENS

    def speak(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        """Sound for one part."""
        import torch

        if not speaks_something(text):
            return None
        device = self._model.device
        inputs = self._tokenizer(
            text,
            return_tensors="pt",
            padding="max_length",
            max_length=_TOKENS,
            truncation=True,
            return_attention_mask=True,
            return_token_type_ids=False,
            add_special_tokens=False,
        ).to(device)
        preset = self._presets.of(settings, voice)
        history = None if preset is None else {name: torch.from_numpy(part).to(device) for name, part in preset.items()}
        options = sampling.chosen(settings, *(name for name in self.SETTINGS[1:-1]))
        tokens = sampling.capped(settings, min(768, int(most_seconds(text) * self._tokens_a_second)))
        with torch.inference_mode():
            sound = self._model.generate(
                **inputs, history_prompt=history, semantic_max_new_tokens=tokens, **_for_each(options)
            )
        return as_samples(sound)


class _Presets:
    """The voice presets that the roster and the checkpoint name."""

    def __init__(self, source: Source) -> None:
        self._root = source.checkpoint.path
        self._listed = _listed(self._root)
        named = source.settings.get("voice_preset")
        self._named = str(named) if named is not None and str(named) in self._listed else None
        self._place = None if named is None or self._named else source.placed(named)
        if self._place is not None and not self._place.exists():
            known = ", ".join(sorted(self._listed)[:5]) or "none of its own"
            raise EngineFault(
                "missing",
                f"The voice preset {named} is neither a file nor one of this checkpoint, which has {known}.",
                "Write the path of an .npz file with semantic_prompt, coarse_prompt and fine_prompt.",
            )

    def files(self) -> list[Path]:
        """Every file of a preset that could be loaded."""
        place = self._place
        own = [part for parts in self._listed.values() for part in parts.values() if part.is_file()]
        if place is None:
            return sorted(set(own))
        return sorted({*own, *([place] if place.is_file() else place.glob("*.npz"))})

    def of(self, settings: dict[str, Any], voice: dict[str, Any] | None) -> dict[str, np.ndarray] | None:
        """The arrays of the preset that this voice, or else the setting, names; None for a made-up voice."""
        name = str((voice or {}).get("id") or "")
        if self._place is not None and self._place.is_file():
            return self._checked(self._place.name, read_arrays(self._place))
        name = name or self._named or ""
        if not name:
            return None
        file = self.file(name)
        if file is None:
            return self._checked(name, {part: single_array(file) for part, file in self._listed[name].items()})
        return self._checked(name, read_arrays(file))

    def file(self, name: str) -> Path | None:
        """The file of the preset of this name, None for one that the checkpoint lists; EngineFault if there is none."""
        if name in self._listed:
            return None
        if self._place is not None and self._place.is_file():
            return self._place
        file = self._place / f"{name}.npz" if self._place is not None and Path(name).name == name else None
        if file is None or not file.is_file():
            known = ", ".join(sorted(self._listed)[:8]) or "none of its own"
            raise no_such_voice(name, f"It has {known}; more come from settings: {{voice_preset: FOLDER}}.")
        return file

    @staticmethod
    def _checked(name: str, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        for part, dimensions in _PARTS.items():
            array = arrays.get(part)
            if array is None or array.ndim != dimensions or array.dtype.kind not in "iu" or not array.size:
                raise EngineFault(
                    "missing",
                    f"The voice preset {name} has no usable {part}: {dimensions} dimensions of whole numbers.",
                    "Get a preset that was made for Bark.",
                )
        return {part: arrays[part].astype(np.int64) for part in _PARTS}


def _listed(root: Path) -> dict[str, dict[str, Path]]:
    """The checkpoint's own presets: name → part → file. One that points out of the folder is left out."""
    file = root / _LIST
    written = read_json(file) if file.is_file() else {}
    found: dict[str, dict[str, Path]] = {}
    for name, parts in written.items() if isinstance(written, dict) else ():
        if isinstance(parts, dict) and all(_inside(parts.get(part)) for part in _PARTS):
            found[str(name)] = {part: root / parts[part] for part in _PARTS}
    return found


def _inside(written: Any) -> bool:
    return isinstance(written, str) and not Path(written).is_absolute() and ".." not in Path(written).parts


def _for_each(options: dict[str, Any]) -> dict[str, Any]:
    """``generate`` hands what has no prefix to all three models, and the third knows the temperature alone."""
    spread: dict[str, Any] = {}
    for name, value in options.items():
        if name in ("top_k", "top_p"):
            spread |= {f"semantic_{name}": value, f"coarse_{name}": value}
        else:
            spread[name] = value
    return spread
