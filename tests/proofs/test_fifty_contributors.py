"""Fifty contributors' logs in one board by commands: three are found, left out openly, and the board recomputed."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.canonical import canonical
from tests.helpers.contributors import SCRIPT, SIDED, SWAPPED, Crowd, roster_text
from tests.helpers.evidence import evidence
from tests.helpers.program import run

_PLANTED = {SCRIPT: "speed", SIDED: "side", SWAPPED: "weights"}
_FORMATS = ("json", "csv", "html")


class Machine:
    """A data directory, worked on by commands alone."""

    def __init__(self, folder: Path, roster: Path) -> None:
        self.folder, self._roster = folder, roster

    def run(self, *words: str | Path) -> str:
        """What the command prints; it must succeed."""
        done = run("--data-dir", str(self.folder), "--roster", str(self._roster), *map(str, words))
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def boards(self, out: Path, *more: str | Path) -> dict[str, bytes]:
        """The board in several formats."""
        found = {}
        for form in _FORMATS:
            self.run("leaderboard", "--format", form, "-o", out / f"board.{form}", *more)
            found[form] = (out / f"board.{form}").read_bytes()
        return found


@pytest.mark.proof("fifty_contributors")
@pytest.mark.timeout(900)
def test_three_of_fifty_are_found_and_left_out_openly(full_counts: bool, tmp_path: Path) -> None:
    crowds = 3 if full_counts else 1
    figures: dict[str, Any] = {"boards": crowds, "contributors_of_each": 50, "votes_of_each": 60}
    begun = time.monotonic()
    found_right = excluded_openly = recomputed = 0
    for seed in range(1, crowds + 1):
        folder = tmp_path / str(seed)
        right, openly, same = _one_board(Crowd(seed=seed), folder)
        found_right, excluded_openly, recomputed = found_right + right, excluded_openly + openly, recomputed + same
    figures |= {
        "boards_with_exactly_the_three_found": found_right,
        "boards_that_say_who_is_left_out_and_why": excluded_openly,
        "boards_recomputed_byte_for_byte": recomputed,
        "seconds": round(time.monotonic() - begun, 1),
    }
    evidence(
        "fifty_contributors",
        figures,
        found_right == excluded_openly == recomputed == crowds,
        claim="Fifty simulated contributors' logs, three with planted faults (a script, one who votes for a side, one"
        " with another model under a known name), become one board by commands alone; `votes contributors` finds"
        " exactly the three, a policy written from its output leaves them out openly, and a second data directory"
        " recomputes the same bytes of JSON, CSV and HTML from log, roster and policy.",
    )


def _one_board(crowd: Crowd, folder: Path) -> tuple[bool, bool, bool]:
    files = folder / "files"
    files.mkdir(parents=True)
    logs = []
    for person, records in enumerate(crowd.logs()):
        logs.append(files / f"{person:02d}.jsonl")
        logs[-1].write_bytes(b"".join(canonical(record) + b"\n" for record in records))
    roster = folder / "roster.yaml"
    roster.write_text(roster_text(), encoding="utf-8")
    here, there = Machine(folder / "here", roster), Machine(folder / "there", roster)
    here.run("votes", "merge", *logs, "-o", folder / "merged.jsonl")
    here.run("votes", "import", folder / "merged.jsonl")
    cards = json.loads(here.run("votes", "contributors", "--json"))
    suspects = {
        card["listener"]: card["checks"]
        for arena in cards["arenas"]
        for card in arena["contributors"]
        if card["checks"]
    }
    right = suspects.keys() == {crowd.listener(person) for person in _PLANTED} and all(
        check in suspects[crowd.listener(person)] for person, check in _PLANTED.items()
    )
    before = json.loads(here.run("leaderboard", "--format", "json"))
    (folder / "here" / "policy.yaml").write_text(cards["exclude_with"] + "\n", encoding="utf-8")
    boards = here.boards(folder)
    after, page = json.loads(boards["json"]), boards["html"].decode()
    counted = sum(row["battles"] for row in after["rows"]) // 2
    openly = (
        counted == sum(row["battles"] for row in before["rows"]) // 2 - 3 * crowd.votes
        and after["policy_hash"] != ""
        and len(after["policy"]["exclusions"]) == len(_PLANTED)
        and all(reason in page for reason in ("faster than anybody listens", "for a side", "other weights"))
        and b"listener at one station excluded" in boards["csv"]
        and before["log_hash"] == after["log_hash"]
    )
    # The second machine: nothing but the exported votes, the roster and the policy.
    here.run("votes", "export", "-o", folder / "votes.jsonl")
    policy = folder / "policy.yaml"
    policy.write_bytes((folder / "here" / "policy.yaml").read_bytes())
    out = folder / "again"
    out.mkdir()
    same = there.boards(out, "--from", folder / "votes.jsonl", "--policy", policy) == boards
    there.run("votes", "import", folder / "votes.jsonl")
    same = same and there.boards(out, "--policy", policy) == boards
    return right, openly, same
