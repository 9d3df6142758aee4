"""Snapshots: one and the same until something changes, and with this machine's names for its screen."""

from collections.abc import Sequence
from pathlib import Path

from arena_desktop.errors import ArenaError
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board import Board
from arena_desktop.services.named_snapshots import NamedSnapshots
from arena_desktop.services.rated_log import RatedLog
from arena_desktop.store.listeners import Listener
from tests.helpers.snapshots import snapshot, vote
from tests.helpers.vote_logs import ROSTER, draft, open_log

HERE = {"reveal": "each", "silent": False}


def test_a_snapshot_stays_the_same_until_a_vote_and_is_never_changed_by_one(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    rated = RatedLog(log, Board(ROSTER, log))
    rated.cast(draft(conditions=HERE), frozenset())
    first = rated.votes("english")
    assert rated.votes("english") is first
    ratings = first.standings.models
    rated.cast(draft(conditions=HERE, vote="b"), frozenset())
    second = rated.votes("english")
    assert second is not first
    assert (len(first.table), len(second.table)) == (1, 2)
    assert first.standings.models == ratings != second.standings.models


def test_a_retraction_and_a_vote_held_back_make_a_new_snapshot(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    rated = RatedLog(log, Board(ROSTER, log))
    records = [rated.cast(draft(conditions=HERE), frozenset())[0] for _ in range(2)]
    before = rated.votes("english")
    rated.take_back(records[1]["id"], records[1]["listener"])
    after = rated.votes("english")
    assert (len(before.table), len(after.table), len(after.retracted)) == (2, 1, 1)
    rated.hold_back(frozenset({records[0]["id"]}))
    assert len(rated.votes("english").table) == 0


def test_names_are_added_and_what_was_computed_is_kept() -> None:
    votes = snapshot([vote("x/one", "x/two")], ("x/one", "x/two"))
    people = [Listener("l-one", "Kim")]
    named = NamedSnapshots(lambda arena: votes, lambda: people)
    first = named("english")
    assert (first.names, first.table) == ({"l-one": "Kim"}, votes.table)
    assert named("english") is first
    people[0] = Listener("l-one", "Kimberly")
    assert named("english").names == {"l-one": "Kimberly"}


def test_names_that_can_not_be_read_leave_pseudonyms(expect_log: object) -> None:
    def people() -> Sequence[Listener]:
        raise ArenaError("The listeners can't be read.")

    expect_log("names can't be shown", logger="arena_desktop.services.named_snapshots")  # type: ignore[operator]
    votes: ArenaVotes = snapshot((), ("x/one",))
    assert NamedSnapshots(lambda arena: votes, people)("english").names == {}
