"""Votes in and out beside real battles: the board catches up, and stands still while one is open."""

from pathlib import Path

from arena_desktop.app import Composition
from arena_desktop.domain.votes import Vote
from arena_desktop.paths import app_paths
from arena_desktop.services.exchange_views import Step
from arena_desktop.services.sync import sync_folder
from arena_desktop.services.views import Phase
from tests.helpers.driver import Driver, write_roster
from tests.helpers.vote_logs import draft, foreign_record, open_log, write_lines

MODELS = {"model_a": {"repo_id": "test/hibari"}, "model_b": {"repo_id": "test/pico-us"}}


def test_an_import_during_a_battle_is_shown_and_the_board_waits(tmp_path: Path) -> None:
    driver = Driver(tmp_path / "data")
    try:
        driver.until(lambda: driver.boards and driver.view.can_vote, "a battle that was heard")
        boards = len(driver.boards)
        file = write_lines(tmp_path / "f.jsonl", [foreign_record(**MODELS)])
        driver.services.exchange.read_files([str(file)])
        driver.until(lambda: driver.exchange_views[-1].step is Step.PREVIEW, "the preview")
        driver.services.exchange.store_files(add_models=False)
        driver.until(lambda: driver.exchange_views[-1].step is Step.DONE, "the import")
        driver.until(lambda: not driver.services._store.run(lambda: None), "the store's thread")
        assert len(driver.boards) == boards, "the board stands still while a battle is open"
        driver.services.listen.vote(Vote.A)
        driver.until(lambda: driver.view.phase is Phase.REVEALED, "the reveal")
        driver.until(lambda: len(driver.boards) > boards, "the board to catch up")
    finally:
        driver.close()


def test_the_window_synchronises_at_its_start_and_its_end(tmp_path: Path) -> None:
    data, shared = tmp_path / "data", tmp_path / "shared"
    shared.mkdir()
    roster = write_roster(data)
    with Composition(app_paths(data), roster_file=roster) as app:
        app.preferences.change(sync_folder=str(shared))
        app.preferences.save()
        with open_log(tmp_path / "other") as log:
            log.append_vote(draft(**MODELS))
            sync_folder(log, shared, roster=app.roster)
    driver = Driver(data, roster)
    try:
        driver.until(lambda: driver.view.can_vote, "a battle that was heard")
        driver.services.listen.vote(Vote.A)
        driver.until(lambda: driver.view.phase is Phase.REVEALED, "the reveal")
        driver.until(lambda: "1 new record" in driver.exchange_views[-1].sync.line.text, "the word of it")
    finally:
        driver.close()
    with open_log(tmp_path / "other") as log, Composition(app_paths(data), roster_file=roster) as app:
        assert sync_folder(log, shared, roster=app.roster).imported.new == 1
