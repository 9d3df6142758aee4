"""A board made from a file of votes instead of the log."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any

from arena_desktop.domain.merging import merge_copies, stored_form
from arena_desktop.domain.policy import Policy
from arena_desktop.domain.reading import Reading
from arena_desktop.domain.records import RETRACTION, canonical_key, type_of
from arena_desktop.domain.roster import Roster
from arena_desktop.domain.signing import AnnouncedRank, Announcement, announcement, first_announcements
from arena_desktop.errors import ArenaError
from arena_desktop.ratings.ballot import MISSING_FIELDS, NOT_AN_OBJECT
from arena_desktop.services.board import Board
from arena_desktop.services.vote_files import found_records, read_votes
from arena_desktop.store.formats.votes_file import open_votes

_NO_RECORD = (NOT_AN_OBJECT, MISSING_FIELDS)


def board_of_file(roster: Roster, path: Path, *, silent: bool, policy: Policy | None = None) -> Board:
    """The board of the votes in ``path``: with our header as a log would hold them, without one strictly in file order.

    :class:`ArenaError`, when the board is first asked for, if the file can't be read or holds something and none of it
    is a record.
    """
    return Board(roster, FilesOfVotes([path]), silent=silent, read=lambda: _some_votes(path, silent), policy=policy)


def _some_votes(path: Path, silent: bool) -> Reading:
    """What counts in the file. That of which nothing is a record is no file of votes: an empty board would hide it."""
    reading = read_votes(path, silent=silent)
    found = reading.votes or reading.other_records
    if not found and reading.skipped and all(reason in _NO_RECORD for _, reason in reading.skipped):
        raise _no_votes(path, reading.skipped[0][1])
    return reading


def _no_votes(path: Path, reason: str) -> ArenaError:
    with open_votes(path) as file:
        first = next(file.entries())
        place = "element" if file.array else "line"
    return ArenaError(
        f"{path}, {place} {first.line}: {first.trouble or reason}. Nothing in the file is a vote.",
        'A file of votes has lines like {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id":'
        ' "x/two"}, "vote": "a"}; `votes export` writes one.',
    )


def _announced(records: Iterable[Mapping[str, Any]]) -> Callable[[str], list[Announcement]]:
    """The first announcements of each station among the records."""
    found: dict[str, list[Announcement]] = {}
    for record in records:
        one = announcement(record)
        if one is not None:
            held = found.setdefault(str(record["station_id"]), [])
            held[:] = first_announcements([*held, one])
    return lambda station: found.get(station, [])


class FilesOfVotes:
    """The records of files in the form and order in which a log would hold them all. Read once, and kept."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths

    @cached_property
    def _records(self) -> list[dict[str, Any]]:
        kept: dict[tuple[str, str], dict[str, Any]] = {}
        disputed = []
        for path in self._paths:
            with open_votes(path) as file:
                for found in found_records(file, ""):
                    if found.record is not None:
                        record = stored_form(found.record)
                        name = (record["id"], record["hash"])
                        held = kept.get(name, record)
                        if "sig" in held and "sig" in record and held["sig"] != record["sig"]:
                            disputed += [held, record]  # which of them is true is known when all keys are
                        kept[name] = merge_copies(held, record)
        if disputed:
            rank = AnnouncedRank(_announced(kept.values()))
            for record in disputed:
                name = (record["id"], record["hash"])
                kept[name] = merge_copies(kept[name], record, rank)
        return sorted(kept.values(), key=canonical_key)

    def records(self) -> Iterator[dict[str, Any]]:
        """Each record once, in canonical order."""
        return iter(self._records)

    def moment(self) -> "AbstractContextManager[FilesOfVotes]":
        """Files are read whole."""
        return nullcontext(self)

    def retractions(self) -> Iterator[dict[str, Any]]:
        """The records that take something back."""
        return (record for record in self.records() if type_of(record) == RETRACTION)

    def conflicts(self) -> set[str]:
        """The ids that several different records share."""
        counts = Counter(record["id"] for record in self.records())
        return {record_id for record_id, copies in counts.items() if copies > 1}

    def log_hash(self) -> str:
        """SHA-256 of all record hashes in canonical order, joined by line feeds."""
        return hashlib.sha256("\n".join(record["hash"] for record in self.records()).encode()).hexdigest()
