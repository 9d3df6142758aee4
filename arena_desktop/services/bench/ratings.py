"""Replay, fit and intervals of many votes, each beside the plain way to do it, in one run."""

from collections.abc import Callable
from typing import Any

import numpy as np

from arena_desktop.ratings import EloStore
from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray, sum_by
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT, fit_table
from arena_desktop.ratings.elo import SCORES, prior_elo
from arena_desktop.ratings.pair_table import PairTable, pair_table
from arena_desktop.ratings.standings import rating_standings
from arena_desktop.ratings.vote_columns import VoteColumns
from arena_desktop.services.bench.measure import Cost, cost
from arena_desktop.services.bench.original import SWEEPS, PlainElo, plain_bootstrap, plain_fit

VOTES = 1_000_000
MODELS = 50
LISTENERS = 2_000
RESAMPLES = 1_000
TIMED_RESAMPLES = 10
MANY_MODELS = 2_000
SEED = 20260101

_ARENA = "bench"
_KINDS = tuple(SCORES)


def bench_ratings(votes: int = VOTES, say: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """All comparisons as a JSON object; ``say`` is told what is being measured."""
    chance = np.random.default_rng(SEED)
    ids = [f"bench/model-{number:04d}" for number in range(MODELS)]
    index = dict(zip(ids, chance.normal(82.0, 8.0, MODELS).tolist(), strict=True))
    priors = {repo_id: prior_elo(value) for repo_id, value in index.items()}
    a, b, outcome = _cast(chance, votes, MODELS)
    say("replay")
    replay, pairs = _replay(ids, index, priors, (a, b, outcome))
    say("fit")
    table = pair_table(MODELS, a, b, np.ones(votes), _score(outcome))
    fit = _fit(table, pairs, priors)
    say("intervals")
    # Some listeners vote much and most little, as they do.
    listener = (LISTENERS * chance.random(votes) ** 3).astype(np.int64)
    intervals = _intervals(VoteColumns(MODELS, a, b, _score(outcome), listener))
    say(f"{MANY_MODELS} models")
    return {
        "schema": 1,
        "votes": votes,
        "models": MODELS,
        "listeners": LISTENERS,
        "seed": SEED,
        "replay": replay,
        "fit": fit,
        "intervals": intervals,
        "many_models": _many(chance, votes),
    }


def balance_error(table: PairTable, ratings: FloatArray, prior: FloatArray) -> float:
    """By how many games the score of some model differs most from what its rating lets expect: 0 at the optimum."""
    b = ratings / ELO_PER_LOGIT
    expected = table.games / (1.0 + np.exp(b[table.j] - b[table.i]))
    surplus = table.score - expected
    gap = sum_by(table.i, surplus, table.size) - sum_by(table.j, surplus, table.size)
    gap = gap + PRIOR_WEIGHT * (0.5 - 1.0 / (1.0 + np.exp(prior / ELO_PER_LOGIT - b)))
    return float(np.max(np.abs(gap)))


def _replay(
    ids: list[str], index: dict[str, float], priors: dict[str, float], columns: tuple[IntArray, IntArray, IntArray]
) -> tuple[dict[str, Any], dict[str, list[float]]]:
    sides = [{"repo_id": repo_id} for repo_id in ids]
    votes = zip(*(column.tolist() for column in columns), strict=True)
    records = [
        {"arena": _ARENA, "model_a": sides[a], "model_b": sides[b], "vote": _KINDS[kind]} for a, b, kind in votes
    ]

    def plain() -> PlainElo:
        store = PlainElo(priors)
        store.replay(records)
        return store

    def blank() -> EloStore:
        models = [{"repo_id": repo_id, "name": repo_id, "tts_index": value} for repo_id, value in index.items()]
        return EloStore(models, {_ARENA: ids})

    def of_records() -> EloStore:
        store = blank()
        store.replay(records)
        return store

    def of_arrays() -> EloStore:
        store = blank()
        store.replay_columns({_ARENA: columns})
        return store

    original, by_record, by_array = cost(plain), cost(of_records), cost(of_arrays)
    tallies = by_array.result.tallies(_ARENA)
    apart = max(abs(tallies[repo_id]["elo"] - original.result.models[repo_id]["elo"]) for repo_id in ids)
    report = {
        "original": original.report(),
        "records": {**by_record.report(), "times_as_fast": _times(original, by_record)},
        "arrays": {**by_array.report(), "times_as_fast": _times(original, by_array)},
        "arrays_equal_records": by_array.result.to_dict() == by_record.result.to_dict(),
        "largest_difference_from_original": apart,
    }
    return report, original.result.pairs


def _fit(table: PairTable, pairs: dict[str, list[float]], priors: dict[str, float]) -> dict[str, Any]:
    prior = np.array(list(priors.values()), np.float64)
    original = cost(lambda: plain_fit(pairs, priors))
    newton = cost(lambda: fit_table(table, prior), times=25)
    swept = np.array([original.result[repo_id] for repo_id in priors], np.float64)
    return {
        "original": {**original.report(), "sweeps": SWEEPS, "balance_error": balance_error(table, swept, prior)},
        "newton": {
            **newton.report(),
            "balance_error": balance_error(table, newton.result, prior),
            "times_as_fast": _times(original, newton),
        },
    }


def _intervals(votes: VoteColumns) -> dict[str, Any]:
    bootstrap = cost(lambda: plain_bootstrap(votes, TIMED_RESAMPLES, SEED))
    clustered = cost(lambda: rating_standings(votes, best=False), times=3)
    whole = bootstrap.seconds * RESAMPLES / TIMED_RESAMPLES
    return {
        "bootstrap": {
            "seconds": round(whole, 3),
            "resamples": RESAMPLES,
            "timed_resamples": TIMED_RESAMPLES,
            "peak_mb": round(bootstrap.peak_mb, 2),
        },
        "clustered": {**clustered.report(), "share_of_bootstrap": clustered.seconds / whole},
    }


def _many(chance: np.random.Generator, votes: int) -> dict[str, Any]:
    a, b, outcome = _cast(chance, votes, MANY_MODELS)
    table = pair_table(MANY_MODELS, a, b, np.ones(votes), _score(outcome))
    prior = np.full(MANY_MODELS, 1000.0)
    fitted = cost(lambda: fit_table(table, prior))
    return {
        "models": MANY_MODELS,
        "pairs": len(table.i),
        **fitted.report(),
        "balance_error": balance_error(table, fitted.result, prior),
    }


def _cast(chance: np.random.Generator, votes: int, models: int) -> tuple[IntArray, IntArray, IntArray]:
    """Votes between random pairs of models whose strengths have a standard deviation of 100 Elo, one in six a draw."""
    strength = chance.normal(0.0, 100.0 / ELO_PER_LOGIT, models)
    a = chance.integers(0, models, votes)
    b = (a + chance.integers(1, models, votes)) % models
    first = chance.random(votes) < 1.0 / (1.0 + np.exp(strength[b] - strength[a]))
    outcome = np.where(first, _KINDS.index("a"), _KINDS.index("b"))
    drawn = chance.random(votes)
    outcome = np.where(drawn < 1 / 8, _KINDS.index("tie"), outcome)
    outcome = np.where(drawn > 23 / 24, _KINDS.index("both_bad"), outcome)
    return a, b, outcome.astype(np.int64, copy=False)


def _score(outcome: IntArray) -> FloatArray:
    return np.array(list(SCORES.values()), np.float64)[outcome]


def _times(slow: Cost[Any], fast: Cost[Any]) -> float:
    return slow.seconds / max(fast.seconds, 1e-9)
