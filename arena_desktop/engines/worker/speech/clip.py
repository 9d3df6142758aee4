"""Read a clip to clone: any file that soundfile reads, as mono at the rate that a model wants."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..faults import EngineFault
from . import packages

#: Longer clips only cost time and memory: no model listens to more.
LONGEST_S = 30.0
SHORTEST_S = 0.3
QUIETEST = 1e-3
"""What no sample of a clip passes is silence."""


def read_clip(path: str, rate: int) -> np.ndarray:
    """Mono float32 at ``rate`` Hz, at most :data:`LONGEST_S`. EngineFault in words for a file that is none."""
    for entry in packages.missing("soundfile", "soxr")[:1]:
        raise EngineFault("missing", f"To read a clip {entry['what']} is needed.", entry["remedy"])
    import soundfile
    import soxr

    if not Path(path).is_file():
        raise EngineFault("missing", f"The clip {path} is not there.", "Correct `audio` of the voice in the roster.")
    try:
        with soundfile.SoundFile(path) as file:
            samples = file.read(int(LONGEST_S * file.samplerate), dtype="float32", always_2d=True)
            own_rate = int(file.samplerate)
    except (RuntimeError, OSError) as error:
        raise EngineFault(
            "missing", f"The clip {path} can't be read ({error}).", "Give a WAV, FLAC, OGG or MP3 file."
        ) from error
    mono = samples.mean(axis=1)
    if mono.size < SHORTEST_S * own_rate or not np.isfinite(mono).all() or np.abs(mono).max() < QUIETEST:
        raise EngineFault(
            "settings", f"The clip {path} is silent, damaged or too short.", "Give a few seconds of speech."
        )
    return np.asarray(soxr.resample(mono, own_rate, rate), np.float32)
