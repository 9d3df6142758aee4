"""What a file that somebody hands over is: sentences to be spoken, votes, or perhaps either. Its beginning tells."""

import codecs
import csv
import enum
import json
from pathlib import Path

from arena_desktop.domain.foreign import shape_of
from arena_desktop.errors import ArenaError
from arena_desktop.store.bounded import read_head
from arena_desktop.store.formats.table import read_heading
from arena_desktop.store.prompt_tables import table_columns

_HEAD = 65_536
"""Bytes. A heading, or the first record of a log, has fewer."""
_TEXT_NAMES = frozenset({".txt", ".text", ".md"})
_LOG_NAMES = frozenset({".jsonl", ".ndjson", ".json", ".gz", ".zst", ".sqlite", ".log", ".parquet"})
_OF_A_VOTE = frozenset({"vote", "model_a", "model_b", "chosen", "rejected"})


class Given(enum.Enum):
    """What a file is taken for."""

    VOTES = "votes"
    TEXTS = "texts"
    EITHER = "either"


def given_as(path: Path) -> Given:
    """What ``path`` is. Files that tell nothing count as votes, whose reader says what is wrong with them; so does a
    file that can't be read. Never raises.
    """
    try:
        head = read_head(path, _HEAD)
    except (OSError, ValueError):
        return Given.VOTES
    ending = path.suffix.casefold()
    text = _decoded(head)
    if text is None or "\0" in text:
        return Given.TEXTS if ending in _TEXT_NAMES else Given.VOTES
    text = text.replace("\r\n", "\n").replace("\r", "\n").lstrip()
    if not text:
        return Given.TEXTS if ending in _TEXT_NAMES else Given.VOTES
    first = text.split("\n", 1)[0]
    if _is_record(text, first):
        return Given.VOTES
    columns = table_columns(first)
    if columns is not None:
        shape = shape_of(next(csv.reader([first], delimiter=columns.separator), []), {})
        if not shape.one_of and not _OF_A_VOTE.intersection(shape.fields):
            return Given.TEXTS
        return Given.VOTES if _has_votes(first, path) else Given.EITHER
    if ending in _TEXT_NAMES:
        return Given.TEXTS
    return Given.VOTES if ending in _LOG_NAMES or ending == ".csv" or _has_votes(first, path) else Given.TEXTS


def _decoded(head: bytes) -> str | None:
    """The beginning as text; a character that the end cuts in two is no fault. None for what is no text."""
    coding = "utf-16" if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
    try:
        return codecs.getincrementaldecoder(coding)().decode(head)
    except UnicodeDecodeError:
        return None


def _is_record(text: str, first: str) -> bool:
    """Whether it begins as JSON does: sentences may begin with a bracket, too."""
    if text.startswith("["):
        return text[1:].lstrip()[:1] in ("{", "]", "")
    if not text.startswith("{"):
        return False
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return first.strip() == "{" or text[1:].lstrip()[:1] in ('"', "}")


def _has_votes(first: str, path: Path) -> bool:
    """Whether the heading has the columns of a vote."""
    try:
        return read_heading(first.encode(), path, {}) is not None
    except ArenaError:
        return False
