"""VITS checkpoints (facebook/mms-tts-*, kakao-enterprise/vits-*, converted Piper voices)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..faults import EngineFault
from ..speech import packages
from ..speech.options import number, whole
from ..speech.phonemes import FrontEnd, front_end
from .directory import Checkpoint
from .loading import load_model

#: Letters or phonemes in one run: attention grows with their square, and these models learned single sentences.
LONGEST = 400


class Vits:
    """A loaded VITS model."""

    SETTINGS = ("speaker_id", "noise_scale", "noise_scale_duration", "speaking_rate", "phonemes", "language")

    def __init__(self, checkpoint: Checkpoint, settings: dict[str, Any], device: str) -> None:
        from transformers import VitsModel, VitsTokenizer

        self._front = _front_end(settings)
        self._tokenizer: Any = VitsTokenizer.from_pretrained(
            str(checkpoint.path), local_files_only=True, trust_remote_code=False
        )
        if self._tokenizer.phonemize and self._front is None and not packages.there("phonemizer"):
            raise EngineFault(
                "settings",
                f"The checkpoint {checkpoint.path} reads phonemes, and the package that makes them is not installed.",
                "For English write settings: {phonemes: hibari}; else install phonemizer and espeak-ng.",
            )
        if self._front is not None:
            self._tokenizer.phonemize = False
        self._model = load_model(VitsModel, checkpoint, device)
        self._path = checkpoint.path
        self.rate = int(self._model.config.sampling_rate)
        self._usual = {
            name: float(getattr(self._model, name)) for name in ("noise_scale", "noise_scale_duration", "speaking_rate")
        }

    def prepared(self, text: str) -> str:
        """``text`` as it must be before it is cut."""
        return self._front.prepared(text) if self._front is not None else text

    def fits(self, text: str) -> bool:
        return len(self._read(text)) <= LONGEST

    def speak(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        """Sound for one part, None when nothing in it can be spoken. Draws its noise from torch's generator."""
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
        return np.asarray(output.waveform[0].float().cpu().numpy(), np.float32)

    def _read(self, text: str) -> str:
        """The letters or phonemes that the model knows, in order."""
        if self._front is not None:
            return "".join(char for char in self._front.ipa(text) if char in self._tokenizer.encoder)
        self._need_uroman(text)
        return str(self._tokenizer.prepare_for_tokenization(text)[0])

    def _framed(self, said: str) -> str:
        """Piper's voices were trained with these marks around each sentence."""
        marked = self._front is not None and {"^", "$"} <= self._tokenizer.encoder.keys()
        return f"^{said}$" if marked else said

    def _need_uroman(self, text: str) -> None:
        if self._tokenizer.is_uroman and not text.isascii() and not packages.there("uroman"):
            raise EngineFault(
                "missing",
                f"The checkpoint {self._path} reads Latin letters only, and the package uroman is not installed.",
                f"Run: {packages.pip_install('uroman')}",
            )

    def _speaker(self, settings: dict[str, Any], voice: dict[str, Any] | None) -> int | None:
        count = int(self._model.config.num_speakers)
        named = str((voice or {}).get("id") or "")
        if "speaker_id" in settings:
            wanted = whole(settings, "speaker_id", 0, 0, max(0, count - 1))
        elif count > 1 and named.isdigit():
            wanted = whole({"speaker_id": int(named)}, "speaker_id", 0, 0, count - 1)
        else:
            wanted = 0
        return wanted if count > 1 else None


def _front_end(settings: dict[str, Any]) -> FrontEnd | None:
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
    return front_end(british=language.replace("_", "-").startswith("en-gb"))
