"""The plain way to rate a million votes, as arena programs do it: what the program's own way is compared with.

Nothing here is clever on purpose: a dict for every entry, looked up again at every vote; the fit by sweeps of the
classic minorisation–maximisation scheme (D. R. Hunter, Annals of Statistics 32, 2004), a fixed number of them; the
bootstrap by drawing all votes anew and fitting again.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT, fit_table
from arena_desktop.ratings.elo import ANCHOR, SCALE, SCORES, expected, k_factor
from arena_desktop.ratings.pair_table import PairTable, pair_table
from arena_desktop.ratings.vote_columns import VoteColumns

SWEEPS = 500


class PlainElo:
    """Live Elo of one arena in nested dicts."""

    def __init__(self, priors: Mapping[str, float]) -> None:
        self._priors = dict(priors)
        self.models = {repo_id: self._blank(repo_id) for repo_id in priors}
        self.pairs: dict[str, list[float]] = {}

    def _blank(self, repo_id: str) -> dict[str, Any]:
        prior = self._priors[repo_id]
        return {"repo_id": repo_id, "elo": prior, "battles": 0, "wins": 0, "losses": 0, "ties": 0, "both_bad": 0}

    def replay(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Apply records in order."""
        for record in records:
            a, b, vote = record["model_a"]["repo_id"], record["model_b"]["repo_id"], record["vote"]
            if vote in SCORES and a in self._priors and b in self._priors:
                self._apply(a, b, vote)

    def _apply(self, a: str, b: str, vote: str) -> None:
        one = self.models.setdefault(a, self._blank(a))
        two = self.models.setdefault(b, self._blank(b))
        score = SCORES[vote]
        chance = expected(one["elo"], two["elo"])
        step_a, step_b = k_factor(one["battles"]), k_factor(two["battles"])
        one["elo"] += step_a * (score - chance)
        two["elo"] += step_b * ((1.0 - score) - (1.0 - chance))
        for entry, won, lost in ((one, "a", "b"), (two, "b", "a")):
            entry["battles"] += 1
            if vote == won:
                entry["wins"] += 1
            elif vote == lost:
                entry["losses"] += 1
            elif vote == "tie":
                entry["ties"] += 1
            else:
                entry["both_bad"] += 1
        lower, higher = sorted((a, b))
        pair = self.pairs.setdefault(f"{lower}|{higher}", [0.0, 0.0])
        pair[0] += 1.0
        pair[1] += score if a == lower else 1.0 - score


def plain_fit(pairs: Mapping[str, list[float]], priors: Mapping[str, float]) -> dict[str, float]:
    """Ratings in Elo points after :data:`SWEEPS` sweeps, wherever they have got to."""
    own = {repo_id: 10.0 ** ((prior - ANCHOR) / SCALE) for repo_id, prior in priors.items()}
    strength = dict(own)
    games = []
    wins = dict.fromkeys(priors, 0.0)
    for key, (played, score) in pairs.items():
        one, two = key.split("|")
        games.append((one, two, played))
        wins[one] += score
        wins[two] += played - score
    for _ in range(SWEEPS):
        burden = {repo_id: PRIOR_WEIGHT / (strength[repo_id] + own[repo_id]) for repo_id in strength}
        for one, two, played in games:
            share = played / (strength[one] + strength[two])
            burden[one] += share
            burden[two] += share
        strength = {repo_id: (wins[repo_id] + 0.5 * PRIOR_WEIGHT) / burden[repo_id] for repo_id in strength}
    return {repo_id: ANCHOR + SCALE * math.log10(value) for repo_id, value in strength.items()}


def plain_bootstrap(votes: VoteColumns, resamples: int, seed: int) -> FloatArray:
    """Ratings of so many boards of votes drawn anew, shape (resamples, models)."""
    chance, found = np.random.default_rng(seed), []
    for _ in range(resamples):
        drawn = chance.integers(0, len(votes), len(votes))
        found.append(fit_table(_pairs(votes, drawn), np.full(votes.size, ANCHOR)))
    return np.array(found)


def _pairs(votes: VoteColumns, drawn: IntArray) -> PairTable:
    return pair_table(votes.size, votes.a[drawn], votes.b[drawn], np.ones(len(drawn)), votes.score[drawn])
