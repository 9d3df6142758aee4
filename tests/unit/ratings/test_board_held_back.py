"""While names are held back, the votes on them are in no view; live ratings go on."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.services.board import Board

IDS = ("x/one", "x/two", "x/three")
ROSTER = Roster({repo_id: ModelSpec(repo_id, repo_id) for repo_id in IDS}, {"main": ArenaSpec("main", IDS)})


class Log:
    """A log in memory. ``reads`` counts how often it was read whole."""

    def __init__(self) -> None:
        self.votes: list[dict[str, Any]] = []
        self.reads = 0

    def cast(self, number: int) -> dict[str, Any]:
        a, b = (IDS[0], IDS[1]) if number % 3 else (IDS[1], IDS[2])
        vote = {
            "type": "vote",
            "id": f"01900000-0000-7000-8000-{len(self.votes):012d}",
            "station_id": "5c0cbb54-6d3c-4f43-9a4e-000000000001",
            "seq": len(self.votes) + 1,
            "at": f"2026-03-01T10:00:00.{len(self.votes):06d}Z",
            "arena": "main",
            "model_a": {"repo_id": a},
            "model_b": {"repo_id": b},
            "vote": ("a", "b", "tie", "both_bad")[number % 4],
            "hash": str(len(self.votes)),
        }
        self.votes.append(vote)
        return vote

    def records(self) -> Iterator[dict[str, Any]]:
        self.reads += 1
        return iter(list(self.votes))

    def retractions(self) -> Iterator[dict[str, Any]]:
        return iter(())

    def conflicts(self) -> set[str]:
        return set()

    def moment(self) -> "AbstractContextManager[Log]":
        return nullcontext(self)

    def log_hash(self) -> str:
        return "".join(vote["hash"] for vote in self.votes)


def without(log: Log, held: frozenset[str]) -> Any:
    """The view of a log that never held those votes."""
    other = Log()
    other.votes = [vote for vote in log.votes if vote["id"] not in held]
    return Board(ROSTER, other).view("main")


def test_a_set_of_votes_appears_all_at_once() -> None:
    log = Log()
    before = [log.cast(number) for number in range(5)]
    board = Board(ROSTER, log)
    first = board.view("main")
    held: frozenset[str] = frozenset()
    for number in range(6):
        vote = log.cast(number)
        assert board.apply(vote)
        held |= {vote["id"]}
        board.hold_back(held)
        assert board.view("main") == first
        assert (
            board.leaderboard("main", "elo")["rows"] == Board(ROSTER, _only(before)).leaderboard("main", "elo")["rows"]
        )
    board.hold_back(frozenset())
    assert board.view("main") == Board(ROSTER, log).view("main")
    assert log.reads == 2  # once for each board: holding back and releasing a set reads nothing again


def _only(votes: list[dict[str, Any]]) -> Log:
    log = Log()
    log.votes = votes
    return log


def test_live_steps_go_on_while_votes_are_held_back() -> None:
    log = Log()
    board = Board(ROSTER, log)
    board.refresh()
    first = log.cast(1)
    board.apply(first)
    board.hold_back(frozenset({first["id"]}))
    second = log.cast(1)
    moves = board.apply(second)
    assert moves is not None
    assert moves["x/one"][0] != 1000.0


def test_votes_held_back_stay_so_when_the_log_is_read_again() -> None:
    log = Log()
    votes = [log.cast(number) for number in range(6)]
    held = frozenset(vote["id"] for vote in votes[3:])
    board = Board(ROSTER, log)
    board.hold_back(held)
    board.refresh()
    assert board.view("main") == without(log, held)
    board.refresh()
    assert board.view("main") == without(log, held)
    board.hold_back(frozenset())
    assert board.view("main") == without(log, frozenset())


@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(st.sampled_from(["cast", "hold", "release", "look", "refresh"]), st.integers(0, 11)), max_size=25
    )
)
def test_whatever_is_held_back_whenever(deeds: list[tuple[str, int]]) -> None:
    log = Log()
    board = Board(ROSTER, log)
    board.refresh()
    held: frozenset[str] = frozenset()
    for deed, number in deeds:
        if deed == "cast":
            board.apply(log.cast(number))
        elif deed == "refresh":
            board.refresh()
        elif deed == "look":
            assert board.view("main") == without(log, held)
        elif number < len(log.votes):
            vote_id = log.votes[number]["id"]
            held = held | {vote_id} if deed == "hold" else held - {vote_id}
            board.hold_back(held)
    assert board.view("main") == without(log, held)
    board.hold_back(frozenset())
    assert board.view("main") == without(log, frozenset())
