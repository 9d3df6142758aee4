"""The notes (metadata) in an ONNX file, read without any library and without reading its weights."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

_NOTES = 14  # field ``metadata_props`` of ModelProto
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_LONGEST = 1 << 20


def notes_of(file: Path) -> dict[str, str]:
    """The notes, a text by its name. ValueError for a file that is no ONNX model, OSError if it can't be read."""
    size = file.stat().st_size
    found: dict[str, str] = {}
    with file.open("rb") as stream:
        while stream.tell() < size:
            key = _varint(stream)
            number, wire = key >> 3, key & 7
            if number == 0 or number > 1000:
                raise ValueError("it is no ONNX model")
            if number == _NOTES and wire == _BYTES:
                name, text = _pair(_taken(stream, size))
                found[name] = text
            else:
                _skip(stream, wire, size)
    return found


def _pair(content: bytes) -> tuple[str, str]:
    """Key (field 1) and value (field 2) of one note."""
    parts = {1: "", 2: ""}
    at = 0
    while at < len(content):
        key, at = _varint_in(content, at)
        length, at = _varint_in(content, at)
        if key & 7 != _BYTES or at + length > len(content):
            raise ValueError("its notes are damaged")
        parts[key >> 3] = content[at : at + length].decode("utf-8", errors="replace")
        at += length
    return parts[1], parts[2]


def _taken(stream: BinaryIO, size: int) -> bytes:
    length = _varint(stream)
    if length > _LONGEST or stream.tell() + length > size:
        raise ValueError("it is no ONNX model, or not whole")
    return stream.read(length)


def _skip(stream: BinaryIO, wire: int, size: int) -> None:
    if wire == _VARINT:
        _varint(stream)
        return
    length = {_FIXED64: 8, _FIXED32: 4}.get(wire, -1)
    if wire == _BYTES:
        length = _varint(stream)
    if length < 0 or stream.tell() + length > size:
        raise ValueError("it is no ONNX model, or not whole")
    stream.seek(length, os.SEEK_CUR)


def _varint(stream: BinaryIO) -> int:
    value = shift = 0
    while shift < 64:
        byte = stream.read(1)
        if not byte:
            break
        value |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            return value
        shift += 7
    raise ValueError("it is no ONNX model, or not whole")


def _varint_in(content: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(content) and shift < 64:
        byte = content[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise ValueError("its notes are damaged")
