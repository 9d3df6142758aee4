"""Votes as CSV (RFC 4180): a row a vote, counted or not, for R, pandas and spreadsheets.

Text is always quoted and no formula, numbers and truth values are bare, what is not known is an empty cell. Numbers are
written with a point and as short as they read back the same, whatever the machine's language.
"""

import re
from collections.abc import Iterable
from typing import IO, Any

from arena_desktop.services.exports.csv_cells import END, quoted
from arena_desktop.services.vote_exports.source import ExportSource
from arena_desktop.services.vote_exports.table import Table

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""What no file of text may hold."""


def write(source: ExportSource, stream: IO[bytes]) -> None:
    """Write the votes."""
    table = Table(public=source.public)
    write_row(stream, [column.name for column in table.columns])
    for vote in source.votes():
        write_row(stream, table.row(vote))
    source.odd.update(table.odd)


def write_row(stream: IO[bytes], values: Iterable[Any]) -> None:
    """Write one row."""
    stream.write((",".join(map(cell, values)) + END).encode())


def cell(value: Any) -> str:
    """One value as a cell."""
    if value is None:
        return ""
    if isinstance(value, str):
        return quoted(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", value))
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"  # the only words that R takes for truth values by itself
    return str(int(value)) if isinstance(value, float) and value.is_integer() else repr(value)
