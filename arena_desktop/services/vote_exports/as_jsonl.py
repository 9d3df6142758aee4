"""Votes as ``arena-votes/1``: every record as it stands in the log, for merging, checking and recomputing."""

from typing import IO

from arena_desktop.domain.canonical import canonical
from arena_desktop.services.vote_exports.source import ExportSource


def write(source: ExportSource, stream: IO[bytes]) -> None:
    """Write header and records."""
    stream.write(canonical(source.header()) + b"\n")
    for text in source.texts():
        stream.write(text + b"\n")
