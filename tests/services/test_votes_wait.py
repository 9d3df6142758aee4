"""A vote waits while another process stores something large: it is said, it arrives, and quitting loses nothing."""

import contextlib
import sqlite3
import subprocess
import sys
import threading
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
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
connection.execute("COMMIT")
connection.close()
"""


class Holder:
    """Another program that writes, from now until it is let go."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "held\n"

    def let_go(self) -> None:
        with self._process:
            self._process.communicate("now\n", timeout=60)
            assert self._process.returncode == 0

    @contextlib.contextmanager
    def letting_go_in(self, seconds: float) -> Iterator[None]:
        """Lets go while what stands inside waits."""
        timer = threading.Timer(seconds, self.let_go)
        timer.start()
        yield
        timer.join()
        assert self._process.returncode == 0


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
    holder = Holder(driver.folder / "votes.sqlite")
    driver.services.listen.vote(Vote.B)
    driver.until(lambda: driver.view.status == words.WAITS_TO_BE_STORED, "word of the wait")
    assert driver.view.phase is Phase.READY  # nothing is revealed before the vote is on the disk
    assert driver.view.reveal is None
    holder.let_go()
    driver.until(lambda: driver.view.phase is Phase.REVEALED, "the reveal")
    assert driver.view.status.text.startswith("Stored")
    holder = Holder(driver.folder / "votes.sqlite")
    driver.services.listen.undo()
    driver.until(lambda: driver.view.status == words.WAITS_TO_BE_STORED, "word of the wait")
    holder.let_go()
    driver.until(lambda: driver.view.reveal is not None and driver.view.reveal.taken_back, "the retraction")
    assert driver.view.status != words.WAITS_TO_BE_STORED
    driver.close()
    assert _votes(driver) == ["b", "retraction"]


def test_a_vote_that_waits_is_stored_when_the_window_is_closed(driver: Driver) -> None:
    driver.until(lambda: driver.view.can_vote, "the gate")
    holder = Holder(driver.folder / "votes.sqlite")
    driver.services.listen.vote(Vote.A)
    with holder.letting_go_in(0.5):
        driver.close()
    assert _votes(driver) == ["a"]


def test_votes_wait_much_longer_than_anything_else(tmp_path: Path) -> None:
    path = tmp_path / "votes.sqlite"
    with VoteLog(Database(path, patience=0.5)) as log:
        first = log.append_vote(draft())
        holder = Holder(path)
        with pytest.raises(StoreError, match="locked for too long"), log.database.write():
            pytest.fail("somebody else writes")
        with holder.letting_go_in(0.8):
            log.append_vote(draft())
        with Holder(path).letting_go_in(0.8):
            log.append_retraction(first["id"], first["listener"], "undo")
        assert log.count() == 3
        connection = sqlite3.connect(path, isolation_level=None)  # what waits is not left so for the next
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked for too long"), log.database.write():
            pytest.fail("somebody else writes")
        connection.close()
