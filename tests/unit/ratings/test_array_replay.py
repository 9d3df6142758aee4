"""The replay from arrays is the replay record by record, to the last bit."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.ratings.array_replay import replay_elo
from arena_desktop.ratings.elo import SCORES
from arena_desktop.ratings.elo_store import EloStore

VOTES = tuple(SCORES)
IDS = ["x/one", "x/two", "x/three", "x/four"]
MODELS = [{"repo_id": repo_id, "name": repo_id, "tts_index": 70 + 9 * place} for place, repo_id in enumerate(IDS)]
ARENAS = {"main": IDS, "small": IDS[2:]}


def records(arena: str, numbers: list[tuple[int, int, int]]) -> list[dict[str, Any]]:
    ids = ARENAS[arena]
    return [
        {"arena": arena, "model_a": {"repo_id": ids[a]}, "model_b": {"repo_id": ids[b]}, "vote": VOTES[vote]}
        for a, b, vote in numbers
    ]


def columns(numbers: list[tuple[int, int, int]]) -> Any:
    return tuple(np.array(numbers, np.int64).reshape(-1, 3).T)


def votes_of(models: int, most: int) -> st.SearchStrategy[list[tuple[int, int, int]]]:
    pair = st.permutations(range(models)).map(lambda order: (order[0], order[1]))
    return st.lists(
        st.tuples(pair, st.integers(0, 3)).map(lambda vote: (vote[0][0], vote[0][1], vote[1])), max_size=most
    )


@given(votes_of(4, 120), votes_of(2, 40))
def test_the_state_is_the_same_to_the_last_bit(
    main: list[tuple[int, int, int]], small: list[tuple[int, int, int]]
) -> None:
    one, other = EloStore(MODELS, ARENAS), EloStore(MODELS, ARENAS)
    one.replay(records("main", main) + records("small", small))
    other.replay_columns({"small": columns(small), "main": columns(main)})
    assert other.to_dict() == one.to_dict()


def test_a_long_log_and_live_votes_after_it() -> None:
    chance = np.random.default_rng(5)
    a = chance.integers(0, 4, 70_000)
    b = (a + chance.integers(1, 4, 70_000)) % 4
    votes = chance.integers(0, 4, 70_000)
    numbers = list(zip(a.tolist(), b.tolist(), votes.tolist(), strict=True))
    one, other = EloStore(MODELS, ARENAS), EloStore(MODELS, ARENAS)
    one.replay(records("main", numbers))
    other.replay_columns({"main": (a, b, votes)})
    assert other.to_dict() == one.to_dict()
    assert one.record_vote("main", IDS[0], IDS[1], "a") == other.record_vote("main", IDS[0], IDS[1], "a")


def test_many_models_are_counted_as_few_are() -> None:
    ids = [f"x/{number}" for number in range(300)]
    models = [{"repo_id": repo_id, "name": repo_id} for repo_id in ids]
    numbers = [(place, place + 1, place % 4) for place in range(0, 298, 2)]
    one, other = EloStore(models, {"many": ids}), EloStore(models, {"many": ids})
    one.replay([{**vote, "arena": "many"} for vote in _of(ids, numbers)])
    other.replay_columns({"many": columns(numbers)})
    assert other.to_dict() == one.to_dict()


def test_the_replay_goes_on_from_battles_played_and_survives_any_gap() -> None:
    whole, parts = np.full(3, 1000.0), np.full(3, 1000.0)
    a, b, score = np.array([0, 1, 2, 0]), np.array([1, 2, 0, 2]), np.array([1.0, 0.5, 0.0, 1.0])
    replay_elo(whole, a, b, score)
    replay_elo(parts, a[:2], b[:2], score[:2])
    replay_elo(parts, a[2:], b[2:], score[2:], np.array([1, 2, 1]))
    assert parts.tolist() == whole.tolist()
    far = np.array([0.0, 2e6])
    replay_elo(far, np.array([0]), np.array([1]), np.array([1.0]))
    assert far.tolist() == [48.0, 2e6 - 48.0]


def test_no_votes_change_nothing() -> None:
    elo = np.array([1000.0, 990.0])
    replay_elo(elo, np.array([], np.int64), np.array([], np.int64), np.array([]))
    assert elo.tolist() == [1000.0, 990.0]


@pytest.mark.parametrize("arena", ARENAS)
def test_an_arena_that_is_not_named_is_blank(arena: str) -> None:
    store = EloStore(MODELS, ARENAS)
    store.record_vote(arena, IDS[2], IDS[3], "a")
    store.replay_columns({})
    assert store.total_battles(arena) == 0


def _of(ids: list[str], numbers: list[tuple[int, int, int]]) -> list[dict[str, Any]]:
    return [
        {"model_a": {"repo_id": ids[a]}, "model_b": {"repo_id": ids[b]}, "vote": VOTES[vote]} for a, b, vote in numbers
    ]
