"""Is this clip what a voice would make of its text? Flags in words, for whatever speaks against it.

The limits lie outside of what every voice that the program's makers could hear does, and inside of what noise, tones,
untrained networks and damaged clips do; docs/examination.md has the figures.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from arena_desktop.audio.signs import Signs, alike, signs
from arena_desktop.domain.fixed_set import base_of, letters_of

SHORTEST_S = 0.05
SILENT_PEAK = 1e-3
SAME = 0.97
MISSED = 1.25
"""A clip may be so many times slower or faster than a whole set: one word is short, numbers are read in many ways."""


@dataclass(frozen=True)
class Flag:
    """``kind`` is one of :data:`KINDS`; ``detail`` says it in words, with the figure."""

    kind: str
    detail: str


KINDS: Mapping[str, str] = MappingProxyType(
    {
        "silence": "silence",
        "noise": "no speech",
        "tone": "no speech",
        "clipping": "clipped sound",
        "fast": "too short for the text",
        "slow": "too long for the text",
        "cut_start": "cut off at the start",
        "cut_end": "cut off at the end",
        "offset": "offset from zero",
        "hum": "hum",
        "faint": "very faint",
        "loop": "repeats itself",
        "same": "the same clip for different texts",
    }
)
"""What a flag says, in short."""


@dataclass(frozen=True)
class Pace:
    """Seconds of sound, pauses left out, for a letter that is read aloud (Japanese: for a mora)."""

    fastest: float
    slowest: float


PACES: Mapping[str, Pace] = MappingProxyType(
    {
        "en": Pace(0.034, 0.109),
        "de": Pace(0.036, 0.100),
        "es": Pace(0.039, 0.108),
        "fr": Pace(0.027, 0.090),
        "it": Pace(0.037, 0.107),
        "ja": Pace(0.077, 0.198),
    }
)
"""By language, for a whole set: two thirds of the fastest voice's to 1.7 times the slowest's, as measured."""
USUAL = Pace(0.027, 0.110)
"""For the other languages."""

Rule = tuple[str, Callable[[Signs], bool], Callable[[Signs], str]]
RULES: Sequence[Rule] = (
    (
        "noise",
        lambda found: found.voiced < 0.25 or found.flatness > 0.25,
        lambda found: f"{found.voiced:.0%} of it has a pitch, and its spectrum is {found.flatness:.0%} flat",
    ),
    (
        "tone",
        lambda found: found.wander < 3.5 or (found.pauses < 0.01 and found.active > 1.0),
        lambda found: (
            f"its level hardly changes (low for {found.pauses:.0%} of the time), its spectrum by {found.wander:.1f} dB"
        ),
    ),
    (
        "clipping",
        lambda found: found.clipped > 0.0005,
        lambda found: f"{found.clipped:.2%} of the samples are cut flat",
    ),
    (
        "cut_start",
        lambda found: found.first > -7.0,
        lambda found: f"its first 10 ms are only {-found.first:.0f} dB under its loudest",
    ),
    (
        "cut_end",
        lambda found: found.last > -13.0,
        lambda found: f"its last 10 ms are only {-found.last:.0f} dB under its loudest",
    ),
    ("offset", lambda found: found.offset > 0.1, lambda found: f"it lies {found.offset:.0%} of its level off zero"),
    ("hum", lambda found: found.hum > -35.0, lambda found: f"a hum of the mains {-found.hum:.0f} dB under the speech"),
    ("faint", lambda found: found.level < 0.004, lambda found: f"its level is {found.level:.4f} of full scale"),
    ("loop", lambda found: found.loop > 0.7, lambda found: f"it is {found.loop:.0%} like itself later on"),
)


def examine(
    samples: NDArray[np.float32], rate: int, text: str, language: str, letters: float | None = None
) -> tuple[Flag, ...]:
    """What speaks against this clip being ``text``, spoken in ``language`` (a code such as ``en-GB``); () for nothing.

    ``letters``: how many letters the text has read aloud, where that is known better than :func:`letters_of` guesses.
    """
    if len(samples) < SHORTEST_S * rate or float(np.abs(samples).max()) < SILENT_PEAK:
        return (Flag("silence", "nothing can be heard in it"),)
    found = signs(samples, rate)
    flags = [Flag(kind, words(found)) for kind, applies, words in RULES if applies(found)]
    pace = paced(found.active, letters_of(text) if letters is None else letters, language, MISSED)
    return (*flags, *pace)


def paced(seconds: float, letters: float, language: str, grace: float = 1.0) -> tuple[Flag, ...]:
    """Whether ``seconds`` of sound fit a text of so many letters; ``grace`` widens the limits."""
    pace = PACES.get(base_of(language), USUAL)
    each = seconds / max(letters, 1.0)
    unit = "mora" if base_of(language) == "ja" else "letter"
    if each < pace.fastest / grace:
        return (Flag("fast", f"{each:.3f} s a {unit}; no voice takes less than {pace.fastest:.3f} s"),)
    if each > pace.slowest * grace:
        return (Flag("slow", f"{each:.3f} s a {unit}; no voice takes more than {pace.slowest:.3f} s"),)
    return ()


def same_twice(clips: Sequence[tuple[NDArray[np.float32], int]]) -> tuple[int, int] | None:
    """The first two of these clips of different texts that are one and the same sound; None without."""
    for later, (clip, rate) in enumerate(clips):
        for earlier, (other, other_rate) in enumerate(clips[:later]):
            if rate == other_rate and alike(other, clip, rate) > SAME:
                return earlier, later
    return None
