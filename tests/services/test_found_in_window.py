"""Models found, heard and added beside real battles, without starting the program again."""

from pathlib import Path

import pytest

from arena_desktop.services.finders.found import FoundState
from arena_desktop.services.found_views import FoundRow, FoundView
from arena_desktop.services.views import ModelRow
from tests.helpers.disk_models import piper_voice
from tests.helpers.driver import Driver


@pytest.fixture
def driver(tmp_path: Path) -> "Driver":
    return Driver(tmp_path / "data", own_roster=True)


def found(driver: Driver) -> FoundView:
    return driver.found_views[-1] if driver.found_views else FoundView()


def only(driver: Driver) -> FoundRow:
    rows = found(driver).rows
    assert len(rows) == 1
    return rows[0]


def card(driver: Driver, name: str) -> ModelRow | None:
    return next((row for row in driver.models_views[-1].rows if row.name == name), None)


def test_a_voice_is_found_heard_added_used_and_removed_in_one_run(driver: Driver, tmp_path: Path) -> None:
    name = "Piper joe (medium)"
    try:
        driver.until(lambda: driver.view.can_vote, "a battle that was heard")
        piper_voice(tmp_path / "voices")
        battle = driver.view
        driver.services.models.find([str(tmp_path / "voices")])
        driver.until(lambda: found(driver).rows and only(driver).can_listen, "the check")
        assert only(driver).state is FoundState.READY
        assert not only(driver).can_add, "nothing is added that was not heard"

        driver.services.models.try_found(only(driver).id, "")
        driver.until(lambda: only(driver).heard, "the sentence")
        driver.until(lambda: not only(driver).playing, "its end")
        assert only(driver).can_add
        assert driver.view.battle == battle.battle, "the open battle is the same"

        driver.services.models.add(only(driver).id, "", "")
        driver.until(lambda: only(driver).in_roster, "the roster")
        driver.until(lambda: (row := card(driver, name)) is not None and row.ready, "its card, ready")
        row = card(driver, name)
        assert row is not None
        assert row.repo_id in found(driver).own
        assert row.arenas == ("English", "Two of them")
        assert "was added to the arena" in found(driver).told.text

        driver.services.models.forget(row.repo_id)
        driver.until(lambda: card(driver, name) is None, "the card to go")
        assert not only(driver).in_roster
        assert not driver.errors
    finally:
        driver.close()


def test_what_the_roster_has_is_not_added_again(driver: Driver, tmp_path: Path) -> None:
    from tests.helpers.disk_models import joe

    try:
        driver.until(lambda: driver.models_views and not driver.models_views[-1].checking, "the check at the start")
        (tmp_path / "copy").mkdir()
        for name in ("en_US-joe-medium.onnx", "en_US-joe-medium.onnx.json"):
            (tmp_path / "copy" / name).symlink_to(joe() / name)
        driver.services.models.find([str(tmp_path / "copy")])
        driver.until(lambda: found(driver).rows and only(driver).can_listen, "the check")
        driver.services.models.try_found(only(driver).id, "")
        driver.until(lambda: only(driver).told.text, "the refusal")
        assert "in the roster already, as Piper Joe" in only(driver).told.text
        assert not only(driver).heard
    finally:
        driver.close()


def test_no_roster_model_is_heard_by_name_while_a_battle_is_open(driver: Driver) -> None:
    try:
        driver.until(lambda: driver.view.can_vote, "a battle that was heard")
        assert not found(driver).can_listen
        driver.services.models.listen("test/hibari")
        assert not found(driver).sample
    finally:
        driver.close()
