"""What can be measured of a clip without knowing what is said in it. numpy alone."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BLOCK_S = 0.01
FRAME_S, HOP_S = 0.04, 0.02
BANDS = 16
LOWEST_PITCH, HIGHEST_PITCH = 60.0, 500.0
VOICED = 0.55
"""Correlation of a frame with itself one period later from which on it counts as voiced."""
ACTIVE = 0.03
"""Share of the loudest 10 ms from which on a block counts as sound (−30 dB)."""
TOP = 0.999
LOOP_LEAST_S = 0.35
"""The shortest thing that may be found to repeat itself."""
MAINS = (50.0, 60.0)


@dataclass(frozen=True)
class Signs:
    """Of one clip: ``seconds`` in all and ``active`` ones that sound; ``peak`` and ``level`` (RMS of what sounds), full
    scale = 1; ``clipped``, share of samples at the clip's flat top; ``offset``, its mean, as a share of ``level``;
    ``first`` and ``last``, level of the first and last 10 ms in dB under the loudest 50 ms; ``pauses``, share of the
    blocks between first and last sound that lie 15 dB or more under the loud ones; ``flatness`` of the spectrum, 0–1
    (white noise: 0.56); ``voiced``, share of what sounds that is periodic;
    ``wander``, how far the spectrum moves about, in dB; ``loop``, how alike the clip is to itself later on, 0–1;
    ``hum``, level of a line at the mains frequency in dB under ``level``.
    """

    seconds: float
    active: float
    peak: float
    level: float
    clipped: float
    offset: float
    first: float
    last: float
    pauses: float
    flatness: float
    voiced: float
    wander: float
    loop: float
    hum: float


def signs(samples: NDArray[np.float32], rate: int) -> Signs:
    """Measure a clip of at least 50 ms that is not silent."""
    sound = samples.astype(np.float64)
    offset = float(sound.mean())
    centred = sound - offset
    levels = _levels(centred, rate)
    active = levels > ACTIVE * levels.max()
    level = float(np.sqrt(np.mean(np.square(levels[active]))))
    loudest = float(np.sqrt(np.convolve(np.square(levels), np.ones(5) / min(5, len(levels)), "same").max()))
    frames = _frames(centred, rate)
    sounding = np.sqrt(np.mean(np.square(frames), axis=1)) > ACTIVE * levels.max()
    frames = frames[sounding] if sounding.any() else frames
    spectra = np.square(np.abs(np.fft.rfft(frames * np.hanning(frames.shape[1]), axis=1))) + 1e-14
    frequencies = np.fft.rfftfreq(frames.shape[1], 1.0 / rate)
    heard = (frequencies > 100.0) & (frequencies < min(8000.0, 0.45 * rate))
    banded = _bands(centred, rate)
    return Signs(
        seconds=len(samples) / rate,
        active=float(active.sum()) * BLOCK_S,
        peak=float(np.abs(sound).max()),
        level=level,
        clipped=_clipped(sound),
        offset=abs(offset) / level,
        first=_under(float(levels[0]), loudest),
        last=_under(float(_levels(centred[::-1], rate)[0]), loudest),
        pauses=_pauses(levels, active),
        flatness=float(np.mean(np.exp(np.log(spectra[:, heard]).mean(axis=1)) / spectra[:, heard].mean(axis=1))),
        voiced=_voiced(frames, rate),
        wander=_wander(banded),
        loop=_loop(banded),
        hum=_hum(centred, rate, level),
    )


def alike(one: NDArray[np.float32], other: NDArray[np.float32], rate: int) -> float:
    """How alike two clips are in what happens when, −1–1: 1 for the same clip, louder or softer; 0 where their lengths
    differ by more than 2 %.
    """
    if abs(len(one) - len(other)) > 0.02 * max(len(one), len(other)):
        return 0.0
    a, b = (_standardised(_bands(clip.astype(np.float64), rate)) for clip in (one, other))
    count = min(len(a), len(b))
    return float(np.mean(a[:count] * b[:count]))


def _levels(sound: Floats, rate: int) -> Floats:
    """RMS of every whole 10 ms."""
    width = max(1, round(rate * BLOCK_S))
    whole = max(1, len(sound) // width)
    levels: Floats = np.sqrt(np.mean(np.square(sound[: whole * width].reshape(whole, -1)), axis=1))
    return levels


def _frames(sound: Floats, rate: int) -> Floats:
    """Overlapping frames, one a row."""
    width, hop = round(rate * FRAME_S), max(1, round(rate * HOP_S))
    if len(sound) < width:
        sound = np.pad(sound, (0, width - len(sound)))
    return np.lib.stride_tricks.sliding_window_view(sound, width)[::hop]


def _clipped(sound: Floats) -> float:
    """Share of the samples that lie in runs of three or more at the top or the bottom of the clip."""
    count = 0
    for side in (sound, -sound):
        top = float(side.max())
        if top <= 0.0:
            continue
        edges = np.flatnonzero(np.diff(np.concatenate(([0], (side >= TOP * top).astype(np.int8), [0]))))
        runs = edges[1::2] - edges[::2]
        count += int(runs[runs >= 3].sum())
    return count / len(sound)


def _under(level: float, loudest: float) -> float:
    return 20.0 * float(np.log10(max(level, 1e-9) / loudest))


def _pauses(levels: Floats, active: NDArray[np.bool_]) -> float:
    where = np.flatnonzero(active)
    between = levels[where[0] : where[-1] + 1]
    return float(np.mean(between < np.quantile(between, 0.95) * 10.0 ** (-15.0 / 20.0)))


def _voiced(frames: Floats, rate: int) -> float:
    """Share of the frames that are periodic."""
    width = frames.shape[1]
    size = 1 << (2 * width - 1).bit_length()
    powers = np.square(np.abs(np.fft.rfft(frames - frames.mean(axis=1, keepdims=True), size, axis=1)))
    correlated = np.fft.irfft(powers, size, axis=1)[:, :width]
    # The overlap shrinks with the lag.
    correlated = correlated / (np.maximum(correlated[:, :1], 1e-12) * (1.0 - np.arange(width) / width))
    first, last = round(rate / HIGHEST_PITCH), min(width // 2 + width // 8, round(rate / LOWEST_PITCH))
    return float(np.mean(correlated[:, first:last].max(axis=1) > VOICED))


def _bands(sound: Floats, rate: int) -> Floats:
    """Levels of bands in dB, one row a frame, none lower than 45 dB under the loudest."""
    frames = _frames(sound, rate)
    spectra = np.square(np.abs(np.fft.rfft(frames * np.hanning(frames.shape[1]), axis=1)))
    frequencies = np.fft.rfftfreq(frames.shape[1], 1.0 / rate)
    edges = np.searchsorted(frequencies, np.geomspace(100.0, min(7000.0, 0.45 * rate), BANDS + 1))
    summed = np.stack([spectra[:, low : max(low + 1, high)].sum(axis=1) for low, high in pairwise(edges)], axis=1)
    decibels: Floats = 10.0 * np.log10(summed + 1e-12)
    floored: Floats = np.maximum(decibels, decibels.max() - 45.0)
    return floored


def _standardised(banded: Floats) -> Floats:
    centred = banded - banded.mean(axis=0)
    scaled: Floats = centred / max(float(centred.std()), 1e-9)
    return scaled


def _wander(banded: Floats) -> float:
    """Standard deviation over time of the spectrum's shape, levels taken out."""
    loud = banded[banded.max(axis=1) > banded.max() - 25.0]
    shape = loud - loud.mean(axis=1, keepdims=True)
    return float(shape.std(axis=0).mean())


def _loop(banded: Floats) -> float:
    """The best correlation of the clip with itself later on, over half of it at least; 0 for a clip too short."""
    sound = banded[np.flatnonzero(banded.max(axis=1) > banded.max() - 35.0)[[0, -1]][0] :]
    count, least = len(sound), round(LOOP_LEAST_S / HOP_S)
    if count < 4 * least:
        return 0.0
    best = 0.0
    for lag in range(least, count // 2):
        a, b = sound[:-lag], sound[lag:]
        a, b = a - a.mean(axis=0), b - b.mean(axis=0)
        best = max(best, float((a * b).sum() / max(np.sqrt(np.square(a).sum() * np.square(b).sum()), 1e-9)))
    return best


def _hum(sound: Floats, rate: int, level: float) -> float:
    """Level of the stronger of the mains' lines; −120 where none stands out of its neighbours."""
    if len(sound) < rate:
        return -120.0
    window = np.hanning(len(sound))
    spectrum = np.abs(np.fft.rfft(sound * window)) * 2.0 / window.sum()
    width = rate / len(sound)
    best = -120.0
    for mains in MAINS:
        at = round(mains / width)
        near = max(2, round(2.0 / width))
        line = float(spectrum[at - near : at + near + 1].max())
        around = spectrum[max(1, at - 4 * near) : at + 4 * near + 1]
        if line > 8.0 * float(np.median(around)):
            best = max(best, _under(line / np.sqrt(2.0), level))
    return best
