"""Local checkpoints of the transformers library: safetensors and torch's weights-only files; never from the hub, never
with code of their own.

``files``: ``{path: FOLDER}``, with ``vocoder`` or ``codec`` for another folder that a model needs, and ``allow_pickle:
true`` to let this one model's weight files run code. ``settings`` for all: ``seed``, ``dtype``; the rest is told by the
architectures (``SETTINGS`` in ``../checkpoints/*.py``). The same seed, take and device give the same sound, another
take another one where the model draws at all.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..checkpoints import others
from ..checkpoints.architecture import Architecture, Target
from ..checkpoints.bark import Bark
from ..checkpoints.csm import Csm
from ..checkpoints.device import check_dtype, chosen_device, chosen_dtype, kind_of, memory_in_words
from ..checkpoints.dia import Dia
from ..checkpoints.directory import read_checkpoint, read_config
from ..checkpoints.fastspeech2 import FastSpeech2
from ..checkpoints.pocket_tts import PocketTts
from ..checkpoints.source import Source, placed
from ..checkpoints.speecht5 import SpeechT5
from ..checkpoints.vits import Vits
from ..faults import EngineFault
from ..speech import packages
from ..speech.onnx_session import threads
from ..speech.options import known_only, seed_of
from ..speech.sound import joined
from ..speech.text import cleaned, nothing_said

#: model_type of config.json → what speaks with it.
ARCHITECTURES: dict[str, type[Architecture]] = {
    "vits": Vits,
    "speecht5": SpeechT5,
    "bark": Bark,
    "fastspeech2_conformer": FastSpeech2,
    "fastspeech2_conformer_with_hifigan": FastSpeech2,
    "csm": Csm,
    "dia": Dia,
    "pocket_tts": PocketTts,
    "gradium_phonon_tts": PocketTts,
}
_FILES = ("path", "allow_pickle", "hub", "revision", "sha256")
_SETTINGS = ("seed", "dtype")


class Engine:
    """Speaks with a checkpoint folder."""

    NAME = "transformers"
    RUNTIME = "torch"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self._files = dict(files)
        self._settings = dict(settings)
        self._search = tuple(search)
        self._voice: Architecture | None = None
        self._device = "cpu"

    def check(self) -> list[dict[str, str]]:
        missing = packages.missing("torch", "transformers")
        try:
            kind, source = self._found()
            kind.companions(source)
            missing += kind.missing(source)
        except EngineFault as fault:
            missing.append({"what": fault.message, "remedy": fault.remedy})
        return missing

    def takes(self) -> int:
        try:
            kind, source = self._found()
        except EngineFault:
            return 1
        return kind.takes(source.settings)

    def clip_needs(self) -> dict[str, Any]:
        try:
            kind, source = self._found()
        except EngineFault:
            return {}
        return kind.clip_needs(source)

    def check_voice(self, voice: dict[str, Any]) -> None:
        kind, source = self._found()
        kind.check_voice(source, voice)

    def architecture(self) -> str:
        return self._found()[1].checkpoint.model_type

    def dtypes(self) -> list[str]:
        return list(self._found()[0].DTYPES)

    def version(self) -> str:
        return packages.versions("transformers", "torch")

    def weight_files(self) -> list[str]:
        kind, source = self._found()
        checkpoints = [source.checkpoint, *kind.companions(source)]
        files = [file for checkpoint in checkpoints for file in checkpoint.files()]
        return [str(file) for file in [*files, *kind.small_files(source)]]

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return [str(voice["audio"])] if voice and voice.get("audio") else []

    def load(self, device: str) -> dict[str, str]:
        kind, source = self._found()
        for item in kind.missing(source)[:1]:
            raise EngineFault("missing", item["what"], item["remedy"])
        import torch
        import transformers

        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        torch.set_num_threads(threads())
        self._device = chosen_device(torch, device)
        dtype = chosen_dtype(torch, self._device, self._settings.get("dtype"), kind.DTYPES)
        with memory_in_words(self._device):
            self._voice = kind(source, Target(self._device, dtype))
        return {"device": kind_of(self._device), "dtype": dtype}

    def speak(
        self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any], take: int
    ) -> tuple[np.ndarray, int]:
        speaker = self._voice
        if speaker is None:
            raise EngineFault("engine", "The checkpoint was asked to speak before it was loaded.")
        import torch

        chosen = {**self._settings, **settings}
        known_only(chosen, (*_SETTINGS, *speaker.SETTINGS), "this checkpoint")
        if voice and voice.get("audio") and not speaker.CLONES:
            raise EngineFault(
                "settings",
                "This checkpoint can't clone a clip.",
                "Write the voice without audio, or use another model.",
            )
        torch.manual_seed(seed_of(chosen, take))
        spoken = []
        with memory_in_words(self._device):
            for part in speaker.parts(cleaned(text)):
                sound = speaker.speak(part.text, voice, chosen)
                if sound is not None:
                    spoken.append((sound, part.pause))
        if not spoken:
            raise nothing_said("This checkpoint")
        return joined(spoken, speaker.rate), speaker.rate

    def close(self) -> None:
        self._voice = None
        if kind_of(self._device) == "cuda":
            import torch

            torch.cuda.empty_cache()

    def _found(self) -> tuple[type[Architecture], Source]:
        """The architecture and what it is made from; EngineFault in words for anything that can't speak here."""
        if not self._files.get("path"):
            raise EngineFault("missing", "No checkpoint folder is named.", "Write files: {path: FOLDER}.")
        path: Path = placed(self._files["path"], self._search)
        fault = others.sentence(str(read_config(path).get("model_type") or ""))
        if fault is not None:
            raise fault
        allow = self._files.get("allow_pickle", False)
        if not isinstance(allow, bool):
            raise EngineFault("settings", f"files: allow_pickle is {allow!r}.", "Write true or false.")
        checkpoint = read_checkpoint(path, tuple(ARCHITECTURES), allow_pickle=allow)
        kind = ARCHITECTURES[checkpoint.model_type]
        known_only(self._settings, (*_SETTINGS, *kind.SETTINGS), f"a {checkpoint.model_type} checkpoint")
        known_only(self._files, (*_FILES, *kind.FILES), f"the files of a {checkpoint.model_type} checkpoint")
        check_dtype(self._settings.get("dtype"), kind.DTYPES)
        return kind, Source(checkpoint, self._files, self._settings, self._search)
