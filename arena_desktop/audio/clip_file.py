"""Reading a clip from a sound file."""

from pathlib import Path

import numpy as np

from arena_desktop.audio.types import Clip
from arena_desktop.errors import ArenaError


def read_clip(path: Path) -> Clip:
    """The mono clip in a sound file (WAV, FLAC, MP3 or Ogg), as float32 at the file's own rate.

    Raises :class:`ArenaError`, worded, for a file that is missing, damaged, cut off, empty or not mono.
    """
    import soundfile  # loads libsndfile: only when a file is really read

    remedy = "Delete the file, so that it is made or fetched again."
    if not path.is_file():
        raise ArenaError(f"The sound file {path} is not there.", remedy)
    try:
        with soundfile.SoundFile(path) as file:
            if file.channels != 1:
                raise ArenaError(f"The sound file {path} has {file.channels} channels.", "Give a mono file.")
            announced, rate = file.frames, file.samplerate
            samples: np.ndarray[tuple[int], np.dtype[np.float32]] = file.read(dtype="float32")
    except (soundfile.LibsndfileError, OSError) as error:
        raise ArenaError(f"The sound file {path} can't be read ({error}).", remedy) from error
    if len(samples) != announced:
        raise ArenaError(f"The sound file {path} is cut off: {len(samples)} of {announced} frames.", remedy)
    if not len(samples):
        raise ArenaError(f"The sound file {path} is empty.", remedy)
    return Clip(samples=samples, rate=int(rate))
