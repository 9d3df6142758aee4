"""The lens beside the ranking: what is asked for is shown, and goes on being shown while votes keep coming."""

import threading
from collections.abc import Iterator
from typing import Any, cast

import pytest

from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board_views import ChartsLens, Lens, LensView, PairsLens
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.looking import Looking


class Bench:
    """A lens whose making waits until it is let go; the view is (arena, lens, number of the snapshot)."""

    def __init__(self) -> None:
        self.inbox = Inbox()
        self.shown: list[Any] = []
        self.go = threading.Semaphore(0)
        self.begun = threading.Semaphore(0)
        self.snapshots = 0
        self.store = JobThread(self.inbox, "store")
        self.looking = Looking(
            store=self.store,
            thread=JobThread(self.inbox, "looking"),
            snapshot=self._snapshot,
            look=self._look,
            show=self.shown.append,
        )

    def _snapshot(self, arena: str) -> ArenaVotes:
        self.snapshots += 1
        return cast(ArenaVotes, (arena, self.snapshots))

    def _look(self, votes: ArenaVotes, lens: Lens) -> LensView:
        self.begun.release()
        self.go.acquire()
        if isinstance(lens, ChartsLens):
            raise RuntimeError("no charts today")
        return cast(LensView, (*cast(tuple[str, int], votes), lens))

    def turn_until_begun(self) -> None:
        """Deliver until a lens is being made."""
        while not self.begun.acquire(timeout=0.005):
            self.inbox.drain()

    def turn_until_shown(self, number: int) -> None:
        """Deliver until so many views were shown."""
        while len(self.shown) < number:
            self.inbox.drain()


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    for _ in range(10):
        bench.go.release()
    bench.looking.close()
    bench.store.close()


def test_a_view_is_shown_though_votes_came_in_while_it_was_made(bench: Bench) -> None:
    bench.looking.look("english", PairsLens())
    bench.turn_until_begun()
    for _ in range(5):
        bench.looking.votes_changed()
    bench.go.release()
    bench.turn_until_shown(1)
    assert bench.shown == [("english", 1, PairsLens())]
    bench.go.release()
    bench.turn_until_shown(2)
    assert bench.shown[1:] == [("english", 2, PairsLens())], "five changes are one more look"


def test_what_nobody_wants_any_more_is_never_shown(bench: Bench) -> None:
    bench.looking.look("english", PairsLens())
    bench.turn_until_begun()
    bench.looking.look("german", PairsLens())
    bench.go.release()
    bench.turn_until_begun()
    bench.go.release()
    bench.turn_until_shown(1)
    assert bench.shown == [("german", 2, PairsLens())]


def test_changes_wait_while_a_battle_is_open_but_a_wish_does_not(bench: Bench) -> None:
    bench.looking.hold()
    bench.looking.look("english", PairsLens())
    bench.go.release()
    bench.turn_until_shown(1)
    bench.looking.votes_changed()
    bench.turn_until_begun()
    bench.turn_until_begun()
    bench.go.release()
    bench.store.run(lambda: None)
    while bench.looking.is_working:
        bench.inbox.drain()
    assert len(bench.shown) == 1
    bench.looking.release()
    assert bench.shown[1:] == [("english", 2, PairsLens())]


def test_a_lens_that_fails_is_reported_and_does_not_block_the_next(bench: Bench) -> None:
    bench.looking.look("english", ChartsLens())
    bench.go.release()
    with pytest.raises(RuntimeError, match="no charts today"):
        bench.turn_until_shown(1)
    bench.looking.look("english", PairsLens())
    bench.go.release()
    bench.turn_until_shown(1)
    bench.looking.votes_changed()
    bench.go.release()
    bench.turn_until_shown(2)
