"""espeak-ng in all its languages, by ctypes, from the library that the package espeakng-loader carries. It carries the
phase of its wave over from one text to the next, so a take can't be repeated to the bit.

``files``: ``{package: espeakng-loader, voice: en-us}``. A voice is a language's tag or the name of a voice file
(``en-us``, ``en-gb-x-rp``, ``de``, ``pt-br``), with one of its speakers where another is wanted (``de+f3``).
``settings``: ``rate`` 80–450 words a minute, ``pitch`` 0–100.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..faults import EngineFault
from ..speech import packages
from ..speech.espeak_library import KANA_ALONE, Library, data_folder, espeak_library, no_voice, voice_there
from ..speech.espeak_voices import find, variant_of, variants
from ..speech.espeak_voices import voices as voices_in
from ..speech.options import known_only, unknown, whole
from ..speech.sound import joined
from ..speech.text import cleaned, nothing_said
from ..speech.text_split import split_text

VOICE = "en-us"
LONGEST = 2000
SHORTEST = 0.05

SETTINGS = ("rate", "pitch")


class Engine:
    """Speaks with espeak-ng."""

    NAME = "espeak"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self._settings = dict(settings)
        self._voice = str(files.get("voice") or VOICE)
        self._library: Library | None = None

    def check(self) -> list[dict[str, str]]:
        missing = packages.missing("espeakng_loader") + unknown(self._settings, SETTINGS, "espeak-ng")
        if not voice_there(self._voice):
            fault = no_voice(self._voice)
            missing.append({"what": f"a voice {self._voice} of espeak-ng", "remedy": fault.remedy})
        return missing

    def check_voice(self, voice: dict[str, Any]) -> None:
        name = str(voice.get("id") or self._voice)
        if not voice_there(name):
            raise no_voice(name)

    def version(self) -> str:
        return packages.versions("espeakng_loader")

    def weight_files(self) -> list[str]:
        """The data of the language. The small file that only tunes the voice is pinned by the package's version."""
        data = data_folder()
        if data is None:
            return []
        voice = find(data, self._voice)
        dictionary = voice.dictionary if voice is not None else self._voice.split("-")[0]
        files = [data / name for name in ("phondata", "phonindex", "phontab", "intonations", f"{dictionary}_dict")]
        if variant_of(self._voice):
            files.append(data / "voices" / "!v" / variant_of(self._voice))
        return [str(file) for file in files if file.is_file()]

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return []

    def languages(self) -> list[str]:
        """The tag of the language that the voice of ``files`` speaks; [] where espeak-ng or the voice is not there, or
        where it can't read the language as people write it (Japanese).
        """
        data = data_folder()
        voice = find(data, self._voice) if data is not None else None
        return [voice.language] if voice is not None and voice.language not in KANA_ALONE else []

    def load(self, device: str) -> dict[str, str]:
        self._library = espeak_library()
        return {"device": "cpu", "dtype": "int16"}

    def speak(
        self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any], take: int
    ) -> tuple[np.ndarray, int]:
        if self._library is None:
            raise EngineFault("engine", "espeak-ng was asked to speak before it was loaded.")
        name = str((voice or {}).get("id") or self._voice)
        chosen = {**self._settings, **settings}
        known_only(chosen, SETTINGS, "espeak-ng")
        rate, pitch = whole(chosen, "rate", 175, 80, 450), whole(chosen, "pitch", 50, 0, 100)
        spoken = []
        for part in split_text(cleaned(text), lambda piece: len(piece) <= LONGEST):
            sound = self._library.speak(part.text, name, rate, pitch)
            if len(sound) > SHORTEST * self._library.rate and np.any(sound):
                spoken.append((sound, part.pause))
        if not spoken:
            raise nothing_said("espeak-ng")
        return joined(spoken, self._library.rate), self._library.rate

    def close(self) -> None:
        self._library = None


def voices() -> list[dict[str, str]]:
    """Every voice of the installed espeak-ng that can read its language: ``{"id", "name", "language", "gender"}``, by
    language; [] without it. Each may be given one of :func:`speakers`.
    """
    data = data_folder()
    return [
        {"id": voice.id, "name": voice.title, "language": voice.language, "gender": voice.gender}
        for voice in (voices_in(data) if data is not None else ())
        if voice.language not in KANA_ALONE
    ]


def speakers() -> list[dict[str, str]]:
    """The speakers that a voice can be given (``de+f3``): ``{"id", "gender"}``, gender "" where none is said."""
    data = data_folder()
    known = variants(data) if data is not None else {}
    return [{"id": name, "gender": gender} for name, gender in known.items()]
