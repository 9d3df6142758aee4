"""FastSpeech2Conformer checkpoints (espnet/fastspeech2_conformer_with_hifigan, or …_conformer with its vocoder).

They read ARPABET with stress marks, which is made here by hibari's front end: English only. The library's own front end
(g2p_en) fetches data when it is first used, so it is not used.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..faults import EngineFault
from ..speech import packages
from ..speech.arpabet import arpabet
from ..speech.options import number, whole
from ..speech.phonemes import front_end
from ..speech.text_split import Part, split_sentences
from .architecture import Architecture, Missing, Target, as_samples
from .directory import Checkpoint, read_json
from .loading import load_model
from .source import Source
from .vits import chosen_speaker

WHOLE, BARE = "fastspeech2_conformer_with_hifigan", "fastspeech2_conformer"
#: The checkpoints don't write their rate down; those of ESPnet are of LJSpeech and VCTK at this one.
USUAL_RATE = 22050
_END, _UNKNOWN = "<sos/eos>", "<unk>"


class FastSpeech2(Architecture):
    """A loaded FastSpeech2Conformer model with its vocoder."""

    SETTINGS = ("speaker_id", "language_id", "speaking_rate", "rate", "language")
    FILES = ("vocoder",)
    DTYPES: ClassVar[tuple[str, ...]] = ("float32",)  # the library computes its positions in nothing else
    TAKES = 1  # it draws nothing: always the same sound

    def __init__(self, source: Source, target: Target) -> None:
        from transformers import FastSpeech2ConformerHifiGan, FastSpeech2ConformerModel, FastSpeech2ConformerWithHifiGan

        self._vocabulary = _vocabulary(source.checkpoint)
        place = (target.device, target.dtype)
        if source.checkpoint.model_type == WHOLE:
            both = load_model(FastSpeech2ConformerWithHifiGan, source.checkpoint, *place)
            self._model, self._vocoder = both.model, both.vocoder
        else:
            self._model = load_model(FastSpeech2ConformerModel, source.checkpoint, *place)
            self._vocoder = load_model(FastSpeech2ConformerHifiGan, _vocoder(source), *place)
        written = getattr(self._vocoder.config, "sampling_rate", USUAL_RATE)
        self.rate = whole(source.settings, "rate", int(written), 8000, 96000)
        self._front = front_end(british=False)

    @classmethod
    def missing(cls, source: Source) -> Missing:
        """The front end, the vocabulary."""
        language = str(source.settings.get("language") or "en").lower()
        if not language.startswith("en"):
            raise EngineFault(
                "settings", f"FastSpeech2Conformer reads English here, and language is {language}.", "Leave it out."
            )
        _vocabulary(source.checkpoint)
        return packages.missing("hibari")

    @classmethod
    def companions(cls, source: Source) -> list[Checkpoint]:
        """The vocoder, where it isn't part of the checkpoint."""
        return [] if source.checkpoint.model_type == WHOLE else [_vocoder(source)]

    def prepared(self, text: str) -> str:
        """``text`` as it must be before it is cut."""
        return self._front.prepared(text)

    def parts(self, text: str) -> list[Part]:
        """``text`` sentence by sentence."""
        return split_sentences(self.prepared(text), self.fits)

    def speak(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        """Sound for one part."""
        import torch

        ids = self._ids(text)
        if ids is None:
            return None
        self._model.config.speaking_speed = 1.0 / number(settings, "speaking_rate", 1.0, 0.25, 4.0)
        device = self._model.device
        speaker = chosen_speaker(settings, voice, int(self._model.config.num_speakers or 1))
        languages = int(self._model.config.num_languages or 1)
        language = whole(settings, "language_id", 0, 0, languages - 1) if languages > 1 else None
        with torch.inference_mode():
            spectrogram = self._model(
                torch.tensor([ids], device=device),
                speaker_ids=None if speaker is None else torch.tensor([[speaker]], device=device),
                lang_ids=None if language is None else torch.tensor([[language]], device=device),
                return_dict=True,
            ).spectrogram
            sound = self._vocoder(spectrogram)
        return as_samples(sound)

    def _ids(self, text: str) -> list[int] | None:
        """The tokens of the text, None when it has no sound."""
        known = [token for token in arpabet(self._front.kokoro(text)) if token in self._vocabulary]
        if not any(token[0].isalpha() for token in known):
            return None
        return [self._vocabulary[token] for token in [*known, _END]]


def _vocabulary(checkpoint: Checkpoint) -> dict[str, int]:
    file = checkpoint.path / "vocab.json"
    words = read_json(file) if file.is_file() else None
    if not isinstance(words, dict) or not {_END, _UNKNOWN} <= words.keys():
        raise EngineFault("missing", f"{checkpoint.path} has no vocab.json of phonemes.", "Get the checkpoint again.")
    return {str(word): int(number) for word, number in words.items()}


def _vocoder(source: Source) -> Checkpoint:
    return source.companion(
        "vocoder",
        ("hifigan", "fastspeech2_conformer_hifigan"),
        "espnet/fastspeech2_conformer_hifigan",
        "a vocoder",
    )
