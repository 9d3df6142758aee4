"""Many processes import and vote at once, imports are killed at random moments: nothing is lost, doubled or half."""

import json
import random
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.canonical import uuid7
from arena_desktop.domain.records import Envelope, vote_record
from arena_desktop.domain.times import time_text
from arena_desktop.paths import app_paths
from arena_desktop.store.opening import open_log
from tests.helpers.evidence import evidence
from tests.helpers.program import command, run
from tests.helpers.vote_logs import START_US, draft, write_lines
from tests.helpers.voting_child import Child, finish, start


def _station(number: int) -> str:
    return f"5c0cbb54-6d3c-4f43-9a4e-{number:012d}"


def _records(number: int, count: int) -> list[dict[str, Any]]:
    """So many votes of one station."""
    last, records = "", []
    for seq in range(1, count + 1):
        at = START_US + seq * 1_000_000 + number
        envelope = Envelope(uuid7(at // 1000, number << 32 | seq), _station(number), seq, time_text(at), last, "00")
        records.append(vote_record(draft(), envelope))
        last = records[-1]["hash"]
    return records


def _import(data: Path, file: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        command("--data-dir", str(data), "votes", "import", str(file), "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )


def _verifies(data: Path) -> None:
    done = run("--data-dir", str(data), "votes", "verify")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


@pytest.mark.proof("exchange_kills")
@pytest.mark.timeout(1800)
def test_nothing_is_lost_doubled_or_half(tmp_path: Path, full_counts: bool) -> None:
    crowd = _crowd(tmp_path, importers=6, voters=4, rounds=5 if full_counts else 1, size=1000 if full_counts else 40)
    kills = _kills(tmp_path, kills=200 if full_counts else 4, size=2000 if full_counts else 300)
    evidence(
        "exchange_kills",
        {**crowd, **kills},
        holds=kills["votes_lost"] == kills["imports_half_stored"] == 0 and kills["stored_whole"] > 0,
        claim="Ten processes that import overlapping files and vote at once, and kill -9 of imports at random moments:"
        " every confirmed vote is in the log, no record twice, each import is there whole or not at all, and"
        " votes verify finds no fault.",
    )


def _crowd(tmp_path: Path, importers: int, voters: int, rounds: int, size: int) -> dict[str, int]:
    """Each importer takes ``rounds`` files one after the other; every record is in the files of two importers."""
    data = tmp_path / "crowd"
    database = app_paths(data).database
    confirmed: list[str] = []
    new = 0
    wanted: set[str] = set()
    for number in range(rounds):
        stations = [_records(100 * number + station, size) for station in range(importers)]
        wanted |= {record["hash"] for records in stations for record in records}
        files = [
            write_lines(tmp_path / f"crowd-{number}-{index}.jsonl", [*stations[index], *stations[index - 1]])
            for index in range(importers)
        ]
        votes = [start(database, size // 4) for _ in range(voters)]
        imports = [_import(data, file) for file in files]
        for process in imports:
            out, said = process.communicate(timeout=600)
            assert process.returncode == 0, said
            new += json.loads(out)["new"]
        for child in votes:
            ids, refused = finish(child)
            assert child.returncode == 0, refused
            confirmed += ids
    with open_log(database) as log:
        records = list(log.records())
        own = [record for record in records if record["station_id"] == log.station_id()]
    assert len({(record["id"], record["hash"]) for record in records}) == len(records)
    assert {record["hash"] for record in records} - {record["hash"] for record in own} == wanted
    assert new == len(wanted), "every record was new to exactly one import"
    assert sorted(record["id"] for record in own) == sorted(confirmed)
    assert sorted(record["seq"] for record in own) == list(range(1, len(confirmed) + 1))
    _verifies(data)
    return {
        "processes_at_once": importers + voters,
        "imports_at_once": rounds * importers,
        "records_imported": len(wanted),
        "votes_beside_them": len(confirmed),
    }


def _kills(tmp_path: Path, kills: int, size: int) -> dict[str, int | float]:
    """Kill one import after the other, while another process votes; that one is killed, too, now and then."""
    data = tmp_path / "killed"
    database = app_paths(data).database
    data.mkdir()
    chance = random.Random(20260102)
    voter = start(database, 1_000_000, 0.02)
    voters = [voter]
    number = whole = nothing = half = 0
    file = write_lines(tmp_path / "killed.jsonl", _records(number, size))
    began = time.monotonic()
    _import(tmp_path / "warm", file).communicate(timeout=600)
    usual_s = time.monotonic() - began
    for kill in range(kills):
        if kill % 10 == 9:
            voter.send_signal(signal.SIGKILL)
            voter = start(database, 1_000_000, 0.02)
            voters.append(voter)
        process = _import(data, file)
        time.sleep(chance.uniform(0.2, 1.6) * usual_s)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        here = _held(database, _station(number))
        whole, nothing, half = whole + (here == size), nothing + (here == 0), half + (0 < here < size)
        if here:
            number += 1
            write_lines(file, _records(number, size))
        if kill % 25 == 24:
            _verifies(data)
    voter.send_signal(signal.SIGKILL)
    confirmed = _confirmed(voters)
    with open_log(database) as log:
        ids = [record["id"] for record in log.records() if record["station_id"] == log.station_id()]
        stored = log.count()
    assert len(ids) == len(set(ids)) <= len(confirmed) + len(voters)  # at most the one in flight at each kill
    assert half > 0 or stored == len(ids) + number * size
    _verifies(data)
    return {
        "kills_during_import": kills,
        "stored_whole": whole,
        "stored_nothing": nothing,
        "imports_half_stored": half,
        "votes_lost": len(set(confirmed) - set(ids)),
        "usual_import_s": usual_s,
        "votes_during_kills": len(confirmed),
        "kills_of_a_voter": len(voters),
    }


def _held(database: Path, station: str) -> int:
    with open_log(database) as log:
        return log.database.number("SELECT count(*) FROM records WHERE station_id = ?", (station,))


def _confirmed(voters: Sequence[Child]) -> list[str]:
    confirmed = []
    for child in voters:
        ids, refused = finish(child)
        assert not refused
        confirmed += ids
    return confirmed
