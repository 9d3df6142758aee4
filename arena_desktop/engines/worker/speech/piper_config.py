"""The description of a Piper voice (``VOICE.onnx.json``): how it reads text, its symbols, speakers and usual scales."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..faults import EngineFault

START, GAP, END = "^", "_", "$"
#: Ways of making symbols out of text that need tools of their own, and what a person is told of them.
_UNSERVED = {
    "pinyin": "It reads Chinese through a network (g2pW) that only the piper program brings.",
    "hebrew": "It reads Hebrew with vowel points that only the piper program puts in.",
    "japanese": "It reads Japanese through a dictionary (OpenJTalk) that only the piper program brings.",
}


@dataclass(frozen=True)
class PiperConfig:
    """``reads``: ``espeak`` (phonemes of the espeak-ng voice ``espeak``) or ``text`` (letters). ``symbols``: the ids of
    each symbol. ``clusters``: vowels that are one symbol together. ``scales``: noise_scale, length_scale, noise_w.
    """

    rate: int
    reads: str
    espeak: str
    language: str
    symbols: Mapping[str, tuple[int, ...]]
    clusters: frozenset[tuple[str, ...]] = frozenset()
    scales: tuple[float, float, float] = (0.667, 1.0, 0.8)
    speakers: int = 1
    names: Mapping[str, int] = field(default_factory=dict)
    usual_speaker: int = 0

    @property
    def english(self) -> bool:
        """Whether it reads English phonemes."""
        return self.reads == "espeak" and self.espeak.startswith("en")

    def ids(self, phonemes: str) -> list[int]:
        """The ids of a row of symbols as the voice was trained with them: a start, a gap after each symbol, an end."""
        gap = self.symbols[GAP]
        ids = [*self.symbols[START], *gap]
        for symbol in self._units(phonemes):
            ids += [*self.symbols[symbol], *gap]
        return [*ids, *self.symbols[END]]

    def known(self, phonemes: str) -> str:
        """``phonemes`` without what the voice has no symbol for."""
        return "".join(char for char in phonemes if char in self.symbols and char not in (START, GAP, END))

    def speaker(self, wanted: Any) -> int | None:
        """The number of the speaker ``wanted`` (a number, a digit string or a name of the voice's list; None: the usual
        one); None for a voice of one speaker. EngineFault ``settings`` for one that it doesn't have.
        """
        if self.speakers <= 1 and wanted is None:
            return None
        number = self.usual_speaker if wanted is None else wanted
        if isinstance(number, str):
            number = self.names[number] if number in self.names else int(number) if number.isdecimal() else number
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < max(1, self.speakers):
            listed = f" or one of {', '.join(list(self.names)[:8])}" if self.names else ""
            raise EngineFault(
                "settings",
                f"This Piper voice has {self.speakers} speaker{'s' if self.speakers > 1 else ''}, and speaker_id is"
                f" {wanted!r}.",
                f"Write a number from 0 to {max(1, self.speakers) - 1}{listed}.",
            )
        return number if self.speakers > 1 else None

    def _units(self, phonemes: str) -> list[str]:
        if not self.clusters:
            return list(phonemes)
        longest = max(len(cluster) for cluster in self.clusters)
        units, at = [], 0
        while at < len(phonemes):
            size = next((size for size in range(longest, 1, -1) if tuple(phonemes[at : at + size]) in self.clusters), 1)
            units.append(phonemes[at : at + size])
            at += size
        return units


def read_config(file: Path) -> PiperConfig:
    """The description in ``file``; EngineFault ``settings`` if it is none or one of a kind that can't be served."""
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
        symbols = {str(symbol): tuple(int(one) for one in ids) for symbol, ids in config["phoneme_id_map"].items()}
        scales = config.get("inference", {})
        reads = str(config.get("phoneme_type", "espeak"))
        language = config.get("language", {})
        espeak = str(config.get("espeak", {}).get("voice", "")).lower()
        found = PiperConfig(
            rate=int(config["audio"]["sample_rate"]),
            reads=reads,
            espeak=espeak,
            language=str(language.get("code") or espeak).replace("_", "-"),
            symbols=symbols,
            clusters=frozenset(
                tuple(str(char) for char in cluster)
                for cluster in config.get("vowel_clusters") or ()
                if "".join(cluster) in symbols
            ),
            scales=(
                float(scales.get("noise_scale", 0.667)),
                float(scales.get("length_scale", 1.0)),
                float(scales.get("noise_w", 0.8)),
            ),
            speakers=int(config.get("num_speakers", 1)),
            names={str(name): int(number) for name, number in (config.get("speaker_id_map") or {}).items()},
            usual_speaker=int(config.get("default_speaker_id", 0)),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise EngineFault(
            "settings", f"{file} is not the description of a Piper voice ({error}).", "Get the .json of this voice."
        ) from error
    if not all(mark in symbols for mark in (START, GAP, END)) or found.rate <= 0:
        raise EngineFault("settings", f"{file} names no phonemes or no rate.", "Get the .json of this voice.")
    if reads not in ("espeak", "text"):
        why = _UNSERVED.get(reads, f"It reads text in a way called {reads}, which this program doesn't know.")
        raise EngineFault(
            "settings", f"{file} can't be served: {why}", "Use engine: command with the piper program for this voice."
        )
    return found
