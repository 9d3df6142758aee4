"""What a policy means for one board: its names, its exclusions, and the words about both."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from arena_desktop.domain.policy import Policy, policy_hash, policy_json
from arena_desktop.domain.policy_rules import Rules, roster_under
from arena_desktop.domain.reading import EXCLUDED
from arena_desktop.domain.roster import Roster
from arena_desktop.ratings.ballot import NOT_IN_ARENA, UNKNOWN_MODEL
from arena_desktop.services.board_pool import elo_store
from arena_desktop.services.counted_votes import Excluded
from arena_desktop.services.policy_words import policy_notes
from arena_desktop.services.recount import Places

Count = Callable[[dict[str, Any]], object]


def why_not_under(roster: Roster, policy: Policy) -> Callable[[dict[str, Any]], str | None]:
    """Says why the boards under ``policy`` have no place for a vote that counts by itself, None if they have one."""
    own = BoardPolicy(roster, replace(policy, split={}))  # telling votes apart leaves none of them out
    under = own.roster(lambda count: None)
    places = Places(under, elo_store(under))
    return lambda vote: own.read(vote, places)[0]


class BoardPolicy:
    """``policy`` over a roster. ``rules`` is None where there is no policy; then everything is as the log has it.
    ``excluded`` counts the votes that it leaves out.
    """

    def __init__(self, roster: Roster, policy: Policy) -> None:
        self.policy = policy
        self.rules = None if policy.is_empty else Rules(policy)
        self.excluded: Counter[Excluded] = Counter()
        self._given = self._made = roster

    def roster(self, hear: Callable[[Count], object]) -> Roster:
        """The roster under the policy. ``hear`` hands every vote that counts to a function, once: only the log knows
        into what a split competitor falls.
        """
        if self.rules is None:
            return self._given
        rules, makes = self.rules, dict[tuple[str, str], set[str]]()

        def notice(vote: dict[str, Any]) -> None:
            for side in ("model_a", "model_b"):
                name = vote[side]["repo_id"]
                base = rules.split_base(name)
                if base is not None:
                    makes.setdefault((vote["arena"], base), set()).add(name)

        if self.policy.split:
            hear(notice)
        self._made = roster_under(self._given, self.policy, makes)
        return self._made

    def read(self, vote: dict[str, Any], places: Places) -> tuple[str | None, dict[str, Any], str]:
        """Why a vote that counts by itself is on no board, how it is read, and the policy's own words for it."""
        if self.rules is not None:
            words = self.rules.why_out(vote)
            if words is not None:
                return EXCLUDED, vote, words
            vote = self.rules.read(vote)
        return places.why_not(vote), vote, ""

    def is_new(self, vote: dict[str, Any], reason: str | None) -> bool:
        """Whether the roster lacks a model of this vote only because it was made before that split competitor came."""
        if self.rules is None or reason not in (UNKNOWN_MODEL, NOT_IN_ARENA):
            return False
        spec, made = self._given.arenas.get(vote["arena"]), self._made.arenas.get(vote["arena"])
        if spec is None or made is None:
            return False
        bases = {self.rules.base(repo_id) for repo_id in spec.models}
        names = (vote[side]["repo_id"] for side in ("model_a", "model_b"))
        return any(self.rules.split_base(name) in bases and name not in made.models for name in names)

    def notes(self) -> tuple[str, ...]:
        """What the policy does to the board, in sentences; none without one."""
        if self.rules is None:
            return ()
        by_reason: Counter[str] = Counter()
        for one, number in self.excluded.items():
            by_reason[one.reason] += number
        return policy_notes(self.policy, by_reason)

    def excluded_in(self, arena: str) -> dict[Excluded, int]:
        """What it leaves out of one arena."""
        return {one: number for one, number in self.excluded.items() if one.arena == arena}

    def as_json(self) -> dict[str, Any]:
        """``policy_hash`` and ``policy`` as exports have them."""
        whole = None if self.rules is None else policy_json(self.policy)
        return {"policy_hash": policy_hash(self.policy), "policy": whole}
