"""The window's services make a real environment while a battle is open, and the model in it becomes ready."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_desktop.services.views import ModelRow, Phase, SetUpState
from tests.helpers.driver import ROSTER, Driver
from tests.helpers.wheels import repacked, use_wheels

OWN = "  - {repo_id: test/own, name: Dogwood, engine: pico, voices: [en-US], language: [en], python: env:own}\n"
RECIPE = """\
schema: 1
id: own
title: Pico apart
engine: pico
packages: [{pins}]
size_gb: 0.06
license: Apache-2.0
commercial_use: yes
"""


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    wheels = tmp_path / "wheels"
    built = [repacked(wheels, name).name.split("-")[:2] for name in ("numpy", "py-nanotts")]
    use_wheels(monkeypatch, wheels, tmp_path / "cache")
    data = tmp_path / "data"
    (data / "recipes").mkdir(parents=True)
    pins = ", ".join(f"{name.replace('_', '-')}=={version}" for name, version in built)
    (data / "recipes" / "own.yaml").write_text(RECIPE.replace("{pins}", pins))
    roster = data / "with-own.yaml"
    roster.write_text(
        ROSTER.replace("arenas:\n", OWN + "arenas:\n").replace("test/pico-gb]", "test/pico-gb, test/own]")
    )
    driver = Driver(data, roster)
    yield driver
    driver.close()


def row(driver: Driver) -> ModelRow:
    return next(row for row in driver.models_views[-1].rows if row.repo_id == "test/own")


def offered(driver: Driver) -> bool:
    return bool(driver.models_views) and row(driver).set_up is not None


def test_a_press_makes_the_environment_beside_an_open_battle(driver: Driver) -> None:
    driver.until(lambda: driver.view.phase is Phase.READY, "a battle without it")
    assert offered(driver), "it could not come while the battle is open"
    assert not row(driver).ready
    assert "own" in row(driver).missing[0][0]

    driver.services.models.set_up("test/own")
    offer = row(driver).set_up
    assert offer is not None
    assert offer.state is SetUpState.RUNNING, "the press shows at once, though a battle is open"
    battle = driver.view.battle
    driver.services.models.cancel_set_up("test/own")
    driver.until(lambda: (offer := row(driver).set_up) is not None and offer.state is SetUpState.IDLE, "it ends")
    assert not (driver.folder / "environments" / "own").exists()

    driver.services.models.set_up("test/own")
    driver.until(lambda: row(driver).ready, "it is made")
    assert row(driver).set_up is None
    driver.until(lambda: row(driver).examined is not None, "it is examined")
    examined = row(driver).examined
    assert examined is not None
    assert examined.ok
    heard = [view for models in driver.models_views for view in models.rows if view.repo_id == "test/own"]
    assert any(view.set_up is not None and view.set_up.done > 0 for view in heard), "progress was told"
    assert driver.view.battle == battle, "the battle went on as it was"
    assert driver.errors == []
