"""SpeechT5 checkpoints (microsoft/speecht5_tts and its fine-tunings), with a vocoder and speaker embeddings from files.

``files: {path: …, vocoder: FOLDER}``. ``settings: {speaker_embeddings: FILE or FOLDER}``: one x-vector, or a folder of
them, of which a voice's id names the file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ..faults import EngineFault
from ..speech import packages
from ..speech.options import number
from ..speech.text_split import Part, split_sentences
from .architecture import Architecture, Missing, Target, as_samples, most_seconds, no_such_voice, speaks_something
from .directory import Checkpoint
from .loading import load_model, load_part
from .source import Source
from .tensors import single_array

_NUMBERS = (".npy", ".npz", ".safetensors", ".pt", ".pth", ".bin")
_VOCODERS = ("hifigan", "speecht5_hifigan")


class SpeechT5(Architecture):
    """A loaded SpeechT5 model with its vocoder."""

    SETTINGS = ("speaker_embeddings", "threshold", "minlenratio", "maxlenratio", "language")
    FILES = ("vocoder",)
    DTYPES: ClassVar[tuple[str, ...]] = ("float32",)  # in half precision its vocoder overflows
    TAKES = 1  # its dropout stays on, which changes little but the noise

    def __init__(self, source: Source, target: Target) -> None:
        from transformers import SpeechT5ForTextToSpeech, SpeechT5HifiGan, SpeechT5Tokenizer

        vocoder = _vocoder(source)
        self._embeddings = _Embeddings(source)
        self._tokenizer: Any = load_part(SpeechT5Tokenizer, source.checkpoint.path)
        self._model = load_model(SpeechT5ForTextToSpeech, source.checkpoint, target.device, target.dtype)
        self._vocoder = load_model(SpeechT5HifiGan, vocoder, target.device, target.dtype)
        self._english = str(source.settings.get("language") or "en").lower().startswith("en")
        self.rate = int(self._vocoder.config.sampling_rate)
        self._width = int(self._model.config.speaker_embedding_dim)
        self._hop = int(np.prod(self._vocoder.config.upsample_rates))
        self._longest = int(self._model.config.max_text_positions) - 2

    @classmethod
    def missing(cls, source: Source) -> Missing:
        """SentencePiece, the vocoder, the embeddings."""
        architectures = source.checkpoint.config.get("architectures") or []
        if architectures and "SpeechT5ForTextToSpeech" not in architectures:
            raise EngineFault(
                "settings",
                f"The checkpoint {source.checkpoint.path} is SpeechT5 for another task ({architectures[0]}).",
                "Use microsoft/speecht5_tts or a fine-tuning of it.",
            )
        _Embeddings(source)
        return packages.missing("sentencepiece")

    @classmethod
    def companions(cls, source: Source) -> list[Checkpoint]:
        """The vocoder."""
        return [_vocoder(source)]

    @classmethod
    def small_files(cls, source: Source) -> list[Path]:
        """The embeddings."""
        return _Embeddings(source).files()

    @classmethod
    def check_voice(cls, source: Source, voice: dict[str, Any]) -> None:
        """There must be an embedding of that name."""
        _Embeddings(source).file(str(voice.get("id") or ""))

    def prepared(self, text: str) -> str:
        """``text`` with English numbers in words: the checkpoints know letters alone."""
        return str(self._tokenizer.normalizer(text)) if self._english and not text.isalpha() else text

    def fits(self, text: str) -> bool:
        """Whether ``text`` is short enough in tokens."""
        return len(text) <= self.LETTERS and len(self._ids(text)) <= self._longest

    def parts(self, text: str) -> list[Part]:
        """``text`` sentence by sentence."""
        return split_sentences(self.prepared(text), self.fits)

    def speak(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        """Sound for one part."""
        import torch

        if not speaks_something(text):
            return None
        ids = torch.tensor([self._ids(text)], device=self._model.device)
        speaker = torch.from_numpy(self._embeddings.of(voice, self._width)).to(self._model.device, self._model.dtype)
        frames = most_seconds(text) * self.rate / self._hop
        most = max(1.0, frames / ids.shape[1])
        with torch.inference_mode():
            sound = self._model.generate_speech(
                ids,
                speaker[None],
                threshold=number(settings, "threshold", 0.5, 0.01, 0.99),
                minlenratio=number(settings, "minlenratio", 0.0, 0.0, 10.0),
                maxlenratio=min(most, number(settings, "maxlenratio", 20.0, 0.1, 50.0)),
                vocoder=self._vocoder,
            )
        return as_samples(sound)

    def _ids(self, text: str) -> list[int]:
        return [int(token) for token in self._tokenizer(text)["input_ids"]]


class _Embeddings:
    """The files of x-vectors that the roster names."""

    def __init__(self, source: Source) -> None:
        named = source.settings.get("speaker_embeddings")
        if named is None:
            raise EngineFault(
                "settings",
                "SpeechT5 speaks in the voice of a speaker embedding, and none is named.",
                "Write settings: {speaker_embeddings: FILE}, an x-vector of 512 numbers (.npy, .npz, .pt, .safetensors)"
                ", or a FOLDER of them with voices: [NAME, …].",
            )
        self._place = source.placed(named)
        if not self._place.exists():
            raise EngineFault("missing", f"The speaker embedding {self._place} is not there.", "Correct the path.")

    def files(self) -> list[Path]:
        """All that the place holds, in order."""
        if self._place.is_file():
            return [self._place]
        return sorted(file for file in self._place.iterdir() if file.suffix.lower() in _NUMBERS and file.is_file())

    def of(self, voice: dict[str, Any] | None, width: int) -> np.ndarray:
        """The embedding of this voice, ``width`` numbers."""
        file = self.file(str((voice or {}).get("id") or ""))
        vector = np.asarray(single_array(file), np.float32).reshape(-1)
        if vector.size != width or not np.isfinite(vector).all():
            raise EngineFault(
                "settings",
                f"{file} holds {vector.size} numbers; this checkpoint needs {width} finite ones.",
                "Name an x-vector that was made for this model.",
            )
        return vector

    def file(self, voice: str) -> Path:
        """The file of the voice of this name; EngineFault if there is none."""
        files = self.files()
        if self._place.is_file():
            return self._place
        named = {file.stem: file for file in files}
        if voice in named:
            return named[voice]
        if not voice and len(files) == 1:
            return files[0]
        known = ", ".join(sorted(named)[:8]) or "none"
        raise no_such_voice(voice or "without a name", f"{self._place} has: {known}. Write one of them under voices.")


def _vocoder(source: Source) -> Checkpoint:
    return source.companion("vocoder", _VOCODERS, "microsoft/speecht5_hifigan", "a vocoder")
