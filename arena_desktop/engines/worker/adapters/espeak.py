"""espeak-ng by ctypes, from the library that the package espeakng-loader carries. It carries the phase of its wave
over from one text to the next, so a take can't be repeated to the bit.

The library is GPL-3, so the package is optional and nothing of it enters this program; it is loaded into the speech
process only. ``files``: ``{package: espeakng-loader, voice: en-us}``. A voice is a name that espeak-ng knows
(``en-us``, ``en-gb-x-rp``, ``en-us+f3``, ``de``). ``settings``: ``rate`` 80–450 words a minute, ``pitch`` 0–100.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from ..faults import EngineFault
from ..speech import packages
from ..speech.options import known_only, unknown, whole
from ..speech.shared import Shared
from ..speech.sound import joined
from ..speech.text import cleaned, nothing_said
from ..speech.text_split import split_text

VOICE = "en-us"
LONGEST = 2000
SHORTEST = 0.05
# Numbers of espeak-ng's C interface (speak_lib.h).
_SYNCHRONOUS, _DONT_EXIT, _UTF8, _POSITION_CHARACTER = 2, 0x8000, 1, 1
_RATE, _PITCH = 1, 3


class Library:
    """The loaded library. Its state is one for the process, so all espeak competitors use one of these."""

    def __init__(self) -> None:
        import espeakng_loader

        self._lib = ctypes.CDLL(espeakng_loader.get_library_path())
        data = str(espeakng_loader.get_data_path()).encode()
        self.rate = int(self._lib.espeak_Initialize(_SYNCHRONOUS, 0, data, _DONT_EXIT))
        if self.rate <= 0:
            raise EngineFault(
                "engine",
                f"espeak-ng did not start with its data in {data.decode()}.",
                f"Run: {packages.pip_install(packages.PINS['espeakng_loader'])} --force-reinstall",
            )
        self._heard: list[np.ndarray] = []
        receiver = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)
        self._receiver = receiver(self._take)  # kept: the library holds only its address
        self._lib.espeak_SetSynthCallback(self._receiver)

    def speak(self, text: str, voice: str, rate: int, pitch: int) -> np.ndarray:
        """Float32 sound of ``text``. EngineFault ``settings`` for a voice that the library doesn't know."""
        if self._lib.espeak_SetVoiceByName(voice.encode()) != 0:
            raise EngineFault("settings", f"espeak-ng has no voice {voice}.", f"Write another, for example {VOICE}.")
        self._lib.espeak_SetParameter(_RATE, rate, 0)
        self._lib.espeak_SetParameter(_PITCH, pitch, 0)
        self._heard.clear()
        content = text.encode() + b"\0"
        self._lib.espeak_Synth(
            ctypes.c_char_p(content), ctypes.c_size_t(len(content)), 0, _POSITION_CHARACTER, 0, _UTF8, None, None
        )
        self._lib.espeak_Synchronize()
        whole_sound = np.concatenate(self._heard) if self._heard else np.zeros(0, np.int16)
        return whole_sound.astype(np.float32) / 32768.0

    def _take(self, samples: Any, count: int, events: Any) -> int:
        if count > 0 and samples:
            self._heard.append(np.ctypeslib.as_array(samples, (count,)).copy())
        return 0


_libraries: Shared[Library] = Shared()

SETTINGS = ("rate", "pitch")


class Engine:
    """Speaks with espeak-ng."""

    NAME = "espeak"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self._settings = dict(settings)
        self._voice = str(files.get("voice") or VOICE)
        self._library: Library | None = None

    def check(self) -> list[dict[str, str]]:
        return packages.missing("espeakng_loader") + unknown(self._settings, SETTINGS, "espeak-ng")

    def version(self) -> str:
        return packages.versions("espeakng_loader")

    def weight_files(self) -> list[str]:
        place = packages.folder("espeakng_loader")
        if place is None:
            return []
        data = place / "espeak-ng-data"
        names = ("phondata", "phonindex", "phontab", "intonations", f"{self._voice.split('-')[0]}_dict")
        return [str(data / name) for name in names if (data / name).is_file()]

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return []

    def load(self, device: str) -> dict[str, str]:
        self._library = _libraries.get("espeak-ng", Library)
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
