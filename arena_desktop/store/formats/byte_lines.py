"""The bytes of a file, unpacked if it is compressed, cut into lines that can't grow beyond measure."""

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from arena_desktop.errors import ArenaError
from arena_desktop.store.formats.unpacking import UNPACKING_ERRORS, unpacked

MAX_LINE = 8 * 1024 * 1024
"""Bytes. A longer line, or element of an array, is no record."""

_BLANK = b" \t\r\n\v\f"


class Trouble(NamedTuple):
    """Something in a file that is no readable line; ``text`` is a clause that says why. ``broken``: the packed file is
    damaged or cut off, so nothing follows.
    """

    text: str
    broken: bool = False


class Blank(NamedTuple):
    """A run of blank lines, for which nobody needs to wait."""

    lines: int


@contextmanager
def open_bytes(path: Path) -> Iterator[IO[bytes]]:
    """The content of ``path``, unpacked where its first bytes say gzip or Zstandard.

    What the disk refuses, also while reading inside, comes out as an :class:`ArenaError` that names the file; so does
    anything but a regular file, since a pipe or a device may never give anything, or never end.
    """
    if "\0" in str(path):
        raise ArenaError("A file's name can't hold a NUL character.", "Name a file of votes.")
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise ArenaError(f"{path} is a folder.", "Name a file of votes.")
        if not stat.S_ISREG(mode):
            raise ArenaError(f"{path} is a pipe or a device, not a file.", "Save the votes in a file and name that.")
        with path.open("rb") as raw:
            yield unpacked(raw, raw.peek(4)[:4])
    except UNPACKING_ERRORS:
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
    while blank := _leading_blank(_peek(stream)):
        stream.read(len(blank))
        ends += blank.count(b"\n")
    return ends


def first_bytes(stream: IO[bytes]) -> bytes:
    """What the stream goes on with: at least one byte unless it is at its end or broken."""
    return _peek(stream)


def cut_lines(stream: IO[bytes]) -> Iterator[bytes | Trouble | Blank]:
    """The lines with their ends; blank ones may come together. Where a packed file breaks off, a :class:`Trouble`
    comes last.
    """
    try:
        while line := stream.readline(MAX_LINE + 1):
            if len(line) > MAX_LINE and not line.endswith(b"\n"):
                _skip_line(stream)
                yield Trouble(f"longer than {MAX_LINE} bytes")
            elif not line.strip(_BLANK):
                yield Blank(1 + _skip_blank_lines(stream))
            else:
                yield line
    except UNPACKING_ERRORS as error:
        yield _broken(error)


def cut_chunks(stream: IO[bytes]) -> Iterator[bytes | Trouble]:
    """The bytes in pieces, broken off like :func:`cut_lines`."""
    try:
        while chunk := stream.read(1 << 16):
            yield chunk
    except UNPACKING_ERRORS as error:
        yield _broken(error)


def _broken(error: Exception) -> Trouble:
    return Trouble(f"the packed file is damaged or cut off here ({error})", broken=True)


def _skip_line(stream: IO[bytes]) -> None:
    while (rest := stream.readline(1 << 16)) and not rest.endswith(b"\n"):
        pass


def _skip_blank_lines(stream: IO[bytes]) -> int:
    """Read over whole blank lines, as far as the buffer shows their ends; returns how many."""
    skipped = 0
    while end := _leading_blank(_peek(stream)).rfind(b"\n") + 1:
        skipped += stream.read(end).count(b"\n")
    return skipped


def _leading_blank(data: bytes) -> bytes:
    return data[: len(data) - len(data.lstrip(_BLANK))]


def _peek(stream: IO[bytes]) -> bytes:
    try:
        return bytes(stream.peek(64))  # type: ignore[attr-defined]  # every stream of open_bytes has it
    except UNPACKING_ERRORS:
        return b""  # whoever reads on will be told
