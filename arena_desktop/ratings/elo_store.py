"""The store of Live Elo: every arena's ratings, counts and pairs, from one vote to the next."""

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from arena_desktop.ratings import ballot
from arena_desktop.ratings.array_replay import replay_tally
from arena_desktop.ratings.arrays import IntArray
from arena_desktop.ratings.elo import SCORES
from arena_desktop.ratings.faults import RatingError, VoteRefused, shown
from arena_desktop.ratings.registry import rated_arenas, rated_models
from arena_desktop.ratings.replay import ReplayReport, replay_votes
from arena_desktop.ratings.rows import elo_rows
from arena_desktop.ratings.state import load_state, save_state
from arena_desktop.ratings.tally import ArenaTally


class EloStore:
    """Live Elo of all arenas of one roster. One thread at a time may change it.

    ``models`` are objects ``{repo_id, name, params, params_m, tts_index}``, ``arenas`` maps an arena's id to its
    models' ids in order. A model in two arenas has a separate record in each. Raises :class:`RegistryError` where the
    two contradict each other.
    """

    def __init__(self, models: Iterable[Mapping[str, object]], arenas: Mapping[str, Iterable[str]]) -> None:
        self._models = rated_models(models)
        self._arenas = rated_arenas(arenas, self._models)
        self._members = {arena: frozenset(members) for arena, members in self._arenas.items()}
        self._tallies = self._blank()
        self._parked_arenas: dict[str, ArenaTally] = {}

    @classmethod
    def from_dict(
        cls, state: object, models: Iterable[Mapping[str, object]], arenas: Mapping[str, Iterable[str]]
    ) -> "EloStore":
        """The store of a saved state, version 2.

        Arenas and models that the roster doesn't have are kept for the next save; models that the state doesn't have
        start at their prior. Raises :class:`StateError` naming the first thing in the state that can't be right.
        """
        store = cls(models, arenas)
        for arena, saved in load_state(state).items():
            blank = store._tallies.get(arena)
            if blank is None:
                store._parked_arenas[arena] = saved
                continue
            members = {repo_id: saved.models.pop(repo_id, fresh) for repo_id, fresh in blank.models.items()}
            store._tallies[arena] = ArenaTally(members, saved.pairs, parked=saved.models)
        return store

    def to_dict(self) -> dict[str, object]:
        """The state to save, version 2. Raises :class:`StateError` where an id with a bar makes a pair ambiguous."""
        return save_state({**self._parked_arenas, **self._tallies})

    def copy(self) -> "EloStore":
        """A store with the same numbers that goes its own way from here."""
        return copy.deepcopy(self)

    def record_vote(self, arena: str, a: str, b: str, vote: str) -> dict[str, dict[str, float]]:
        """Apply one vote and return ``{repo_id: {"before", "after"}}`` of both models.

        Raises :class:`VoteRefused`, and then changes nothing. The cost does not depend on the size of the roster.
        """
        reason = ballot.vote_fault(a, b, vote) or ballot.roster_fault(arena, a, b, self._models, self._members)
        if reason is not None:
            raise _refusal(reason, arena, a, b, vote)
        return self._tallies[arena].apply(a, b, vote)

    def replay(self, records: Iterable[object]) -> ReplayReport:
        """Rebuild the roster's arenas from ``records`` alone, applied in the order given.

        A record that is no vote of this roster is skipped and reported, whatever it is. If the iterable raises,
        nothing has changed.
        """
        fresh = self._blank()
        report = replay_votes(fresh, records, self.fault)
        self._tallies = fresh
        return report

    def replay_columns(self, votes: Mapping[str, tuple[IntArray, IntArray, IntArray]]) -> None:
        """As :meth:`replay`, from numbers: for each arena the positions of A and B among its models in the roster's
        order, and of the outcome in ``SCORES``, each of shape (votes,). The result is the same to the last bit.
        """
        fresh = self._blank()
        for arena, (a, b, outcome) in votes.items():
            replay_tally(fresh[arena], a, b, outcome)
        self._tallies = fresh

    def fault(self, record: object) -> str | None:
        """Why this store can't apply ``record``, in the words of :mod:`~arena_desktop.ratings.ballot`, or None."""
        reason = ballot.record_fault(record)
        if reason is not None or not isinstance(record, dict):
            return reason
        a, b = record["model_a"]["repo_id"], record["model_b"]["repo_id"]
        return ballot.roster_fault(record["arena"], a, b, self._models, self._members)

    def rows(self, arena: str) -> list[dict[str, object]]:
        """The leaderboard of one arena, see :func:`arena_desktop.ratings.rows.elo_rows`."""
        return elo_rows(self._tally(arena).models.values(), self._models)

    def total_battles(self, arena: str) -> int:
        """Votes applied in ``arena``."""
        return self._tally(arena).total_battles

    def tallies(self, arena: str) -> dict[str, dict[str, Any]]:
        """Each model's ``{repo_id, elo, battles, wins, losses, ties, both_bad}``, in roster order."""
        return {repo_id: model.to_dict() for repo_id, model in self._tally(arena).models.items()}

    def pairs(self, arena: str) -> list[list[Any]]:
        """``[lower id, higher id, games, score of the lower id]`` of each pair that met: what a fit takes.

        Pairs with a model that has left the roster are left out.
        """
        tally = self._tally(arena)
        return [row for row in tally.pair_rows() if row[0] in tally.models and row[1] in tally.models]

    def priors(self, arena: str) -> dict[str, float]:
        """Each model's rating before any vote."""
        return {repo_id: self._models[repo_id].prior for repo_id in self._tally(arena).models}

    @property
    def arenas(self) -> tuple[str, ...]:
        """The roster's arenas, in its order."""
        return tuple(self._arenas)

    def _blank(self) -> dict[str, ArenaTally]:
        priors = {repo_id: model.prior for repo_id, model in self._models.items()}
        return {arena: ArenaTally.blank(priors, members) for arena, members in self._arenas.items()}

    def _tally(self, arena: str) -> ArenaTally:
        if not isinstance(arena, str) or arena not in self._tallies:
            raise RatingError(
                f"There is no arena {shown(arena)}.", f"Known arenas: {', '.join(self._tallies) or 'none'}."
            )
        return self._tallies[arena]


_REFUSALS = {
    ballot.UNKNOWN_ARENA: "There is no arena {arena} in the roster.",
    ballot.UNKNOWN_MODEL: "{a} or {b} is not in the roster.",
    ballot.NOT_IN_ARENA: "{a} or {b} is not in the arena {arena}.",
    ballot.SELF_BATTLE: "{a} can't be voted on against itself.",
    ballot.UNKNOWN_VOTE: "{vote} is not a vote.",
}


def _refusal(reason: str, arena: object, a: object, b: object, vote: object) -> VoteRefused:
    sentence = _REFUSALS[reason].format(arena=shown(arena), a=shown(a), b=shown(b), vote=shown(vote))
    return VoteRefused(reason, sentence, f"Votes are {', '.join(SCORES)}." if reason == ballot.UNKNOWN_VOTE else "")
