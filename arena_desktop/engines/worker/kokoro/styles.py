"""Kokoro's styles: 510 × 256 numbers each, the row chosen by the number of phonemes. Found in several forms, checked,
and blended.
"""

from __future__ import annotations

import hashlib
import math
import re
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..faults import EngineFault
from .style_hashes import KNOWN

SHAPE = (510, 256)
_BYTES = SHAPE[0] * SHAPE[1] * 4
_DAMAGES = (OSError, LookupError, ValueError, RuntimeError, MemoryError, EOFError, zlib.error, zipfile.BadZipFile)
"""What a file can be refused for: broken, encrypted, packed in an unknown way, or larger unpacked than any memory."""
_NAME = re.compile(r"[A-Za-z0-9_]+")


class Share(NamedTuple):
    """A style and its share of a blend; the shares of one add up to 1."""

    style: str
    share: float


def blend_of(written: str) -> tuple[Share, ...]:
    """``af_heart``, ``af_heart*0.6+am_michael*0.4`` or ``af_heart+am_michael`` (equal shares).

    EngineFault ``settings`` for what is no blend: the words say what is wrong with it.
    """
    parts = [part.strip() for part in written.split("+")]
    shares: list[float | None] = []
    names = []
    for part in parts:
        name, star, number = (piece.strip() for piece in part.partition("*"))
        if not _NAME.fullmatch(name):  # a name, never a path
            raise _no_blend(written, f"{name or 'an empty part'} is no name of a style")
        names.append(name)
        shares.append(_share(written, name, number) if star else None)
    if len(set(names)) < len(names):
        raise _no_blend(written, "a style is named twice")
    if None in shares:
        if len(set(shares)) > 1:
            raise _no_blend(written, "some styles have a share and others have none")
        return tuple(Share(name, 1 / len(names)) for name in names)
    total = sum(share for share in shares if share is not None)
    if abs(total - 1) > 0.001:
        raise _no_blend(written, f"the shares add up to {total:g}, not to 1")
    return tuple(Share(name, share / total) for name, share in zip(names, shares, strict=True) if share is not None)


class Styles:
    """The styles that lie in some places: folders, or files that hold many. The first place that has one wins."""

    def __init__(self, places: Sequence[Path]) -> None:
        self._places = list(places)
        self._read: dict[str, np.ndarray] = {}

    def names(self) -> list[str]:
        """All of them, sorted."""
        return sorted({name for place in self._places for name in _names_in(place)})

    def file(self, name: str) -> Path | None:
        """The file that holds the style; None if none does."""
        if not _NAME.fullmatch(name):
            return None
        return next((found for place in self._places if (found := _file_in(place, name))), None)

    def blend(self, shares: Sequence[Share]) -> np.ndarray:
        """The blend, 510 × 256 float32. KeyError for a style that isn't there, ValueError for one that is damaged."""
        parts = [np.float32(share.share) * self._style(share.style) for share in shares]
        return parts[0] if len(parts) == 1 else np.asarray(np.sum(parts, axis=0), np.float32)

    def fault(self, name: str) -> str:
        """What is wrong with the file of a style that is there, "" for nothing."""
        try:
            self._style(name)
        except ValueError as error:
            return str(error)
        return ""

    def _style(self, name: str) -> np.ndarray:
        if name not in self._read:
            file = self.file(name)
            if file is None:
                raise KeyError(name)
            self._read[name] = _numbers(file, name)
        return self._read[name]


def _share(written: str, name: str, number: str) -> float:
    try:
        share = float(number)
    except ValueError:
        share = math.nan
    if not 0 < share <= 1:
        raise _no_blend(written, f"the share of {name} is {number or 'missing'}, not a number above 0 and up to 1")
    return share


def _no_blend(written: str, why: str) -> EngineFault:
    return EngineFault(
        "settings", f"Kokoro can't speak as {written}: {why}.", "Write a style's name, or af_heart*0.6+am_michael*0.4."
    )


def _names_in(place: Path) -> list[str]:
    if place.is_dir():
        return [file.stem for end in _READERS for file in place.glob(f"*{end}") if not _is_zip_of_many(file)]
    return _members(place) if place.is_file() else []


def _file_in(place: Path, name: str) -> Path | None:
    if place.is_dir():
        files = (place / f"{name}{end}" for end in _READERS)
        return next((file for file in files if file.is_file() and not _is_zip_of_many(file)), None)
    return place if place.is_file() and name in _members(place) else None


def _members(file: Path) -> list[str]:
    """The names in a file of many styles (an npz, whatever it is called)."""
    try:
        with zipfile.ZipFile(file) as archive:
            return [member[:-4] for member in archive.namelist() if member.endswith(".npy") and "/" not in member]
    except (OSError, zipfile.BadZipFile):
        return []


def _is_zip_of_many(file: Path) -> bool:
    return file.suffix == ".bin" and zipfile.is_zipfile(file)


def _numbers(file: Path, name: str) -> np.ndarray:
    """The style in ``file``, checked. ValueError says what is wrong with it."""
    reader = _READERS.get(file.suffix, _from_npz)
    try:
        content = _from_npz(file, name) if _members(file) else reader(file, name)
    except _DAMAGES as error:
        raise ValueError(f"{name} can't be read out of it") from error
    if content.dtype.kind != "f" or content.size != SHAPE[0] * SHAPE[1] or not np.isfinite(content).all():
        raise ValueError(f"a style is {_BYTES} bytes of finite float32 numbers")
    return content.reshape(SHAPE).astype(np.float32)


def _from_bin(file: Path, name: str) -> np.ndarray:
    if file.stat().st_size != _BYTES:
        return np.empty(0, np.float32)
    content = file.read_bytes()
    known = KNOWN.get(name)
    if known is not None and hashlib.sha256(content).hexdigest() != known:
        raise ValueError("its SHA-256 is not that of the file in kokoro-js 1.2.1")
    return np.frombuffer(content, "<f4")


def _from_npz(file: Path, name: str) -> np.ndarray:
    with zipfile.ZipFile(file) as archive:
        if archive.getinfo(f"{name}.npy").file_size > 3 * _BYTES:  # float64 and a heading are less
            return np.empty(0, np.float32)
    with np.load(file, allow_pickle=False) as arrays:
        return np.asarray(arrays[name])


def _from_pt(file: Path, name: str) -> np.ndarray:
    """A tensor that torch saved: a zip with the bare numbers in it. The pickle beside them is not looked at."""
    with zipfile.ZipFile(file) as archive:
        numbers = [member for member in archive.namelist() if member.endswith("/data/0")]
        whole = len(numbers) == 1 and archive.getinfo(numbers[0]).file_size == _BYTES
        return np.frombuffer(archive.read(numbers[0]) if whole else b"", "<f4")


_READERS = {".bin": _from_bin, ".pt": _from_pt}
