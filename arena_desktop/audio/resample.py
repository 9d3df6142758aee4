"""The one resampler, and the true peak that is measured with it."""

import math

import numpy as np
import soxr
from numpy.typing import NDArray

from arena_desktop.audio.types import RATE

OVERSAMPLING = 4
"""BS.1770-4, annex 2: at 48 kHz true peaks are looked for at four times the rate."""


def to_rate(samples: NDArray[np.float32], rate: int, wanted: int = RATE) -> NDArray[np.float32]:
    """Mono sound at ``rate`` Hz brought to ``wanted`` Hz by the SoX resampler at very high quality."""
    if rate == wanted:
        return samples
    resampled: NDArray[np.float32] = soxr.resample(samples, rate, wanted, quality="VHQ")
    return resampled


def true_peak_db(samples: NDArray[np.float32], rate: int = RATE) -> float:
    """True peak in dBTP: the largest magnitude at and between the samples; −inf for silence."""
    if not len(samples):
        return -math.inf
    between = to_rate(np.ascontiguousarray(samples), rate, rate * OVERSAMPLING)
    peak = max(float(np.abs(samples).max()), float(np.abs(between).max(initial=0.0)))
    return 20.0 * math.log10(peak) if peak > 0.0 else -math.inf
