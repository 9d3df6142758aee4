"""hibari's voice "heart" (American English, inside its wheel; its other voices would be downloaded, so they are not
offered).

``files``: ``{package: hibari-tts}``. ``settings``: ``speed`` 0.5–2, ``seed``. The same seed and take give the same
sound.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..faults import EngineFault
from ..speech import packages
from ..speech.onnx_session import threads
from ..speech.options import known_only, number, seed_of, unknown
from ..speech.phonemes import FrontEnd, front_end
from ..speech.sound import joined
from ..speech.text import cleaned, nothing_said
from ..speech.text_split import split_text

VOICE = "heart"

SETTINGS = ("speed", "seed")


class Engine:
    """Speaks with hibari heart."""

    NAME = "hibari"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self._settings = dict(settings)
        self._tts: Any = None
        self._front: FrontEnd | None = None

    def check(self) -> list[dict[str, str]]:
        return packages.missing("onnxruntime", "hibari") + unknown(self._settings, SETTINGS, "hibari")

    def check_voice(self, voice: dict[str, Any]) -> None:
        name = str(voice.get("id") or VOICE)
        if name != VOICE:
            raise EngineFault("settings", f"hibari has no voice {name} on this machine.", f"Write voices: [{VOICE}].")

    def version(self) -> str:
        return packages.versions("hibari", "onnxruntime")

    def weight_files(self) -> list[str]:
        place = packages.folder("hibari")
        return sorted(str(file) for file in (place / "assets").iterdir()) if place is not None else []

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return []

    def languages(self) -> list[str]:
        """The tag of its language."""
        return ["en-us"]

    def load(self, device: str) -> dict[str, str]:
        from hibari import Hibari

        self._front = front_end(british=False)
        self._tts = Hibari(voice=VOICE, threads=threads(), g2p=self._front.g2p)
        return {"device": "cpu", "dtype": "int8"}

    def speak(
        self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any], take: int
    ) -> tuple[np.ndarray, int]:
        tts, front = self._tts, self._front
        if tts is None or front is None:
            raise EngineFault("engine", "hibari was asked to speak before it was loaded.")
        self.check_voice(voice or {})
        chosen = {**self._settings, **settings}
        known_only(chosen, SETTINGS, "hibari")
        speed, rng = number(chosen, "speed", 1.0, 0.5, 2.0), np.random.default_rng(seed_of(chosen, take))
        known: dict[str, list[str]] = {}

        def phonemes(part: str) -> list[str]:
            if part not in known:
                known[part] = tts.phonemize(part)
            return known[part]

        def fits(part: str) -> bool:
            return all(len(sentence) <= _longest() for sentence in phonemes(part))

        spoken = []
        for part in split_text(front.prepared(cleaned(text)), fits):
            said = [sentence for sentence in phonemes(part.text) if any(char.isalpha() for char in sentence)]
            sounds = [tts.from_ids(tts.ids(sentence), speed, rng) for sentence in said]
            if sounds:
                spoken.append((np.concatenate(sounds), part.pause))
        if not spoken:
            raise nothing_said("hibari")
        return joined(spoken, int(tts.sample_rate)), int(tts.sample_rate)

    def close(self) -> None:
        self._tts = None
        self._front = None


def _longest() -> int:
    from hibari.tts import MAX_PHONEMES

    return int(MAX_PHONEMES)
