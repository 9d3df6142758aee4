"""Whatever comes in, the store keeps its numbers, and says what it refused."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.errors import ArenaError
from arena_desktop.ratings import EloStore, RatingError, RegistryError, VoteRefused
from tests.helpers.rating_vectors import record

MODELS = [{"repo_id": "x/a", "name": "A"}, {"repo_id": "x/b", "name": "B"}, {"repo_id": "x/c", "name": "C"}]
ARENAS = {"main": ["x/a", "x/b"], "other": ["x/b", "x/c"]}


def store() -> EloStore:
    numbers = EloStore(MODELS, ARENAS)
    numbers.replay([record("main", "x/a", "x/b", "a"), record("other", "x/c", "x/b", "tie")])
    return numbers


def deep(levels: int) -> Any:
    value: Any = "x/a"
    for _ in range(levels):
        value = [value]
    return value


REFUSED = [
    (("nowhere", "x/a", "x/b", "a"), "unknown arena", "nowhere"),
    (("main", "x/a", "x/nobody", "a"), "model not in the roster", "x/nobody"),
    (("main", "x/a", "x/c", "a"), "model not in this arena", "x/c"),
    (("main", "x/a", "x/a", "a"), "model against itself", "x/a"),
    (("main", "x/a", "x/b", "draw"), "unknown vote", "draw"),
    (("main", "x/a", "x/b", None), "unknown vote", "None"),
    (("main", "x/a", "x/b", deep(100_000)), "unknown vote", "a list"),
    (("main", ["x/a"], "x/b", "a"), "model not in the roster", "a list"),
    ((["main"], "x/a", "x/b", "a"), "unknown arena", "a list"),
    (("main", "x/a", "\ud800", "a"), "model not in the roster", "ud800"),
]


@pytest.mark.parametrize(("vote", "reason", "named"), REFUSED)
def test_a_vote_that_cannot_count_is_refused_and_changes_nothing(vote: Any, reason: str, named: str) -> None:
    numbers = store()
    before = numbers.to_dict()
    with pytest.raises(VoteRefused) as refusal:
        numbers.record_vote(*vote)
    assert isinstance(refusal.value, ArenaError)
    assert refusal.value.reason == reason
    assert named in str(refusal.value)
    assert str(refusal.value).isprintable()
    assert numbers.to_dict() == before


@pytest.mark.parametrize(("vote", "reason", "named"), REFUSED)
def test_a_replay_skips_the_same_vote_for_the_same_reason(vote: Any, reason: str, named: str) -> None:
    report = store().replay([record(*vote), record("main", "x/a", "x/b", "a")])
    assert report.applied == 1
    expected = "arena is not text" if not isinstance(vote[0], str) else reason
    assert report.skipped == [(0, expected)]


def test_a_replay_that_fails_half_way_changes_nothing() -> None:
    def failing() -> Iterator[object]:
        yield record("main", "x/b", "x/a", "a")
        raise OSError("the disk is gone")

    numbers = store()
    before = numbers.to_dict()
    with pytest.raises(OSError, match="the disk is gone"):
        numbers.replay(failing())
    assert numbers.to_dict() == before


def test_a_replay_starts_from_nothing() -> None:
    numbers = store()
    numbers.replay([record("main", "x/b", "x/a", "both_bad")])
    assert numbers.total_battles("main") == 1
    assert numbers.total_battles("other") == 0


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.sampled_from(["main", "x/a", "x/b", "a", "tie", "\ud800"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=3) | st.just("repo_id"), inner, max_size=3)
        | st.fixed_dictionaries({"arena": inner, "model_a": inner, "model_b": inner, "vote": inner})
    ),
    max_leaves=12,
)
GOOD = st.sampled_from([record("main", "x/a", "x/b", "a"), record("other", "x/c", "x/b", "both_bad")])


@given(st.lists(JUNK | GOOD, max_size=12))
def test_no_record_stops_a_replay(records: list[object]) -> None:
    numbers = EloStore(MODELS, ARENAS)
    report = numbers.replay(records)
    assert report.applied + len(report.skipped) == len(records)
    assert all(reason for _, reason in report.skipped)
    good = [one for one in records if numbers.fault(one) is None]
    assert report.applied == len(good)
    alone = EloStore(MODELS, ARENAS)
    alone.replay(good)
    assert numbers.to_dict() == alone.to_dict()
    json.dumps(numbers.to_dict(), allow_nan=False)


def test_records_of_the_oddest_kinds() -> None:
    class Sly(dict[str, object]):
        def __getitem__(self, key: str) -> object:
            raise RuntimeError("no")

    def nested() -> tuple[Any, ...]:
        value: tuple[Any, ...] = ()
        for _ in range(200):
            value = (value,)
        return value

    odd = [
        Sly(record("main", "x/a", "x/b", "a")),
        b"bytes",
        1.5,
        deep(100_000),
        {"arena": nested()},
        object(),
        range(3),
    ]
    report = EloStore(MODELS, ARENAS).replay(odd)
    assert report.applied == 0
    assert [index for index, _ in report.skipped] == list(range(len(odd)))


@pytest.mark.parametrize(
    ("models", "arenas", "named"),
    [
        ([{"name": "no id"}], {}, "Model 0"),
        ([None], {}, "Model 0"),
        ([{"repo_id": "x/a"}, {"repo_id": "x/a"}], {}, "x/a"),
        ([{"repo_id": "x/a", "tts_index": "high"}], {}, "x/a"),
        ([{"repo_id": "x/a", "params_m": -1}], {}, "x/a"),
        ([{"repo_id": "x/a", "params_m": float("nan")}], {}, "x/a"),
        ([{"repo_id": "x/a"}], {"main": ["x/z"]}, "x/z"),
        ([{"repo_id": "x/a"}], {"main": ["x/a", "x/a"]}, "main"),
    ],
)
def test_a_roster_that_contradicts_itself_is_refused(models: Any, arenas: Any, named: str) -> None:
    with pytest.raises(RegistryError, match=named):
        EloStore(models, arenas)


@pytest.mark.parametrize("ask", ["rows", "total_battles", "pairs", "tallies", "priors"])
def test_an_unknown_arena_is_named(ask: str) -> None:
    with pytest.raises(RatingError, match="'attic'"):
        getattr(store(), ask)("attic")


def test_a_copy_goes_its_own_way() -> None:
    numbers = store()
    before = numbers.to_dict()
    numbers.copy().record_vote("main", "x/a", "x/b", "b")
    assert numbers.to_dict() == before


def test_ids_with_a_bar_are_told_apart() -> None:
    ids = ["a", "b|c", "a|b", "c"]
    numbers = EloStore([{"repo_id": repo_id} for repo_id in ids], {"main": ids})
    numbers.record_vote("main", "a", "b|c", "a")
    numbers.record_vote("main", "a|b", "c", "b")
    assert numbers.pairs("main") == [["a", "b|c", 1.0, 1.0], ["a|b", "c", 1.0, 0.0]]


def test_ratings_far_apart_still_step() -> None:
    ids = ["low", "high"]
    numbers = EloStore([{"repo_id": "low"}, {"repo_id": "high", "tts_index": 1e6}], {"main": ids})
    change = numbers.record_vote("main", "low", "high", "a")
    assert change["low"] == {"before": 1000.0, "after": 1048.0}
    numbers.replay([record("main", "low", "high", "a")])
    assert numbers.tallies("main")["low"]["elo"] == 1048.0
