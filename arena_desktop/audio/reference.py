"""The clip that both sides of a battle clone: read whatever it is, and made as loud as they are."""

import hashlib
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena_desktop.audio.edges import SHORTEST_REST, Extent, extent, with_edges
from arena_desktop.audio.levels import PEAK_LIMIT_DBTP, UnusableClip, cleaned, measured
from arena_desktop.audio.types import Clip, PreparedPair
from arena_desktop.domain.votes import Side
from arena_desktop.errors import ArenaError

LONGEST_S = 60.0
"""Of a longer clip this much is heard: no model listens to more."""
LARGEST_BYTES = 200_000_000
MOST_LOWERED_DB = 12.0
"""A pair is never lowered by more than this for the sake of its reference's peaks."""


def read_reference(path: Path, sha256: str) -> Clip:
    """The first minute of a sound file (WAV, FLAC, MP3 or Ogg; any rate, any number of channels) as mono sound at its
    own rate. ``sha256`` is that of the file which was cloned; what is read are the bytes that have it.

    Raises :class:`ArenaError` in words that name neither file nor model: they are shown while a battle is open.
    """
    import soundfile  # loads libsndfile: only when a file is really read

    try:
        if not path.is_file():  # from a pipe or a device one would read without end
            raise ArenaError("The clip that both voices clone can't be read any more.")
        if path.stat().st_size > LARGEST_BYTES:
            raise ArenaError("The clip that both voices clone is too large to be played.")
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        raise ArenaError("The clip that both voices clone can't be read any more.") from error
    if hashlib.sha256(content).hexdigest() != sha256:
        raise ArenaError("The clip that both voices clone has been changed since.")
    try:
        with soundfile.SoundFile(io.BytesIO(content)) as file:
            rate = int(file.samplerate)
            samples = file.read(int(LONGEST_S * rate), dtype="float32", always_2d=True)
    except (soundfile.LibsndfileError, OSError, RuntimeError) as error:
        raise ArenaError("The clip that both voices clone is in no form that can be played.") from error
    return Clip(np.ascontiguousarray(samples.mean(axis=1, dtype=np.float32)), rate)


def with_reference(pair: PreparedPair, clip: Clip) -> PreparedPair:
    """``pair`` with ``clip`` as its reference, at the loudness that both sides have. Where its true peak would then
    pass −1 dBTP all three are lowered by what that takes.

    Raises :class:`ArenaError` for a clip that can't be made so.
    """
    try:
        sound = cleaned(clip, Side.A)
    except UnusableClip as error:
        raise ArenaError("The clip that both voices clone is silent or damaged.") from error
    own = extent(sound)
    lead, tail = max(own.lead, SHORTEST_REST), max(own.tail, SHORTEST_REST)
    framed = with_edges(sound, own, lead, tail)
    level = measured(framed, Extent(lead, own.sound, tail))
    common = _loudness(pair)
    lower = 0.0
    while True:
        gain = level.gain_to(common - lower)
        excess = level.peak_db + gain - PEAK_LIMIT_DBTP
        if excess <= 0.0:
            break
        lower += excess + 0.05
        if lower > MOST_LOWERED_DB:
            raise ArenaError("The clip that both voices clone has peaks too far above its loudness.")
    return replace(_lowered(pair, lower), reference=framed * np.float32(10.0 ** (gain / 20.0)))


def _loudness(pair: PreparedPair) -> float:
    """LUFS of both sides; of two short ones what stands for it."""
    known = pair.lufs_a if pair.lufs_a is not None else pair.lufs_b
    return known if known is not None else measured(pair.a, extent(pair.a)).loudness()


def _lowered(pair: PreparedPair, by_db: float) -> PreparedPair:
    if by_db == 0.0:
        return pair
    factor = np.float32(10.0 ** (-by_db / 20.0))

    def lufs(samples: NDArray[np.float32], before: float | None) -> float | None:
        return None if before is None else measured(samples, extent(samples)).loudness()

    a, b = pair.a * factor, pair.b * factor
    return replace(
        pair,
        a=a,
        b=b,
        gain_a_db=pair.gain_a_db - by_db,
        gain_b_db=pair.gain_b_db - by_db,
        lufs_a=lufs(a, pair.lufs_a),
        lufs_b=lufs(b, pair.lufs_b),
    )
