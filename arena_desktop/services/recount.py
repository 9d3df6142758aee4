"""A board made anew from a log, vote by vote. Of a record nothing is kept but what its columns hold."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from arena_desktop.domain.policy_rules import Rules
from arena_desktop.domain.reading import EXCLUDED, Jury, Reading
from arena_desktop.domain.records import RETRACTION, VOTE, Kind, kind_of, type_of
from arena_desktop.domain.roster import Roster
from arena_desktop.ratings import EloStore
from arena_desktop.ratings.arrays import IntArray
from arena_desktop.ratings.ballot import UNKNOWN_ARENA, UNKNOWN_MODEL
from arena_desktop.ratings.vote_table import OUTCOMES
from arena_desktop.services.board_pool import BoardPool, elo_store
from arena_desktop.services.counted_votes import CountedVote, Excluded, counted_vote, excluded_as, question_of

OTHER_QUESTION = "another question"
"""Why a vote is left out that was cast under another question than its arena's."""

_BREATH = 64
"""Records between two breaths: a few milliseconds."""
_OUTCOME = {vote: position for position, vote in enumerate(OUTCOMES)}


class VoteSource(Protocol):
    """Where a board reads its votes."""

    def moment(self) -> AbstractContextManager["VoteSource"]:
        """The source as it is at this moment, whatever is written to it meanwhile."""

    def records(self) -> Iterator[dict[str, Any]]:
        """Every record in canonical order."""

    def retractions(self) -> Iterable[dict[str, Any]]:
        """The records among them that take something back, in any order."""

    def conflicts(self) -> set[str]:
        """The ids that several different records share."""

    def log_hash(self) -> str: ...


@dataclass(frozen=True)
class Heard:
    """What a log says beside its votes: why how many don't count, and what became of its retractions. ``excluded``
    counts those that the policy leaves out.
    """

    left_out: Counter[str]
    idle: list[tuple[str, str]]
    retracted: list[tuple[dict[str, Any], dict[str, Any]]]
    excluded: Counter[Excluded] = field(default_factory=Counter)


def hear_log(
    source: VoteSource,
    silent: bool,
    count: Callable[[dict[str, Any]], object],
    breathe: Callable[[], None],
    rules: Rules | None = None,
) -> Heard:
    """Hand every vote that counts to ``count``, in order; the rules are those of
    :func:`arena_desktop.domain.reading.countable`, and after them those of a policy. ``breathe`` is called every few
    milliseconds; it may write to the source.
    """
    left_out: Counter[str] = Counter()
    sift = None if rules is None else _Sift(rules, count)
    take = count if sift is None else sift.take
    retractions = []
    with source.moment() as then:
        jury = Jury(then.retractions(), then.conflicts(), silent=silent)
        for number, record in enumerate(then.records()):
            if number % _BREATH == 0:
                breathe()
            foreign = kind_of(record) is Kind.FOREIGN
            kind = VOTE if foreign else type_of(record)
            if kind == VOTE:
                reason = jury.why_not(record, foreign=foreign)
                if reason is None:
                    take(record)
                else:
                    left_out[reason] += 1
            elif kind == RETRACTION:
                retractions.append(record)
    settled = jury.settle(retractions)
    idle = [(retractions[place]["id"], reason) for place, reason in settled.idle]
    return _heard(left_out, idle, settled.retracted, sift)


def hear_reading(reading: Reading, count: Callable[[dict[str, Any]], object], rules: Rules | None = None) -> Heard:
    """The same for votes that were read already."""
    sift = None if rules is None else _Sift(rules, count)
    take = count if sift is None else sift.take
    for vote in reading.votes:
        take(vote)
    return _heard(Counter(reason for _, reason in reading.skipped), reading.idle, reading.retracted, sift)


class _Sift:
    """Lets through what a policy lets count, under its names."""

    def __init__(self, rules: Rules, count: Callable[[dict[str, Any]], object]) -> None:
        self.excluded: Counter[Excluded] = Counter()
        self._rules = rules
        self._count = count

    def take(self, vote: dict[str, Any]) -> None:
        """The next vote that counts by itself."""
        reason = self._rules.why_out(vote)
        if reason is None:
            self._count(self._rules.read(vote))
        else:
            self.excluded[excluded_as(reason, vote)] += 1


def _heard(
    left_out: Counter[str],
    idle: list[tuple[str, str]],
    retracted: list[tuple[dict[str, Any], dict[str, Any]]],
    sift: _Sift | None,
) -> Heard:
    if sift is None:
        return Heard(left_out, idle, retracted)
    if sift.excluded:
        left_out[EXCLUDED] += sift.excluded.total()
    return Heard(left_out, idle, retracted, sift.excluded)


class Places:
    """Which votes the boards of a roster have a place for. ``blank`` is an empty store of the same roster."""

    def __init__(self, roster: Roster, blank: EloStore) -> None:
        self._arenas = roster.arenas
        self._models = roster.models
        self._blank = blank
        self.index = {
            arena.id: {repo_id: position for position, repo_id in enumerate(arena.models)}
            for arena in roster.arenas.values()
        }
        """For each arena the positions of its models."""

    def why_not(self, vote: Mapping[str, Any]) -> str | None:
        """Why there is no place for a vote that is none but by the roster, None if there is one."""
        spec = self._arenas.get(vote["arena"])
        if spec is None:
            return self._blank.fault(vote)
        if question_of(vote) not in (None, spec.question):
            return OTHER_QUESTION
        index = self.index[spec.id]
        known = vote["model_a"]["repo_id"] in index and vote["model_b"]["repo_id"] in index
        return None if known else self._blank.fault(vote)

    def strangers(self, vote: Mapping[str, Any], reason: str) -> tuple[str, ...]:
        """What a vote names that the roster lacks, where that is the ``reason`` for having no place."""
        if reason == UNKNOWN_ARENA:
            return (vote["arena"],)
        if reason != UNKNOWN_MODEL:
            return ()
        named = (vote[side]["repo_id"] for side in ("model_a", "model_b"))
        return tuple(repo_id for repo_id in named if isinstance(repo_id, str) and repo_id not in self._models)


class Recount:
    """Collects the votes of a log. ``held``: ids of votes that are rated, but not shown yet. ``cap``: for how many
    votes a listener counts at most in the fits of an arena.

    ``left_out`` counts those that no board has a place for, by the reason; ``strangers`` holds what they name and the
    roster lacks, by the reason too. ``pending`` are the held ones, in order;
    ``overtaken``: one of them has a shown vote after it.
    """

    def __init__(self, roster: Roster, held: frozenset[str], cap: int | None = None) -> None:
        self.left_out: Counter[str] = Counter()
        self.strangers: dict[str, set[str]] = {}
        self.pending: list[CountedVote] = []
        self.overtaken = False
        self._held = held
        self._live = elo_store(roster)
        self._shown = BoardPool(roster, elo_store(roster), cap)
        self._places = Places(roster, self._live)
        self._columns = {arena: (array("q"), array("q"), array("q")) for arena in roster.arenas}

    def count(self, record: dict[str, Any]) -> None:
        """Take the next vote that counts."""
        reason = self._places.why_not(record)
        if reason is not None:
            self.left_out[reason] += 1
            note_strangers(self.strangers, reason, self._places.strangers(record, reason))
            return
        vote = counted_vote(record)
        row = vote.row
        index, (a, b, outcome) = self._places.index[vote.arena], self._columns[vote.arena]
        a.append(index[row.a])
        b.append(index[row.b])
        outcome.append(_OUTCOME[row.vote])
        if row.id in self._held:
            self.pending.append(vote)
        else:
            self.overtaken = self.overtaken or bool(self.pending)
            self._shown.add_rated(vote)

    def result(self) -> tuple[EloStore, BoardPool]:
        """Live Elo of all votes, and the board of those that are shown."""
        live = self._live
        live.replay_columns({arena: _columns(*columns) for arena, columns in self._columns.items()})
        if self.pending:
            tables = {arena: pool.table() for arena, pool in self._shown.arenas.items()}
            self._shown.store.replay_columns(
                {arena: (table.a, table.b, table.outcome) for arena, table in tables.items()}
            )
        else:
            self._shown.store = live.copy()
        return live, self._shown


def note_strangers(strangers: dict[str, set[str]], reason: str, names: Iterable[str]) -> None:
    """Add to what the roster lacks."""
    for name in names:
        strangers.setdefault(reason, set()).add(name)


def _columns(*columns: "array[int]") -> tuple[IntArray, IntArray, IntArray]:
    a, b, outcome = (np.frombuffer(column, np.int64) for column in columns)
    return a, b, outcome
