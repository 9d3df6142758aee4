"""The roster changes while the program runs: everybody follows, and no open battle gives anything away."""

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_desktop.domain.policy import Policy
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.engines.failures import Tally
from arena_desktop.engines.placement import GB, Machine
from arena_desktop.engines.types import FailureKind, Missing
from arena_desktop.services.board import Board
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.models import Models
from arena_desktop.services.rosters import Rosters
from arena_desktop.services.views import ModelRow, ModelsView
from tests.engines.conftest import wait_for
from tests.helpers.vote_logs import draft, open_log


def roster(*names: str) -> Roster:
    models = {f"x/{name}": ModelSpec(f"x/{name}", name.title(), engine="pico", language=("en",)) for name in names}
    return Roster(models, {"english": ArenaSpec("english", tuple(models), title="English", language="en")})


class Host:
    """Everything is ready; failures are what a test says."""

    def __init__(self) -> None:
        self.failed: Counter[str] = Counter()
        self.checked: list[str] = []

    @property
    def machine(self) -> Machine:
        return Machine("Linux", "x86_64", 4, 8 * GB)

    def check(self, model: ModelSpec) -> tuple[Missing, ...]:
        self.checked.append(model.repo_id)
        return ()

    def place_of(self, model: ModelSpec) -> str:
        return "cpu"

    def failures(self, repo_id: str) -> Tally:
        count = self.failed[repo_id]
        return Tally({FailureKind.SILENCE: count} if count else {}, "")


class Page:
    def __init__(self, first: Roster) -> None:
        self.host, self.inbox, self.ended = Host(), Inbox(), threading.Event()
        self.view = ModelsView(())
        self.models = Models(first, self.host, self.inbox, changed=self._show, checked=self.ended.set)

    def _show(self, view: ModelsView) -> None:
        self.view = view

    def row(self, repo_id: str) -> ModelRow | None:
        return next((row for row in self.view.rows if row.repo_id == repo_id), None)

    def settle(self) -> None:
        wait_for(lambda: (self.inbox.drain(), self.ended.is_set())[1], "the check to end")
        self.ended.clear()


@pytest.fixture
def page() -> Iterator[Page]:
    made = Page(roster("a", "b"))
    made.models.check_again()
    made.settle()
    made.host.checked.clear()
    yield made
    made.models.close()


def test_only_what_is_new_is_checked_and_shown_with_the_rest(page: Page) -> None:
    page.models.use_roster(roster("a", "c"))
    page.settle()
    assert page.host.checked == ["x/c"]
    assert [row.repo_id for row in page.view.rows] == ["x/a", "x/c"]
    assert all(row.ready for row in page.view.rows)


def test_a_model_added_while_a_battle_is_open_shows_its_check_and_then_stands_still(page: Page) -> None:
    page.models.hold()
    page.models.use_roster(roster("a", "b", "c"))
    new = page.row("x/c")
    assert new is not None
    assert not new.ready
    page.settle()
    new = page.row("x/c")
    assert new is not None
    assert new.ready
    page.host.failed["x/c"] += 1
    page.host.failed["x/a"] += 1
    page.models.refresh()
    assert page.row("x/c") == new, "what it does from now on would tell who plays next"
    assert not any(row.failures for row in page.view.rows)
    page.models.release()
    assert sum(bool(row.failures) for row in page.view.rows) == 2


def test_a_model_removed_while_a_battle_is_open_goes_at_once(page: Page) -> None:
    page.models.hold()
    page.models.use_roster(roster("a"))
    assert [row.repo_id for row in page.view.rows] == ["x/a"]


def test_everybody_hears_of_a_new_roster_once_and_a_broken_file_changes_nothing() -> None:
    first, second = roster("a"), roster("a", "b")
    heard: list[str] = []
    rosters = Rosters(lambda: first)
    rosters.subscribe(lambda new: heard.append(f"one {len(new.models)}"))
    rosters.subscribe(lambda new: heard.append(f"two {len(new.models)}"))
    assert not rosters.use(roster("a"))
    assert rosters.use(second)
    assert rosters.current is second
    assert heard == ["one 2", "two 2"]


@pytest.mark.parametrize("gone", [False, True])
def test_the_board_follows_the_roster(tmp_path: Path, gone: bool) -> None:
    whole = Roster(
        {f"x/{name}": ModelSpec(f"x/{name}", name) for name in "abc"},
        {"english": ArenaSpec("english", ("x/a", "x/b", "x/c"))},
    )
    fewer = Roster(
        {name: whole.models[name] for name in ("x/a", "x/b")}, {"english": ArenaSpec("english", ("x/a", "x/b"))}
    )
    with open_log(tmp_path) as log:
        for other in ("x/b", "x/c"):
            log.append_vote(draft(model_a={"repo_id": "x/a"}, model_b={"repo_id": other}))
        board = Board(whole if gone else fewer, log)
        board.view("english")
        board.use_roster(fewer if gone else whole, Policy())
        wanted = Board(fewer if gone else whole, log).view("english")
        assert board.view("english") == wanted
        assert len(wanted.rows) == (2 if gone else 3)
