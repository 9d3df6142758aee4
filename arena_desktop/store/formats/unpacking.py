"""Packed bytes, unpacked piece by piece: gzip and Zstandard, any number of members one after the other."""

import gzip
import io
import zlib
from collections.abc import Callable
from typing import IO, Protocol

import zstandard

UNPACKING_ERRORS = (EOFError, zlib.error, zstandard.ZstdError, gzip.BadGzipFile)
"""What a damaged or cut off file raises."""

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_LARGEST_WINDOW = 1 << 27
_PIECE = 1 << 16


class _Member(Protocol):
    """What unpacks one member: a decompression object of zlib or zstandard."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def unpacked(raw: IO[bytes], start: bytes) -> IO[bytes]:
    """The content of ``raw``, whose first bytes are ``start``: unpacked where they say gzip or Zstandard.

    ``start`` holds four bytes or the whole file. A file that ends inside the mark is taken for a packed one, too.
    """
    if start.startswith(_GZIP) or start == _GZIP[:1]:
        return io.BufferedReader(_Unpacked(raw, lambda: zlib.decompressobj(wbits=31), b"\0"), _PIECE)
    if start.startswith(_ZSTD) or (len(start) > 1 and _ZSTD.startswith(start)):
        unpacker = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
        return io.BufferedReader(_Unpacked(raw, unpacker.decompressobj, b""), _PIECE)
    return raw


def place_in(stream: IO[bytes]) -> int:
    """How many bytes of its file, as it lies there, have been taken in for ``stream``, which :func:`unpacked` gave."""
    below = getattr(stream, "raw", None)
    return below.taken_in() if isinstance(below, _Unpacked) else stream.tell()


class _Unpacked(io.RawIOBase):
    """The members' content. Unlike the libraries' readers it notices every file that is cut off, wherever that is, and
    goes on saying so.
    """

    def __init__(self, packed: IO[bytes], new_member: Callable[[], _Member], padding: bytes) -> None:
        self._packed = packed
        self._new_member = new_member
        self._padding = padding  # may follow a member (tapes and block devices leave zeros)
        self._member = new_member()
        self._inside = False
        self._rest = b""
        self._ready = memoryview(b"")
        self._error: Exception | None = None

    def readable(self) -> bool:
        return True

    def taken_in(self) -> int:
        """How many packed bytes have been taken in."""
        return self._packed.tell()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if self._error is not None:
            raise self._error
        try:
            while not self._ready:
                if not self._unpack_some():
                    return 0
        except UNPACKING_ERRORS as error:
            self._error = error
            raise
        taken = min(len(buffer), len(self._ready))
        buffer[:taken] = self._ready[:taken]
        self._ready = self._ready[taken:]
        return taken

    def _unpack_some(self) -> bool:
        """Take in the next packed bytes; False at the end."""
        # A little at a time: a few bytes may stand for a great many.
        packed = self._rest or self._packed.read(1024)
        self._rest = b""
        if not packed:
            if self._inside:
                raise EOFError("the end is missing")
            return False
        if self._member.eof:
            packed = packed.lstrip(self._padding) if self._padding else packed
            if not packed:
                return True
            self._member = self._new_member()
        self._inside = True
        self._ready = memoryview(self._member.decompress(packed))
        if self._member.eof:
            self._rest = self._member.unused_data
            self._inside = False
        return True
