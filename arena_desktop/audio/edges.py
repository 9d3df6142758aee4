"""Where sound begins and ends in a clip, and how two clips are given the same lead-in and tail.

*Digital silence* is a run of frames at an edge of the clip none of which exceeds 2⁻²⁴ of full scale, half a step of
24-bit sound. It is the only thing that is ever cut.

*Sound* begins at the first frame for which the 5 ms that end with it reach 45 dB under the clip's loudest 50 ms,
and ends, the same backwards, at the last frame for which the 5 ms that start with it do. Levels are RMS about the
window's own mean; they are relative, so a gain moves neither.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_desktop.audio.types import RATE

DIGITAL_SILENCE = 2.0**-24
WINDOW = RATE * 5 // 1000
LOUDEST = RATE * 50 // 1000
BELOW_LOUDEST_DB = 45.0
FADE = RATE * 5 // 1000
"""Frames of the raised-cosine fade at a clip's own edges, where its lead-in or tail is that long."""
SHORTEST_FADE = RATE // 1000
"""Frames of that fade where sound begins or ends at the very edge."""
SHORTEST_REST = RATE * 10 // 1000
"""Frames that lead-in and tail have at least."""


@dataclass(frozen=True)
class Extent:
    """Frames before, in and after the sound of a clip."""

    lead: int
    sound: int
    tail: int


def without_digital_silence(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """The clip without the digital silence at its edges; empty when it is nothing else."""
    audible = np.flatnonzero(np.abs(samples) > DIGITAL_SILENCE)
    return samples[audible[0] : audible[-1] + 1] if len(audible) else samples[:0]


def _window_powers(samples: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    """Power of every run of ``width`` frames about the run's own mean.

    What is left of an offset, or a slow drift, is thus no sound.
    """
    sums = np.zeros((2, len(samples) + 1))
    np.cumsum(samples, out=sums[0, 1:])
    np.cumsum(np.square(samples), out=sums[1, 1:])
    mean, power = (sums[:, width:] - sums[:, :-width]) / width
    return np.asarray(power - np.square(mean))


def extent(samples: NDArray[np.float32]) -> Extent:
    """Where the sound of a clip at :data:`RATE` lies. The clip must not be silent."""
    count = len(samples)
    silence = np.zeros(WINDOW)
    padded = np.concatenate([silence, samples.astype(np.float64), silence])
    levels = _window_powers(padded, WINDOW)
    reference = float(_window_powers(padded, min(LOUDEST, count)).max())
    loud = levels >= reference * 10.0 ** (-BELOW_LOUDEST_DB / 10.0)
    # The window that starts at padded frame i ends with the clip's frame i − 1, and starts with its frame i − WINDOW.
    first = max(0, int(np.argmax(loud)) - 1)
    last = min(count - 1, len(loud) - 1 - int(np.argmax(loud[::-1])) - WINDOW)
    last = max(first, last)
    return Extent(lead=first, sound=last + 1 - first, tail=len(samples) - 1 - last)


def _fade(frames: int) -> NDArray[np.float32]:
    rise = 0.5 - 0.5 * np.cos(np.pi * (np.arange(frames) + 0.5) / frames)
    return rise.astype(np.float32)


def with_edges(samples: NDArray[np.float32], own: Extent, lead: int, tail: int) -> NDArray[np.float32]:
    """The clip with ``lead`` frames before its sound and ``tail`` after it.

    Its own edges are faded, so that they join the added silence without a step. Neither wanted length may be less
    than the clip's own.
    """
    if lead < own.lead or tail < own.tail:
        raise ValueError("padding must not cut")
    framed = np.zeros(lead + own.sound + tail, dtype=np.float32)
    start = lead - own.lead
    clip = framed[start : start + len(samples)]
    clip[:] = samples
    rise = _fade(min(len(clip), max(SHORTEST_FADE, min(FADE, own.lead))))
    fall = _fade(min(len(clip), max(SHORTEST_FADE, min(FADE, own.tail))))
    clip[: len(rise)] *= rise
    clip[len(clip) - len(fall) :] *= fall[::-1]
    return framed


def framed_alike(
    a: NDArray[np.float32], b: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], Extent, Extent]:
    """Both clips with the same lead-in and tail, and where their sound lies.

    Each is the longer one of the two clips' own, and 10 ms at least.
    """
    own_a, own_b = extent(a), extent(b)
    lead = max(own_a.lead, own_b.lead, SHORTEST_REST)
    tail = max(own_a.tail, own_b.tail, SHORTEST_REST)
    return (
        with_edges(a, own_a, lead, tail),
        with_edges(b, own_b, lead, tail),
        Extent(lead, own_a.sound, tail),
        Extent(lead, own_b.sound, tail),
    )
