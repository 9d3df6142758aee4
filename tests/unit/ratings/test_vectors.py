"""Every file of worked examples, every number in it."""

from collections.abc import Iterable
from typing import Any

import pytest

from arena_desktop.ratings import EloStore, fit_bradley_terry
from tests.helpers.rating_vectors import ELO, FIT, load, record, store_of

CASES = load("small_logs.json")["cases"]


def assert_equal_numbers(store: EloStore, expected: Any) -> None:
    assert set(store.arenas) == set(expected["arenas"])
    for arena, numbers in expected["arenas"].items():
        assert store.total_battles(arena) == numbers["total_battles"]
        assert store.pairs(arena) == numbers["pairs"]
        tallies = store.tallies(arena)
        assert list(tallies) == list(numbers["models"])
        for repo_id, tally in numbers["models"].items():
            assert tallies[repo_id] == {**tally, "elo": pytest.approx(tally["elo"], rel=0, abs=ELO)}
        assert_equal_rows(store.rows(arena), numbers["rows"])
        fit = fit_bradley_terry(store.pairs(arena), store.priors(arena))
        assert fit == pytest.approx(numbers["bt_optimum"], rel=0, abs=FIT)


def assert_equal_rows(rows: Iterable[dict[str, object]], expected: Any) -> None:
    # Elo to 1e-9, and so its quotient by the parameters; the win rate is one division of counts.
    close = [
        {
            **row,
            "elo": pytest.approx(row["elo"], rel=0, abs=ELO),
            "elo_per_m": pytest.approx(row["elo_per_m"], rel=0, abs=ELO),
            "win_rate": pytest.approx(row["win_rate"], rel=0, abs=1e-15),
        }
        for row in expected
    ]
    assert list(rows) == close


@pytest.mark.parametrize("name", CASES)
def test_a_small_log_replays_to_the_known_numbers(name: str) -> None:
    store = store_of(load("small_logs.json")["registry"])
    report = store.replay(record(*line) for line in CASES[name]["log"])
    assert (report.applied, report.skipped) == (CASES[name]["expected"]["applied"], [])
    assert_equal_numbers(store, CASES[name]["expected"])


@pytest.mark.parametrize("name", CASES)
def test_a_small_log_cast_vote_by_vote_gives_the_known_trace(name: str) -> None:
    store = store_of(load("small_logs.json")["registry"])
    trace = CASES[name]["expected"]["trace"]
    assert len(trace) == len(CASES[name]["log"])
    for (arena, a, b, vote), known in zip(CASES[name]["log"], trace, strict=True):
        change = store.record_vote(arena, a, b, vote)
        assert set(change) == {a, b}
        seen = {f"{side}_{when}": change[model][when] for side, model in (("a", a), ("b", b)) for when in change[model]}
        assert seen == pytest.approx(known, rel=0, abs=ELO)
    assert_equal_numbers(store, CASES[name]["expected"])


def test_five_hundred_random_votes() -> None:
    vectors = load("random_500.json")
    store = store_of(vectors["registry"])
    report = store.replay(record(*line) for line in vectors["log"])
    assert (report.applied, report.skipped) == (500, [])
    assert_equal_numbers(store, vectors["expected"])


def test_a_mixed_import_skips_nine_records_with_the_known_reasons() -> None:
    vectors = load("mixed_import.json")
    store = store_of(vectors["registry"])
    report = store.replay(vectors["records"])
    assert report.applied == vectors["expected"]["applied"]
    assert {str(index): reason for index, reason in report.skipped} == vectors["skipped"]
    assert_equal_numbers(store, vectors["expected"])


def test_a_saved_state_loads_shows_its_rows_and_goes_on() -> None:
    vectors = load("state_v2.json")
    registry = vectors["registry"]
    store = EloStore.from_dict(vectors["state"], registry["models"], registry["arenas"])
    for arena, rows in vectors["rows"].items():
        assert_equal_rows(store.rows(arena), rows)
        assert store.total_battles(arena) == vectors["total_battles"][arena]
    for vote in vectors["next_votes"]:
        change = store.record_vote(vote["arena"], vote["a"], vote["b"], vote["vote"])
        assert change == {model: pytest.approx(numbers, rel=0, abs=ELO) for model, numbers in vote["change"].items()}


def test_a_state_is_saved_as_it_was_loaded() -> None:
    vectors = load("state_v2.json")
    registry = vectors["registry"]
    assert EloStore.from_dict(vectors["state"], registry["models"], registry["arenas"]).to_dict() == vectors["state"]


def test_the_first_120_random_votes_give_the_saved_state() -> None:
    vectors = load("state_v2.json")
    store = store_of(vectors["registry"])
    store.replay(record(*line) for line in load("random_500.json")["log"][:120])
    saved: Any = store.to_dict()
    assert saved["version"] == vectors["state"]["version"]
    assert saved["rating"] == vectors["state"]["rating"]
    for arena, known in vectors["state"]["arenas"].items():
        assert saved["arenas"][arena]["pairs"] == known["pairs"]
        for repo_id, tally in known["models"].items():
            close = {**tally, "elo": pytest.approx(tally["elo"], rel=0, abs=ELO)}
            assert saved["arenas"][arena]["models"][repo_id] == close
