"""The saved state: nothing is lost in it, and nothing wrong gets in by it."""

import copy
import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.ratings import EloStore, StateError
from tests.helpers.rating_vectors import load, record

VECTORS = load("state_v2.json")
MODELS, ARENAS = VECTORS["registry"]["models"], VECTORS["registry"]["arenas"]


def state() -> Any:
    return copy.deepcopy(VECTORS["state"])


def reader() -> Any:
    return state()


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["main", "pocket"]),
            st.sampled_from(ARENAS["main"] + ARENAS["pocket"]),
            st.sampled_from(ARENAS["main"] + ARENAS["pocket"]),
            st.sampled_from(["a", "b", "tie", "both_bad"]),
        )
    )
)
def test_a_saved_state_comes_back_as_it_was(votes: list[tuple[str, str, str, str]]) -> None:
    store = EloStore(MODELS, ARENAS)
    store.replay(record(*vote) for vote in votes)
    text = json.dumps(store.to_dict(), allow_nan=False)
    again = EloStore.from_dict(json.loads(text), MODELS, ARENAS)
    assert again.to_dict() == store.to_dict()
    for arena in ARENAS:
        assert again.rows(arena) == store.rows(arena)
        assert again.pairs(arena) == store.pairs(arena)
        assert again.total_battles(arena) == store.total_battles(arena)


def test_models_and_arenas_that_left_the_roster_are_kept() -> None:
    staying = [model for model in MODELS if model["repo_id"] != "oak/reader"]
    members = {"main": [repo_id for repo_id in ARENAS["main"] if repo_id != "oak/reader"]}
    store = EloStore.from_dict(state(), staying, members)
    assert "oak/reader" not in [row["repo_id"] for row in store.rows("main")]
    assert all("oak/reader" not in pair for pair in store.pairs("main"))
    assert store.total_battles("main") == VECTORS["total_battles"]["main"]
    saved: Any = store.to_dict()
    assert saved["arenas"] == state()["arenas"]
    store.record_vote("main", "pine/Caller", "reed/pipe", "a")
    saved = store.to_dict()
    assert saved["arenas"]["main"]["models"]["oak/reader"] == state()["arenas"]["main"]["models"]["oak/reader"]
    assert saved["arenas"]["pocket"] == state()["arenas"]["pocket"]
    # With the old roster back, they are where they were.
    back = EloStore.from_dict(saved, MODELS, ARENAS)
    assert back.tallies("main")["oak/reader"]["battles"] == 27


def test_a_model_new_to_the_roster_starts_at_its_prior() -> None:
    newcomer = {"repo_id": "new/one", "tts_index": 90}
    store = EloStore.from_dict(state(), [*MODELS, newcomer], {**ARENAS, "main": [*ARENAS["main"], "new/one"]})
    assert store.tallies("main")["new/one"]["elo"] == 1064.0
    assert store.record_vote("main", "new/one", "reed/pipe", "a")["new/one"]["before"] == 1064.0


def test_a_bar_in_an_id_cannot_be_saved_and_is_named() -> None:
    store = EloStore([{"repo_id": "a"}, {"repo_id": "b|c"}], {"main": ["a", "b|c"]})
    assert store.to_dict()["version"] == 2
    store.record_vote("main", "a", "b|c", "a")
    with pytest.raises(StateError, match=r"'b\|c'"):
        store.to_dict()


def change(*path: Any, to: Any) -> Callable[[Any], Any]:
    def apply(state: Any) -> Any:
        if not path:
            return to
        inner = state
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = to
        return state

    return apply


MAIN = ("arenas", "main")
PIPE = (*MAIN, "models", "reed/pipe")
PAIR = (*MAIN, "pairs", "oak/reader|pine/Caller")

WRONG = {
    "null": change(to=None),
    "a list": change(to=[]),
    "version 1": change("version", to=1),
    "version 3": change("version", to=3),
    "version as text": change("version", to="2"),
    "version true": change("version", to=True),
    "version 2.0": change("version", to=2.0),
    "another method": change("rating", "method", to="Bradley-Terry"),
    "another scale": change("rating", "scale", to=173.7),
    "rating is no object": change("rating", to="Elo"),
    "arenas null": change("arenas", to=None),
    "arena null": change(*MAIN, to=None),
    "models null": change(*MAIN, "models", to=None),
    "models a list": change(*MAIN, "models", to=[]),
    "pairs null": change(*MAIN, "pairs", to=None),
    "model null": change(*PIPE, to=None),
    "another id": change(*PIPE, "repo_id", to="oak/reader"),
    "elo null": change(*PIPE, "elo", to=None),
    "elo text": change(*PIPE, "elo", to="1000"),
    "elo true": change(*PIPE, "elo", to=True),
    "elo NaN": change(*PIPE, "elo", to=math.nan),
    "elo infinite": change(*PIPE, "elo", to=math.inf),
    "elo beyond a double": change(*PIPE, "elo", to=10**400),
    "battles negative": change(*PIPE, "battles", to=-15),
    "battles a fraction": change(*PIPE, "battles", to=33.5),
    "battles not the sum": change(*PIPE, "battles", to=34),
    "wins NaN": change(*PIPE, "wins", to=math.nan),
    "wins huge": change(*PIPE, "wins", to=10**400),
    "no losses": lambda state: state["arenas"]["main"]["models"]["reed/pipe"].pop("losses") and state,
    "pair null": change(*PAIR, to=None),
    "pair too short": change(*PAIR, to=[6.0]),
    "pair NaN": change(*PAIR, to=[6.0, math.nan]),
    "pair infinite": change(*PAIR, to=[math.inf, 1.5]),
    "score above games": change(*PAIR, to=[6.0, 6.5]),
    "score below zero": change(*PAIR, to=[6.0, -0.5]),
    "half a game": change(*PAIR, to=[6.5, 1.5]),
    "a third of a score": change(*PAIR, to=[6.0, 1.25]),
    "pair of one": change(*MAIN, "pairs", "oak/reader", to=[1.0, 1.0]),
    "pair of three": change(*MAIN, "pairs", "a|b|c", to=[1.0, 1.0]),
    "pair out of order": change(*MAIN, "pairs", "pine/Caller|oak/reader", to=[1.0, 1.0]),
    "pair with itself": change(*MAIN, "pairs", "oak/reader|oak/reader", to=[1.0, 1.0]),
    "wrong in an arena that the roster lacks": change("arenas", "attic", to={"models": {}, "pairs": 1}),
    "arena named by a number": change("arenas", 7, to={"models": {}, "pairs": {}}),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_state_that_cannot_be_right_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(StateError) as refusal:
        EloStore.from_dict(WRONG[name](state()), MODELS, ARENAS)
    assert len(str(refusal.value)) < 300
    assert str(refusal.value).isprintable()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["version", "arenas", "models", "pairs", "main", "elo"]), inner)
        ),
        max_leaves=10,
    )
)
def test_no_value_at_all_crashes_the_loader(value: Any) -> None:
    for candidate in (value, {"version": 2, "arenas": value}, {"version": 2, "arenas": {"main": value}}):
        try:
            store = EloStore.from_dict(candidate, MODELS, ARENAS)
        except StateError:
            continue
        json.dumps(store.to_dict(), allow_nan=False)
