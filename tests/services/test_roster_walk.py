"""Whatever happens to the roster, and whenever: a battle is one of the roster in force as it opened, a vote is never
lost, and nothing is a fault.
"""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.app import Composition
from arena_desktop.domain.roster import ArenaSpec, ModelSpec
from arena_desktop.engines.host import SpeechHost
from arena_desktop.engines.types import Missing
from arena_desktop.paths import app_paths
from arena_desktop.services.board_views import AuditLens, Lens, PairsLens
from arena_desktop.services.views import ListenView, Phase
from tests.helpers.driver import ROSTER, Driver, write_roster

STEPS = 40
MODELS = {
    "test/hibari": "engine: hibari, language: [en]",
    "test/pico-us": "engine: pico, voices: [en-US], language: [en]",
    "test/pico-gb": "engine: pico, voices: [en-GB], language: [en]",
    "test/lost": "engine: command, settings: {argv: [/no/such]}",
    "test/mute": "params: 1B",
}
ARENAS = ("english", "two", "other")
QUESTIONS = ("Which voice sounds more natural?", "Which is clearer?")
LENSES: tuple[Lens | None, ...] = (PairsLens(), AuditLens(), None)


@dataclass(frozen=True)
class Opened:
    """What was in force as a battle opened."""

    arenas: dict[str, ArenaSpec]
    off: frozenset[str]


class Walker(Driver):
    """Notes for each battle what was in force as it opened."""

    def __init__(self, folder: Path, roster: Path) -> None:
        self.opened: list[Opened] = []
        self.voted: list[int] = []
        super().__init__(folder, roster, speed=200)

    def show_listen(self, view: ListenView) -> None:
        super().show_listen(view)
        if view.phase is Phase.READY and view.battle == len(self.opened) + 1:
            off = frozenset(self.composition.settings.disabled_models)
            self.opened.append(Opened(dict(self.composition.roster.arenas), off))


def some_roster(luck: random.Random) -> str:
    """A roster of some of the models in some arenas; now and then one without arenas, or none at all."""
    if luck.random() < 0.1:
        return "schema: 1\nmodels: [}"
    models = luck.sample(sorted(MODELS), luck.randint(3, len(MODELS)))
    lines = [f"  - {{repo_id: {one}, name: {luck.choice('PQRS')}-{one[5:]}, {MODELS[one]}}}" for one in models]
    arenas = luck.sample(ARENAS, luck.choice([0, 1, 1, 2, 2, 3, 3]))
    rooms = [
        f"  - {{id: {arena}, title: {arena}, language: en, question: {luck.choice(QUESTIONS)},"
        f" models: [{', '.join(luck.sample(models, luck.randint(len(models) - 1, len(models))))}]}}"
        for arena in arenas
    ]
    return "\n".join(["schema: 1", "models:", *lines, *(["arenas:", *rooms] if rooms else [])]) + "\n"


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Walker]:
    check = SpeechHost.check

    def slowly(host: SpeechHost, model: ModelSpec) -> tuple[Missing, ...]:
        time.sleep(0.1)  # so that much happens while models are being checked
        return check(host, model)

    monkeypatch.setattr(SpeechHost, "check", slowly)
    driver = Walker(tmp_path / "data", write_roster(tmp_path))
    driver.composition.preferences.change(autoplay=False)
    yield driver
    driver.close()


def vote(driver: Walker) -> None:
    driver.voted.append(driver.view.battle)
    driver.hear_and_vote()


def settle(driver: Walker) -> None:
    """Wait until nothing more comes by itself, but not for long."""
    until = time.monotonic() + 2
    while driver.view.phase not in (Phase.READY, Phase.REVEALED) and time.monotonic() < until:
        driver.turn()


def acts(driver: Walker, luck: random.Random) -> list[Callable[[], None]]:
    """What may be done now."""
    listen, view = driver.services.listen, driver.view
    every: list[Callable[[], None]] = [
        lambda: driver.rewrite_roster(some_roster(luck)),
        lambda: driver.services.models.set_enabled(luck.choice(sorted(MODELS)), enabled=luck.random() < 0.8),
        lambda: driver.services.board.look(luck.choice(LENSES)),
        lambda: driver.services.board.show_arena(luck.choice(ARENAS)),
        lambda: listen.choose_arena(luck.choice(ARENAS)),
    ]
    if view.phase is Phase.READY:
        every += [lambda: vote(driver)] * 8 + [listen.skip]
    if view.phase is Phase.REVEALED:
        every += [listen.next] * 8
    if view.can_undo:
        every.append(listen.undo)
    return every


@pytest.mark.parametrize("seed", range(3))
def test_a_walk_through_rosters(driver: Walker, seed: int) -> None:
    luck = random.Random(seed)
    for _ in range(STEPS):
        luck.choice(acts(driver, luck))()
        if luck.random() < 0.5:
            settle(driver)
    if driver.view.phase is Phase.READY:
        vote(driver)
    for one in MODELS:
        driver.services.models.set_enabled(one, enabled=True)
    driver.rewrite_roster(ROSTER)
    driver.until(lambda: [one.id for one in driver.view.arenas] == ["english", "two"], "the first roster")
    if driver.view.phase is Phase.REVEALED:
        driver.services.listen.next()
    driver.until(lambda: driver.view.phase is Phase.READY, "a battle")
    vote(driver)
    cast, chosen = driver.view.votes_cast, driver.view.arena
    driver.services.board.show_arena(chosen)
    driver.until(lambda: driver.boards[-1].arena == chosen, "its board")
    assert driver.errors == []
    assert all("stays in force" in note for note in driver.notes)  # what was told of files that are no roster
    driver.close()
    records = list(Composition(app_paths(driver.folder)).log.records())
    votes = [one for one in records if one["type"] == "vote"]
    assert len(votes) == len(driver.voted) == cast
    for record, battle in zip(votes, driver.voted, strict=True):
        assert fits(record, driver.opened[battle - 1]), (battle, record, driver.opened[battle - 1])


def fits(record: dict[str, Any], opened: Opened) -> bool:
    """Whether a vote can be that on a battle that opened then."""
    sides = {record["model_a"]["repo_id"], record["model_b"]["repo_id"]}
    arena = opened.arenas.get(record["arena"])
    asked = record["conditions"]["question"]
    return arena is not None and arena.question == asked and sides <= set(arena.models) - opened.off
