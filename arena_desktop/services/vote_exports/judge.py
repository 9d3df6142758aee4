"""Which votes of a log count, why the others don't, and under what names a policy reads them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from arena_desktop.domain.policy import Policy
from arena_desktop.domain.reading import EXCLUDED, RETRACTED, Jury, why_idle
from arena_desktop.domain.records import VOTE, canonical_key, type_of
from arena_desktop.domain.roster import Roster
from arena_desktop.services.board_policy import BoardPolicy
from arena_desktop.services.board_pool import elo_store
from arena_desktop.services.recount import Places
from arena_desktop.store.vote_log import VoteLog

_OF_A_RETRACTION = ("id", "station_id", "listener", "retracts", "at", "reason", "hash")
"""What is kept of each retraction of the log."""


@dataclass(frozen=True, slots=True)
class JudgedVote:
    """A vote, as its record stands in the log. ``why_not``: why it doesn't count, None if it does.

    ``read_as``: the record under the policy's names; the very record without a policy, or where the vote doesn't get
    that far. ``excluded``: the policy's own words for leaving it out, "" if it doesn't. ``retraction``: what took it
    back (its id, station, listener, time and reason), None if nothing did.
    """

    record: dict[str, Any]
    why_not: str | None
    read_as: dict[str, Any]
    excluded: str = ""
    retraction: Mapping[str, Any] | None = None


class Judge:
    """Judges the votes of ``log``, one moment of it, as the boards of ``roster`` under ``policy`` do. Without a roster
    votes need no place on a board.

    ``roster`` is the effective one, under the policy. ``alive`` is called now and then; what it raises comes out.
    """

    def __init__(
        self, log: VoteLog, roster: Roster | None, policy: Policy, *, silent: bool, alive: Callable[[], None]
    ) -> None:
        conflicts = log.conflicts()
        self._retractions = _Retractions(log.retractions(), conflicts)
        self._jury = Jury(self._retractions.every, conflicts, silent=silent)
        board = BoardPolicy(Roster({}, {}) if roster is None else roster, policy)
        self._rules = board.rules

        def hear(notice: Callable[[dict[str, Any]], object]) -> None:
            for record in log.records():
                alive()
                if type_of(record) == VOTE and self._jury.why_not(record, foreign=False) is None:
                    self._notice(record, notice)

        self.roster = None if roster is None else board.roster(hear)
        self._places = None if self.roster is None else Places(self.roster, elo_store(self.roster))

    def judge(self, record: dict[str, Any]) -> JudgedVote:
        """Say what becomes of a vote."""
        reason = self._jury.why_not(record, foreign=False)
        if reason is not None:
            taken_back = self._retractions.against(record) if reason == RETRACTED else None
            return JudgedVote(record, reason, record, retraction=taken_back)
        read_as = record
        if self._rules is not None:
            words = self._rules.why_out(record)
            if words is not None:
                return JudgedVote(record, EXCLUDED, record, words)
            read_as = self._rules.read(record)
        return JudgedVote(record, None if self._places is None else self._places.why_not(read_as), read_as)

    def _notice(self, record: dict[str, Any], notice: Callable[[dict[str, Any]], object]) -> None:
        if self._rules is not None and self._rules.why_out(record) is None:
            notice(self._rules.read(record))


class _Retractions:
    """The retractions of a log, as little of each as it takes. ``every``: all of them, in canonical order."""

    def __init__(self, records: Iterable[dict[str, Any]], conflicts: set[str]) -> None:
        slim = ({key: record.get(key) for key in _OF_A_RETRACTION} for record in records)
        self.every = sorted(slim, key=canonical_key)
        self._conflicts = conflicts
        self._of: dict[object, list[dict[str, Any]]] = {}
        for retraction in self.every:
            self._of.setdefault(retraction["retracts"], []).append(retraction)

    def against(self, vote: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The first one that takes this vote back."""
        found = self._of.get(vote["id"], ())
        return next((one for one in found if why_idle(one, vote, one["id"] in self._conflicts) is None), None)
