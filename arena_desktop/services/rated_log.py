"""The vote log together with its ratings. Every call runs on the store's thread."""

import logging
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.battles import Moves
from arena_desktop.services.views import BoardView

log = logging.getLogger(__name__)


class Log(Protocol):
    """What is needed of the vote log."""

    def append_vote(self, draft: Mapping[str, Any], held_back: frozenset[str]) -> dict[str, Any]: ...
    def append_retraction(self, vote_id: str, listener: str | None, reason: str) -> dict[str, Any]: ...
    def records(self) -> Iterator[dict[str, Any]]: ...
    def is_last(self, record: Mapping[str, Any]) -> bool: ...
    def data_version(self) -> tuple[int, int]: ...


class Ratings(Protocol):
    """What is needed of the board."""

    def refresh(self) -> None: ...
    def apply(self, record: Mapping[str, Any]) -> Moves: ...
    def hold_back(self, ids: frozenset[str]) -> None: ...
    def view(self, arena: str) -> BoardView: ...
    def votes(self, arena: str) -> ArenaVotes: ...


class RatedLog:
    """Stores votes and keeps the ratings equal to a replay of the log, whoever writes to it."""

    def __init__(self, votes: Log, ratings: Ratings) -> None:
        self._log = votes
        self._ratings = ratings
        self._seen: tuple[int, int] | None = None

    def cast(self, draft: dict[str, Any], held_back: frozenset[str]) -> tuple[dict[str, Any], Moves]:
        """Store the vote, then rate it. Once it is stored nothing that follows can make it fail."""
        self._keep_up()
        record = self._log.append_vote(draft, held_back)
        try:
            moves = self._rate(record)
            if draft["conditions"]["reveal"] == "set":
                # In the same breath: nothing may look at the board before the new vote is held back.
                self._ratings.hold_back(held_back | {str(record["id"])})
            return record, moves
        except Exception:
            log.exception("the vote is stored, but its rating step failed")
            self._seen = None
            return record, {}

    def take_back(self, vote_id: str, listener: str) -> None:
        """Retract a vote of this session."""
        self._log.append_retraction(vote_id, listener, "undo")
        self._seen = None

    def hold_back(self, votes: frozenset[str]) -> None:
        """Leave these votes out of what is shown."""
        self._ratings.hold_back(votes)

    def view(self, arena: str) -> BoardView:
        """The board of ``arena``, after whatever else was written to the log."""
        self._catch_up()
        return self._ratings.view(arena)

    def votes(self, arena: str) -> ArenaVotes:
        """What the board of ``arena`` stands on, after whatever else was written to the log."""
        self._catch_up()
        return self._ratings.votes(arena)

    def _rate(self, record: dict[str, Any]) -> Moves:
        # One step is exact only if nothing else was written since the ratings were made, and the vote is last in order.
        version = self._log.data_version()
        own_write_only = self._seen is not None and version[0] == self._seen[0]
        if not own_write_only or not self._log.is_last(record):
            self._catch_up()
            return {}
        moves = self._ratings.apply(record)
        self._seen = version
        return moves

    def _keep_up(self) -> None:
        try:
            self._catch_up()
        except Exception:  # the ratings must never stand in the way of the vote
            log.exception("the ratings could not be brought up to date before a vote")

    def _catch_up(self) -> None:
        version = self._log.data_version()
        if version != self._seen:
            self._ratings.refresh()
            self._seen = version
