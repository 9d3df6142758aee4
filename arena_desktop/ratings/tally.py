"""One arena's numbers: each model's rating and counts, and what each pair did."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from arena_desktop.ratings.elo import SCORES, step

COUNTS = ("wins", "losses", "ties", "both_bad")

_COUNT_OF_A = {"a": "wins", "b": "losses", "tie": "ties", "both_bad": "both_bad"}
_COUNT_OF_B = {"a": "losses", "b": "wins", "tie": "ties", "both_bad": "both_bad"}


@dataclass(slots=True)
class ModelTally:
    """One model in one arena. ``battles`` is always the sum of the four counts."""

    repo_id: str
    elo: float
    battles: int = 0
    wins: int = 0
    losses: int = 0
    ties: int = 0
    both_bad: int = 0

    def count(self, kind: str, times: int) -> None:
        """Add ``times`` battles that ended as ``kind``, one of :data:`COUNTS`."""
        self.battles += times
        setattr(self, kind, getattr(self, kind) + times)

    def to_dict(self) -> dict[str, Any]:
        """The tally as the saved state and the replay report write it."""
        return {key: getattr(self, key) for key in ("repo_id", "elo", "battles", *COUNTS)}


Pairs = dict[tuple[str, str], list[float]]
"""(lower id, higher id) in code-point order -> [games, score of the lower id]."""


@dataclass(slots=True)
class ArenaTally:
    """The models of one arena in roster order, and its pairs.

    ``parked`` are models of a loaded state that the roster no longer has here: kept and saved again, never shown.
    Their pairs stay in ``pairs``.
    """

    models: dict[str, ModelTally]
    pairs: Pairs = field(default_factory=dict)
    parked: dict[str, ModelTally] = field(default_factory=dict)

    @classmethod
    def blank(cls, priors: Mapping[str, float], members: Iterable[str]) -> "ArenaTally":
        """Every member at its prior, no votes."""
        return cls({repo_id: ModelTally(repo_id, priors[repo_id]) for repo_id in members})

    @property
    def total_battles(self) -> int:
        """Votes applied in this arena."""
        return int(sum(games for games, _ in self.pairs.values()))

    def apply(self, a: str, b: str, vote: str) -> dict[str, dict[str, float]]:
        """One vote between two different members: the rating step and the counts.

        Returns each side's rating before and after.
        """
        one, two = self.models[a], self.models[b]
        before = one.elo, two.elo
        after = step(one.elo, two.elo, one.battles, two.battles, SCORES[vote])
        one.elo, two.elo = after
        self.count(a, b, vote, 1)
        return {a: {"before": before[0], "after": after[0]}, b: {"before": before[1], "after": after[1]}}

    def count(self, a: str, b: str, vote: str, times: int) -> None:
        """Add ``times`` equal votes to the counts; ratings stay."""
        self.models[a].count(_COUNT_OF_A[vote], times)
        self.models[b].count(_COUNT_OF_B[vote], times)
        score = SCORES[vote]
        lower, higher, lower_score = (a, b, score) if a < b else (b, a, 1.0 - score)
        pair = self.pairs.setdefault((lower, higher), [0.0, 0.0])
        pair[0] += times
        pair[1] += times * lower_score

    def pair_rows(self) -> list[list[Any]]:
        """``[lower id, higher id, games, score of the lower id]``, in code-point order."""
        return [[lower, higher, *self.pairs[lower, higher]] for lower, higher in sorted(self.pairs)]
