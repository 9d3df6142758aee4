"""Sounds for tests, made from arithmetic alone: the same on every run."""

import numpy as np
from numpy.typing import NDArray

from arena_desktop.audio.types import RATE, Clip, PreparedPair

Samples = NDArray[np.float32]


def tone(seconds: float, frequency: float = 997.0, peak_db: float = -23.0, rate: int = RATE) -> Samples:
    """A sine that peaks at ``peak_db`` dBFS."""
    time = np.arange(round(seconds * rate)) / rate
    return np.asarray(10.0 ** (peak_db / 20.0) * np.sin(2 * np.pi * frequency * time), dtype=np.float32)


def silence(seconds: float, rate: int = RATE) -> Samples:
    """Zeros."""
    return np.zeros(round(seconds * rate), dtype=np.float32)


def babble(seconds: float, seed: int = 1, rms: float = 0.05, rate: int = RATE) -> Samples:
    """Noise that swells like syllables and never pauses; it begins at full strength."""
    random = np.random.default_rng(seed)
    frames = round(seconds * rate)
    noise = np.convolve(random.standard_normal(frames + 7), np.hanning(8), mode="valid")
    syllables = 0.55 + 0.45 * np.cos(2 * np.pi * (3.0 + seed % 3) * np.arange(frames) / rate)
    sound = noise * syllables
    return np.asarray(rms * sound / np.sqrt(np.mean(np.square(sound))), dtype=np.float32)


def clip(samples: Samples, rate: int = RATE) -> Clip:
    """These samples as an engine would hand them over."""
    return Clip(samples=samples, rate=rate)


def as_prepared(a: Samples, b: Samples) -> PreparedPair:
    """A pair that is played just as it is: for tests of the player, which trusts what it is given."""
    return PreparedPair(
        a=a,
        b=b,
        gain_a_db=0.0,
        gain_b_db=0.0,
        lufs_a=None,
        lufs_b=None,
        short_a=False,
        short_b=False,
        target_lufs=-23.0,
    )


def counting(frames: int, first: int = 1) -> Samples:
    """Every frame says which it is: ``first``, ``first`` + 1, … in units of 2⁻²⁴, exact in float32."""
    return (np.arange(first, first + frames) / 2.0**24).astype(np.float32)
