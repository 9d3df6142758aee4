"""The bytes of a file, unpacked if it is compressed, cut into lines that can't grow beyond measure."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import zstandard

from arena_desktop.errors import ArenaError

MAX_LINE = 8 * 1024 * 1024
"""Bytes. A longer line, or element of an array, is no record."""

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_LARGEST_WINDOW = 1 << 27
_UNPACKING = (EOFError, zlib.error, zstandard.ZstdError, gzip.BadGzipFile)


class Trouble(NamedTuple):
    """Something in a file that is no readable line; ``text`` is a clause that says why."""

    text: str


@contextmanager
def open_bytes(path: Path) -> Iterator[IO[bytes]]:
    """The content of ``path``, unpacked where its first bytes say gzip or Zstandard.

    What the disk refuses, also while reading inside, comes out as an :class:`ArenaError` that names the file.
    """
    if path.is_dir():
        raise ArenaError(f"{path} is a folder.", "Name a file of votes.")
    try:
        with path.open("rb") as raw:
            start = raw.peek(4)
            if start.startswith(_GZIP):
                yield gzip.GzipFile(fileobj=raw)  # type: ignore[misc]  # typeshed: GzipFile is no IO[bytes]
            elif start.startswith(_ZSTD):
                yield io.BufferedReader(_Zstandard(raw), 1 << 16)
            else:
                yield raw
    except _UNPACKING:
        raise
    except OSError as error:
        raise ArenaError(
            f"{path} can't be read ({error.strerror or error}).", "Check the name and that you may read it."
        ) from error


def skip_blank(stream: IO[bytes]) -> int:
    """Read over a byte order mark and blanks at the start; returns how many line ends were among them."""
    ends = 0
    if _peek(stream).startswith(b"\xef\xbb\xbf"):
        stream.read(3)
    while (blank := _peek(stream)[:1]) and blank in b" \t\r\n":
        ends += stream.read(1) == b"\n"
    return ends


def first_bytes(stream: IO[bytes]) -> bytes:
    """What the stream goes on with: at least one byte unless it is at its end or broken."""
    return _peek(stream)


def cut_lines(stream: IO[bytes]) -> Iterator[bytes | Trouble]:
    """The lines with their ends. Where a packed file breaks off, a :class:`Trouble` comes last."""
    try:
        while line := stream.readline(MAX_LINE + 1):
            if len(line) > MAX_LINE and not line.endswith(b"\n"):
                _skip_line(stream)
                yield Trouble(f"longer than {MAX_LINE} bytes")
            else:
                yield line
    except _UNPACKING as error:
        yield Trouble(f"the packed file is damaged or cut off here ({error})")


def cut_chunks(stream: IO[bytes]) -> Iterator[bytes | Trouble]:
    """The bytes in pieces, broken off like :func:`cut_lines`."""
    try:
        while chunk := stream.read(1 << 16):
            yield chunk
    except _UNPACKING as error:
        yield Trouble(f"the packed file is damaged or cut off here ({error})")


def _skip_line(stream: IO[bytes]) -> None:
    while (rest := stream.readline(1 << 16)) and not rest.endswith(b"\n"):
        pass


def _peek(stream: IO[bytes]) -> bytes:
    try:
        return bytes(stream.peek(64))  # type: ignore[attr-defined]  # every stream of open_bytes has it
    except _UNPACKING:
        return b""  # whoever reads on will be told


class _Zstandard(io.RawIOBase):
    """Frames of Zstandard, unpacked. Unlike the library's reader it notices a file that is cut off."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        self._unpacker = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
        self._frame = self._unpacker.decompressobj()
        self._fed = False
        self._rest = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            # A little at a time: a few bytes may stand for a great many.
            packed = self._rest or self._packed.read(1024)
            self._rest = b""
            if not packed:
                if self._fed:
                    raise EOFError("the end is missing")
                return 0
            if self._frame.eof:
                self._frame = self._unpacker.decompressobj()
            self._fed = True
            self._ready = memoryview(self._frame.decompress(packed))
            if self._frame.eof:
                self._rest = self._frame.unused_data
                self._fed = False
        taken = min(len(buffer), len(self._ready))
        buffer[:taken] = self._ready[:taken]
        self._ready = self._ready[taken:]
        return taken
