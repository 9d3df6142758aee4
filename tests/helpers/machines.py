"""Machines that vote and exchange their votes through folders: a data directory each, a clock that may be wrong."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena_desktop.services.board import Board
from arena_desktop.services.exports import board_export, board_report
from arena_desktop.services.rated_log import RatedLog
from arena_desktop.services.sync import SyncReport, sync_folder
from arena_desktop.store.database import Database
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import ROSTER, START_US, draft

SECOND = 1_000_000
METHODS = ("rating", "elo", "bt", "davidson")
_MODELS = tuple(ROSTER.models)


class Weather:
    """The true time, which all machines share, and how wrong each clock is."""

    def __init__(self) -> None:
        self.now = START_US

    def clock(self, offset: Callable[[], int]) -> Callable[[], int]:
        """A clock that is off by ``offset()`` microseconds."""

        def look() -> int:
            self.now += SECOND
            return self.now + offset()

        return look


class Machine:
    """A machine with its log and a board that is kept up vote by vote, as the window does."""

    def __init__(self, folder: Path, clock: Callable[[], int], listener: str = "l-aaaaaaaaaaaaaaaa") -> None:
        self.folder = folder
        self.listener = listener
        self.log = VoteLog(Database(folder / "votes.sqlite"), clock=clock)
        self.board = Board(ROSTER, self.log)
        self.rated = RatedLog(self.log, self.board)
        self.cast: list[str] = []

    def vote(self, chance: random.Random) -> dict[str, Any]:
        """Cast a random vote."""
        a, b = chance.sample(_MODELS, 2)
        sides = {side: {"repo_id": name, "name": name} for side, name in (("model_a", a), ("model_b", b))}
        vote = chance.choice(("a", "b", "tie", "both_bad"))
        conditions = {**draft()["conditions"], "question": ROSTER.arenas["english"].question}
        drawn = draft(vote=vote, listener=self.listener, conditions=conditions, **sides)
        record, _ = self.rated.cast(drawn, frozenset())
        self.cast.append(str(record["id"]))
        return record

    def take_back(self, chance: random.Random) -> None:
        """Take one of the votes back that were cast here, if there is one."""
        if self.cast:
            self.rated.take_back(self.cast.pop(chance.randrange(len(self.cast))), self.listener)

    def sync(self, shared: Path, **options: Any) -> SyncReport:
        """Synchronise, then look at the board, as the window does."""
        report = sync_folder(self.log, shared, roster=ROSTER, **options)
        self.rated.view("english")
        return report

    def boards(self) -> dict[str, bytes]:
        """The board by every method, as JSON: from what was kept up vote by vote."""
        self.rated.votes("english")
        return {method: board_export(board_report(self.board, "", method), "json") for method in METHODS}

    def close(self) -> None:
        """Close the log."""
        self.log.close()


def replayed(folder: Path) -> dict[str, bytes]:
    """The board by every method, from the log alone."""
    with VoteLog.open(folder / "votes.sqlite") as log:
        board = Board(ROSTER, log)
        return {method: board_export(board_report(board, "", method), "json") for method in METHODS}
