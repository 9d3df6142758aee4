"""What an engine returned: made mono float32, checked, written as a WAV file."""

from __future__ import annotations

import hashlib
import os
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from .faults import EngineFault
from .texts import longest_plausible_s, shortest_plausible_s

if TYPE_CHECKING:
    from numpy.typing import NDArray

SLOWEST, FASTEST = 4_000, 384_000
"""Sample rates in Hz."""
SILENT_PEAK = 1e-3
"""−60 dBFS: below this nothing is heard at any volume the player has."""
AUDIBLE_S = 0.05
FAR_OVER = 4.0
"""12 dB over full scale: the samples are not on the scale that they claim."""
PLATEAU = 4
"""Equal samples in a row at the peak that make a clipped top."""
PLATEAU_SHARE = 0.002
NEAR_TOP = 0.9999


def as_mono(samples: Any, rate: Any) -> tuple[NDArray[np.float32], int]:
    """``samples`` as a one-dimensional float32 array and ``rate`` as an int; raises EngineFault if they aren't that."""
    number = isinstance(rate, (int, float, np.integer, np.floating)) and not isinstance(rate, bool)
    if not (number and SLOWEST <= rate <= FASTEST and rate == int(rate)):
        raise EngineFault("engine", f"The engine gave {rate!r} Hz as its sample rate, which no sound has.")
    array = np.asarray(samples)
    if array.dtype.kind != "f":
        raise EngineFault("engine", f"The engine gave samples of type {array.dtype}, not floating point.")
    array = array.squeeze()
    if array.ndim != 1:
        raise EngineFault("engine", f"The engine gave sound of shape {array.shape}, not mono.")
    return np.ascontiguousarray(array, dtype=np.float32), int(rate)


def check(samples: NDArray[np.float32], rate: int, text: str) -> None:
    """Raise EngineFault if this can't be speech of ``text``."""
    seconds = samples.size / rate
    if samples.size and not np.isfinite(samples).all():
        raise EngineFault("not_finite", "The engine gave samples that are not numbers.")
    if seconds < shortest_plausible_s(text):
        raise EngineFault("too_short", f"The engine gave {seconds:.2f} s of sound for {len(text)} characters.")
    if seconds > longest_plausible_s(text):
        raise EngineFault("too_long", f"The engine gave {seconds:.0f} s of sound for {len(text)} characters.")
    size = np.abs(samples)
    peak = float(size.max())
    audible = np.count_nonzero(_window_peaks(size, rate) > SILENT_PEAK) * 0.01
    if peak <= SILENT_PEAK or audible < AUDIBLE_S:
        raise EngineFault("silence", "The engine gave silence.")
    if peak > FAR_OVER:
        raise EngineFault("clipping", f"The engine gave samples up to {peak:.0f} times full scale.")
    if _is_flat(samples, samples >= float(samples.max()) * NEAR_TOP, peak) or _is_flat(
        samples, samples <= float(samples.min()) * NEAR_TOP, peak
    ):
        raise EngineFault("clipping", "The engine gave clipped sound: its tops are cut flat.")


def _window_peaks(size: NDArray[np.float32], rate: int) -> NDArray[np.float32]:
    """The peak of each whole 10 ms."""
    width = max(1, rate // 100)
    whole = size.size // width * width
    peaks: NDArray[np.float32] = size[:whole].reshape(-1, width).max(axis=1)
    return peaks


def _is_flat(samples: NDArray[np.float32], at_top: NDArray[np.bool_], peak: float) -> bool:
    """Whether more than :data:`PLATEAU_SHARE` of all samples lie at this top in runs of :data:`PLATEAU` or more; never
    for a top that is small beside ``peak``.
    """
    where = np.flatnonzero(at_top)
    if where.size <= PLATEAU_SHARE * samples.size or abs(float(samples[where[0]])) < 0.5 * peak:
        return False
    runs = np.diff(np.flatnonzero(np.concatenate(([True], np.diff(where) > 1, [True]))))
    return int(runs[runs >= PLATEAU].sum()) > PLATEAU_SHARE * samples.size


def write_wav(samples: NDArray[np.float32], rate: int, path: str) -> str:
    """Write a float32 mono WAV under a temporary name, rename it to ``path``, return the SHA-256 of its bytes."""
    body = samples.astype("<f4", copy=False).tobytes()
    form = struct.pack("<HHIIHHH", 3, 1, rate, rate * 4, 4, 32, 0)
    fact = struct.pack("<I", samples.size)
    chunks = b"fmt " + struct.pack("<I", len(form)) + form + b"fact" + struct.pack("<I", 4) + fact
    head = (
        b"RIFF"
        + struct.pack("<I", 4 + len(chunks) + 8 + len(body))
        + b"WAVE"
        + chunks
        + b"data"
        + struct.pack("<I", len(body))
    )
    digest = hashlib.sha256(head)
    digest.update(body)
    part = path + ".part"
    try:
        with open(part, "wb") as file:  # noqa: PTH123  # plain calls: this runs for every clip
            file.write(head)
            file.write(body)
        os.replace(part, path)  # noqa: PTH105
    except OSError as error:
        raise EngineFault(
            "engine",
            f"The clip could not be written: {error.strerror}.",
            "Make room on the disk, or choose another place for the cache.",
        ) from error
    return digest.hexdigest()
