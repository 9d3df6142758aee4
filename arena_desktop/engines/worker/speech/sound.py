"""Join the parts that an engine spoke, and trim silence whose length means nothing. Mono float32 throughout."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

#: Below this share of the peak a 10 ms block counts as silence (−46 dB).
_QUIET = 0.005
_KEEP = 0.02
_FADE = 0.005


def joined(parts: Sequence[tuple[np.ndarray, float]], rate: int) -> np.ndarray:
    """The parts in a row, each followed by its pause in seconds. The silence that an engine left at a seam is cut,
    so that the pause is the one asked for; the outer ends stay as the engine made them.
    """
    heard = [(np.asarray(sound, np.float32).ravel(), pause) for sound, pause in parts if len(sound)]
    out: list[np.ndarray] = []
    for index, (sound, pause) in enumerate(heard):
        last = index == len(heard) - 1
        start, end = bounds(sound, rate)
        piece = sound[start if index else 0 : len(sound) if last else end].copy()
        _fade(piece, rate, at_start=index > 0, at_end=not last)
        out.append(piece)
        if not last:
            out.append(np.zeros(round(pause * rate), np.float32))
    return np.concatenate(out) if out else np.zeros(0, np.float32)


def bounds(sound: np.ndarray, rate: int) -> tuple[int, int]:
    """First and last sample (exclusive) of what is not silence, with 20 ms kept on either side; (0, len) if all is
    silence.
    """
    block = max(1, rate // 100)
    count = -(-len(sound) // block)
    padded = np.zeros(count * block, np.float32)
    padded[: len(sound)] = np.abs(sound)
    peaks = padded.reshape(count, block).max(axis=1) if count else padded
    loud = np.flatnonzero(peaks > _QUIET * peaks.max()) if count else peaks
    if not len(loud):
        return 0, len(sound)
    keep = round(_KEEP * rate)
    return max(0, int(loud[0]) * block - keep), min(len(sound), (int(loud[-1]) + 1) * block + keep)


def with_tail(sound: np.ndarray, rate: int, tail: float) -> np.ndarray:
    """``sound`` with its trailing silence cut or filled up to ``tail`` seconds."""
    end = bounds(sound, rate)[1]
    piece = sound[:end].copy()
    _fade(piece, rate, at_start=False, at_end=True)
    missing = max(0, round((tail - _KEEP) * rate))
    return np.concatenate([piece, np.zeros(missing, np.float32)])


def _fade(sound: np.ndarray, rate: int, at_start: bool, at_end: bool) -> None:
    count = min(len(sound), round(_FADE * rate))
    ramp = np.linspace(0.0, 1.0, count, endpoint=False, dtype=np.float32)
    if at_start:
        sound[:count] *= ramp
    if at_end and count:
        sound[-count:] *= ramp[::-1]
