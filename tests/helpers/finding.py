"""Finding a known sound in a recording."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena_desktop.audio.clip_file import read_clip
from arena_desktop.audio.levels import prepare_pair
from arena_desktop.audio.types import PreparedPair


def find(clip: NDArray[np.float32], recording: NDArray[np.float32]) -> int:
    """The frame of ``recording`` at which ``clip`` starts: the highest point of their cross-correlation."""
    size = 1 << (len(recording) + len(clip)).bit_length()
    spectrum = np.fft.rfft(recording, size) * np.conj(np.fft.rfft(clip, size))
    correlation = np.fft.irfft(spectrum, size)[: len(recording)]
    return int(np.argmax(correlation))


def prepare_again(record: dict[str, Any], cache: Path) -> PreparedPair:
    """The pair of a vote, from the clips in the cache whose hashes the record holds."""
    files = {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in cache.rglob("*.wav")}
    a, b = (read_clip(files[record[side]["clip_sha256"]]) for side in ("model_a", "model_b"))
    return prepare_pair(a, b, record["conditions"]["target_lufs"])
