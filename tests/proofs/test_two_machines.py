"""Machines with wrong clocks that vote in turns and share a folder: one board, to the last digit, and nothing lost."""

import json
import random
import shutil
from pathlib import Path

import pytest

from arena_desktop.services.exchange import export_votes
from arena_desktop.services.ratings_replay import replay_file
from arena_desktop.services.vote_verify import verify_log
from tests.helpers.evidence import evidence
from tests.helpers.machines import METHODS, SECOND, Machine, Weather, replayed
from tests.helpers.vote_logs import ROSTER, hashes

HOUR = 3600 * SECOND


@pytest.mark.proof("two_machines")
@pytest.mark.timeout(900)
def test_two_machines_have_the_same_board(tmp_path: Path, full_counts: bool) -> None:
    chance = random.Random(20260302)
    rounds = 150 if full_counts else 12
    shared = tmp_path / "shared"
    shared.mkdir()
    weather = Weather()
    jump = [0]
    machines = [
        Machine(tmp_path / "a", weather.clock(lambda: -HOUR)),
        Machine(tmp_path / "b", weather.clock(lambda: jump[0]), "l-bbbbbbbbbbbbbbbb"),
    ]
    votes = retractions = 0
    for turn in range(rounds):
        machine = machines[turn % 2]
        jump[0] = -chance.randrange(48) * HOUR if turn % 7 == 3 else 0
        for _ in range(chance.randint(1, 8)):
            machine.vote(chance)
            votes += 1
        if chance.random() < 0.3:
            machine.take_back(chance)
            retractions += 1
        if chance.random() < 0.8:
            machine.sync(shared)
    for machine in (*machines, *machines):
        machine.sync(shared)
    kept_up = [machine.boards() for machine in machines]
    log_hashes = {machine.log.log_hash() for machine in machines}
    faults = sum(len(verify_log(machine.log).faults) for machine in machines)
    replays = []
    for machine in machines:
        out = tmp_path / f"{machine.folder.name}.jsonl"
        export_votes(machine.log, out)
        rows = replay_file(ROSTER, out, silent=False)[0]["arenas"]["english"]["rows"]
        replays.append(json.loads(kept_up[0]["elo"])["rows"] == rows)
        machine.close()
    figures: dict[str, str | int | float | bool | None] = {
        "votes": votes,
        "retractions": retractions,
        "different_log_hashes": len(log_hashes),
        "verify_faults": faults,
        "votes_on_the_board": sum(row["battles"] for row in json.loads(kept_up[0]["elo"])["rows"]) // 2,
        "boards_compared": len(METHODS),
        "boards_with_the_same_bytes": sum(kept_up[0][method] == kept_up[1][method] for method in METHODS),
        "boards_equal_to_a_replay_from_the_file": sum(
            replayed(machine.folder)[method] == kept_up[0][method] for machine in machines for method in METHODS
        )
        // 2,
        "live_elo_equals_replay_of_the_export": all(replays),
        **_copied(tmp_path / "copied"),
        **_put_back(tmp_path / "put back"),
        **_ring(tmp_path / "ring", chance, 60 if full_counts else 6),
    }
    evidence(
        "two_machines",
        figures,
        holds=(
            len(log_hashes) == 1
            and not faults
            and figures["boards_with_the_same_bytes"] == len(METHODS)
            and figures["boards_equal_to_a_replay_from_the_file"] == len(METHODS)
            and all(replays)
            and figures["votes_on_the_board"] == votes - retractions
            and all(
                value is True for name, value in figures.items() if name.startswith(("copied_", "put_back_", "ring_"))
            )
        ),
        claim="Two data directories that vote in turns, one clock an hour behind and one jumping back, and synchronise"
        " through a folder have the same log and, byte for byte, the same boards. A data directory that was copied goes"
        " on as another station; one that was put back forks, is reported, and loses nothing.",
    )


def _machine(folder: Path, weather: Weather) -> Machine:
    return Machine(folder, weather.clock(lambda: 0))


def _copied(room: Path) -> dict[str, bool]:
    chance, weather, shared = random.Random(1), Weather(), room / "shared"
    shared.mkdir(parents=True)
    first = _machine(room / "a", weather)
    for _ in range(5):
        first.vote(chance)
    first.sync(shared)
    first.vote(chance)
    first.close()
    shutil.copytree(room / "a", room / "elsewhere")
    machines = [_machine(room / name, weather) for name in ("a", "elsewhere")]
    station = machines[0].log.station_id()
    for machine in machines:
        machine.vote(chance)
    for machine in (*machines, *machines):
        machine.sync(shared)
    stations = [machine.log.station_id() for machine in machines]
    result = {
        "copied_goes_on_as_another_station": stations[0] == station and stations[1] not in (None, station),
        "copied_writes_its_own_folder": {path.name for path in shared.iterdir()} == set(stations),
        "copied_boards_same": machines[0].boards() == machines[1].boards(),
        "copied_no_fork": all(verify_log(machine.log).ok for machine in machines),
        "copied_nothing_lost": all(machine.log.count() == 8 for machine in machines),
    }
    for machine in machines:
        machine.close()
    return result


def _put_back(room: Path) -> dict[str, bool]:
    chance, weather, shared = random.Random(2), Weather(), room / "shared"
    shared.mkdir(parents=True)
    other, first = _machine(room / "b", weather), _machine(room / "a", weather)
    for _ in range(5):
        first.vote(chance)
    first.close()
    shutil.copytree(room / "a", room / "older")
    first = _machine(room / "a", weather)
    for _ in range(3):
        first.vote(chance)
    first.sync(shared)
    before = set(hashes(first.log))
    first.close()
    shutil.rmtree(room / "a")
    shutil.copytree(room / "older", room / "a")
    again = _machine(room / "a", weather)
    after = {str(again.vote(chance)["hash"]) for _ in range(2)}
    report = again.sync(shared)
    later = again.vote(chance)
    again.sync(shared)
    other.sync(shared)
    faults = [fault.fault for fault in verify_log(again.log).faults]
    result = {
        "put_back_fork_told_by_sync": any(note.startswith("Fork:") for note in report.notes),
        "put_back_fork_told_by_verify": any(fault.startswith("fork") for fault in faults),
        "put_back_nothing_lost": before | after <= set(hashes(again.log)),
        "put_back_new_votes_as_a_new_station": (later["seq"], len(list(shared.iterdir()))) == (1, 2),
        "put_back_boards_same": again.boards() == other.boards(),
    }
    again.close()
    other.close()
    return result


def _ring(room: Path, chance: random.Random, rounds: int) -> dict[str, bool]:
    """Three machines: the first and the second share a folder, the second and the third another one."""
    weather = Weather()
    folders = [room / "x", room / "y"]
    for folder in folders:
        folder.mkdir(parents=True)
    machines = [_machine(room / name, weather) for name in ("a", "b", "c")]
    shares = [folders[:1], folders, folders[1:]]
    for _ in range(rounds):
        which = chance.randrange(3)
        machines[which].vote(chance)
        machines[which].sync(chance.choice(shares[which]))
    for which in (0, 1, 2, 1, 0, 2):
        for folder in (*shares[which], *shares[which]):
            machines[which].sync(folder)
    boards = [machine.boards() for machine in machines]
    idle = [machine.sync(folder) for machine, mine in zip(machines, shares, strict=True) for folder in mine]
    result = {
        "ring_boards_same": boards[0] == boards[1] == boards[2],
        "ring_nothing_lost": all(machine.log.count() == rounds for machine in machines),
        "ring_comes_to_rest": all((one.exported, one.imported.new) == (0, 0) for one in idle),
    }
    for machine in machines:
        machine.close()
    return result
