"""What an export hands over: the very records, and of its votes whether each counts and why not."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from arena_desktop.domain.canonical import canonical, read_stored
from arena_desktop.domain.log_header import make_header
from arena_desktop.domain.reading import RETRACTED, Jury, why_idle
from arena_desktop.domain.records import VOTE, canonical_key, type_of
from arena_desktop.domain.roster import Roster
from arena_desktop.domain.stations import tally_stations
from arena_desktop.domain.vote_filter import VoteFilter
from arena_desktop.services.board_pool import elo_store
from arena_desktop.services.recount import Places
from arena_desktop.store.picking import Picked
from arena_desktop.store.vote_log import VoteLog

NOT_PUBLIC = ("private", "original")
"""Keys that a public export leaves out; the records verify without them."""

_BETWEEN = 256
"""Records between two words on how far it is."""
_OF_A_RETRACTION = ("id", "station_id", "listener", "retracts", "at", "reason", "hash")
"""What is kept of each retraction of the log."""


@dataclass(frozen=True, slots=True)
class JudgedVote:
    """A vote of an export, as its record stands in the log. ``why_not``: why it doesn't count, None if it does.

    ``retraction``: what took it back (its id, station, listener, time and reason), None if nothing did.
    """

    record: dict[str, Any]
    why_not: str | None
    retraction: Mapping[str, Any] | None


class ExportSource:
    """The records that an export writes, read from one moment of a log, in canonical order.

    ``public``: without what a public export leaves out. ``roster``: votes that no arena of it has a place for don't
    count; None passes over that. ``silent``: whether votes cast under ``--silent`` count. ``progress`` is told how many
    of the log's records have been looked at.

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
        silent: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.public = public
        self.roster = roster
        self.silent = silent
        self.options = chosen.options()
        self.written = 0
        self.left_out: Counter[str] = Counter()
        self.odd: Counter[str] = Counter()
        self._log = log
        self._picked = Picked(log, chosen)
        self._progress = progress

    def header(self) -> dict[str, Any]:
        """The header of a file with these records."""
        records = 0

        def places() -> Iterator[tuple[str | None, int | None, str]]:
            nonlocal records
            for number, place in enumerate(self._picked.places()):
                if number % _BETWEEN == 0:
                    self._tell(0)  # nothing is done yet, but whoever waits may have had enough
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
        """Each vote that counts."""
        for vote in self._judged():
            if vote.why_not is None:
                self.written += 1
                yield vote.record

    def _judged(self) -> Iterator[JudgedVote]:
        conflicts = self._log.conflicts()
        retractions = _Retractions(self._log.retractions(), conflicts)
        jury = Jury(retractions.every, conflicts, silent=self.silent)
        places = None if self.roster is None else Places(self.roster, elo_store(self.roster))
        for record in self.records():
            if type_of(record) != VOTE:
                continue
            reason = jury.why_not(record, foreign=False)
            if reason is None and places is not None:
                reason = places.why_not(record)
            if reason is not None:
                self.left_out[reason] += 1
            yield JudgedVote(record, reason, retractions.against(record) if reason == RETRACTED else None)

    def _texts(self) -> Iterator[bytes]:
        done = 0
        self._tell(done)
        for done, text in enumerate(self._picked.texts(), 1):
            if done % _BETWEEN == 0:
                self._tell(done)
            if text is not None:
                yield text
        self._tell(done)

    def _tell(self, done: int) -> None:
        if self._progress is not None:
            self._progress(done)


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
