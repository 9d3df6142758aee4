"""Votes in and out beside real battles: the board catches up, and stands still while one is open."""

from pathlib import Path

import pytest

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


def test_the_window_synchronises_at_its_start_and_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena_desktop.services.exchange_desk.LAST_S", 60.0)  # a busy machine is to be waited for
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


def bring_in(driver: Driver, file: Path) -> None:
    driver.services.exchange.read_files([str(file)])
    driver.until(lambda: driver.exchange_views[-1].step is Step.PREVIEW, "the preview")
    driver.services.exchange.store_files(add_models=False)
    driver.until(lambda: driver.exchange_views[-1].step is Step.DONE, "the import")


def share_in(driver: Driver, shared: Path) -> None:
    with (
        open_log(shared.parent / "other") as log,
        Composition(app_paths(driver.folder), roster_file=driver.folder / "quick.yaml") as app,
    ):
        log.append_vote(draft(**MODELS, conditions={"silent": True}))
        shared.mkdir()
        sync_folder(log, shared, roster=app.roster)
    driver.services.exchange.choose_sync_folder(str(shared), False)
    driver.until(lambda: driver.exchange_views[-1].step is Step.DONE, "the synchronisation")


@pytest.mark.parametrize("way", ["import", "sync"])
@pytest.mark.parametrize("end", ["vote", "skip"])
def test_what_a_person_brings_in_is_listed_at_once_and_the_board_says_that_it_waits(
    tmp_path: Path, way: str, end: str
) -> None:
    driver = Driver(tmp_path / "data")
    try:
        driver.until(lambda: driver.boards and driver.view.can_vote, "a battle that was heard")
        driver.services.history.open()
        driver.until(lambda: driver.history_views and not driver.history_views[-1].loading, "the empty history")
        if way == "import":
            bring_in(driver, write_lines(tmp_path / "f.jsonl", [foreign_record(**MODELS)]))
        else:
            share_in(driver, tmp_path / "shared")
        driver.until(lambda: driver.history_views[-1].total == 1, "the vote on the History page")
        driver.until(lambda: driver.boards[-1].waiting, "the word on the board")
        board = driver.boards[-1]
        assert "New votes came in" in board.waiting
        assert (board.votes, board.sentence) == (0, ""), "the numbers stand still, and nothing false is said of them"
        if end == "vote":
            driver.services.listen.vote(Vote.A)
        else:
            driver.services.listen.skip()
        driver.until(lambda: driver.boards[-1].votes, "the board to catch up")
        assert not driver.boards[-1].waiting
    finally:
        driver.close()


def test_models_added_under_another_name_count_without_a_restart(tmp_path: Path) -> None:
    driver = Driver(tmp_path / "data", own_roster=True)
    other = {"model_b": MODELS["model_b"]}
    try:
        driver.until(lambda: driver.boards and driver.view.can_vote, "a battle that was heard")
        strange = [
            foreign_record(
                id=f"01900000-0000-7000-8000-00000000000{n}", seq=n, model_a={"repo_id": f"Loud voice {n}"}, **other
            )
            for n in (1, 2)
        ]
        driver.services.exchange.read_files([str(write_lines(tmp_path / "f.jsonl", strange))])
        driver.until(lambda: driver.exchange_views[-1].step is Step.PREVIEW, "the preview")
        driver.services.exchange.store_files(add_models=True)
        driver.until(lambda: driver.exchange_views[-1].step is Step.DONE, "the import")
        driver.until(lambda: driver.boards[-1].waiting, "the word that something waits")
        driver.services.listen.skip()
        driver.until(lambda: driver.boards[-1].votes == 2, "both votes on the board")
        assert {"Loud voice 1", "Loud voice 2"} <= {row.name for row in driver.boards[-1].rows}
        assert (driver.folder / "aliases.yaml").exists()
    finally:
        driver.close()


def test_a_vote_taken_back_during_a_battle_leaves_the_board_after_it(tmp_path: Path) -> None:
    driver = Driver(tmp_path / "data")
    try:
        driver.until(lambda: driver.boards and driver.view.can_vote, "a battle that was heard")
        driver.services.listen.vote(Vote.A)
        driver.until(lambda: driver.boards[-1].votes == 1, "the vote on the board")
        driver.services.listen.next()
        driver.until(lambda: driver.view.can_vote, "the next battle")
        driver.services.history.open()
        driver.until(lambda: driver.history_views and driver.history_views[-1].rows, "the history")
        driver.services.history.retract(driver.history_views[-1].rows[0].id, "mistake", "")
        driver.until(lambda: driver.history_views[-1].rows[0].state, "the retraction on the History page")
        driver.until(lambda: "taken back" in driver.boards[-1].waiting, "the word on the board")
        assert driver.boards[-1].votes == 1
        driver.services.listen.skip()
        driver.until(lambda: driver.boards[-1].votes == 0, "the board to catch up")
        assert not driver.boards[-1].waiting
    finally:
        driver.close()


def test_whoever_looks_at_the_board_is_told_that_votes_wait(tmp_path: Path) -> None:
    driver = Driver(tmp_path / "data")
    try:
        driver.until(lambda: driver.boards and driver.view.can_vote, "a battle that was heard")
        driver.services.board.look(None)
        driver.services._store.run(lambda: None)
        driver.turn()
        assert not driver.boards[-1].waiting
        with open_log(tmp_path / "data") as log:
            log.append_vote(draft(**MODELS))
        boards = len(driver.boards)
        driver.services._store.run(lambda: None)
        driver.turn()
        assert len(driver.boards) == boards, "nobody asked"
        driver.services.board.look(None)
        driver.until(lambda: driver.boards[-1].waiting, "the word on the board")
    finally:
        driver.close()
