"""*Check again* reads the roster's file anew: what a person has written there meanwhile holds, whatever is open."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_desktop.app import Composition
from arena_desktop.domain.roster import ModelSpec, Roster
from arena_desktop.engines.types import Missing
from arena_desktop.paths import app_paths
from arena_desktop.services.board_views import PairsLens
from arena_desktop.services.views import Phase
from tests.helpers.driver import ROSTER, Driver, write_roster

LATER = """\
schema: 1
models:
  - {repo_id: test/pico-us, name: Birch, engine: pico, voices: [en-US], language: [en]}
  - {repo_id: test/pico-gb, name: Cedar, engine: pico, voices: [en-GB], language: [en]}
  - {repo_id: test/lost, name: Dogwood, engine: command, settings: {argv: [/no/such]}}
arenas:
  - {id: other, title: Another, language: en, models: [test/pico-us, test/pico-gb]}
"""


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[Driver]:
    driver = Driver(tmp_path / "data", write_roster(tmp_path), speed=100)
    driver.composition.preferences.change(autoplay=False)
    driver.until(lambda: driver.view.phase is Phase.READY, "a battle")
    yield driver
    driver.close()


def arenas_voted_in(driver: Driver) -> list[str]:
    """The arenas of all votes in the log; ends the driver."""
    driver.close()
    votes = [one for one in Composition(app_paths(driver.folder)).log.records() if one["type"] == "vote"]
    return [one["arena"] for one in votes]


def test_models_and_arenas_come_and_go_and_the_open_battle_counts(driver: Driver) -> None:
    driver.rewrite_roster(LATER)
    driver.hear_and_vote()
    driver.until(lambda: [one.id for one in driver.view.arenas] == ["other"], "the new arenas")
    driver.until(lambda: [one.name for one in driver.models_views[-1].rows] == ["Birch", "Cedar", "Dogwood"], "cards")
    driver.services.listen.next()
    driver.until(lambda: driver.view.phase is Phase.READY, "a battle of the new arena")
    assert driver.view.arena == "other"
    driver.hear_and_vote()
    driver.until(lambda: driver.boards[-1].votes == 1 and driver.boards[-1].arena == "other", "its board")
    driver.until(lambda: not driver.models_views[-1].checking, "all are checked")
    (lost,) = [row for row in driver.models_views[-1].rows if row.name == "Dogwood"]
    assert lost.missing
    assert (driver.errors, driver.notes) == ([], [])
    assert arenas_voted_in(driver) == ["english", "other"]


@pytest.fixture
def slow_check(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Models are checked no sooner than this event is set."""
    go_on, check = threading.Event(), driver.composition.host.check

    def waiting(model: ModelSpec) -> tuple[Missing, ...]:
        assert go_on.wait(60)
        return check(model)

    driver.until(lambda: not driver.models_views[-1].checking, "all are checked")
    monkeypatch.setattr(driver.composition.host, "check", waiting)
    yield go_on
    go_on.set()


def test_no_battle_of_an_arena_that_has_gone_opens_while_the_new_models_are_checked(
    driver: Driver, slow_check: threading.Event
) -> None:
    driver.rewrite_roster(LATER)
    driver.hear_and_vote()
    driver.until(lambda: [one.id for one in driver.view.arenas] == ["other"], "the new arenas")
    driver.services.listen.next()
    driver.until(lambda: driver.view.phase is Phase.BLOCKED, "a word")
    assert driver.view.status.text == "Checking which voices are ready…"
    slow_check.set()
    driver.until(lambda: driver.view.phase is Phase.READY, "a battle")
    driver.hear_and_vote()
    assert arenas_voted_in(driver) == ["english", "other"]


def test_while_models_are_checked_battles_go_on_without_one_that_was_switched_off(
    driver: Driver, slow_check: threading.Event
) -> None:
    driver.services.models.check_again()
    driver.hear_and_vote()
    driver.services.models.set_enabled("test/pico-gb", enabled=False)
    for _ in range(3):
        driver.services.listen.next()
        driver.until(lambda: driver.view.phase is Phase.READY, "a battle")
        driver.hear_and_vote()
        assert driver.view.reveal is not None
        assert {driver.view.reveal.a.name, driver.view.reveal.b.name} == {"Alder", "Birch"}
    assert not slow_check.is_set()


def test_a_new_question_is_asked_from_the_next_battle_on_while_the_models_are_still_checked(
    driver: Driver, slow_check: threading.Event
) -> None:
    driver.rewrite_roster(ROSTER.replace("title: English,", "title: English, question: Which is livelier?,"))
    driver.hear_and_vote()
    driver.until(lambda: not driver.composition.roster.arenas["english"].question.startswith("Which voice"), "it")
    driver.services.listen.next()
    driver.until(lambda: driver.view.phase is Phase.READY, "a battle")
    assert driver.view.question == "Which is livelier?"
    assert not slow_check.is_set()


def test_a_file_that_is_no_roster_changes_nothing_and_is_told(driver: Driver) -> None:
    driver.rewrite_roster("schema: 1\nmodels: [}")
    driver.hear_and_vote()
    driver.until(lambda: driver.notes, "a note")
    assert "quick.yaml" in driver.notes[-1]
    driver.until(lambda: not driver.models_views[-1].checking, "all are checked")
    assert [one.id for one in driver.view.arenas] == ["english", "two"]
    driver.rewrite_roster(ROSTER.replace("Alder", "Ash"))
    driver.until(lambda: driver.models_views[-1].rows[0].name == "Ash", "the new name")
    assert len(driver.notes) == 1


def test_a_roster_without_arenas_ends_battles_in_words_and_one_with_them_begins_again(driver: Driver) -> None:
    driver.rewrite_roster(ROSTER[: ROSTER.index("arenas:")])
    driver.hear_and_vote()
    driver.until(lambda: not driver.view.arenas, "no arenas")
    driver.services.listen.next()
    driver.until(lambda: driver.view.phase is Phase.BLOCKED, "a word")
    assert driver.view.status.text == "The roster has no arena."
    driver.until(lambda: not driver.boards[-1].arenas, "the board says it too")
    assert driver.boards[-1].sentence == "The roster has no arena. Add one to models.yaml."
    driver.rewrite_roster(ROSTER)
    driver.until(lambda: driver.view.phase is Phase.READY, "a battle again")
    driver.until(lambda: (driver.boards[-1].arena, driver.boards[-1].votes) == ("english", 1), "the board again")
    assert (driver.errors, driver.notes) == ([], [])


def test_while_a_battle_is_open_nothing_is_read(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[int] = []
    load = driver.composition.rosters.load

    def counted() -> Roster:
        reads.append(1)
        return load()

    monkeypatch.setattr(driver.composition.rosters, "load", counted)
    driver.services.models.check_again()
    driver.services.models.check_again()
    driver.until(lambda: not driver.models_views[-1].checking, "all are checked")
    assert reads == []
    driver.hear_and_vote()
    driver.until(lambda: reads, "the roster is read")
    assert reads == [1]


def test_a_lens_of_an_arena_that_has_gone_is_no_fault(driver: Driver) -> None:
    driver.hear_and_vote()
    driver.services.board.look(PairsLens())
    driver.rewrite_roster(ROSTER[: ROSTER.index("arenas:")])
    driver.until(lambda: not driver.view.arenas, "no arenas")
    driver.services.board.show_arena("english")
    driver.services.board.look(PairsLens())
    driver.services._store.run(lambda: None)
    driver.rewrite_roster(ROSTER)
    driver.services.listen.next()
    driver.until(lambda: driver.view.phase is Phase.READY, "a battle again")
    driver.services.board.show_arena("english")
    driver.until(lambda: driver.boards[-1].votes == 1, "the board again")
    assert (driver.errors, driver.notes) == ([], [])
