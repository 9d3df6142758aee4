"""Pair choice in the whole program: votes steer it, the setting changes it, each vote says how it was chosen."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_desktop.domain.votes import Vote
from arena_desktop.services.views import Phase
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.driver import Driver


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[Driver]:
    driver = Driver(tmp_path)
    yield driver
    driver.close()


def play(driver: Driver, battles: int) -> None:
    for _ in range(battles):
        driver.until(lambda: driver.view.can_vote, "the gate")
        driver.services.listen.vote(Vote.A)
        driver.until(lambda: driver.view.phase is Phase.REVEALED, "the reveal")
        driver.services.listen.next()


@pytest.mark.timeout(300)
def test_each_vote_says_how_its_pair_was_chosen(driver: Driver, tmp_path: Path) -> None:
    play(driver, 8)
    driver.services.settings.change(pair_choice="uniform")
    play(driver, 4)
    driver.services.listen.choose_arena("two")
    play(driver, 1)
    with VoteLog.open(tmp_path / "votes.sqlite") as log:
        policies = [record["policy"] for record in log.records()]
    assert {policy["pair"] for policy in policies[:8]} == {"rank-gain"}
    # Before the first vote all three pairs are alike; what was prepared then is still played.
    assert policies[0]["probability"] == "3.33333333e-01"
    assert len({policy["probability"] for policy in policies[:8]}) > 1, "the votes never reached the pair choice"
    later = [policy for policy in policies[8:12] if policy["pair"] == "uniform"]
    assert len(later) >= 3, "the battle on the table was drawn before the setting changed, no other"
    assert {policy["probability"] for policy in later} == {"3.33333333e-01"}
    assert policies[12]["probability"] == "1.00000000e+00"
    assert len({policy["seed"] for policy in policies}) == len(policies)


SPEAKERS = """\
schema: 1
models:
  - {repo_id: test/hibari, name: Alder, engine: hibari, language: [fr]}
  - {repo_id: test/pico-us, name: Birch, engine: pico, voices: [en-US], language: [en]}
  - {repo_id: test/pico-gb, name: Cedar, engine: pico, voices: [en-GB], language: [LAST]}
arenas:
  - {id: all, title: Everywhere, models: [test/hibari, test/pico-us, test/pico-gb]}
"""


@pytest.mark.timeout(300)
def test_an_arena_without_a_language_keeps_texts_to_those_who_speak_theirs(tmp_path: Path) -> None:
    roster = tmp_path / "roster.yaml"
    roster.write_text(SPEAKERS.replace("LAST", "en-GB"), encoding="utf-8")
    driver = Driver(tmp_path / "data", roster)
    try:
        play(driver, 3)
    finally:
        driver.close()
    with VoteLog.open(tmp_path / "data" / "votes.sqlite") as log:
        for record in log.records():
            assert {record[side]["repo_id"] for side in ("model_a", "model_b")} == {"test/pico-us", "test/pico-gb"}


@pytest.mark.timeout(300)
def test_texts_that_no_two_voices_speak_are_refused_in_words(tmp_path: Path) -> None:
    roster = tmp_path / "roster.yaml"
    roster.write_text(SPEAKERS.replace("LAST", "de"), encoding="utf-8")
    driver = Driver(tmp_path / "data", roster)
    try:
        driver.until(lambda: "language" in driver.view.status.text, "the reason")
        assert driver.view.phase is Phase.BLOCKED
        assert "Everywhere" in driver.view.status.text
        assert driver.view.status.remedy
    finally:
        driver.close()
