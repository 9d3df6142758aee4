"""Writing a large file that is there whole or not at all, packed if its name says so."""

import contextlib
import gzip
import os
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, cast

import zstandard

from arena_desktop.errors import ArenaError
from arena_desktop.store.small_files import sync_folder

PACKED = (".gz", ".zst")
"""Endings of names whose files are packed."""


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A stream whose content takes the place of ``path`` when the block ends well; otherwise ``path`` is left as it
    was.

    Packed if the name ends in ``.gz`` or ``.zst``; the same content gives the same bytes. :class:`ArenaError` when it
    can't be written, or is something other than a file.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise ArenaError(f"{path} is a folder or a device, not a file.", "Name a file to write.")
    try:
        partial = target.with_name(f".{target.name[:60]}.{secrets.token_hex(4)}.partial")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        descriptor = os.open(partial, flags, target.stat().st_mode & 0o777 if target.exists() else 0o666)
        try:
            with os.fdopen(descriptor, "wb") as raw:
                with _packed(raw, target.suffix.lower()) as stream:
                    yield stream
                raw.flush()
                os.fsync(raw.fileno())
            partial.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                partial.unlink()
            raise
        sync_folder(target.parent)
    except OSError as error:
        raise ArenaError(
            f"{path} could not be written ({error.strerror or error}).",
            "Check the folder, your permission to write there and the free space.",
        ) from error


@contextmanager
def _packed(raw: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    with ExitStack() as stack:
        if suffix == ".gz":
            packed = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0, compresslevel=6)
            yield cast(IO[bytes], stack.enter_context(packed))
        elif suffix == ".zst":
            writer = zstandard.ZstdCompressor(level=6).stream_writer(raw, closefd=False)
            yield cast(IO[bytes], stack.enter_context(writer))
        else:
            yield raw
