"""Ratings follow the log, whoever writes to it, and never stand in the way of a vote."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.services.battles import Moves
from arena_desktop.services.board import Board
from arena_desktop.services.rated_log import RatedLog
from arena_desktop.store.vote_log import VoteLog

ROSTER = Roster(
    {repo_id: ModelSpec(repo_id, repo_id) for repo_id in ("x/a", "x/b")}, {"one": ArenaSpec("one", ("x/a", "x/b"))}
)


def draft(reveal: str = "each") -> dict[str, Any]:
    return {
        "type": "vote",
        "arena": "one",
        "vote": "a",
        "model_a": {"repo_id": "x/a"},
        "model_b": {"repo_id": "x/b"},
        "listener": "l-0000000000000000",
        "conditions": {"question": None, "silent": False, "reveal": reveal},
        "listening": {"reveals_before": None},
        "private": None,
    }


@pytest.fixture
def log(tmp_path: Path) -> Iterator[VoteLog]:
    with VoteLog.open(tmp_path / "votes.sqlite") as log:
        yield log


def votes(rated: RatedLog) -> int:
    return rated.view("one").votes


def test_each_vote_moves_both_ratings_by_one_step(log: VoteLog) -> None:
    rated = RatedLog(log, Board(ROSTER, log))
    _, moves = rated.cast(draft(), frozenset())
    assert moves["x/a"] == (1000.0, 1024.0)
    _, moves = rated.cast(draft(), frozenset())
    assert moves["x/a"][0] == 1024.0
    assert votes(rated) == 2


def test_votes_of_another_process_are_counted_before_the_next_step(log: VoteLog, tmp_path: Path) -> None:
    rated = RatedLog(log, Board(ROSTER, log))
    rated.cast(draft(), frozenset())
    with VoteLog.open(tmp_path / "votes.sqlite") as other:
        other.append_vote(draft())
    _, moves = rated.cast(draft(), frozenset())
    replayed = Board(ROSTER, log)
    assert votes(rated) == replayed.view("one").votes == 3
    assert rated.view("one").rows == replayed.view("one").rows
    assert moves == {} or moves["x/a"][0] > 1024.0


def test_a_vote_of_a_set_is_held_back_from_the_moment_it_is_stored(log: VoteLog) -> None:
    rated = RatedLog(log, Board(ROSTER, log))
    first, _ = rated.cast(draft("set"), frozenset())
    assert votes(rated) == 0
    rated.cast(draft("set"), frozenset({first["id"]}))
    assert votes(rated) == 0
    rated.hold_back(frozenset())
    assert votes(rated) == 2
    assert rated.view("one").rows == Board(ROSTER, log).view("one").rows


def test_a_vote_taken_back_no_longer_counts(log: VoteLog) -> None:
    rated = RatedLog(log, Board(ROSTER, log))
    record, _ = rated.cast(draft(), frozenset())
    rated.cast(draft(), frozenset())
    rated.take_back(record["id"], record["listener"])
    assert votes(rated) == 1


def test_a_failing_board_does_not_fail_the_vote(log: VoteLog, expect_log: Callable[[str], None]) -> None:
    class Broken(Board):
        def apply(self, record: Any) -> Moves:  # type: ignore[override]
            raise ZeroDivisionError

    expect_log("its rating step failed")
    rated = RatedLog(log, Broken(ROSTER, log))
    record, moves = rated.cast(draft(), frozenset())
    assert moves == {}
    assert log.record(record["id"]) == record
    assert votes(rated) == 1
