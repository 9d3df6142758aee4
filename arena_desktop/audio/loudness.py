"""Programme loudness of mono sound after ITU-R BS.1770-4, in numpy alone.

The mono clip counts as *one* channel of weight 1, as in most file meters: a 997 Hz sine that peaks at 0 dBFS reads
−3.01 LUFS.
"""

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from arena_desktop.audio.types import RATE

BLOCK = RATE * 4 // 10
"""Frames of one gating block: 400 ms."""
HOP = RATE // 10
"""Frames between the starts of two blocks: 75 % overlap."""
ABSOLUTE_GATE = -70.0
"""LUFS below which a block does not count."""
RELATIVE_GATE = -10.0
"""LU under the mean of what passed the absolute gate, below which a block does not count."""

_OFFSET = -0.691
# BS.1770-4, tables 1 and 2: the two biquads of the K-weighting at 48 kHz, (b, a).
_SHELF = ((1.53512485958697, -2.69169618940638, 1.19839281085285), (1.0, -1.69065929318241, 0.73248077421585))
_HIGH_PASS = ((1.0, -2.0, 1.0), (1.0, -1.99004745483398, 0.99007225036621))
# The slowest pole has radius 0.995: after 8192 frames the impulse response is below −330 dB, so that fast convolution
# by overlap-save equals the recursion to the rounding of float64.
_MEMORY = 8192
_FFT = 32768


@cache
def _response() -> NDArray[np.complex128]:
    """Frequency response of the K-weighting on the grid of one FFT row."""
    z = np.exp(-2j * np.pi * np.arange(_FFT // 2 + 1) / _FFT)
    total = np.ones_like(z)
    for b, a in (_SHELF, _HIGH_PASS):
        total *= (b[0] + b[1] * z + b[2] * z * z) / (a[0] + a[1] * z + a[2] * z * z)
    return np.asarray(total, dtype=np.complex128)


def k_weighted(samples: NDArray[np.floating]) -> NDArray[np.float64]:
    """The samples (mono, at :data:`RATE`) behind the K-weighting filter that starts at rest; same length."""
    step = _FFT - _MEMORY
    rows = max(1, math.ceil(len(samples) / step))
    padded = np.zeros(_MEMORY + rows * step)
    padded[_MEMORY : _MEMORY + len(samples)] = samples
    overlapping = np.lib.stride_tricks.sliding_window_view(padded, _FFT)[::step]
    filtered = np.fft.irfft(np.fft.rfft(overlapping, axis=1) * _response(), _FFT, axis=1)
    return filtered[:, _MEMORY:].reshape(-1)[: len(samples)]


def block_powers(weighted: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean square of every whole 400 ms block of K-weighted sound; empty when there is not one."""
    hops = len(weighted) // HOP
    energy = np.square(weighted[: hops * HOP]).reshape(hops, HOP).sum(axis=1)
    per_block = BLOCK // HOP
    if hops < per_block:
        return np.zeros(0)
    return np.asarray(np.lib.stride_tricks.sliding_window_view(energy, per_block).sum(axis=1) / BLOCK)


def to_lufs(power: float) -> float:
    """Mean square of K-weighted sound as LUFS; −inf for silence."""
    return _OFFSET + 10.0 * math.log10(power) if power > 0.0 else -math.inf


def gated_loudness(powers: NDArray[np.float64], gain_db: float = 0.0) -> float:
    """Integrated loudness in LUFS of blocks of these powers after a gain; −inf when nothing passes the absolute gate.

    The gain is an argument because the absolute gate makes loudness not quite a linear function of it.
    """
    scaled = powers * 10.0 ** (gain_db / 10.0)
    floor = 10.0 ** ((ABSOLUTE_GATE - _OFFSET) / 10.0)
    kept = scaled[scaled > floor]
    if not len(kept):
        return -math.inf
    relative = float(kept.mean()) * 10.0 ** (RELATIVE_GATE / 10.0)
    return to_lufs(float(kept[kept > relative].mean()))


def integrated_loudness(samples: NDArray[np.floating]) -> float:
    """Integrated loudness in LUFS of mono sound at :data:`RATE`; −inf for silence or less than 400 ms."""
    return gated_loudness(block_powers(k_weighted(samples)))


def gain_to_target(powers: NDArray[np.float64], target_lufs: float) -> float:
    """The gain in dB after which :func:`gated_loudness` is ``target_lufs``. At least one power must be positive."""
    gain = target_lufs - to_lufs(float(powers.max()))
    for _ in range(20):
        error = target_lufs - gated_loudness(powers, gain)
        gain += error
        if abs(error) < 1e-6:
            break
    return gain
