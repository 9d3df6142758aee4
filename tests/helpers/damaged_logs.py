"""Logs of votes for tests of damage: made as a crash or a close leaves them, and damaged byte by byte."""

import shutil
from pathlib import Path
from typing import Any

from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import draft

PAGE = 4096
LEAF = 0x0D


def closed_log(folder: Path, votes: int) -> list[dict[str, Any]]:
    """A log of so many votes in ``folder``, closed; its records."""
    folder.mkdir(parents=True, exist_ok=True)
    with VoteLog.open(folder / "votes.sqlite") as log:
        return [log.append_vote(draft()) for _ in range(votes)]


def crashed_log(folder: Path, votes: int) -> list[dict[str, Any]]:
    """The same as a power cut leaves it: the newest votes are in the ``-wal`` alone."""
    folder.mkdir(parents=True, exist_ok=True)
    alive = folder / "alive"
    alive.mkdir()
    with VoteLog.open(alive / "votes.sqlite") as log:
        records = [log.append_vote(draft()) for _ in range(votes)]
        log.database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        records += [log.append_vote(draft()) for _ in range(votes)]
        for file in alive.iterdir():
            shutil.copy(file, folder / file.name)
    shutil.rmtree(alive)
    return records


def leaf_pages(data: bytes) -> list[int]:
    """Where the pages of a database begin that hold rows of its tables."""
    return [place for place in range(PAGE, len(data), PAGE) if data[place] == LEAF]


def change(path: Path, place: int, new: bytes) -> None:
    """Write over some bytes of a file."""
    with path.open("r+b") as file:
        file.seek(place)
        file.write(new)


def set_aside(folder: Path) -> list[Path]:
    """The damaged files that recoveries left in ``folder``."""
    return sorted(found for found in folder.glob("votes.sqlite.damaged-*") if found.suffix != ".txt")
