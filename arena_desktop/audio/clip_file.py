"""Reading a clip from a sound file."""

import struct
from pathlib import Path

import numpy as np

from arena_desktop.audio.types import Clip
from arena_desktop.errors import ArenaError

# What a WAV header says of its size when the writer could not go back to fill it in.
_UNKNOWN_SIZES = (0, 0x7FFFFFFF, 0xFFFFFFFF)


def _is_cut_off(path: Path) -> bool:
    """Whether a WAV file ends before its header says it does; libsndfile would read what is there and say nothing."""
    with path.open("rb") as file:
        header = file.read(12)
    if len(header) < 12 or header[:4] != b"RIFF" or header[8:] != b"WAVE":
        return False
    announced: int = struct.unpack("<I", header[4:8])[0]
    return announced not in _UNKNOWN_SIZES and announced + 8 > path.stat().st_size


def read_clip(path: Path) -> Clip:
    """The mono clip in a sound file (WAV, FLAC, MP3 or Ogg), as float32 at the file's own rate.

    Raises :class:`ArenaError`, worded, for a file that is missing, damaged, cut off, empty or not mono.
    """
    import soundfile  # loads libsndfile: only when a file is really read

    remedy = "Delete the file, so that it is made or fetched again."
    if not path.is_file():
        raise ArenaError(f"The sound file {path} is not there.", remedy)
    try:
        if _is_cut_off(path):
            raise ArenaError(f"The sound file {path} is cut off.", remedy)
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
