"""Records of a file on their way to where they are kept: what the hash says of them, their stored form and its text.

A line that is the canonical form already is neither walked through nor written anew (see
:func:`arena_desktop.domain.canonical.read_line`); the outcome is the same either way.
"""

from typing import Any, NamedTuple

from arena_desktop.domain.canonical import UNHASHED, canonical_text, plain_text, sha256_hex
from arena_desktop.domain.merging import LEGACY_ONLY, stored_form
from arena_desktop.domain.records import hash_matches, private_matches


class Stored(NamedTuple):
    """A record in its stored form, and that form's canonical text. ``stray``: it came with a private part that isn't
    its own.
    """

    record: dict[str, Any]
    text: str
    stray: bool


def is_whole(record: dict[str, Any], plain: bool) -> bool:
    """Whether the record's content is what its hash was made from. ``plain``: its line was."""
    if not plain:
        return hash_matches(record)
    content = record.copy()
    for key in UNHASHED:
        content.pop(key, None)
    return bool(sha256_hex(plain_text(content)) == record["hash"])


def stored(record: dict[str, Any], line: bytes | None, forgotten: bool) -> Stored:
    """The stored form of a record. ``line``: its plain line, None if there is none. ``forgotten``: of this listener
    nothing private is kept.
    """
    owns = "private" not in record or owns_private(record, line is not None)
    stray = not owns and record["private"] is not None
    if line is not None and owns and not forgotten and not ("station_id" in record and LEGACY_ONLY & record.keys()):
        return Stored(record, line.decode(), stray)
    kept = stored_form(record, forgotten)
    return Stored(kept, canonical_text(kept), stray)


def owns_private(record: dict[str, Any], plain: bool) -> bool:
    """Whether the record carries the private part that its ``private_hash`` was made from. ``plain``: its line was."""
    if not plain:
        return private_matches(record)
    private = record.get("private")
    return isinstance(private, dict) and bool(sha256_hex(plain_text(private)) == record.get("private_hash"))
