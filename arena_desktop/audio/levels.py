"""Two clips made alike: one rate, no offset, the same lead-in and tail, the same loudness, peaks that no device clips.

Nothing here is random and nothing depends on which side a clip is on.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_desktop.audio.edges import Extent, framed_alike, without_digital_silence
from arena_desktop.audio.loudness import BLOCK, block_powers, gain_to_target, gated_loudness, k_weighted
from arena_desktop.audio.resample import to_rate, true_peak_db
from arena_desktop.audio.types import RATE, Clip, PreparedPair
from arena_desktop.domain.votes import Side
from arena_desktop.errors import ArenaError

TARGET_LUFS = -23.0
PEAK_LIMIT_DBTP = -1.0
TOLERANCE_LU = 0.1
SILENT_BELOW = 1e-4
"""A clip with no sample above this (−80 dBFS, offset removed) is silent."""
RATES = range(4_000, 384_001)
LOWEST_COMMON_LUFS = -50.0
"""A pair that would have to be lowered below this for the sake of its peaks is refused: it could hardly be heard."""

REPLACED = "The battle is replaced by another one."

# Peak meters differ by a few hundredths of a dB; with this to spare every one of them finds the limit kept.
_PEAK_MARGIN_DB = 0.05


class UnusableClip(ArenaError):
    """One clip of a pair can't be made ready to be heard. ``side`` says which (not for the eyes of the listener)."""

    def __init__(self, side: Side, message: str) -> None:
        super().__init__(message, REPLACED)
        self.side = side


@dataclass(frozen=True)
class Levelled:
    """What a clip's gain is computed from: powers of blocks, or one power when the clip is short."""

    powers: NDArray[np.float64]
    short: bool
    peak_db: float

    def gain_to(self, target_lufs: float) -> float:
        """The gain in dB that brings it to this loudness."""
        return gain_to_target(self.powers, target_lufs)

    def loudness(self, gain_db: float = 0.0) -> float:
        """LUFS after that gain."""
        return gated_loudness(self.powers, gain_db)


def cleaned(clip: Clip, side: Side) -> NDArray[np.float32]:
    """The clip checked, without digital silence at its edges, without offset, at :data:`RATE`."""
    samples = np.asarray(clip.samples)
    if samples.ndim != 1:
        shape = "×".join(str(n) for n in samples.shape)
        raise UnusableClip(side, f"A clip is not mono (its shape is {shape}).")
    if not np.issubdtype(samples.dtype, np.floating):
        raise UnusableClip(side, f"A clip is {samples.dtype}, not floating point.")
    if clip.rate not in RATES:
        raise UnusableClip(
            side, f"A clip has a sample rate of {clip.rate} Hz; {RATES[0]} to {RATES[-1]} Hz can be played."
        )
    if not len(samples):
        raise UnusableClip(side, "A clip is empty.")
    if not np.isfinite(samples).all():
        raise UnusableClip(side, "A clip holds values that are not numbers (NaN or infinite).")
    sound = without_digital_silence(samples.astype(np.float32, copy=False))
    if len(sound):
        sound = sound - np.float32(sound.mean(dtype=np.float64))
        sound = to_rate(sound, clip.rate)
    if not len(sound) or float(np.abs(sound).max()) < SILENT_BELOW:
        raise UnusableClip(side, "A clip is silent.")
    return sound


def measured(framed: NDArray[np.float32], own: Extent) -> Levelled:
    """Loudness and peak of a clip at :data:`RATE` whose sound lies at ``own``."""
    weighted = k_weighted(framed)
    short = own.sound < BLOCK
    if short:
        active = weighted[own.lead : own.lead + own.sound]
        powers = np.array([float(np.square(active).mean())])
    else:
        powers = block_powers(weighted)
    return Levelled(powers=powers, short=short, peak_db=true_peak_db(framed))


def prepare_pair(a: Clip, b: Clip, target_lufs: float = TARGET_LUFS) -> PreparedPair:
    """Make two clips alike for a blind comparison.

    Each is checked (mono, finite, not silent), loses the digital silence at its edges and its offset (mean), and is
    resampled to 48 kHz. Lead-in and tail are equalised by padding (:mod:`arena_desktop.audio.edges`); speech is never
    cut. Loudness is brought to ``target_lufs``: BS.1770-4 integrated, or, where the sound is shorter than one 400 ms
    block, the K-weighted RMS of its active part, which is on the same scale. If a true peak would pass −1 dBTP,
    *both* are lowered by what that takes.

    Raises :class:`UnusableClip` for a clip that can't be played, :class:`ArenaError` for a pair that can't be matched
    to ±0.1 LU.
    """
    framed_a, framed_b, own_a, own_b = framed_alike(cleaned(a, Side.A), cleaned(b, Side.B))
    level_a, level_b = measured(framed_a, own_a), measured(framed_b, own_b)
    common = target_lufs
    while True:
        gain_a, gain_b = level_a.gain_to(common), level_b.gain_to(common)
        excess = max(level_a.peak_db + gain_a, level_b.peak_db + gain_b) - PEAK_LIMIT_DBTP
        if excess <= 0.0:
            break
        common -= excess + _PEAK_MARGIN_DB
        if common < LOWEST_COMMON_LUFS:
            raise ArenaError("A clip has peaks so far above its loudness that the pair would be too quiet.", REPLACED)
    loud_a, loud_b = level_a.loudness(gain_a), level_b.loudness(gain_b)
    if not abs(loud_a - loud_b) <= TOLERANCE_LU:
        raise ArenaError("The two clips can't be brought to the same loudness.", REPLACED)
    return PreparedPair(
        a=framed_a * np.float32(10.0 ** (gain_a / 20.0)),
        b=framed_b * np.float32(10.0 ** (gain_b / 20.0)),
        gain_a_db=gain_a,
        gain_b_db=gain_b,
        lufs_a=None if level_a.short else loud_a,
        lufs_b=None if level_b.short else loud_b,
        short_a=level_a.short,
        short_b=level_b.short,
        target_lufs=target_lufs,
        rate=RATE,
    )
