"""What an export hands over: the very records, and of its votes whether each counts and why not."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from arena_desktop.domain.canonical import canonical, read_stored
from arena_desktop.domain.log_header import make_header
from arena_desktop.domain.policy import Policy
from arena_desktop.domain.records import VOTE, type_of
from arena_desktop.domain.roster import Roster
from arena_desktop.domain.stations import tally_stations
from arena_desktop.domain.vote_filter import VoteFilter
from arena_desktop.services.vote_exports.judge import Judge, JudgedVote
from arena_desktop.store.picking import Picked
from arena_desktop.store.vote_log import VoteLog

NOT_PUBLIC = ("private", "original")
"""Keys that a public export leaves out; the records verify without them."""

_BETWEEN = 256
"""Records between two words on how far it is."""


class ExportSource:
    """The records that an export writes, read from one moment of a log, in canonical order.

    ``public``: without what a public export leaves out. ``roster``: votes that no arena of it has a place for don't
    count; None passes over that. ``policy``: under what names votes are read, and which don't count after all.
    ``silent``: whether votes cast under ``--silent`` count. ``progress`` is told how many of the log's records have
    been looked at.

    Once they have been read, ``written`` counts the records (or votes) that were handed out, ``left_out`` the votes
    that don't count, by the reason, ``odd`` values that a format left out because they were not of their column's
    type, by the column.
    """

    def __init__(
        self,
        log: VoteLog,
        chosen: VoteFilter,
        *,
        public: bool,
        roster: Roster | None = None,
        policy: Policy | None = None,
        silent: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.public = public
        self.options = chosen.options()
        self.written = 0
        self.left_out: Counter[str] = Counter()
        self.odd: Counter[str] = Counter()
        self._log = log
        self._roster = roster
        self._policy = Policy() if policy is None else policy
        self._silent = silent
        self._picked = Picked(log, chosen)
        self._progress = progress
        self._judge: Judge | None = None
        self._looks = 0

    def header(self) -> dict[str, Any]:
        """The header of a file with these records."""
        records = 0

        def places() -> Iterator[tuple[str | None, int | None, str]]:
            nonlocal records
            for place in self._picked.places():
                self._alive()
                if place is not None:
                    records += 1
                    yield place

        tallies = tally_stations(places())
        return make_header(records, tallies, self.options)

    def texts(self) -> Iterator[bytes]:
        """The canonical form of each record."""
        for text in map(canonical, self.records()) if self.public else self._texts():
            self.written += 1
            yield text

    def records(self) -> Iterator[dict[str, Any]]:
        """Each record."""
        for text in self._texts():
            record: dict[str, Any] = read_stored(text)
            if self.public:
                for key in NOT_PUBLIC:
                    record.pop(key, None)
            yield record

    def votes(self) -> Iterator[JudgedVote]:
        """Each vote. What is a vote in type alone is one that doesn't count."""
        for vote in self._judged():
            self.written += 1
            yield vote

    def counted(self) -> Iterator[dict[str, Any]]:
        """Each vote that counts, under the policy's names."""
        for vote in self._judged():
            if vote.why_not is None:
                self.written += 1
                yield vote.read_as

    def board_roster(self) -> Roster:
        """The roster whose boards have a place for the votes that count: under the policy's names. ``ValueError``
        without a roster.
        """
        found = self._judging().roster
        if found is None:
            raise ValueError("a board needs a roster")
        return found

    def _judged(self) -> Iterator[JudgedVote]:
        judge = self._judging()
        for record in self.records():
            if type_of(record) == VOTE:
                vote = judge.judge(record)
                if vote.why_not is not None:
                    self.left_out[vote.why_not] += 1
                yield vote

    def _judging(self) -> Judge:
        if self._judge is None:
            self._judge = Judge(self._log, self._roster, self._policy, silent=self._silent, alive=self._alive)
        return self._judge

    def _texts(self) -> Iterator[bytes]:
        done = 0
        self._tell(done)
        for done, text in enumerate(self._picked.texts(), 1):
            if done % _BETWEEN == 0:
                self._tell(done)
            if text is not None:
                yield text
        self._tell(done)

    def _alive(self) -> None:
        """Before anything is done whoever waits may have had enough, too."""
        self._looks += 1
        if self._looks % _BETWEEN == 0:
            self._tell(0)

    def _tell(self, done: int) -> None:
        if self._progress is not None:
            self._progress(done)
