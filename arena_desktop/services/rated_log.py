"""The vote log together with its ratings. Every call runs on the store's thread."""

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from arena_desktop.domain.policy import Policy
from arena_desktop.domain.roster import Roster
from arena_desktop.errors import ArenaError
from arena_desktop.ratings import NotConverged
from arena_desktop.ratings.standings import Standings
from arena_desktop.ratings.verdict import verdict
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.battle_needs import Moves
from arena_desktop.services.board_news import board_news
from arena_desktop.services.verdict_words import Voice, board_sentence, pair_sentence, voice_of
from arena_desktop.services.views import BoardView

log = logging.getLogger(__name__)

_SOON_READ = 500
"""So many records are read before the listener notices."""
_UNTIDY = 25
"""So many votes are written before the file is put in order between two battles."""


class Log(Protocol):
    """What is needed of the vote log."""

    def append_vote(self, draft: Mapping[str, Any], held_back: frozenset[str]) -> dict[str, Any]: ...
    def append_retraction(
        self, vote_id: str, listener: str | None, reason: str, note: str | None = None
    ) -> dict[str, Any]: ...
    def last_position(self) -> int: ...
    def records(self) -> Iterator[dict[str, Any]]: ...
    def is_last(self, record: Mapping[str, Any]) -> bool: ...
    def data_version(self) -> tuple[int, int]: ...
    def is_short(self, records: int) -> bool: ...
    def put_off_tidying(self) -> None: ...
    def tidy(self) -> None: ...


class Ratings(Protocol):
    """What is needed of the board."""

    def refresh(self, breathe: Callable[[], None]) -> None: ...
    def apply(self, record: dict[str, Any]) -> Moves | None: ...
    def hold_back(self, ids: frozenset[str]) -> None: ...
    def look_as(self, listener: str) -> None: ...
    def view(self, arena: str) -> BoardView: ...
    def votes(self, arena: str) -> ArenaVotes: ...
    def use_roster(self, roster: Roster, policy: Policy) -> None: ...


@dataclass(frozen=True)
class Visible:
    """What may be seen of the log: records up to a position, without the votes whose names are held back."""

    upto: int
    held: frozenset[str]


@dataclass(frozen=True)
class _Shown:
    """A board as it was last shown, and what it stood on."""

    view: BoardView
    votes: ArenaVotes


class RatedLog:
    """Stores votes and keeps the ratings equal to a replay of the log, whoever writes to it.

    ``you`` names whoever sits before the window, by pseudonym: sentences about their votes alone say "you".
    ``breathe`` is called every few milliseconds while the log is read; it may cast votes and take them back, nothing
    else.
    """

    def __init__(
        self, votes: Log, ratings: Ratings, you: Callable[[], str] = str, breathe: Callable[[], None] = lambda: None
    ) -> None:
        self._log = votes
        self._ratings = ratings
        self._you = you
        self._breathe = breathe
        self._seen: tuple[int, int] | None = None
        self._stale = False
        self._meanwhile: list[dict[str, Any]] | None = None  # votes cast while the log is being read
        self._held_meanwhile: frozenset[str] | None = None
        self._held: frozenset[str] = frozenset()
        self._shown: dict[str, _Shown] = {}
        self._overtaken: dict[str, _Shown] = {}  # the boards as they were before something came from elsewhere
        self._still = False
        self._known = 0  # the last position of the log that is reckoned with
        self._untidy: int | None = None  # votes written since the file was put in order
        self._own: set[str] = set()  # votes cast or taken back here: some are shown only after a set

    def use_roster(self, roster: Roster, policy: Policy) -> None:
        """Rate under another roster and policy from now on."""
        self._ratings.use_roster(roster, policy)
        self._stale = True
        self._overtaken, self._shown = {}, {}

    def cast(self, draft: dict[str, Any], held_back: frozenset[str]) -> tuple[dict[str, Any], Moves | None]:
        """Store the vote, then rate it. Once it is stored nothing that follows can make it fail.

        Without moves (None) the ratings follow later: the vote doesn't wait until a long log has been read.
        """
        self._overtaken = {}
        self._keep_up()
        if self._untidy is None:
            self._log.put_off_tidying()
        record = self._log.append_vote(draft, held_back)
        self._untidy = (self._untidy or 0) + 1
        self._own.add(str(record["id"]))
        self._known += 1
        try:
            moves = self._rate(record)
            if draft["conditions"]["reveal"] == "set":
                # In the same breath: nothing may look at the board before the new vote is held back.
                self._hold_back(held_back | {str(record["id"])})
            return record, moves
        except Exception:
            log.exception("the vote is stored, but its rating step failed")
            self._stale = True
            return record, {}

    def take_back(self, vote_id: str, listener: str, reason: str = "undo", note: str | None = None) -> None:
        """Retract a vote."""
        self._overtaken = {}
        self._own.add(vote_id)
        self._log.append_retraction(vote_id, listener, reason, note)
        self._known += 1
        self._stale = True

    def tidy(self) -> None:
        """Put the file in order if it is time; asked for while nobody waits for a vote to be stored."""
        if self._untidy is not None and self._untidy >= _UNTIDY:
            self._untidy = 0
            try:
                self._log.tidy()
            except ArenaError:
                log.warning("the vote log could not be put in order; its votes are safe", exc_info=True)

    def hold_back(self, votes: frozenset[str]) -> None:
        """Leave these votes out of what is shown."""
        self._hold_back(votes)

    def visible(self) -> Visible:
        """What may be seen of the log at this moment."""
        return Visible(self._log.last_position(), self._held)

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

    def live_elo(self, arena: str) -> Mapping[str, float]:
        """Live Elo of the arena's models as the board shows it, after whatever else was written to the log."""
        return {row.repo_id: row.elo for row in self.view(arena).rows}

    def came_in(self) -> bool:
        """Whether somebody else's records wait in the log to be looked at."""
        return self._seen is not None and self._log.last_position() > self._known

    def sentence(self, record: Mapping[str, Any], *, of_set: bool) -> str:
        """The verdict after a vote in words: on the two it compared, or with ``of_set`` on the two at the top.

        Empty for a vote that counts on no board.
        """
        votes = self.votes(str(record["arena"]))
        table, vote_id = votes.table, str(record["id"])
        places = range(len(table) - 1, -1, -1)  # the newest first
        place = next((place for place in places if table.id(place) == vote_id), None)
        if place is None:
            return ""
        if of_set:
            return _at_the_top(votes)
        standings = _standings(votes)
        if standings is None:
            return ""
        # The very vote says which models of the board these are: a policy may have other names for them.
        found = verdict(standings, votes.met, (int(table.a[place]), int(table.b[place])))
        return pair_sentence(found, _names(votes), voice_of(table, standings, votes.you))

    def _hold_back(self, votes: frozenset[str]) -> None:
        self._held = votes
        if self._meanwhile is None:
            self._ratings.hold_back(votes)
        else:
            self._held_meanwhile = votes

    def _rate(self, record: dict[str, Any]) -> Moves | None:
        # One step is exact only if nothing else was written since the ratings were made, and the vote is last in order.
        last = self._log.is_last(record)
        if self._meanwhile is not None and last:
            self._meanwhile.append(record)
            return None
        version = self._log.data_version()
        seen = self._seen
        if not last or self._stale or seen is None or version != (seen[0], seen[1] + 1):
            self._stale = True
            return None
        moves = self._ratings.apply(record)
        self._seen, self._stale = version, moves is None
        return moves

    def _keep_up(self) -> None:
        try:
            if self._meanwhile is None and self._log.is_short(_SOON_READ):
                self._catch_up()
        except Exception:  # the ratings must never stand in the way of the vote
            log.exception("the ratings could not be brought up to date before a vote")

    def _catch_up(self) -> None:
        version = self._log.data_version()
        if version == self._seen and not self._stale:
            return
        by_others = self._seen is not None and version[0] != self._seen[0]
        self._stale, self._meanwhile, self._known = False, [], self._log.last_position()
        try:
            self._ratings.refresh(self._breathe)
        except BaseException:
            self._stale, self._meanwhile = True, None
            raise
        cast, self._meanwhile = self._meanwhile, None
        held, self._held_meanwhile = self._held_meanwhile, None
        self._seen = version
        if by_others:
            self._overtaken = {**self._shown, **self._overtaken}
        # Votes cast meanwhile are steps that follow, unless something else was written beside them: then all is read
        # again at the next look.
        if self._log.data_version() == (version[0], version[1] + len(cast)):
            for record in cast:
                self._stale = self._ratings.apply(record) is None or self._stale
            self._seen = (version[0], version[1] + len(cast))
        if held is not None:
            self._ratings.hold_back(held)


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
