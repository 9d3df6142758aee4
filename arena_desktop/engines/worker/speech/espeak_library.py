"""The library espeak-ng by ctypes, from the package espeakng-loader: sound, and text to phonemes.

The library is GPL-3, so the package is optional and nothing of it enters this program; it is loaded into the speech
process only. Its state is one for the process: everything that needs it shares one :class:`Library`.
"""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

import numpy as np

from ..faults import EngineFault
from . import packages
from .espeak_voices import find, variant_of, variants
from .shared import Shared

# Numbers of espeak-ng's C interface (speak_lib.h).
_SYNCHRONOUS, _DONT_EXIT, _UTF8, _POSITION_CHARACTER = 2, 0x8000, 1, 1
_RATE, _PITCH = 1, 3
_IPA, _TIED, _TIE_AT = 0x02, 0x80, 8


#: Languages of which espeak-ng can read one of the scripts, not the usual one.
KANA_ALONE = ("ja",)
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")


def data_folder() -> Path | None:
    """Where the installed espeak-ng keeps its data; None if it is not installed."""
    place = packages.folder("espeakng_loader")
    return place / "espeak-ng-data" if place is not None else None


def voice_there(name: str) -> bool:
    """Whether the installed espeak-ng has the voice ``name``, variant included; true where none is installed, so that
    only that is told.
    """
    data = data_folder()
    return data is None or _has(data, name)


class Library:
    """The loaded library. ``rate`` is that of its sound in Hz."""

    def __init__(self) -> None:
        import espeakng_loader

        self._lib = ctypes.CDLL(espeakng_loader.get_library_path())
        self._data = Path(str(espeakng_loader.get_data_path()))
        self.rate = int(self._lib.espeak_Initialize(_SYNCHRONOUS, 0, str(self._data).encode(), _DONT_EXIT))
        if self.rate <= 0:
            raise EngineFault(
                "engine",
                f"espeak-ng did not start with its data in {self._data}.",
                f"Run: {packages.pip_install(packages.PINS['espeakng_loader'])} --force-reinstall",
            )
        self._lib.espeak_TextToPhonemes.restype = ctypes.c_char_p
        self._lib.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, ctypes.c_int]
        self._heard: list[np.ndarray] = []
        receiver = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)
        self._receiver = receiver(self._take)  # kept: the library holds only its address
        self._lib.espeak_SetSynthCallback(self._receiver)

    def speak(self, text: str, voice: str, rate: int, pitch: int) -> np.ndarray:
        """Float32 sound of ``text``. EngineFault ``settings`` for a voice that the library doesn't have."""
        self.choose(voice, text)
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

    def clauses(self, text: str, voice: str, tie: str = "") -> list[tuple[str, str]]:
        """``text`` clause by clause: its phonemes in IPA, and the piece of text that was read for them (it may reach
        one letter into the next clause: the library looks ahead). ``tie`` stands between the letters of one phoneme.
        """
        self.choose(voice, text)
        mode = _IPA | (_TIED | ord(tie) << _TIE_AT if tie else 0)
        content = text.encode()
        buffer = ctypes.create_string_buffer(content)
        start = ctypes.addressof(buffer)
        at = ctypes.c_void_p(start)
        read, found = 0, []
        while at.value:
            said = self._lib.espeak_TextToPhonemes(ctypes.byref(at), _UTF8, mode) or b""
            end = at.value - start if at.value else len(content)
            found.append((said.decode(errors="replace"), content[read:end].decode(errors="ignore")))
            if at.value and end <= read:  # it must come to an end whatever the library makes of the text
                break
            read = end
        return found

    def choose(self, voice: str, text: str = "") -> None:
        """Make ``voice`` the one that speaks. EngineFault ``settings`` for one that the library doesn't have, ``text``
        for a text of which it would only name the letters.
        """
        found = find(self._data, voice)
        if found is None or not _has(self._data, voice):
            raise no_voice(voice)
        variant = variant_of(voice)
        name = found.id + (f"+{variant}" if variant else "")
        if found.language in KANA_ALONE and _HAN.search(text):
            raise EngineFault(
                "text",
                "espeak-ng's Japanese voice reads kana alone: for each kanji it says 'Chinese letter'.",
                "Use another voice for Japanese, or a text in kana.",
            )
        if self._lib.espeak_SetVoiceByName(name.encode()) != 0:
            raise no_voice(voice)

    def _take(self, samples: Any, count: int, events: Any) -> int:
        if count > 0 and samples:
            self._heard.append(np.ctypeslib.as_array(samples, (count,)).copy())
        return 0


def _has(data: Path, voice: str) -> bool:
    variant = variant_of(voice)
    return find(data, voice) is not None and (not variant or variant in variants(data))


def no_voice(name: str) -> EngineFault:
    """The fault for a voice that espeak-ng does not have."""
    return EngineFault(
        "settings",
        f"espeak-ng has no voice {name}.",
        "Write a language's tag (en-us, de, fr, pt-br, …), with a speaker where one is wanted (de+f3).",
    )


_libraries: Shared[Library] = Shared()


def espeak_library() -> Library:
    """The library, one for all engines of this process that hold it."""
    return _libraries.get("espeak-ng", Library)
