"""Ratings from plain Python: what the guide shows works, forms of votes agree, and faults are named."""

import json
import math
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena_desktop.errors import ArenaError
from arena_desktop.ratings import (
    NotConverged,
    RatingError,
    VoteRefused,
    audit,
    fit,
    fit_bradley_terry,
    intervals,
    prior_elo,
    rank_ranges,
    simulate,
    vote_table,
)
from arena_desktop.ratings.standings import rating_standings
from arena_desktop.services.vote_tables import read_vote_table
from tests.helpers.rating_vectors import record

ROOT = Path(__file__).parents[3]
VOTES = [
    ("x/one", "x/two", "a", "ann", "p1"),
    ("x/two", "x/one", "b", "ben", "p2"),
    ("x/two", "x/three", "tie", "ann", "p1"),
    ("x/three", "x/one", "a", "ann", "p2"),
    ("x/three", "x/two", "both_bad", "ben", "p1"),
]


def as_records(votes: Sequence[tuple[str, ...]]) -> list[dict[str, Any]]:
    return [
        {"model_a": {"repo_id": a}, "model_b": {"repo_id": b}, "vote": vote, "listener": who, "prompt": {"id": what}}
        for a, b, vote, who, what in votes
    ]


def test_the_guides_notebook_runs_as_printed(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "ratings.md").read_text(encoding="utf-8")
    snippets = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert snippets
    code = "\n".join(snippets)
    lines = [json.dumps(record("english", a, b, vote)) + "\n" for a, b, vote, *_ in VOTES]
    (tmp_path / "votes.jsonl").write_text("".join(lines), encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "error",
            "-c",
            code + "\nimport sys\nassert not [m for m in sys.modules if 'PySide' in m]",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "x/one" in done.stdout


def test_tuples_records_and_tables_are_the_same_votes() -> None:
    by_tuple = fit(VOTES)
    for votes in (as_records(VOTES), vote_table(VOTES), iter(VOTES)):
        assert fit(votes).ratings == by_tuple.ratings
    flat = [dict(zip(("model_a", "model_b", "vote", "listener", "prompt"), vote, strict=True)) for vote in VOTES]
    assert rank_ranges(flat) == rank_ranges(VOTES)
    assert list(by_tuple.ratings) == sorted(by_tuple.ratings, key=lambda name: -(by_tuple.ratings[name] or 0))


def test_a_fit_is_the_boards() -> None:
    panel = simulate(6, 900, listeners=9, seed=3).table()
    board = rating_standings(panel.columns())
    found, ranges = intervals(panel), rank_ranges(panel)
    for name, model in zip(panel.models, board.models, strict=True):
        assert found[name] == pytest.approx((model.rating, model.low, model.high))
        assert ranges[name] == (model.rank, model.rank_low, model.rank_high, model.tier, model.best)


def test_the_four_methods() -> None:
    priors = {"x/one": 1100.0, "x/two": 950.0}
    table = vote_table(VOTES)
    head = fit(VOTES, "bt", prior=priors).ratings
    pairs = [["x/one", "x/two", 2.0, 2.0], ["x/two", "x/three", 2.0, 1.0], ["x/three", "x/one", 1.0, 1.0]]
    assert head == pytest.approx(fit_bradley_terry(pairs, {**priors, "x/three": 1000.0}))
    elo = fit(VOTES, "elo", prior=prior_elo(82)).ratings
    first = 1000 + 48 * 0.5
    assert elo["x/one"] is not None
    assert fit(VOTES[:1], "elo").ratings == {"x/one": first, "x/two": 2000 - first}
    davidson = fit(table, "davidson")
    assert davidson.standings is not None
    assert davidson.standings.nu is not None
    assert sum(rating or 0 for rating in davidson.ratings.values()) / 3 == pytest.approx(1000)


def test_models_are_named_that_have_no_rating() -> None:
    found = fit(VOTES, models=["x/none", "x/one", "x/two", "x/three"])
    assert found.ratings["x/none"] is None
    assert found.unrated == {"x/none": "it has no vote yet"}
    assert "x/none" not in intervals(found)
    assert "x/none" not in rank_ranges(found)
    alone = fit(VOTES[:1], prior=None)
    assert set(alone.unrated) == {"x/one", "x/two"}
    assert alone.ratings == {"x/one": None, "x/two": None}
    assert intervals(alone) == {}
    assert rank_ranges(alone) == {}
    free = fit(VOTES, prior=None)
    assert not free.unrated
    assert set(intervals(free)) == {"x/one", "x/two", "x/three"}


@pytest.mark.parametrize("method", ["rating", "bt", "elo", "davidson"])
def test_no_votes_no_ratings(method: str) -> None:
    assert fit([], method).ratings == {}
    named = fit([], method, models=["x/one", "x/two"]).ratings
    assert set(named.values()) == ({1000.0} if method in ("bt", "elo") else {None})


def test_a_warm_start() -> None:
    before = fit(VOTES[:4], models=["x/one", "x/two", "x/three"])
    again = fit(VOTES, models=["x/one", "x/two", "x/three"], start=before)
    assert again.ratings == pytest.approx(fit(VOTES).ratings)


def test_more_confidence_is_wider() -> None:
    panel = simulate(6, 900, listeners=9, seed=3).table()
    narrow, wide = intervals(panel, confidence=0.8), intervals(panel, confidence=0.99)
    loose, strict = rank_ranges(panel, confidence=0.5), rank_ranges(panel, confidence=0.999)
    for name in panel.models:
        low, high = wide[name].low, wide[name].high
        assert low is not None
        assert high is not None
        assert low < (narrow[name].low or 0.0) < (narrow[name].high or 0.0) < high
        assert strict[name].low <= loose[name].low <= loose[name].high <= strict[name].high
    assert loose != strict


def test_votes_without_listener_or_prompt() -> None:
    bare = [vote[:3] for vote in VOTES]
    found = fit(bare)
    assert found.standings is not None
    assert found.standings.listeners == 1
    assert found.ratings == pytest.approx(fit(VOTES).ratings)


@pytest.mark.parametrize(
    ("votes", "named"),
    [
        ([("x/one", "x/two")], "Vote 0"),
        ([*VOTES, "ab"], "Vote 5"),
        ([*VOTES, None], "Vote 5"),
        ([("x/one", "x/two", "A")], "unknown vote"),
        ([("x/one", "x/one", "a")], "against itself"),
        ([(1, "x/one", "a")], "not in the roster"),
        ([{"model_a": "x/one"}], "not in the roster"),
        ([{}], "Vote 0"),
    ],
)
def test_a_vote_that_is_none_is_named(votes: list[Any], named: str) -> None:
    with pytest.raises(VoteRefused, match=named):
        fit(votes)


def test_arguments_that_make_no_fit() -> None:
    for make, named in (
        (lambda: fit(VOTES, "glicko"), "glicko"),
        (lambda: fit(VOTES, "bt", prior=None), "without a prior"),
        (lambda: fit(VOTES, "elo", prior={"x/one": math.nan}), "x/one"),
        (lambda: fit(VOTES, prior={"x/one": 1000.0}), "one prior for all"),
        (lambda: fit(VOTES, models=["x/one"]), "x/two"),
        (lambda: intervals(VOTES, "elo"), "no interval"),
        (lambda: intervals(VOTES, confidence=95), "95"),
        (lambda: rank_ranges(VOTES, confidence=0), "confidence"),
    ):
        with pytest.raises(RatingError, match=named):
            make()
    assert issubclass(NotConverged, RatingError)


def test_findings_and_simulations_are_at_hand() -> None:
    panel = simulate(["x/a", "x/b", "x/c"], 60, listeners=3, seed=1)
    assert len(audit(vote_table(panel))) > 10
    assert fit(panel).ratings == fit(panel.table()).ratings


def test_a_file_of_votes_is_a_table(tmp_path: Path) -> None:
    file = tmp_path / "votes.json"
    rows = [record("english", a, b, vote) for a, b, vote, *_ in VOTES] + [record("other", "x/one", "x/two", "a")]
    file.write_text(json.dumps([*rows, {"junk": 1}]), encoding="utf-8")
    table = read_vote_table(file, "english")
    assert len(table) == len(VOTES)
    assert fit(table).ratings == pytest.approx(fit(VOTES).ratings)
    with pytest.raises(ArenaError, match="english, other"):
        read_vote_table(file)
    with pytest.raises(ArenaError, match="'attic'"):
        read_vote_table(file, "attic")
    with pytest.raises(ArenaError, match="nothing"):
        read_vote_table(tmp_path / "nothing.jsonl")


def test_functions_keep_their_names_whatever_is_imported() -> None:
    code = (
        "import arena_desktop.ratings as r, sys\n"
        "assert not [m for m in sys.modules if m.startswith(('scipy', 'pandas', 'numpy.random'))]\n"
        "import arena_desktop.ratings.audit.case, arena_desktop.ratings.intervals, arena_desktop.ratings.simulate\n"
        "from arena_desktop.ratings.intervals import CONFIDENCE\n"
        "from arena_desktop.ratings import *\n"
        "print(callable(audit), callable(r.intervals), callable(simulate), callable(r.fit))\n"
        "assert set(r.__all__) <= set(globals())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.stderr) == (["True"] * 4, "")


def test_numbers_are_plain() -> None:
    for rating in fit(VOTES).ratings.values():
        assert type(rating) is float
    for found in intervals(VOTES).values():
        assert not any(isinstance(value, np.generic) for value in found)


def test_islands_have_no_bounds() -> None:
    apart = [("x/one", "x/two", "a"), ("x/three", "x/four", "a")] * 9
    assert {(low, high) for _, low, high in intervals(apart).values()} == {(None, None)}
    for rank in rank_ranges(apart).values():
        assert (rank.tier, rank.best) == (None, None)
        assert rank.high - rank.low >= 2


@pytest.mark.parametrize("votes", [None, 5, "a", b"a", {"a": "b"}, 1.5, fit, fit(VOTES, "elo")])
@pytest.mark.parametrize("call", [fit, audit, intervals, rank_ranges, vote_table])
def test_what_holds_no_votes_is_refused_in_words(call: Any, votes: Any) -> None:
    with pytest.raises(RatingError) as caught:
        call(votes)
    assert caught.value.message
    assert caught.value.remedy


def test_the_audit_takes_whatever_a_fit_takes() -> None:
    panel = simulate(4, 120, listeners=6, seed=2)
    expected = audit(panel.table())
    assert audit(panel) == expected
    assert len(audit(VOTES)) == len(expected)
    assert audit(VOTES) == audit(vote_table(VOTES))
    assert [found.severity for found in audit(as_records(VOTES))] == [found.severity for found in audit(VOTES)]
    assert audit(iter(VOTES)) == audit(VOTES)
    assert len(audit(VOTES, retracted=[("x/one", "x/two", "a", "ann", "p1")])) == len(expected)
    with pytest.raises(VoteRefused, match="Vote 0"):
        audit([("x/one", "x/one", "a")])


@pytest.mark.parametrize(
    "options",
    [
        {"priors": [1000.0]},
        {"priors": "high"},
        {"priors": [math.nan] * 3},
        {"seed": -1},
        {"seed": "x"},
        {"retracted": 3},
        {"retracted": vote_table([("x/other", "x/two", "a")])},
        {"retracted": [("x/other", "x/two", "a")]},
    ],
)
def test_an_audit_of_nonsense_is_refused_in_words(options: dict[str, Any]) -> None:
    with pytest.raises(RatingError):
        audit(VOTES, **options)


@pytest.mark.parametrize("confidence", [None, "0.9", True, 0, 1, math.nan])
def test_a_confidence_that_is_none_is_refused(confidence: Any) -> None:
    for call in (intervals, rank_ranges):
        with pytest.raises(RatingError, match="confidence"):
            call(VOTES, confidence=confidence)
