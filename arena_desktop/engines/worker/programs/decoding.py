"""Sound in whatever form a program or a recording has it, as mono float32 at its own rate."""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..faults import EngineFault
from ..speech import packages
from ..speech.options import whole

RAW = {
    "u8": ("u1", 128.0, 128.0),
    "s16le": ("<i2", 0.0, 2.0**15),
    "s32le": ("<i4", 0.0, 2.0**31),
    "f32le": ("<f4", 0.0, 1.0),
}
"""Forms of bare samples: numpy's name, the value of silence, full scale."""
LONGEST_S = 1800.0


def from_file(path: Path, what: str) -> tuple[np.ndarray, int]:
    """Mono samples and rate of a sound file of any form that soundfile reads. ``what`` names it in a complaint."""
    return _decoded(path, what)


def from_bytes(data: bytes, what: str) -> tuple[np.ndarray, int]:
    """The same of a file that came through a pipe. A WAV written there can't know its length; it has what is there."""
    return _decoded(io.BytesIO(_with_true_length(data)), what)


def from_raw(data: bytes, settings: Mapping[str, Any], what: str) -> tuple[np.ndarray, int]:
    """Mono samples of bare ones: ``rate`` (must be said), ``channels`` (1), ``format`` (``s16le``)."""
    form = settings.get("format", "s16le")
    if form not in RAW:
        raise EngineFault("settings", f"The setting format is {form!r}.", f"Write one of {', '.join(RAW)}.")
    if "rate" not in settings:
        raise EngineFault("settings", "Bare samples say no rate.", "Write settings: {rate: 22050} or what it is.")
    rate, channels = whole(settings, "rate", 0, 4_000, 384_000), whole(settings, "channels", 1, 1, 8)
    kind, zero, scale = RAW[form]
    frame = np.dtype(kind).itemsize * channels
    if len(data) < frame:
        raise _nothing(what)
    samples = np.frombuffer(data[: len(data) // frame * frame], kind).astype(np.float32)
    return np.asarray(((samples - zero) / scale).reshape(-1, channels).mean(axis=1), np.float32), rate


def _decoded(source: Path | io.BytesIO, what: str) -> tuple[np.ndarray, int]:
    for entry in packages.missing("soundfile")[:1]:
        raise EngineFault("missing", f"To read sound {entry['what']} is needed.", entry["remedy"])
    import soundfile

    if isinstance(source, Path):
        if not source.is_file():
            raise EngineFault("missing", f"{what} is not there.", "Put it back, or correct the roster.")
        if source.stat().st_size == 0:
            raise _nothing(what)
    elif not source.getbuffer().nbytes:
        raise _nothing(what)
    try:
        with soundfile.SoundFile(source) as file:
            rate = int(file.samplerate)
            samples = file.read(int(LONGEST_S * rate), dtype="float32", always_2d=True)
    except (RuntimeError, OSError, ValueError) as error:
        words = " ".join(str(error).split())[-120:]
        raise EngineFault(
            "engine", f"{what} is no sound that can be read: {words}", "Give WAV, FLAC, MP3 or OGG."
        ) from error
    return np.asarray(samples.mean(axis=1), np.float32), rate


def _nothing(what: str) -> EngineFault:
    return EngineFault("silence", f"{what} holds no sound.", "Try the program in a terminal with the same text.")


def _with_true_length(data: bytes) -> bytes:
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        return data
    place = 12
    while place + 8 <= len(data):
        name, size = data[place : place + 4], struct.unpack("<I", data[place + 4 : place + 8])[0]
        left = len(data) - place - 8
        if name == b"data":
            if 0 < size <= left:
                return data
            head = data[:4] + struct.pack("<I", min(len(data) - 8, 0xFFFFFFFF)) + data[8 : place + 4]
            return head + struct.pack("<I", left) + data[place + 8 :]
        place += 8 + size + size % 2
    return data
