"""SVOX Pico by py-nanotts. Its native code reads memory that it never wrote: the same text gives other samples and
pauses each time, so a take can't be repeated; and it never returns from a word of 256 bytes, holding the
interpreter's lock.

``files``: ``{package: py-nanotts, voice: en-US}``. A voice is ``en-US``, ``en-GB``, ``de-DE``, ``es-ES``, ``fr-FR``
or ``it-IT``. ``settings``: ``speed`` 0.5–2, ``pitch`` 0.5–2.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..faults import EngineFault
from ..speech import packages
from ..speech.options import known_only, number, unknown
from ..speech.sound import joined, with_tail
from ..speech.text import cleaned, nothing_said
from ..speech.text_split import cut_words, split_sentences

RATE = 16000
VOICES = ("en-US", "en-GB", "de-DE", "es-ES", "fr-FR", "it-IT")
#: Characters in one word and in one call. The engine hangs from 256 bytes a word on; a letter has at most 4 bytes.
LONGEST_WORD, LONGEST_CALL = 50, 300
#: At 1 (the default) the engine clips.
VOLUME = 0.5
TAIL = 0.15
#: What Pico gives for text that it can't read is shorter or fainter than this (speech peaks at 0.3 and more).
SHORTEST, FAINTEST = 0.05, 0.02

SETTINGS = ("speed", "pitch")


class Engine:
    """Speaks with SVOX Pico."""

    NAME = "pico"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self._settings = dict(settings)
        self._voice = str(files.get("voice") or VOICES[0])
        self._tts: Any = None

    def check(self) -> list[dict[str, str]]:
        missing = packages.missing("py_nanotts")
        for entry in missing:
            entry["remedy"] += " (there is none for macOS)"
        if self._voice not in VOICES:
            missing.append({"what": f"a Pico voice {self._voice}", "remedy": f"Write one of {', '.join(VOICES)}."})
        return missing + unknown(self._settings, SETTINGS, "Pico")

    def check_voice(self, voice: dict[str, Any]) -> None:
        self._name(voice)

    def version(self) -> str:
        return packages.versions("py_nanotts")

    def weight_files(self) -> list[str]:
        place = packages.folder("py_nanotts")
        if place is None:
            return []
        return sorted(str(file) for file in (place / "lang").glob(f"{self._voice}_*.bin"))

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return []

    def languages(self) -> list[str]:
        """The tag of the language that the voice of ``files`` speaks."""
        return [self._voice.lower()] if self._voice in VOICES else []

    def load(self, device: str) -> dict[str, str]:
        from py_nanotts import NanoTTS

        self._tts = NanoTTS()
        return {"device": "cpu", "dtype": "int16"}

    def speak(
        self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any], take: int
    ) -> tuple[np.ndarray, int]:
        if self._tts is None:
            raise EngineFault("engine", "Pico was asked to speak before it was loaded.")
        name = self._name(voice)
        chosen = {**self._settings, **settings}
        known_only(chosen, SETTINGS, "Pico")
        speed, pitch = number(chosen, "speed", 1.0, 0.5, 2.0), number(chosen, "pitch", 1.0, 0.5, 2.0)
        spoken = []
        for part in split_sentences(_readable(cleaned(text)), lambda piece: len(piece) <= LONGEST_CALL):
            raw = self._tts.speak(part.text, voice=name, speed=speed, pitch=pitch, volume=VOLUME)
            sound = np.frombuffer(raw, "<i2").astype(np.float32) / 32768.0
            if len(sound) > SHORTEST * RATE and np.abs(sound).max() > FAINTEST:
                spoken.append((sound, part.pause))
        if not spoken:
            raise nothing_said("Pico")
        return with_tail(joined(spoken, RATE), RATE, TAIL), RATE

    def _name(self, voice: dict[str, Any] | None) -> str:
        name = str((voice or {}).get("id") or self._voice)
        if name not in VOICES:
            raise EngineFault("settings", f"Pico has no voice {name}.", f"Write one of {', '.join(VOICES)}.")
        return name

    def close(self) -> None:
        self._tts = None


def voices() -> list[dict[str, str]]:
    """Every voice of Pico: ``{"id", "name", "language", "gender"}``."""
    return [{"id": voice, "name": voice, "language": voice.lower(), "gender": "female"} for voice in VOICES]


def _readable(text: str) -> str:
    """Without angle brackets, which are commands to Pico (one of them writes a file), and with long words cut."""
    return cut_words(re.sub(r"[<>]+", " ", text), LONGEST_WORD)
