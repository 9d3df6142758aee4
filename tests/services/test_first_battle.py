"""The first battle waits for the models of its own arena alone: what else is in the roster may take its time."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.host import SpeechHost
from arena_desktop.engines.types import Missing
from arena_desktop.services.views import Phase
from tests.helpers.driver import ROSTER, Driver

OTHERS = """\
  - {repo_id: other/de, name: Elm, engine: pico, voices: [de-DE], language: [de]}
  - {repo_id: other/es, name: Fir, engine: pico, voices: [es-ES], language: [de]}
arenas:
  - {id: others, title: Others, language: de, models: [other/de, other/es, test/hibari]}
"""


@pytest.fixture
def go_on() -> threading.Event:
    return threading.Event()


@pytest.fixture
def make_driver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, go_on: threading.Event
) -> Iterator[Callable[..., Driver]]:
    """A window whose roster has the usual arenas and one more; ``slow`` models aren't looked at before ``go_on``."""
    check, made = SpeechHost.check, []

    def make(*slow: str, arena: str) -> Driver:
        def waiting(host: SpeechHost, model: ModelSpec) -> tuple[Missing, ...]:
            assert model.repo_id not in slow or go_on.wait(60)
            return check(host, model)

        monkeypatch.setattr(SpeechHost, "check", waiting)
        file = tmp_path / "roster.yaml"
        file.write_text(ROSTER.replace("arenas:\n", OTHERS), encoding="utf-8")
        driver = Driver(tmp_path / "data", file, speed=100)
        driver.composition.preferences.change(autoplay=False, arena=arena)
        made.append(driver)
        return driver

    yield make
    go_on.set()
    for driver in made:
        driver.close()


def ready(driver: Driver) -> set[str]:
    return {row.name for row in driver.models_views[-1].rows if row.ready}


def test_models_of_other_arenas_are_not_waited_for_and_show_as_they_are_found(
    make_driver: Callable[..., Driver], go_on: threading.Event
) -> None:
    driver = make_driver("other/de", arena="english")
    driver.until(lambda: driver.view.phase is Phase.READY, "a battle")
    assert ready(driver) == {"Alder", "Birch", "Cedar"}
    assert driver.models_views[-1].checking
    go_on.set()
    driver.until(lambda: ready(driver) == {"Alder", "Birch", "Cedar", "Elm", "Fir"}, "the others, beside the battle")
    driver.until(lambda: not driver.models_views[-1].checking, "the end of the check")
    assert driver.view.phase is Phase.READY
    assert driver.view.battle == 1


def test_the_chosen_arenas_models_are_looked_at_first_and_all_of_them_are_waited_for(
    make_driver: Callable[..., Driver], go_on: threading.Event
) -> None:
    driver = make_driver("test/pico-us", arena="others")
    driver.until(lambda: driver.view.phase is Phase.READY, "a battle")
    assert ready(driver) == {"Alder", "Elm", "Fir"}
    driver.services.listen.choose_arena("english")  # two of its three are known
    driver.until(lambda: driver.view.phase is Phase.BLOCKED, "a word")
    assert driver.view.status.text == "Checking which voices are ready…"
    go_on.set()
    driver.until(lambda: driver.view.phase is Phase.READY, "a battle")
    assert driver.view.arena == "english"
