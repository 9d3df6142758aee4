"""Recovery is all or nothing, whatever happens in its midst; commands tell of it; no damage stops the program."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena_desktop.services.exchange import verify_log
from arena_desktop.store.backups import Backups
from arena_desktop.store.damage_sign import leave_sign
from arena_desktop.store.opening import open_log
from arena_desktop.store.sql_errors import StoreError
from tests.helpers.damaged_logs import PAGE, change, closed_log, crashed_log, leaf_pages, set_aside
from tests.helpers.program import run, run_json
from tests.helpers.vote_logs import draft, hashes

VOTES = 60


def _path(folder: Path) -> Path:
    return folder / "votes.sqlite"


class _PowerCut(BaseException):
    pass


@pytest.mark.parametrize("step", range(1, 8))
def test_a_recovery_that_is_cut_short_is_carried_on(tmp_path: Path, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    records = crashed_log(tmp_path, 20)
    data = _path(tmp_path).read_bytes()
    # The page of the first votes does not wait in the -wal again.
    first = next(place for place in leaf_pages(data) if b'"seq":1,' in data[place : place + PAGE])
    change(_path(tmp_path), first, bytes(PAGE))
    leave_sign(_path(tmp_path))
    broken = _path(tmp_path).read_bytes()
    count = 0

    def cut(real: Callable[..., Any]) -> Callable[..., Any]:
        def once(*arguments: Any) -> Any:
            nonlocal count
            count += 1
            if count == step:
                raise _PowerCut
            return real(*arguments)

        return once

    with monkeypatch.context() as patch:
        for name in ("rename", "replace"):
            patch.setattr(Path, name, cut(getattr(Path, name)))
        patch.setattr(os, "replace", cut(os.replace))
        try:
            open_log(_path(tmp_path)).close()
            assert step > count
        except _PowerCut:
            pass
    with open_log(_path(tmp_path)) as log:
        here = list(hashes(log))
        assert len(here) >= 36
        assert set(here) < {record["hash"] for record in records}
        assert step > count or "were recovered" in log.notes[0]
    (aside,) = (found for found in set_aside(tmp_path) if found.name[-4:] not in ("-wal", "-shm"))
    assert aside.read_bytes() == broken
    left = {found.name for found in tmp_path.iterdir()} - {found.name for found in tmp_path.glob("*.damaged-*")}
    assert left <= {"votes.sqlite", "votes.sqlite.mark", "votes.sqlite.lock"}


FULL = """
import resource, sys
from pathlib import Path
from arena_desktop.errors import ArenaError
from arena_desktop.store.opening import open_log
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, resource.RLIM_INFINITY))
try:
    open_log(Path(sys.argv[1])).close()
except ArenaError as error:
    print(error)
"""


@pytest.mark.skipif(os.name == "nt", reason="no file size limits")
def test_a_full_disk_during_recovery_changes_nothing(tmp_path: Path) -> None:
    records = closed_log(tmp_path, VOTES)
    change(_path(tmp_path), 0, bytes(100))
    before = {found.name: found.read_bytes() for found in tmp_path.iterdir()}
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(_path(tmp_path))], capture_output=True, text=True, check=True, cwd=root
    )
    assert "Make room for another 1 MB" in done.stdout, done
    after = {found.name: found.read_bytes() for found in tmp_path.iterdir()}
    assert {**before, "votes.sqlite.lock": b""} == after
    with open_log(_path(tmp_path)) as log:
        assert list(log.records()) == records


def test_a_log_in_use_is_not_recovered_under_its_users(tmp_path: Path) -> None:
    closed_log(tmp_path, VOTES)
    with open_log(_path(tmp_path)):
        shutil.copy(_path(tmp_path), tmp_path / "kept")
        leaf = leaf_pages(_path(tmp_path).read_bytes())[-1]
        change(_path(tmp_path), leaf, bytes(PAGE))
        with pytest.raises(StoreError, match="Close every Arena Desktop"):
            open_log(_path(tmp_path))
        assert not set_aside(tmp_path)
    with open_log(_path(tmp_path)) as log:
        assert "were recovered" in log.notes[0]


# --- on the command line --------------------------------------------------------------------------------------------


def test_commands_tell_what_was_done(tmp_path: Path) -> None:
    records = closed_log(tmp_path, VOTES)
    leaves = leaf_pages(_path(tmp_path).read_bytes())
    change(_path(tmp_path), leaves[len(leaves) // 2], bytes(PAGE))
    first = run("--data-dir", str(tmp_path), "votes", "verify")
    assert first.returncode == 1
    assert "start it again" in first.stderr
    assert "No copy" not in first.stderr
    second = run("--data-dir", str(tmp_path), "votes", "verify")
    assert second.returncode == 0
    (line,) = second.stderr.splitlines()
    assert line.startswith("arena-desktop: note: The vote log")
    assert ": seq " in line
    assert json.loads(run("--data-dir", str(tmp_path), "votes", "verify", "--json").stdout)["records"] < len(records)


def test_an_altered_record_is_replaced_on_demand(tmp_path: Path) -> None:
    records = closed_log(tmp_path, VOTES)
    Backups(_path(tmp_path), tmp_path / "backups").take()
    data = _path(tmp_path).read_bytes()
    change(_path(tmp_path), data.index(b'"vote":"a"', data.index(records[20]["id"].encode())), b'"vote":"b"')
    answer = run_json("--data-dir", str(tmp_path), "votes", "recover")
    assert answer["records"] == VOTES
    assert Path(answer["damaged_file"]) in set_aside(tmp_path)
    assert run_json("--data-dir", str(tmp_path), "votes", "recover") == {
        "schema": 1,
        "records": VOTES,
        "damaged_file": None,
    }
    with open_log(_path(tmp_path)) as log:
        assert list(log.records()) == records
        refused = run("--data-dir", str(tmp_path), "votes", "recover")
        assert (refused.returncode, "Close it and try again" in refused.stderr) == (1, True)


# --- any damage ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("pristine")
    return folder, crashed_log(folder, 25)


_SPOTS = st.lists(
    st.tuples(
        st.sampled_from(["votes.sqlite", "votes.sqlite-wal", "votes.sqlite.mark"]),
        st.floats(0, 1, exclude_max=True),
        st.one_of(st.just("cut"), st.binary(min_size=1, max_size=4), st.integers(1, 9000).map(bytes)),
    ),
    min_size=1,
    max_size=4,
)


@given(spots=_SPOTS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_damage_stops_the_program_or_makes_up_a_vote(
    pristine: tuple[Path, list[dict[str, Any]]], tmp_path: Path, spots: list[tuple[str, float, Any]]
) -> None:
    source, records = pristine
    folder = tmp_path / "log"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)
    for name, share, what in spots:
        size = (folder / name).stat().st_size
        place = int(share * size)
        if what == "cut":
            os.truncate(folder / name, place)
        else:
            change(folder / name, place, what[: size - place])
    try:
        with open_log(_path(folder)) as log:
            verify_log(log)
            list(log.records())
    except StoreError as error:
        if "newer version" in str(error):
            return
    leave_sign(_path(folder))
    try:
        with open_log(_path(folder)) as log:
            known = {record["hash"] for record in records}
            assert set(hashes(log)) <= known
            assert {json.dumps(r, sort_keys=True) for r in log.records()} <= {
                json.dumps(r, sort_keys=True) for r in records
            } or any("private" not in r for r in log.records())
            log.append_vote(draft())
            assert not [fault for fault in verify_log(log).faults if "edited" in fault.fault]
    except StoreError as error:
        words = str(error)
    else:
        words = ""
    assert not words or re.search("newer version|no vote log|another program", words)
