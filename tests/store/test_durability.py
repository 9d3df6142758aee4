"""Votes survive what happens to a machine: kill -9 in the middle of a write, two programs at once, a full disk."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena_desktop.services.exchange import verify_log
from arena_desktop.store.vote_log import VoteLog

VOTER = """
import json, sys
from pathlib import Path
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import draft

with VoteLog.open(Path(sys.argv[1])) as log:
    for _ in range(int(sys.argv[2])):
        print(log.append_vote(draft())["id"], flush=True)
"""
GREEDY = """
import resource, sys
from pathlib import Path
from arena_desktop.errors import ArenaError
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import draft

with VoteLog.open(Path(sys.argv[1])) as log:
    limit = 400_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    kept = []
    try:
        for _ in range(5000):
            kept.append(log.append_vote(draft())["id"])
    except ArenaError as error:
        print(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    kept.append(log.append_vote(draft())["id"])
    print(len(kept), [record["id"] for record in log.records()] == kept)
"""


def _voter(path: Path, votes: int, code: str = VOTER) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", code, str(path), str(votes)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )


def _confirmed(voter: "subprocess.Popen[str]") -> list[str]:
    """The ids on whole lines: a line without its end was not confirmed to anyone."""
    assert voter.stdout is not None
    with voter, voter.stdout:
        return [line.strip() for line in voter.stdout if line.endswith("\n")]


def _checked_ids(path: Path) -> list[str]:
    with VoteLog.open(path) as log:
        assert verify_log(log).faults == []
        return [record["id"] for record in log.records()]


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_every_confirmed_vote_survives_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "votes.sqlite"
    chance = random.Random(20)
    confirmed: list[str] = []
    for _ in range(10):
        voter = _voter(path, 100_000)
        assert voter.stdout is not None
        first = voter.stdout.readline()  # it is writing now
        time.sleep(chance.uniform(0.0, 0.15))
        voter.send_signal(signal.SIGKILL)
        confirmed += [first.strip(), *_confirmed(voter)]
    stored = _checked_ids(path)
    assert len(confirmed) >= 10
    assert set(confirmed) <= set(stored)
    assert len(stored) == len(set(stored)) <= len(confirmed) + 10  # at most the one in flight at each kill
    with VoteLog.open(path) as log:
        assert {record["station_id"] for record in log.records()} == {log.station_id()}


def test_two_programs_write_one_chain(tmp_path: Path) -> None:
    path = tmp_path / "votes.sqlite"
    voters = [_voter(path, 60) for _ in range(2)]  # both make the file, too
    ids = [_confirmed(voter) for voter in voters]
    assert [voter.returncode for voter in voters] == [0, 0]
    assert sorted(_checked_ids(path)) == sorted(ids[0] + ids[1])
    with VoteLog.open(path) as log:
        assert [record["seq"] for record in log.records()] == list(range(1, 121))


@pytest.mark.skipif(os.name == "nt", reason="no file size limits")
def test_a_file_that_may_not_grow_is_said_and_loses_nothing(tmp_path: Path) -> None:
    voter = _voter(tmp_path / "votes.sqlite", 0, GREEDY)
    lines = _confirmed(voter)
    assert voter.returncode == 0
    assert "free space" in lines[0]
    count, whole = lines[1].split()
    assert int(count) > 5
    assert whole == "True"
    assert len(_checked_ids(tmp_path / "votes.sqlite")) == int(count)
