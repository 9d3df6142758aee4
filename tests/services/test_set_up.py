"""The offer to set an environment up: who gets it, how it is told, ended, failed, and done with."""

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import pytest

from arena_desktop.domain.recipes import Commercial, Recipe, read_pin
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.engines.failures import Tally
from arena_desktop.engines.placement import GB, Machine
from arena_desktop.engines.types import Missing
from arena_desktop.errors import ArenaError
from arena_desktop.services.environments import Making, Progress
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.models import Models
from arena_desktop.services.set_up import SetUps
from arena_desktop.services.views import ModelRow, ModelsView, SetUpOffer, SetUpState
from tests.engines.conftest import wait_for

PIN = read_pin("numpy==2.0.2")
assert PIN is not None
RECIPE = Recipe("xtts", "XTTS", "xtts", (PIN,), 5.2, "CPML", commercial_use=Commercial.NO)
FIRST = ModelSpec("a/first", "First", engine="xtts", python="env:xtts")
SECOND = ModelSpec("a/second", "Second", engine="xtts", python="env:xtts")
PLAIN = ModelSpec("a/plain", "Plain", engine="xtts")
ROSTER = Roster(
    {model.repo_id: model for model in (FIRST, SECOND, PLAIN)}, {"x": ArenaSpec("x", ("a/first", "a/second"))}
)


class Kitchen:
    """Makes environments when the test lets it."""

    def __init__(self) -> None:
        self.made: set[str] = set()
        self.fault: Exception | None = None
        self.go_on = threading.Event()
        self.working = threading.Event()
        self.again = False
        self.faults = 0

    def lacking(self, names: Iterable[str]) -> Mapping[str, Recipe]:
        assert threading.current_thread() is not threading.main_thread()
        return {name: RECIPE for name in names if name not in self.made and name == "xtts"}

    def makers(self, names: Iterable[str]) -> Mapping[str, Recipe]:
        return {name: RECIPE for name in names if name == "xtts"}

    def make(self, recipe: Recipe, progress: Progress, *, name: str | None = None, again: bool = False) -> object:
        self.again = again
        assert threading.current_thread() is not threading.main_thread()
        assert name == "xtts"
        self.working.set()
        while not self.go_on.is_set():
            progress(Making(1_300_000_000, 5_200_000_000, "fetching torch: 40 of 100 MB"))
            self.go_on.wait(0.01)
        if self.fault is not None:
            raise self.fault
        self.made.add(name)
        return None


class Host:
    """A model is ready once its environment is made."""

    machine = Machine("Linux", "x86_64", 2, 8 * GB)

    def __init__(self, kitchen: Kitchen) -> None:
        self.kitchen = kitchen

    def check(self, model: ModelSpec) -> tuple[Missing, ...]:
        return (
            () if model.python is None or "xtts" in self.kitchen.made else (Missing("its environment", "Set it up."),)
        )

    def place_of(self, model: ModelSpec) -> str:
        return ""

    def failures(self, repo_id: str) -> Tally:
        return Tally()


class Page:
    """The Models page's services, as the window has them."""

    def __init__(self) -> None:
        self.kitchen = Kitchen()
        self.inbox = Inbox()
        self.views: list[ModelsView] = []
        self.set_ups = SetUps(
            self.kitchen,
            self.inbox,
            models=ROSTER.models.values,
            changed=lambda: self.models.refresh(),
            made=lambda repo_ids: self.models.look_again(repo_ids),
            faults=lambda repo_id: self.kitchen.faults if repo_id == "a/first" else 0,
        )
        self.models = Models(
            ROSTER,
            Host(self.kitchen),
            self.inbox,
            changed=self.views.append,
            checked=self.set_ups.look,
            set_up=self.set_ups.offer,
        )
        self.models.check_again()
        self.until(lambda: self.offer("a/first"), "the offer comes")

    def until(self, happened: object, what: str) -> None:
        assert callable(happened)
        wait_for(lambda: (self.inbox.drain(), happened())[1], what)

    def row(self, repo_id: str) -> ModelRow:
        return next(row for row in self.models.view().rows if row.repo_id == repo_id)

    def offer(self, repo_id: str) -> SetUpOffer | None:
        return self.row(repo_id).set_up

    def state(self, repo_id: str) -> SetUpState | None:
        offer = self.offer(repo_id)
        return None if offer is None else offer.state

    def close(self) -> None:
        self.models.close()
        self.set_ups.close()


@pytest.fixture
def page() -> Iterator[Page]:
    page = Page()
    yield page
    page.kitchen.go_on.set()
    page.close()


def test_a_model_without_its_environment_is_offered_one_with_size_and_licence(page: Page) -> None:
    offer = page.offer("a/first")
    assert offer is not None
    assert offer == page.offer("a/second"), "they share it"
    assert (offer.recipe, offer.title, offer.size, offer.state) == ("xtts", "XTTS", "5.2 GB", SetUpState.IDLE)
    assert "CPML" in offer.licence
    assert "Commercial use is not allowed" in offer.licence
    assert offer.needs_consent
    assert page.offer("a/plain") is None


def test_it_is_made_beside_the_window_and_the_models_become_ready(page: Page) -> None:
    page.set_ups.start("a/first")
    assert page.state("a/first") is SetUpState.RUNNING, "the press shows at once"
    page.until(lambda: "torch" in (page.offer("a/second") or SetUpOffer("", "", "", "")).words, "progress is told")
    offer = page.offer("a/second")
    assert offer is not None
    assert (offer.done, offer.total) == (1_300_000_000, 5_200_000_000)
    page.set_ups.start("a/second")  # it is under way already
    page.kitchen.go_on.set()
    page.until(lambda: page.row("a/first").ready and page.row("a/second").ready, "both are ready")
    assert page.offer("a/first") is None


def test_it_can_be_ended_and_begun_again(page: Page) -> None:
    page.set_ups.start("a/first")
    assert page.kitchen.working.wait(10)
    page.set_ups.cancel("a/second")
    page.until(lambda: page.state("a/first") is SetUpState.IDLE, "it has ended")
    assert page.kitchen.made == set()
    page.kitchen.go_on.set()
    page.set_ups.start("a/first")
    page.until(lambda: page.row("a/first").ready, "the second time it is made")


def test_a_failure_is_shown_until_it_is_put_away_or_tried_again(page: Page) -> None:
    page.kitchen.fault = ArenaError("No package index can be reached.", "Check the connection.")
    page.kitchen.go_on.set()
    page.set_ups.start("a/first")
    page.until(lambda: page.state("a/first") is SetUpState.FAILED, "the failure is shown")
    offer = page.offer("a/first")
    assert offer is not None
    assert offer.words == "No package index can be reached. Check the connection."
    page.set_ups.cancel("a/first")
    assert page.state("a/first") is SetUpState.IDLE
    page.kitchen.fault = RuntimeError("odd")
    page.set_ups.start("a/first")
    page.until(lambda: page.state("a/first") is SetUpState.FAILED, "an unforeseen failure is shown, too")
    page.kitchen.fault = None
    page.set_ups.start("a/first")
    page.until(lambda: page.row("a/first").ready, "it is tried again")


def test_while_a_battle_is_open_only_what_somebody_asked_for_moves(page: Page) -> None:
    page.models.hold()
    before = page.models.view()
    page.set_ups.start("a/first")
    shown = page.models.view()
    assert page.state("a/first") is SetUpState.RUNNING
    assert [replace(row, set_up=None) for row in shown.rows] == [replace(row, set_up=None) for row in before.rows]
    page.kitchen.go_on.set()
    page.until(lambda: page.row("a/first").ready, "who asked for it sees that it is ready")


def test_a_model_that_came_while_a_battle_is_open_gets_its_offer(page: Page) -> None:
    page.models.hold()
    late = replace(ROSTER.models["a/first"], repo_id="a/late", name="Late")
    page.models.use_roster(Roster({**ROSTER.models, "a/late": late}, {}))
    page.until(lambda: page.row("a/late").missing, "it is checked")
    page.until(lambda: page.state("a/late") is SetUpState.IDLE, "the offer comes: a model that lacks it plays nowhere")


def test_an_environment_in_which_an_import_failed_is_offered_anew_and_made_again(page: Page) -> None:
    page.kitchen.go_on.set()
    page.set_ups.start("a/first")
    page.until(lambda: page.row("a/first").ready, "it is made")
    assert not page.kitchen.again
    page.kitchen.faults = 1
    page.models.refresh()
    assert page.state("a/second") is SetUpState.IDLE
    page.set_ups.start("a/second")
    page.until(lambda: page.offer("a/first") is None, "it is made again")
    assert page.kitchen.again, "a whole one is replaced"


def test_closing_ends_what_is_under_way(page: Page) -> None:
    page.set_ups.start("a/first")
    assert page.kitchen.working.wait(10)
    page.close()
    assert page.kitchen.made == set()
    page.set_ups.start("a/second")
    page.set_ups.look()
