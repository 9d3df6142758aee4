"""A folder by which stations exchange their records: each writes segments of its own, and reads those of the others.

A segment is ``<station_id>/<number of its first line, 12 digits>.jsonl``: records in canonical form, one a line. It
only grows, by being written anew under a temporary name and renamed, until it is full. Cloud drives make copies with
other names when two machines disagree; they are segments as well. Nothing here is ever deleted but temporary files.
"""

import contextlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from arena_desktop.errors import ArenaError
from arena_desktop.store.bounded import read_bounded, reason
from arena_desktop.store.formats.byte_lines import MAX_LINE
from arena_desktop.store.streamed_file import replacing

SEGMENT_BYTES = 8_000_000
"""A segment takes no further line beyond this size."""
LARGEST = SEGMENT_BYTES + MAX_LINE
"""Bytes. No station writes a larger one."""

_UUID = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_SEGMENT = re.compile(r"([0-9]{12})\.jsonl")
_COPY = re.compile(r"[0-9]{12}.+\.jsonl")
_TEMPORARY = re.compile(r"\.[0-9]{12}\.jsonl\.[0-9a-f]{8}\.partial")


@dataclass(frozen=True)
class Segment:
    """A segment's file. ``name`` is its path within the folder, with "/". ``first``: the number of its first line;
    ``copy``: a cloud drive gave it, or its folder, another name. ``state`` differs whenever the file has changed.
    """

    name: str
    station: str
    first: int
    copy: bool
    size: int
    state: str


@dataclass
class Listing:
    """What lies in the folder: segments in order, and (name, reason) of what can't be looked at. ``strange``: names of
    what is no segment; hidden files, of which cloud drives make many, are not told.
    """

    segments: list[Segment] = field(default_factory=list)
    closed: list[tuple[str, str]] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)


class SyncFolder:
    """The folder at ``path``; :class:`ArenaError` if there is none."""

    def __init__(self, path: Path) -> None:
        self.given = path
        if "\0" not in str(path) and path.exists() and not path.is_dir():
            raise ArenaError(f"{path} is a file, not a folder.", "Name a folder that all machines can see.")
        if "\0" in str(path) or not path.is_dir():
            raise ArenaError(
                f"The folder {path} is not there.",
                "Connect the drive, wait for the cloud drive, or name another folder.",
            )
        self.path = Path(os.path.realpath(path))

    def is_there(self) -> bool:
        """Whether it is still there: a drive may be pulled, a network may fail."""
        try:
            return self.path.is_dir() and os.access(self.path, os.R_OK)
        except OSError:
            return False

    def look(self) -> Listing:
        """Everything in the folder, opening no file. :class:`ArenaError` if the folder can't be read."""
        found = Listing()
        try:
            stations = sorted(os.scandir(self.path), key=lambda entry: entry.name)
        except OSError as error:
            raise ArenaError(
                f"The folder {self.given} can't be read ({reason(error)}).", "Check that you may read it."
            ) from error
        for entry in stations:
            if not _UUID.match(entry.name) or not entry.is_dir(follow_symlinks=False):
                found.strange += [] if entry.name.startswith(".") else [entry.name]
                continue
            try:
                files = sorted(os.scandir(entry.path), key=lambda one: one.name)
            except OSError as error:
                found.closed.append((entry.name, f"it can't be read ({reason(error)})"))
                continue
            for file in files:
                self._sort_in(entry.name, file, found)
        return found

    def read(self, name: str) -> bytes:
        """The bytes of a segment. OSError if they can't be read or are more than a station writes."""
        data = read_bounded(self.path / name, LARGEST)
        if data is None:
            raise OSError(None, "it is larger than any segment that this program writes")
        return data

    def write(self, station: str, first: int, lines: Iterable[bytes]) -> Segment:
        """Make or replace a segment of ours, whole or not at all. :class:`ArenaError` if that is refused."""
        name = f"{station}/{first:012d}.jsonl"
        path = self.path / name
        try:
            if not self.is_there():  # or we would make the folder anew, on another disk
                raise OSError(None, "the folder has gone")
            path.parent.mkdir(exist_ok=True)
            with replacing(path) as stream:
                stream.writelines(lines)
            status = path.stat()
        except OSError as error:
            raise ArenaError(
                f"{path} could not be written ({reason(error)}).",
                "Check the folder, your permission to write there and the free space.",
            ) from error
        return Segment(name, station, first, False, status.st_size, _state(status))

    def clear_temporary(self, station: str) -> None:
        """Remove what a write of this station that was cut short has left."""
        with contextlib.suppress(OSError):  # a folder that can only be read, or that is not there yet
            for entry in list(os.scandir(self.path / station)):
                if _TEMPORARY.fullmatch(entry.name):
                    os.unlink(entry.path)  # noqa: PTH108

    def _sort_in(self, folder: str, file: "os.DirEntry[str]", found: Listing) -> None:
        name = f"{folder}/{file.name}"
        plain = _SEGMENT.fullmatch(file.name)
        if plain is None and not _COPY.fullmatch(file.name):
            found.strange += [] if file.name.startswith(".") else [name]
            return
        try:
            status = file.stat(follow_symlinks=False)
        except OSError as error:
            found.closed.append((name, f"it can't be read ({reason(error)})"))
            return
        if not stat.S_ISREG(status.st_mode):
            found.strange.append(name)
            return
        station = _UUID.match(folder)
        assert station is not None
        copy = plain is None or station.end() != len(folder)
        found.segments.append(Segment(name, folder, int(file.name[:12]), copy, status.st_size, _state(status)))


def first_line(name: str, station: str) -> int | None:
    """The number in the name of a segment of ``station``, None if it is no such segment (or a drive's copy of one)."""
    folder, _, file = name.partition("/")
    found = _SEGMENT.fullmatch(file) if folder == station else None
    return None if found is None else int(found[1])


def whole_lines(data: bytes) -> int:
    """How many bytes at the start of ``data`` are whole lines."""
    return data.rfind(b"\n") + 1


def cut_lines(data: bytes) -> Iterator[bytes]:
    """The lines of ``data``, with their ends."""
    start = 0
    while end := data.find(b"\n", start) + 1:
        yield data[start:end]
        start = end


def _state(status: os.stat_result) -> str:
    return f"{status.st_size}:{status.st_mtime_ns}:{status.st_ino}"
