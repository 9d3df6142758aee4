"""kill -9 of the program while a script votes: no confirmed vote is lost, none is there twice, the chain holds."""

import random
import time
from pathlib import Path

import pytest

from tests.helpers.driver import write_roster
from tests.helpers.evidence import evidence
from tests.helpers.program import Program, export_votes, run_json

KEYS = [("1", "a"), ("2", "b"), ("3", "tie"), ("4", "both_bad")]


@pytest.mark.proof("kills")
@pytest.mark.timeout(5400)
def test_kill_9_loses_and_doubles_no_vote(tmp_path: Path, full_counts: bool) -> None:
    kills = 200 if full_counts else 4
    roster = write_roster(tmp_path)
    data = tmp_path / "data"
    chance = random.Random(20260101)
    confirmed = stored = keys_pressed = 0
    ids: set[str] = set()
    for _ in range(kills):
        painted, keys = _vote_until_killed(data, roster, chance)
        records = export_votes(data, tmp_path / "log.jsonl")
        fresh = [record for record in records if record["id"] not in ids]
        assert len({record["id"] for record in records}) == len(records)
        assert ids <= {record["id"] for record in records}, "a vote of an earlier run is gone"
        assert painted <= len(fresh) <= keys, f"{painted} votes were confirmed, {len(fresh)} are stored"
        assert [record["vote"] for record in fresh] == [KEYS[n % 4][1] for n in range(len(fresh))]
        assert len({record["policy"]["seed"] for record in records}) == len(records), "one battle was stored twice"
        verdict = run_json("--data-dir", str(data), "votes", "verify")
        assert verdict["ok"], verdict["faults"]
        ids = {record["id"] for record in records}
        confirmed, stored, keys_pressed = confirmed + painted, stored + len(fresh), keys_pressed + keys
    evidence(
        "kills",
        {"kills": kills, "vote_keys": keys_pressed, "confirmed_on_screen": confirmed, "in_the_log": stored, "lost": 0},
        holds=confirmed > 0,
        claim="After kill -9 every vote confirmed on screen is in the log, none twice, and the chain verifies.",
    )


def _vote_until_killed(data: Path, roster: Path, chance: random.Random) -> tuple[int, int]:
    """Vote as fast as the program allows, and kill it at a random moment; votes confirmed, and vote keys pressed."""
    program = Program(data, "--roster", str(roster), "--silent", "--speed", "100")
    try:
        program.wait_for("battle_ready", 1)
        program.focus()
        end = time.monotonic() + chance.uniform(0.0, 4.0)
        number = keys = 0
        while _heard(program, number + 1, end):
            program.key(KEYS[number % 4][0])
            keys += 1
            number += 1
            if not _seen(program, "reveal_painted", number, end):
                break
            program.key("n")
    finally:
        program.kill()
    painted = sum(event["event"] == "reveal_painted" for event in program.trace())
    return painted, keys


def _heard(program: Program, battle: int, end: float) -> bool:
    return _seen(program, "heard_all", battle, end)


def _seen(program: Program, event: str, battle: int, end: float) -> bool:
    while time.monotonic() < end:
        if any(line["event"] == event and line["battle"] == battle for line in program.trace()):
            return True
        time.sleep(0.002)
    return False
