"""The vote log together with its ratings. Every call runs on the store's thread."""

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from arena_desktop.ratings import NotConverged
from arena_desktop.ratings.standings import Standings
from arena_desktop.ratings.verdict import verdict
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.battles import Moves
from arena_desktop.services.board_news import board_news
from arena_desktop.services.verdict_words import Voice, board_sentence, pair_sentence, voice_of
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
    def look_as(self, listener: str) -> None: ...
    def view(self, arena: str) -> BoardView: ...
    def votes(self, arena: str) -> ArenaVotes: ...


@dataclass(frozen=True)
class _Shown:
    """A board as it was last shown, and what it stood on."""

    view: BoardView
    votes: ArenaVotes


class RatedLog:
    """Stores votes and keeps the ratings equal to a replay of the log, whoever writes to it.

    ``you`` names whoever sits before the window, by pseudonym: sentences about their votes alone say "you".
    """

    def __init__(self, votes: Log, ratings: Ratings, you: Callable[[], str] = str) -> None:
        self._log = votes
        self._ratings = ratings
        self._you = you
        self._seen: tuple[int, int] | None = None
        self._shown: dict[str, _Shown] = {}
        self._overtaken: dict[str, _Shown] = {}  # the boards as they were before something came from elsewhere
        self._still = False
        self._own: set[str] = set()  # votes cast or taken back here: some are shown only after a set

    def cast(self, draft: dict[str, Any], held_back: frozenset[str]) -> tuple[dict[str, Any], Moves]:
        """Store the vote, then rate it. Once it is stored nothing that follows can make it fail."""
        self._overtaken = {}
        self._keep_up()
        record = self._log.append_vote(draft, held_back)
        self._own.add(str(record["id"]))
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
        self._overtaken = {}
        self._own.add(vote_id)
        self._keep_up()
        self._log.append_retraction(vote_id, listener, "undo")
        self._seen = None

    def hold_back(self, votes: frozenset[str]) -> None:
        """Leave these votes out of what is shown."""
        self._ratings.hold_back(votes)

    def stand_still(self, still: bool) -> None:
        """While a battle is open every look sees the same votes, whoever writes to the log meanwhile."""
        self._still = still

    def view(self, arena: str) -> BoardView:
        """The board of ``arena``, after whatever else was written to the log."""
        votes = self.votes(arena)
        view = replace(self._ratings.view(arena), sentence=_at_the_top(votes))
        if len(votes.table) and voice_of(votes.table, _standings(votes), votes.you) is Voice.ONE:
            view = replace(view, title="Ratings for one listener")  # who is not the one who reads
        before, last = self._overtaken.get(view.arena), self._shown.get(view.arena)
        if before is not None and last is not None:
            told = last.votes is votes
            news = last.view.news if told else board_news(before.view, view, _ids(before.votes), _ids(votes), self._own)
            view = replace(view, news=news)
        self._shown[view.arena] = _Shown(view, votes)
        return view

    def votes(self, arena: str) -> ArenaVotes:
        """What the board of ``arena`` stands on, after whatever else was written to the log."""
        if not (self._still and self._seen is not None):
            self._catch_up()
        self._ratings.look_as(self._you())
        return self._ratings.votes(arena)

    def changed_elsewhere(self) -> bool:
        """Whether somebody else has written to the log since it was last looked at."""
        return self._seen is not None and self._log.data_version()[0] != self._seen[0]

    def sentence(self, record: Mapping[str, Any], *, of_set: bool) -> str:
        """The verdict after a vote in words: on the two it compared, or with ``of_set`` on the two at the top.

        Empty for a vote that counts on no board.
        """
        votes = self.votes(str(record["arena"]))
        table, vote_id = votes.table, str(record["id"])
        if not any(table.id(place) == vote_id for place in range(len(table) - 1, -1, -1)):  # the newest first
            return ""
        if of_set:
            return _at_the_top(votes)
        standings = _standings(votes)
        if standings is None:
            return ""
        a, b = (table.models.index(record[side]["repo_id"]) for side in ("model_a", "model_b"))
        found = verdict(standings, votes.met, (a, b))
        return pair_sentence(found, _names(votes), voice_of(table, standings, votes.you))

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
        if version == self._seen:
            return
        by_others = self._seen is not None and version[0] != self._seen[0]
        self._ratings.refresh()
        self._seen = version
        if by_others:
            self._overtaken = {**self._shown, **self._overtaken}


def _at_the_top(votes: ArenaVotes) -> str:
    return board_sentence(
        _standings(votes), votes.table, _names(votes), you=votes.you, met=votes.met, left_out=bool(votes.left_out)
    )


def _standings(votes: ArenaVotes) -> Standings | None:
    try:
        return votes.standings
    except NotConverged:  # the board's notes say so
        return None


def _names(votes: ArenaVotes) -> tuple[str, ...]:
    return tuple(model.name for model in votes.models)


def _ids(votes: ArenaVotes) -> list[str]:
    ids = votes.table.ids
    return [ids[place] for place in votes.table.row.tolist()]
