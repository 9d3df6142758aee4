"""The votes that are shown: Live Elo of all arenas, and each arena's votes as columns."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from arena_desktop.domain.roster import ArenaSpec, Roster
from arena_desktop.ratings import EloStore
from arena_desktop.ratings.arrays import IntArray, counted
from arena_desktop.ratings.table_builder import TableBuilder
from arena_desktop.ratings.vote_table import Make, VoteTable, capped
from arena_desktop.services.counted_votes import CountedVote


def elo_store(roster: Roster) -> EloStore:
    """An empty store for this roster."""
    models = [
        {
            "repo_id": model.repo_id,
            "name": model.name,
            "params": model.params,
            "params_m": model.params_m,
            "tts_index": model.tts_index,
        }
        for model in roster.models.values()
    ]
    return EloStore(models, {arena.id: arena.models for arena in roster.arenas.values()})


class ArenaPool:
    """One arena's counted votes, and under which conditions they were cast. ``cap``: for how many votes a listener
    counts at most in fits (None: for all).
    """

    def __init__(self, arena: ArenaSpec, cap: int | None = None) -> None:
        self.votes = TableBuilder(arena.models)
        self._cap = cap
        self._capped: tuple[VoteTable, VoteTable] | None = None

    def table(self) -> VoteTable:
        """The votes so far with their weights; the same object until one is added."""
        table = self.votes.table()
        if self._cap is None:
            return table
        if self._capped is None or self._capped[0] is not table:
            self._capped = table, capped(table, self._cap)
        return self._capped[1]

    @property
    def conditions(self) -> dict[tuple[str | None, bool], int]:
        """How many votes were cast under each question, without sound (--silent) or not."""
        table = self.table()
        found: Counter[tuple[str | None, bool]] = Counter()
        for condition, votes in zip(table.conditions, _times(table.condition, len(table.conditions)), strict=True):
            found[condition.question, condition.silent] += votes
        return dict(found)

    @property
    def unnamed(self) -> int:
        """How many votes name no listener."""
        table = self.table()
        by_listener = zip(table.listeners, _times(table.listener, len(table.listeners)), strict=True)
        return sum(votes for listener, votes in by_listener if not isinstance(listener, str))

    def condition_rows(self) -> list[dict[str, object]]:
        """``{question, silent, votes}`` of each condition, unknown questions first."""
        conditions = self.conditions
        ordered = sorted(conditions, key=lambda condition: (condition[0] is not None, condition[0] or "", condition[1]))
        return [
            {"question": question, "silent": silent, "votes": conditions[question, silent]}
            for question, silent in ordered
        ]

    def mixed_makes(self) -> dict[str, tuple[str, ...]]:
        """Models that were not the same throughout, in the roster's order: for each, what differed."""
        table = self.table()
        kinds = max(1, len(table.makes))
        sides = [counted(side * kinds + make, len(table.models) * kinds)[0] for side, make in _sides(table)]
        seen = np.union1d(*sides)
        makes: dict[str, list[Make]] = {}
        for model, make in zip((seen // kinds).tolist(), (seen % kinds).tolist(), strict=True):
            makes.setdefault(table.models[model], []).append(table.makes[make])
        mixed = {repo_id: _differing(found) for repo_id, found in makes.items() if len(found) > 1}
        return {repo_id: parts for repo_id, parts in mixed.items() if parts}


def _times(codes: IntArray, names: int) -> list[int]:
    times: list[int] = np.bincount(codes, minlength=names).tolist()
    return times


def _sides(table: VoteTable) -> Iterator[tuple[IntArray, IntArray]]:
    """The models, and what stood behind them, on each side."""
    yield table.a, table.make_a
    yield table.b, table.make_b


def _differing(makes: list[Make]) -> tuple[str, ...]:
    """The parts of which these have more than one; a vote that doesn't say is no difference."""
    return tuple(
        part for part, values in zip(Make._fields, zip(*makes, strict=True), strict=True) if len({*values} - {None}) > 1
    )


class BoardPool:
    """All arenas' shown votes. ``store`` must already have every vote handed to :meth:`add_rated`."""

    def __init__(self, roster: Roster, store: EloStore, cap: int | None = None) -> None:
        self.store = store
        self.arenas = {arena.id: ArenaPool(arena, cap) for arena in roster.arenas.values()}

    def add_rated(self, vote: CountedVote) -> None:
        """Count a vote that ``store`` has applied."""
        self.arenas[vote.arena].votes.add(vote.row)

    def add(self, vote: CountedVote) -> None:
        """Apply and count the next vote."""
        self.store.record_vote(vote.arena, vote.row.a, vote.row.b, vote.row.vote)
        self.add_rated(vote)
