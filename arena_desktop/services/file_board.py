"""A board made from a file of votes instead of the log."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from arena_desktop.domain.merging import merge_copies, stored_form
from arena_desktop.domain.records import RETRACTION, canonical_key, type_of
from arena_desktop.domain.roster import Roster
from arena_desktop.services.board import Board
from arena_desktop.services.vote_files import found_records, read_votes
from arena_desktop.store.formats.votes_file import open_votes


def board_of_file(roster: Roster, path: Path, *, silent: bool) -> Board:
    """The board of the votes in ``path``: with our header as a log would hold them, without one strictly in file order.

    :class:`ArenaError` if the file can't be read.
    """
    return Board(roster, FileVotes(path), silent=silent, read=lambda: read_votes(path, silent=silent))


class FileVotes:
    """The records of a file in the form and order in which a log would hold them."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def records(self) -> Iterator[dict[str, Any]]:
        """Each record once, in canonical order."""
        kept: dict[tuple[str, str], dict[str, Any]] = {}
        with open_votes(self._path) as file:
            for found in found_records(file, ""):
                if found.record is not None:
                    record = stored_form(found.record)
                    name = (record["id"], record["hash"])
                    kept[name] = merge_copies(kept[name], record) if name in kept else record
        yield from sorted(kept.values(), key=canonical_key)

    def moment(self) -> AbstractContextManager[None]:
        """A file is read whole."""
        return nullcontext()

    def retractions(self) -> Iterator[dict[str, Any]]:
        """The records that take something back."""
        return (record for record in self.records() if type_of(record) == RETRACTION)

    def conflicts(self) -> set[str]:
        """The ids that several different records share."""
        return {
            record_id for record_id, copies in Counter(record["id"] for record in self.records()).items() if copies > 1
        }

    def log_hash(self) -> str:
        """SHA-256 of all record hashes in canonical order, joined by line feeds."""
        return hashlib.sha256("\n".join(record["hash"] for record in self.records()).encode()).hexdigest()
