"""The votes that are shown: Live Elo of all arenas, and each arena's votes as columns."""

from collections import Counter

from arena_desktop.domain.roster import ArenaSpec, Roster
from arena_desktop.ratings import EloStore
from arena_desktop.ratings.table_builder import TableBuilder
from arena_desktop.ratings.vote_table import Make, VoteRow
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
    """One arena's counted votes, and under which conditions they were cast."""

    def __init__(self, arena: ArenaSpec) -> None:
        self.votes = TableBuilder(arena.models)
        self.conditions: Counter[tuple[str | None, bool]] = Counter()
        self.unnamed = 0
        self._last_make: dict[str, Make] = {}
        self._makes: dict[str, tuple[set[str], ...]] = {}

    def add(self, vote: VoteRow) -> None:
        """Count one vote."""
        self.votes.add(vote)
        self.conditions[vote.condition.question, vote.condition.silent] += 1
        self.unnamed += not isinstance(vote.listener, str)
        for repo_id, make in ((vote.a, vote.make_a), (vote.b, vote.make_b)):
            if self._last_make.get(repo_id) != make:
                self._last_make[repo_id] = make
                self._note_make(repo_id, make)

    def _note_make(self, repo_id: str, make: Make) -> None:
        seen_of = self._makes.setdefault(repo_id, tuple(set() for _ in Make._fields))
        for seen, value in zip(seen_of, make, strict=True):
            if value is not None:
                seen.add(value)

    def condition_rows(self) -> list[dict[str, object]]:
        """``{question, silent, votes}`` of each condition, unknown questions first."""
        ordered = sorted(
            self.conditions, key=lambda condition: (condition[0] is not None, condition[0] or "", condition[1])
        )
        return [
            {"question": question, "silent": silent, "votes": self.conditions[question, silent]}
            for question, silent in ordered
        ]

    def mixed_makes(self) -> dict[str, tuple[str, ...]]:
        """Models that were not the same throughout: for each, what differed."""
        mixed = {
            repo_id: tuple(part for part, seen in zip(Make._fields, seen_of, strict=True) if len(seen) > 1)
            for repo_id, seen_of in self._makes.items()
        }
        return {repo_id: parts for repo_id, parts in mixed.items() if parts}


class BoardPool:
    """All arenas' shown votes. ``store`` must already have every vote handed to :meth:`add_rated`."""

    def __init__(self, roster: Roster, store: EloStore) -> None:
        self.store = store
        self.arenas = {arena.id: ArenaPool(arena) for arena in roster.arenas.values()}

    def add_rated(self, vote: CountedVote) -> None:
        """Count a vote that ``store`` has applied."""
        self.arenas[vote.arena].add(vote.row)

    def add(self, vote: CountedVote) -> None:
        """Apply and count the next vote."""
        self.store.record_vote(vote.arena, vote.row.a, vote.row.b, vote.row.vote)
        self.add_rated(vote)
