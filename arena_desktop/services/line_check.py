"""The bytes between the records of a file: one line feed after each line, and nothing else."""

import re
from collections.abc import Callable, Container, Iterator
from pathlib import Path

from arena_desktop.services.faults import Faults
from arena_desktop.store.formats.byte_lines import cut_chunks, open_bytes

_MARK = b"\xef\xbb\xbf"
_CARRIAGE_RETURN, _BLANK = re.compile(rb"\r\n"), re.compile(rb"(?<=\n)[ \t\r\v\f]*\n")
_KINDS = {
    _CARRIAGE_RETURN: "the line ends in a carriage return and a line feed instead of a line feed (others may, too)",
    _BLANK: "the line is blank (others may be, too)",
}
_SIGNS: dict[re.Pattern[bytes], Callable[[bytes], bool]] = {
    _CARRIAGE_RETURN: lambda data: b"\r" in data,
    _BLANK: lambda data: any(not line or line.isspace() for line in data.split(b"\n")[1:-1]),
}
"""Whether there may be something to find: that takes next to no time, unlike looking for it."""
_LONGEST = 1 << 16


def line_faults(path: Path, unreadable: Container[int], faults: Faults) -> None:
    """Report the first place of each kind. ``unreadable``: lines that have been reported already."""
    kinds = dict(_KINDS)
    held = b"\n"  # what has not been followed by a line feed yet, and the one before it
    line = 1
    for chunk in _chunks(path):
        if held == b"\n" and line == 1 and chunk.startswith(_MARK):
            faults.add("the file begins with a byte order mark", line=1)
        data = held + chunk
        for pattern in list(kinds):
            found = pattern.search(data) if _SIGNS[pattern](data) else None
            if found is not None:
                faults.add(kinds.pop(pattern), line=line + data.count(b"\n", 1, found.start()))
        end = data.rfind(b"\n")
        line += data.count(b"\n", 1, end + 1)
        held = data[end:] if len(data) - end <= _LONGEST else b"\n-" + data[-1:]
    if held != b"\n" and line not in unreadable:
        faults.add("the line feed at the end of the file is not there", line=line)


def _chunks(path: Path) -> Iterator[bytes]:
    with open_bytes(path) as stream:
        # Where a packed file breaks off has been reported with the record there.
        yield from (chunk for chunk in cut_chunks(stream) if isinstance(chunk, bytes))
