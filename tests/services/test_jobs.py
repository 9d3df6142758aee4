"""Urgent work on a thread doesn't wait for the end of long work that lets it through."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from arena_desktop.services import jobs
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.jobs import JobThread


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def thread(inbox: Inbox) -> Iterator[JobThread]:
    thread = JobThread(inbox, "test")
    yield thread
    thread.close()


def drain_until(inbox: Inbox, wanted: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not wanted():
        assert time.monotonic() < end
        inbox.drain()
        time.sleep(0.001)


def test_urgent_work_overtakes_what_waits_and_what_lets_it_through(inbox: Inbox, thread: JobThread) -> None:
    order: list[str] = []
    asked = threading.Event()

    def long() -> None:
        asked.wait(20)
        thread.let_urgent_through()
        order.append("long")

    thread.ask(long)
    thread.ask(lambda: order.append("patient"))
    for name in ("one", "two"):
        thread.ask(lambda name=name: order.append(name), urgent=True)  # type: ignore[misc]
    asked.set()
    thread.run(lambda: None)
    assert order == ["one", "two", "long", "patient"]


def test_results_and_errors_of_urgent_work_come_home(inbox: Inbox, thread: JobThread) -> None:
    told: list[object] = []
    thread.ask(lambda: 7, told.append, urgent=True)

    def fail() -> int:
        raise ValueError("no")

    thread.ask(fail, told.append, lambda error: told.append(str(error)), urgent=True)
    drain_until(inbox, lambda: len(told) == 2)
    assert told == [7, "no"]


def test_long_work_stands_still_until_it_may_go_on_and_urgent_work_does_not(
    thread: JobThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_STANDING_S", 60)
    order: list[str] = []
    begun, voted, long_went_on = threading.Event(), threading.Event(), threading.Event()

    def long() -> None:
        begun.set()
        while not order:
            thread.let_urgent_through()
        thread.let_urgent_through()
        order.append("long")
        long_went_on.set()

    def vote() -> None:
        order.append("vote")
        voted.set()

    thread.ask(long)
    assert begun.wait(20)
    thread.stand_still()
    thread.ask(vote, urgent=True)
    assert voted.wait(20)
    thread.ask(lambda: order.append("another"), urgent=True)
    assert not long_went_on.wait(0.05)
    thread.go_on()
    assert long_went_on.wait(20)
    assert order == ["vote", "another", "long"]


def test_long_work_that_is_never_told_to_go_on_does_so_by_itself(thread: JobThread) -> None:
    thread.stand_still()
    thread.run(thread.let_urgent_through)


def test_urgent_work_that_was_asked_before_the_end_is_done(inbox: Inbox) -> None:
    thread = JobThread(inbox, "test")
    done: list[int] = []
    thread.ask(lambda: time.sleep(0.05))
    thread.ask(lambda: done.append(1), urgent=True)
    thread.close()
    assert done == [1]
