"""A table of prompts (CSV): one prompt a row, in a column called ``text``."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass

from arena_desktop.errors import ArenaError

_SEPARATORS = (",", ";", "\t")
_TEXT, _LANGUAGE = ("text", "sentence", "prompt"), ("language", "lang")


@dataclass(frozen=True)
class Columns:
    """Where in a row the text and its language stand (None: no such column), and what is between two cells."""

    separator: str
    text: int
    language: int | None


def table_columns(first_line: str) -> Columns | None:
    """The columns that the first line of a file names; None if it is no heading of such a table.

    A single word makes no heading: a text file may well begin with "text".
    """
    for separator in _SEPARATORS:
        try:
            names = [name.strip().casefold() for name in next(csv.reader([first_line], delimiter=separator), [])]
        except csv.Error:
            continue
        text = [place for place, name in enumerate(names) if name in _TEXT]
        if len(names) > 1 and len(text) == 1 and len(set(names)) == len(names) and all(map(_is_name, names)):
            language = next((place for place, name in enumerate(names) if name in _LANGUAGE), None)
            return Columns(separator, text[0], language)
    return None


def table_rows(lines: list[str], columns: Columns, path: str) -> Iterator[tuple[int, str, str]]:
    """(line, text, language) of each row below the heading; rows without a text are passed over. Raises
    :class:`ArenaError` for a table that is broken.
    """
    rows = csv.reader((f"{line}\n" for line in lines), delimiter=columns.separator, strict=True)
    try:
        next(rows)
        for row in rows:
            text = row[columns.text].strip() if columns.text < len(row) else ""
            place = columns.language
            if text:
                yield rows.line_num, text, row[place].strip() if place is not None and place < len(row) else ""
    except csv.Error as error:
        raise ArenaError(
            f"The table {path} can't be read: line {rows.line_num}: {error}.", "Save it anew as CSV (RFC 4180)."
        ) from error


def _is_name(name: str) -> bool:
    return name.replace("_", "").replace(" ", "").isalnum() and len(name) <= 40
