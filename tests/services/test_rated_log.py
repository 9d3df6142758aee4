"""Ratings follow the log, whoever writes to it, and never stand in the way of a vote."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.services.battle_needs import Moves
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
    assert moves is not None
    assert moves["x/a"] == (1000.0, 1024.0)
    _, moves = rated.cast(draft(), frozenset())
    assert moves is not None
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
    assert not moves or moves["x/a"][0] > 1024.0


class Slow(VoteLog):
    """Takes every log for a long one."""

    def is_short(self, records: int) -> bool:
        return False


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[VoteLog]:
    with Slow.open(tmp_path / "votes.sqlite") as log:
        for _ in range(3):
            log.append_vote(draft())
        yield log


class Listener:
    """Somebody who acts once while the log is being read."""

    def __init__(self, log: VoteLog) -> None:
        self.rated = RatedLog(log, Board(ROSTER, log), breathe=self.breathe)
        self.act: Callable[[], object] | None = None

    def breathe(self) -> None:
        act, self.act = self.act, None
        if act is not None:
            act()


def same_as_replay(rated: RatedLog, log: VoteLog) -> bool:
    shown, replayed = rated.view("one"), Board(ROSTER, log).view("one")
    return (shown.rows, shown.votes) == (replayed.rows, replayed.votes)


def test_a_vote_does_not_wait_until_a_long_log_is_read(slow: VoteLog) -> None:
    read: list[int] = []
    rated = RatedLog(slow, Board(ROSTER, slow), breathe=lambda: read.append(1))
    _, moves = rated.cast(draft(), frozenset())
    assert (moves, read) == (None, [])
    assert votes(rated) == 4
    assert same_as_replay(rated, slow)
    _, moves = rated.cast(draft(), frozenset())
    assert moves  # once it is read, each step is known at once


def test_a_vote_cast_while_the_log_is_read_joins_the_ratings_after_it(slow: VoteLog) -> None:
    listener = Listener(slow)
    cast: list[Any] = []
    listener.act = lambda: cast.append(listener.rated.cast(draft(), frozenset()))
    assert votes(listener.rated) == 4
    assert cast[0][1] is None
    assert slow.count() == 4
    assert same_as_replay(listener.rated, slow)
    _, moves = listener.rated.cast(draft(), frozenset())
    assert moves
    assert same_as_replay(listener.rated, slow)


def test_a_vote_of_a_set_cast_while_the_log_is_read_stays_hidden(slow: VoteLog) -> None:
    listener = Listener(slow)
    listener.act = lambda: listener.rated.cast(draft("set"), frozenset())
    assert votes(listener.rated) == 3
    listener.rated.hold_back(frozenset())
    assert votes(listener.rated) == 4
    assert same_as_replay(listener.rated, slow)


def test_a_vote_taken_back_while_the_log_is_read_does_not_count(slow: VoteLog) -> None:
    listener = Listener(slow)

    def act() -> None:
        record, _ = listener.rated.cast(draft(), frozenset())
        listener.rated.take_back(record["id"], record["listener"])

    listener.act = act
    votes(listener.rated)
    assert votes(listener.rated) == 3
    assert same_as_replay(listener.rated, slow)


def test_what_others_write_while_the_log_is_read_is_seen_at_the_next_look(slow: VoteLog, tmp_path: Path) -> None:
    listener = Listener(slow)

    def act() -> None:
        with VoteLog.open(tmp_path / "votes.sqlite") as other:
            other.append_vote(draft())
        listener.rated.cast(draft(), frozenset())

    listener.act = act
    votes(listener.rated)
    assert votes(listener.rated) == 5
    assert same_as_replay(listener.rated, slow)


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


def test_a_commit_leaves_the_file_alone_and_the_break_after_it_puts_it_in_order(log: VoteLog) -> None:
    rated = RatedLog(log, Board(ROSTER, log))
    file = log.database.path
    before = file.stat().st_size
    long = draft() | {"private": {"note": "x" * 300_000}}  # 24 of them are more than SQLite lets pile up by itself
    for _ in range(24):
        rated.cast(long, frozenset())
        rated.tidy()
    assert file.stat().st_size == before
    rated.cast(long, frozenset())
    rated.tidy()
    assert file.stat().st_size > before + 25 * 300_000
