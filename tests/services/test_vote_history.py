"""The History page's service: which votes it lists, in which words, and what may not be seen on it."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.domain.votes import Side
from arena_desktop.services.board import Board
from arena_desktop.services.board_pool import elo_store
from arena_desktop.services.exchange_views import HistoryFilter, HistoryView
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.rated_log import RatedLog
from arena_desktop.services.recount import Places
from arena_desktop.services.vote_history import PAGE, VoteHistory
from arena_desktop.services.vote_rows import COUNTS, NOT_COUNTED, TAKEN_BACK
from arena_desktop.store.vote_log import VoteLog

ME, OTHER = "l-aaaaaaaaaaaaaaaa", "l-bbbbbbbbbbbbbbbb"
MODELS = ("x/a", "x/b", "x/c")
ROSTER = Roster(
    {repo_id: ModelSpec(repo_id, f"Voice {repo_id[-1].upper()}") for repo_id in MODELS},
    {"one": ArenaSpec("one", MODELS)},
)


def draft(a: str = "x/a", b: str = "x/b", **more: Any) -> dict[str, Any]:
    return {
        "arena": "one",
        "vote": "a",
        "model_a": {"repo_id": a, "clip_sha256": "aa"},
        "model_b": {"repo_id": b, "clip_sha256": "bb"},
        "prompt": {"id": "p1", "category": "news", "text": "The river rose."},
        "listener": ME,
        "conditions": {"question": None, "silent": False, "reveal": "each"},
        **more,
    }


class Silence:
    """Nothing is ever played."""

    def play(self, vote_id: str, side: Side, failed: Callable[[Any], None]) -> None: ...
    def stop(self) -> None: ...
    def has_ended(self) -> bool:
        return False


class Desk:
    """The service with a log of its own, and whoever turns the loop."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.inbox = Inbox()
        self.store, self.thread = JobThread(self.inbox, "store"), JobThread(self.inbox, "history")
        self.log = self.store.run(lambda: VoteLog.open(path))
        self.rated = RatedLog(self.log, Board(ROSTER, self.log))
        self.views: list[HistoryView] = []
        self.taken_back: list[str] = []
        self.sounds: frozenset[str] = frozenset({"aa", "bb"})
        self.page = VoteHistory(
            store=self.store,
            thread=self.thread,
            votes=self.rated,
            moment=self.log.moment,
            why_not=Places(ROSTER, elo_store(ROSTER)).why_not,
            roster=ROSTER,
            silent=False,
            people=lambda: {ME: "Ada"},
            listener=lambda: ME,
            sounds=lambda: self.sounds,
            again=Silence(),  # type: ignore[arg-type]
            taken_back=self.taken_back.append,
            show=self.views.append,
            post=self.inbox.post,
        )

    def cast(self, held: frozenset[str] = frozenset(), **changes: Any) -> str:
        return str(self.store.run(lambda: self.rated.cast(draft(**changes), held))[0]["id"])

    @property
    def view(self) -> HistoryView:
        return self.views[-1]

    def settle(self) -> HistoryView:
        """Turn the loop until nothing is under way."""
        end = time.monotonic() + 20
        while not self.views or self.view.loading:
            assert time.monotonic() < end
            self.inbox.drain()
            time.sleep(0.002)
        return self.view

    def look(self, **chosen: str) -> HistoryView:
        self.page.choose(HistoryFilter(**chosen))
        return self.settle()

    def close(self) -> None:
        self.page.close()
        self.store.run(self.log.close)
        self.store.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "votes.sqlite")
    yield desk
    desk.close()


def ids(view: HistoryView) -> list[str]:
    return [row.id for row in view.rows]


def test_votes_are_listed_newest_first_and_in_words(desk: Desk) -> None:
    first, second = desk.cast(), desk.cast(a="x/c", vote="tie", listener=OTHER)
    desk.page.open()
    view = desk.settle()
    assert ids(view) == [second, first]
    assert (view.found, view.total) == (2, 2)
    newest, oldest = view.rows
    assert (newest.a, newest.b, newest.vote) == ("Voice C", "Voice B", "tie")
    assert (oldest.listener, newest.listener) == ("Ada", OTHER)
    assert oldest.station == "this machine"
    assert oldest.prompt == "The river rose."
    assert [choice.title for choice in view.models] == ["Voice A", "Voice B", "Voice C"]
    assert [choice.id for choice in view.categories] == ["news"]


def test_filters_pick_votes(desk: Desk) -> None:
    ab = desk.cast()
    ca = desk.cast(a="x/c", b="x/a", vote="b")
    bc = desk.cast(a="x/b", b="x/c", listener=OTHER, prompt={"id": "p2", "category": "tale", "text": "Once, a STÖRK."})
    assert ids(desk.look(model="x/a")) == [ca, ab]
    assert ids(desk.look(model="x/a", other="x/c")) == [ca]
    assert ids(desk.look(model="x/c", other="x/a")) == [ca]
    assert ids(desk.look(other="x/c")) == [bc, ca]
    assert ids(desk.look(listener=OTHER)) == [bc]
    assert ids(desk.look(vote="b")) == [ca]
    assert ids(desk.look(category="tale")) == [bc]
    assert ids(desk.look(text="störk")) == [bc]
    assert ids(desk.look(text="voice a")) == [ca, ab]
    assert ids(desk.look(arena="two")) == []
    at = next(row.at for row in desk.look().rows if row.id == ca)
    assert ids(desk.look(since=at)) == [bc, ca]
    assert ids(desk.look(until=at)) == [ab]
    assert desk.view.found == 1
    assert desk.view.total == 3


def test_what_does_not_count_says_why(desk: Desk) -> None:
    good = desk.cast()
    silent = desk.cast(conditions={"question": None, "silent": True, "reveal": "each"})
    stranger = desk.cast(b="x/unknown")
    back = desk.cast()
    desk.page.open()
    desk.settle()
    desk.page.retract(back, "mistake", "slipped")
    while not desk.taken_back:
        desk.inbox.drain()
    state = {row.id: row.state for row in desk.settle().rows}
    assert state[good] == ""
    assert state[back] == "taken back: mistake"
    assert state[silent] == "not counted: vote cast without sound (--silent)"
    assert "not in" in state[stranger]
    assert ids(desk.look(only=COUNTS)) == [good]
    assert ids(desk.look(only=TAKEN_BACK)) == [back]
    assert ids(desk.look(only=NOT_COUNTED)) == [back, stranger, silent]
    assert desk.view.found == 3
    with VoteLog.open(desk.path) as log:
        (retraction,) = [record for record in log.records() if record["type"] == "retraction"]
    assert retraction["private"]["note"] == "slipped"


def test_a_vote_of_another_listener_elsewhere_cannot_be_taken_back_here(desk: Desk, tmp_path: Path) -> None:
    mine = desk.cast()
    with VoteLog.open(tmp_path / "other.sqlite") as other, VoteLog.open(desk.path) as here:
        record = other.append_vote(draft(listener=OTHER))
        with here.database.write():
            here.insert(record)
    desk.page.open()
    rows = {row.id: row for row in desk.settle().rows}
    assert rows[mine].can_retract
    assert not rows[record["id"]].can_retract
    desk.page.retract(record["id"], "other", "")
    while not desk.view.status.text:
        desk.inbox.drain()
    assert "another machine" in desk.view.status.text
    assert desk.taken_back == []


def test_names_held_back_are_not_listed(desk: Desk) -> None:
    shown = desk.cast()
    hidden = desk.cast(conditions={"question": None, "silent": False, "reveal": "set"})
    desk.page.open()
    view = desk.settle()
    assert ids(view) == [shown]
    assert (view.total, view.held_back) == (1, 1)
    desk.store.run(lambda: desk.rated.hold_back(frozenset()))
    assert ids(desk.look()) == [hidden, shown]


def test_nothing_changes_by_itself_while_a_battle_is_open(desk: Desk) -> None:
    desk.cast()
    desk.page.open()
    desk.settle()
    desk.page.hold()
    desk.cast()
    desk.page.votes_changed()
    before = len(desk.views)
    desk.thread.run(lambda: None)
    desk.inbox.drain()
    assert len(desk.views) == before
    desk.page.release()
    assert len(desk.settle().rows) == 2


def test_more_come_when_asked_for(desk: Desk) -> None:
    with VoteLog.open(desk.path) as log:
        for _ in range(PAGE + 30):
            log.append_vote(draft())
    desk.page.open()
    assert (len(desk.settle().rows), desk.view.found) == (PAGE, PAGE + 30)
    desk.page.more()
    assert len(desk.settle().rows) == PAGE + 30
    desk.page.more()
    assert not desk.view.loading
    assert len(desk.look(text="river").rows) == PAGE
    assert desk.view.found == PAGE + 30


def test_clips_that_are_gone_cannot_be_heard(desk: Desk) -> None:
    vote = desk.cast()
    desk.page.open()
    assert desk.settle().rows[0].can_listen
    desk.sounds = frozenset({"aa"})
    assert not desk.look().rows[0].can_listen
    assert ids(desk.view) == [vote]
