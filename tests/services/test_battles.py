"""The main job without a window: real voices, the real log, a silent player on a fast clock."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.votes import Side, Vote
from arena_desktop.services.views import Phase, PromptSource, Tone
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.driver import NAMES, Driver


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[Driver]:
    driver = Driver(tmp_path / "data")
    yield driver
    driver.close()


def ready(driver: Driver, battle: int) -> None:
    driver.until(lambda: driver.view.battle == battle and driver.view.phase is Phase.READY, f"battle {battle}")


def vote(driver: Driver, vote: Vote) -> None:
    cast = driver.view.votes_cast
    driver.until(lambda: driver.view.can_vote, "the gate")
    driver.services.listen.vote(vote)
    driver.until(lambda: driver.view.votes_cast == cast + 1, "the vote in the log")


def records(folder: Path) -> list[dict[str, Any]]:
    with VoteLog.open(folder / "votes.sqlite") as log:
        return list(log.records())


def test_four_battles_four_votes(driver: Driver) -> None:
    for number, cast in enumerate(Vote, start=1):
        ready(driver, number)
        vote(driver, cast)
        reveal = driver.view.reveal
        assert reveal is not None
        assert reveal.vote is cast
        assert {reveal.a.name, reveal.b.name} < {"Alder", "Birch", "Cedar"}
        driver.services.listen.next()
    driver.close()
    log = records(driver.folder)
    assert [record["vote"] for record in log] == list(Vote)
    assert log[0]["policy"]["probability"] == "3.33333333e-01", "before any vote the three pairs are equally likely"
    for record in log:
        assert record["listening"]["heard_a"] >= 0.9
        assert record["listening"]["heard_b"] >= 0.9
        assert record["listening"]["first_played"] in ("a", "b")
        assert record["listening"]["rt_ms"] >= 0
        assert record["conditions"]["silent"] is True
        assert record["prompt"]["text"]
        assert set(record["policy"]) == {"pair", "probability", "seed"}
        assert record["policy"]["pair"] in ("uniform", "rank-gain")
        assert 0 < float(record["policy"]["probability"]) <= 1
        assert record["model_a"]["weights_hash"]
        assert record["model_a"]["clip_sha256"] != record["model_b"]["clip_sha256"]


def test_nothing_names_the_models_before_the_vote(driver: Driver) -> None:
    ready(driver, 1)
    driver.until(lambda: driver.view.can_vote, "the gate")
    for view in driver.listen_views:
        shown = repr(view)
        assert not [name for name in NAMES if name in shown]
    others = len(driver.boards), len(driver.models_views)
    for _ in range(30):
        driver.turn()
    assert (len(driver.boards), len(driver.models_views)) == others, "another page changed while a battle was open"


def test_an_early_vote_is_refused_and_says_what_to_hear(tmp_path: Path) -> None:
    driver = Driver(tmp_path / "data", speed=0.1)
    try:
        ready(driver, 1)
        driver.services.listen.vote(Vote.A)
        assert driver.view.status.tone is Tone.WARNING
        assert "has not been heard far enough" in driver.view.status.text
        driver.until(lambda: driver.view.playing is not None, "autoplay")
        driver.services.listen.vote(Vote.A)
        unheard = driver.view.status.text[len("Sample ")].lower()
        assert ("is playing" in driver.view.status.remedy) == (driver.view.playing == unheard)
        assert driver.view.votes_cast == 0
    finally:
        driver.close()
    assert records(driver.folder) == []


def test_the_listener_takes_over_from_autoplay(tmp_path: Path) -> None:
    driver = Driver(tmp_path / "data", speed=1.0)
    try:
        ready(driver, 1)
        driver.until(lambda: driver.view.playing is not None, "autoplay")
        first = driver.view.playing
        assert first is not None
        driver.services.listen.play(first.other)
        driver.until(lambda: driver.view.playing is first.other, "the other side")
        driver.services.listen.toggle_pause()
        driver.until(lambda: driver.view.paused, "the pause")
        driver.services.listen.toggle_pause()
        driver.until(lambda: driver.view.playing is first.other, "going on")
    finally:
        driver.close()


def test_undo_retracts_the_vote_and_opens_nothing_again(driver: Driver) -> None:
    ready(driver, 1)
    vote(driver, Vote.A)
    driver.until(lambda: any(board.votes == 1 for board in driver.boards), "the board with the vote")
    driver.services.listen.undo()
    driver.until(lambda: "Taken back" in driver.view.status.text, "the retraction")
    assert driver.view.reveal is not None
    assert driver.view.reveal.taken_back
    assert f"{driver.view.reveal.a.name} over {driver.view.reveal.b.name}" in driver.view.status.text
    driver.until(lambda: driver.boards[-1].votes == 0, "the board without the vote")
    assert driver.view.phase is Phase.REVEALED
    assert not driver.view.can_undo
    driver.close()
    log = records(driver.folder)
    assert [record["type"] for record in log] == ["vote", "retraction"]
    assert log[1]["retracts"] == log[0]["id"]
    assert log[1]["reason"] == "undo"


def test_a_skipped_battle_leaves_no_trace_in_the_log(driver: Driver) -> None:
    ready(driver, 1)
    driver.services.listen.skip()
    ready(driver, 2)
    driver.close()
    assert records(driver.folder) == []


def test_names_and_board_are_held_back_until_the_set_is_complete(driver: Driver) -> None:
    driver.services.settings.change(reveal="set", reveal_set=3)
    ready(driver, 1)
    for number in (1, 2):
        ready(driver, number)
        vote(driver, Vote.A)
        assert driver.view.reveal is None
        assert driver.view.held_back == (number, 3)
    ready(driver, 3)
    assert all(board.votes == 0 for board in driver.boards)
    vote(driver, Vote.B)
    reveal = driver.view.reveal
    assert reveal is not None
    assert [line.vote for line in reveal.set_lines] == [Vote.A, Vote.A, Vote.B]
    assert reveal.sentences == (f"You preferred {reveal.b.name} over {reveal.a.name}.",)
    assert (reveal.set_lines[-1].a, reveal.set_lines[-1].b) == (reveal.a.name, reveal.b.name)
    driver.until(lambda: driver.boards[-1].votes == 3, "the board after the set")


def test_taking_back_a_vote_of_a_set_names_nobody(driver: Driver) -> None:
    driver.services.settings.change(reveal="set", reveal_set=3)
    ready(driver, 1)
    vote(driver, Vote.A)
    ready(driver, 2)
    driver.services.listen.undo()
    driver.until(lambda: "Taken back" in driver.view.status.text, "the retraction")
    assert not [name for name in NAMES if name in repr(driver.view)]
    assert driver.view.held_back == (0, 3)
    assert not driver.view.can_undo


def test_what_is_wrong_with_the_settings_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "settings.json").write_text('{"schema": 1, "gate": "high"}', encoding="utf-8")
    driver = Driver(folder)
    try:
        ready(driver, 1)
        assert any("gate" in note for note in driver.notes)
        assert driver.view.gate == 0.9
    finally:
        driver.close()


def test_own_text_stays_in_the_private_part(driver: Driver) -> None:
    secret = "My own words are nobody else's business."
    driver.services.listen.choose_prompts(PromptSource(kind="own", text=secret))
    driver.until(lambda: driver.view.prompt_text == secret, "the own text")
    vote(driver, Vote.TIE)
    driver.close()
    (record,) = records(driver.folder)
    assert record["private"]["text"] == secret
    public = json.dumps({key: value for key, value in record.items() if key != "private"})
    assert secret not in public
    assert record["prompt"]["id"].startswith("own:")
    assert record["prompt"]["sha256"] is None
    assert record["model_a"]["clip_sha256"] is None
    assert record["private"]["clip_a_sha256"]


def test_an_own_text_that_cannot_be_spoken_is_refused_in_words(driver: Driver) -> None:
    ready(driver, 1)
    driver.services.listen.choose_prompts(PromptSource(kind="own", text=" … "))
    assert "nothing in it can be spoken" in driver.view.status.text
    assert driver.view.prompts.kind == "builtin"
    assert driver.view.phase is Phase.READY


def test_another_listener_starts_a_battle_of_their_own(driver: Driver) -> None:
    ready(driver, 1)
    first = driver.view.listener
    driver.services.listen.add_listener("Second Person")
    ready(driver, 2)
    assert driver.view.listener != first
    vote(driver, Vote.A)
    driver.close()
    (record,) = records(driver.folder)
    assert record["listener"] == driver.view.listener
    assert "Second Person" not in json.dumps(record)


def test_another_arena_asks_its_own_question(driver: Driver) -> None:
    ready(driver, 1)
    driver.services.listen.choose_arena("two")
    driver.until(lambda: driver.view.question == "Which is clearer?", "the other arena")
    vote(driver, Vote.A)
    assert driver.view.reveal is not None
    assert {driver.view.reveal.a.name, driver.view.reveal.b.name} == {"Alder", "Birch"}


def test_one_voice_is_no_arena_and_switching_one_on_opens_it(driver: Driver) -> None:
    ready(driver, 1)
    vote(driver, Vote.A)
    driver.services.models.set_enabled("test/pico-us", False)
    driver.services.models.set_enabled("test/hibari", False)
    driver.services.listen.next()
    driver.until(lambda: driver.view.phase is Phase.BLOCKED, "the block")
    assert "needs two voices that are ready; one is" in driver.view.status.text
    assert driver.view.status.remedy == "Switch another voice on, on the Models page."
    driver.services.models.set_enabled("test/hibari", True)
    ready(driver, 2)


def test_the_same_choices_hold_at_the_next_start(driver: Driver) -> None:
    ready(driver, 1)
    driver.services.listen.choose_arena("two")
    driver.services.listen.set_volume(-6)
    driver.services.settings.change(theme="dark", gate=0.5)
    driver.close()
    again = Driver(driver.folder)
    try:
        ready(again, 1)
        assert again.view.arena == "two"
        assert again.view.volume_db == -6
        assert again.view.gate == 0.5
    finally:
        again.close()


def test_sides_are_played_in_the_drawn_order(driver: Driver) -> None:
    ready(driver, 1)
    vote(driver, Vote.A)
    driver.close()
    (record,) = records(driver.folder)
    assert record["listening"]["first_played"] in (Side.A, Side.B)
    assert (record["listening"]["plays_a"], record["listening"]["plays_b"]) == (1, 1)
    assert record["listening"]["switches"] == 1


def test_lines_of_a_text_file_that_are_left_out_are_said(driver: Driver, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("The first sentence of mine.\n!!!\nThe second one.\n", encoding="utf-8")
    ready(driver, 1)
    driver.services.listen.choose_prompts(PromptSource(kind="file", path=str(texts)))
    assert driver.view.status.text.startswith("1 line of the file was left out; line 2:")
    assert driver.view.prompts_note == "2 sentences; without line 2"
    driver.until(lambda: driver.view.prompt_text in ("The first sentence of mine.", "The second one."), "own texts")
    driver.services.listen.choose_prompts(PromptSource(kind="file", path=str(tmp_path / "gone.txt")))
    assert "gone.txt" in driver.view.status.text
    assert driver.view.prompts.path == str(texts)
    driver.services.listen.choose_prompts(PromptSource())
    assert driver.view.prompts_note == ""


def test_a_change_of_latency_repeats_the_trial(driver: Driver) -> None:
    ready(driver, 1)
    driver.until(lambda: driver.view.can_vote, "the gate")
    driver.services.settings.change(latency=0.1)
    assert not driver.view.can_vote
    driver.services.listen.play(Side.A)
    driver.until(lambda: driver.view.heard_a > 0.99, "sample A")
    driver.services.listen.play(Side.B)
    vote(driver, Vote.B)
