"""Sound in whatever form a program or a recording has it, as mono float32 at its own rate."""

from __future__ import annotations

import io
import os
import stat
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
_BLOCK = 1 << 18
_SLOWEST, _FASTEST, _MOST_CHANNELS = 4_000, 384_000, 64


def from_file(path: Path, what: str) -> tuple[np.ndarray, int]:
    """Mono samples and rate of a sound file of any form that soundfile reads. ``what`` names it in a complaint."""
    return _decoded(path, what)


def file_bytes(path: Path, most: int, what: str) -> bytes:
    """What a program wrote into ``path``, up to ``most`` bytes. A pipe, a device or anything else that might never end
    is refused unread.
    """
    try:
        # A pipe must not wait for somebody who writes into it.
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise EngineFault("missing", f"{what} is not there.", "Try the program in a terminal with {out}.") from None
    except OSError as error:
        raise _no_file(what, f": {error.strerror}") from error
    try:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode):
            raise _no_file(what, ", but a folder, a pipe or a device")
        if status.st_size > most:
            raise EngineFault("too_long", f"{what} has more than {most >> 20} MB.", "Correct argv in the roster.")
        with open(number, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(number)


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
            rate, channels = int(file.samplerate), int(file.channels)
            if not (_SLOWEST <= rate <= _FASTEST and 1 <= channels <= _MOST_CHANNELS):
                raise EngineFault("engine", f"{what} claims {channels} channels at {rate} Hz.", "Give a usual form.")
            samples = _mono(file, int(LONGEST_S * rate))
    except (RuntimeError, OSError, ValueError) as error:
        words = " ".join(str(error).split())[-120:]
        raise EngineFault(
            "engine", f"{what} is no sound that can be read: {words}", "Give WAV, FLAC, MP3 or OGG."
        ) from error
    if not samples.size:
        raise _nothing(what)
    return samples, rate


def _mono(file: Any, most: int) -> np.ndarray:
    """Up to ``most`` frames, as many as there are: no room is made for what it only claims to have."""
    blocks: list[np.ndarray] = []
    while most > 0 and len(block := file.read(min(_BLOCK, most), dtype="float32", always_2d=True)):
        blocks.append(block.mean(axis=1, dtype=np.float32))
        most -= len(block)
    return np.concatenate(blocks) if blocks else np.zeros(0, np.float32)


def _no_file(what: str, why: str) -> EngineFault:
    return EngineFault("engine", f"{what} is no file{why}.", "Have the program write a WAV file to {out}.")


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
