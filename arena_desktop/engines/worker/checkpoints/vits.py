"""VITS checkpoints (facebook/mms-tts-*, kakao-enterprise/vits-*, converted Piper voices)."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ..faults import EngineFault
from ..speech import packages
from ..speech.options import number, whole
from ..speech.phonemes import FrontEnd, front_end
from ..speech.text_split import Part, split_sentences
from .architecture import Architecture, Missing, Target, as_samples
from .directory import read_json
from .loading import load_model, load_part
from .source import Source

#: Letters or phonemes in one run: attention grows with their square, and these models learned single sentences.
LONGEST = 400


class Vits(Architecture):
    """A loaded VITS model."""

    SETTINGS = ("speaker_id", "noise_scale", "noise_scale_duration", "speaking_rate", "phonemes", "language")
    DTYPES: ClassVar[tuple[str, ...]] = ("float32",)  # its splines lose their order in half precision
    TAKES = 1  # it draws small changes of pace, not another reading

    def __init__(self, source: Source, target: Target) -> None:
        from transformers import VitsModel, VitsTokenizer

        self._path = source.checkpoint.path
        self._front = _front_end(source.settings)
        self._tokenizer: Any = load_part(VitsTokenizer, self._path)
        if self._front is not None:
            self._tokenizer.phonemize = False
        self._romanizer = _romanizer(self._path) if self._tokenizer.is_uroman else None
        self._model = load_model(VitsModel, source.checkpoint, target.device, target.dtype)
        self.rate = int(self._model.config.sampling_rate)
        self._usual = {
            name: float(getattr(self._model, name)) for name in ("noise_scale", "noise_scale_duration", "speaking_rate")
        }

    @classmethod
    def missing(cls, source: Source) -> Missing:
        """What turns text into what the checkpoint reads: phonemes, or Latin letters."""
        _front_end(source.settings, load=False)
        tokenizer = _tokenizer_config(source)
        if tokenizer.get("is_uroman") is True and not packages.there("uroman"):
            fault = _no_uroman(source.checkpoint.path)
            return [{"what": fault.message, "remedy": fault.remedy}]
        reads_phonemes = tokenizer.get("phonemize", True) is True
        if reads_phonemes and source.settings.get("phonemes") is None and not packages.there("phonemizer"):
            return [
                {
                    "what": f"The checkpoint {source.checkpoint.path} reads phonemes, and the package that makes them"
                    " is not installed.",
                    "remedy": "For English write settings: {phonemes: hibari}; else install phonemizer and espeak-ng.",
                }
            ]
        return []

    def prepared(self, text: str) -> str:
        """``text`` as it must be before it is cut."""
        if self._front is not None:
            return self._front.prepared(text)
        if self._romanizer is not None and not text.isascii():
            return str(self._romanizer.romanize_string(text))
        return text

    def fits(self, text: str) -> bool:
        """Whether ``text`` is short enough in letters or phonemes."""
        return len(self._read(text)) <= LONGEST

    def parts(self, text: str) -> list[Part]:
        """``text`` sentence by sentence."""
        return split_sentences(self.prepared(text), self.fits)

    def speak(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        """Sound for one part, None when nothing in it can be spoken."""
        import torch

        speaker = self._speaker(settings, voice)
        said = self._read(text)
        if not any(char.isalnum() for char in said):
            return None
        for name, usual in self._usual.items():
            lowest = 0.1 if name == "speaking_rate" else 0.0
            setattr(self._model, name, number(settings, name, usual, lowest, 5.0))
        inputs = self._tokenizer(self._framed(said), normalize=False, return_tensors="pt").to(self._model.device)
        with torch.inference_mode():
            output = self._model(**inputs, **({} if speaker is None else {"speaker_id": speaker}))
        return as_samples(output.waveform[0])

    def _read(self, text: str) -> str:
        """The letters or phonemes that the model knows, in order."""
        if self._front is not None:
            return "".join(char for char in self._front.ipa(text) if char in self._tokenizer.encoder)
        return str(self._tokenizer.prepare_for_tokenization(text)[0])

    def _framed(self, said: str) -> str:
        """Piper's voices were trained with these marks around each sentence."""
        marked = self._front is not None and {"^", "$"} <= self._tokenizer.encoder.keys()
        return f"^{said}$" if marked else said

    def _speaker(self, settings: dict[str, Any], voice: dict[str, Any] | None) -> int | None:
        count = int(self._model.config.num_speakers)
        return chosen_speaker(settings, voice, count)


def chosen_speaker(settings: dict[str, Any], voice: dict[str, Any] | None, count: int) -> int | None:
    """The speaker among ``count`` by the setting ``speaker_id``, else by a voice whose id is a number; None for a model
    of one speaker.
    """
    named = str((voice or {}).get("id") or "")
    if "speaker_id" in settings:
        wanted = whole(settings, "speaker_id", 0, 0, max(0, count - 1))
    elif count > 1 and re.fullmatch(r"[0-9]{1,6}", named):
        wanted = whole({"speaker_id": int(named)}, "speaker_id", 0, 0, count - 1)
    else:
        wanted = 0
    return wanted if count > 1 else None


def _tokenizer_config(source: Source) -> dict[str, Any]:
    file = source.checkpoint.path / "tokenizer_config.json"
    written = read_json(file) if file.is_file() else {}
    return written if isinstance(written, dict) else {}


def _romanizer(path: Path) -> Any:
    """uroman, made once: the library would read its tables again for each sentence."""
    if not packages.there("uroman"):
        raise _no_uroman(path)
    return importlib.import_module("uroman").Uroman()


def _no_uroman(path: Path) -> EngineFault:
    return EngineFault(
        "missing",
        f"The checkpoint {path} reads its language in Latin letters, and the package uroman that writes them is not"
        " installed.",
        f"Run: {packages.pip_install(packages.PINS['uroman'])}",
    )


def _front_end(settings: dict[str, Any], load: bool = True) -> FrontEnd | None:
    wanted = settings.get("phonemes")
    if wanted is None:
        return None
    if wanted != "hibari":
        raise EngineFault("settings", f"The setting phonemes is {wanted!r}.", "Write hibari, or leave it out.")
    language = str(settings.get("language") or "en").lower()
    if not language.startswith("en"):
        raise EngineFault(
            "settings", f"hibari makes English phonemes, and language is {language}.", "Leave phonemes out."
        )
    if not packages.there("hibari"):
        entry = packages.missing("hibari")[0]
        raise EngineFault("missing", f"{entry['what'].capitalize()} is not installed.", entry["remedy"])
    return front_end(british=language.replace("_", "-").startswith("en-gb")) if load else None
