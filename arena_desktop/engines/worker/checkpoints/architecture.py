"""What every architecture of the transformers library gives to the engine, with what most of them share."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ..faults import EngineFault
from ..speech.text_split import Part, split_text
from ..texts import longest_plausible_s
from .directory import Checkpoint
from .source import Source

Voice = dict[str, Any]
Missing = list[dict[str, str]]


@dataclass(frozen=True)
class Target:
    """Where to load: ``cpu``, ``mps``, ``cuda`` or ``cuda:N``, and ``float32``, ``float16`` or ``bfloat16``."""

    device: str
    dtype: str


class Architecture(ABC):
    """A loaded model. One subclass an architecture; made by ``Class(source, target)``, which loads.

    ``SETTINGS``: the roster's settings that it knows (``seed`` and ``dtype`` all have). ``FILES``: keys of the roster's
    ``files`` beside ``path`` and ``allow_pickle``. ``DTYPES``: what it speaks in. ``TAKES``: how many renderings of one
    text are worth hearing. ``LETTERS``: the longest run of letters handed over at once. ``CLONES``: it can
    speak in the voice of a clip; ``TRANSCRIPT``: if it is told what is said in it. ``rate`` in Hz.
    """

    SETTINGS: ClassVar[tuple[str, ...]] = ()
    FILES: ClassVar[tuple[str, ...]] = ()
    DTYPES: ClassVar[tuple[str, ...]] = ("float32", "float16", "bfloat16")
    TAKES: ClassVar[int] = 3
    LETTERS: ClassVar[int] = 250
    CLONES: ClassVar[bool] = False
    TRANSCRIPT: ClassVar[bool] = False
    rate: int

    @abstractmethod
    def __init__(self, source: Source, target: Target) -> None: ...

    @classmethod
    def missing(cls, source: Source) -> Missing:
        """What it lacks on this machine, as ``Engine.check`` tells it. Imports nothing heavy."""
        return []

    @classmethod
    def companions(cls, source: Source) -> list[Checkpoint]:
        """The other checkpoints that it loads; EngineFault when one is missing."""
        return []

    @classmethod
    def small_files(cls, source: Source) -> list[Path]:
        """Embeddings and presets: what is loaded beside checkpoints, and belongs into the hash of the weights."""
        return []

    @classmethod
    def clip_needs(cls, source: Source) -> dict[str, Any]:
        """What it wants of a clip, as :mod:`..speech.clip_check` takes it."""
        return {"clones": cls.CLONES, "transcript": cls.TRANSCRIPT}

    @classmethod
    def check_voice(cls, source: Source, voice: Voice) -> None:
        """EngineFault where the checkpoint has no such voice. Imports nothing heavy."""
        return

    @classmethod
    def takes(cls, settings: dict[str, Any]) -> int:
        """How many renderings of one text are worth hearing under these settings."""
        return cls.TAKES

    def prepared(self, text: str) -> str:
        """``text`` as it must be before it is cut."""
        return text

    def fits(self, text: str) -> bool:
        """Whether ``text`` can be spoken at once."""
        return len(text) <= self.LETTERS

    def parts(self, text: str) -> list[Part]:
        """``text`` cut into what is spoken at once."""
        return split_text(self.prepared(text), self.fits)

    @abstractmethod
    def speak(self, text: str, voice: Voice | None, settings: dict[str, Any]) -> np.ndarray | None:
        """Sound for one part, None when nothing in it can be spoken. Draws its chance from torch's generator."""


def most_seconds(text: str) -> float:
    """How long a model that stops by itself may speak ``text``: far longer than slow speech, and short of what the
    check of the clip takes for a runaway.
    """
    return longest_plausible_s(text) - 2.5


def speaks_something(text: str) -> bool:
    """Whether ``text`` has a letter, digit or symbol."""
    return any(unicodedata.category(char)[0] in "LNS" for char in text)


def as_samples(sound: Any) -> np.ndarray:
    """A tensor of any shape, device and type as mono float32."""
    return np.asarray(sound.detach().float().cpu().numpy(), np.float32).reshape(-1)


def no_such_voice(name: str, how: str) -> EngineFault:
    """The fault for a voice that this checkpoint doesn't have."""
    return EngineFault("settings", f"This checkpoint has no voice {name}.", how)
