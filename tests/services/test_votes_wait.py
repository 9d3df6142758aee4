"""A vote waits while another process stores something large: it is said, it arrives, and quitting loses nothing."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_desktop.domain.votes import Vote
from arena_desktop.services import words
from arena_desktop.services.views import Phase
from arena_desktop.store.database import Database
from arena_desktop.store.sql_errors import StoreError
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.driver import Driver
from tests.helpers.vote_logs import draft

HOLDER = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
connection.execute("COMMIT")
connection.close()
"""


def _hold(path: Path, seconds: float) -> "subprocess.Popen[str]":
    """Another program that writes for so long."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path), str(seconds)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


def _end(holder: "subprocess.Popen[str]") -> None:
    with holder:
        assert holder.wait(60) == 0


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[Driver]:
    driver = Driver(tmp_path / "data")
    yield driver
    driver.close()


def _votes(driver: Driver) -> list[str]:
    with VoteLog.open(driver.folder / "votes.sqlite") as log:
        return [str(record["vote"] if record["type"] == "vote" else record["type"]) for record in log.records()]


def test_a_vote_and_its_retraction_wait_for_another_writer(driver: Driver) -> None:
    driver.until(lambda: driver.view.can_vote, "the gate")
    holder = _hold(driver.folder / "votes.sqlite", 3.0)
    driver.services.listen.vote(Vote.B)
    driver.until(lambda: driver.view.status == words.WAITS_TO_BE_STORED, "word of the wait")
    assert driver.view.phase is Phase.READY  # nothing is revealed before the vote is on the disk
    assert driver.view.reveal is None
    driver.until(lambda: driver.view.phase is Phase.REVEALED, "the reveal")
    assert driver.view.status.text.startswith("Stored")
    _end(holder)
    holder = _hold(driver.folder / "votes.sqlite", 3.0)
    driver.services.listen.undo()
    driver.until(lambda: driver.view.status == words.WAITS_TO_BE_STORED, "word of the wait")
    driver.until(lambda: driver.view.reveal is not None and driver.view.reveal.taken_back, "the retraction")
    assert driver.view.status != words.WAITS_TO_BE_STORED
    _end(holder)
    driver.close()
    assert _votes(driver) == ["b", "retraction"]


def test_a_vote_that_waits_is_stored_when_the_window_is_closed(driver: Driver) -> None:
    driver.until(lambda: driver.view.can_vote, "the gate")
    holder = _hold(driver.folder / "votes.sqlite", 2.0)
    driver.services.listen.vote(Vote.A)
    driver.close()
    assert _votes(driver) == ["a"]
    _end(holder)


def test_votes_wait_much_longer_than_anything_else(tmp_path: Path) -> None:
    path = tmp_path / "votes.sqlite"
    with VoteLog(Database(path, patience=0.5)) as log:
        first = log.append_vote(draft())
        holder = _hold(path, 2.0)
        with pytest.raises(StoreError, match="locked for too long"), log.database.write():
            pytest.fail("somebody else writes")
        log.append_vote(draft())
        _end(holder)
        holder = _hold(path, 2.0)
        log.append_retraction(first["id"], first["listener"], "undo")
        _end(holder)
        assert log.count() == 3
        connection = sqlite3.connect(path, isolation_level=None)  # what waits is not left so for the next
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked for too long"), log.database.write():
            pytest.fail("somebody else writes")
        connection.close()
