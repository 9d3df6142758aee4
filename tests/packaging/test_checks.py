"""How `bootstrap.py test` shares the tests out: every worker in a desktop of its own, every failure in one report."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from checks import shared_out

DESKTOPS = [
    {"PATH": "/bin", "DISPLAY": ":71", "PULSE_SERVER": "unix:/tmp/a/sound.sock"},
    {"PATH": "/bin", "DISPLAY": ":72", "PULSE_SERVER": "unix:/tmp/b/sound.sock"},
]
TESTS = """
import json, os, time, warnings
from pathlib import Path
import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("number", range(12))
def test_tells_where_it_runs(number):
    seen = {name: os.environ[name] for name in ("DISPLAY", "PULSE_SERVER", "HOME", "ARENA_DESKTOP_HOME")}
    (HERE / f"{number}.json").write_text(json.dumps(seen | {"worker": os.getpid()}))
    until = time.monotonic() + 60
    while len({json.loads(p.read_text())["worker"] for p in HERE.glob("*.json") if p.stat().st_size}) < WORKERS:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_fails():
    assert "red" == "green"


def test_warns():
    warnings.warn("old hat", DeprecationWarning)
"""


def run(folder: Path, *options: str, workers: int) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).resolve().parents[2]
    (folder / "test_told.py").write_text(TESTS.replace("WORKERS", str(workers)), encoding="utf-8")
    (folder / "conftest.py").write_text("from tests.conftest import *\n", encoding="utf-8")
    (folder / "pyproject.toml").write_text((root / "pyproject.toml").read_text(encoding="utf-8"), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, "test_told.py"],
        cwd=folder,
        env=os.environ | DESKTOPS[0] | {"PATH": os.environ["PATH"], "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


def seen(folder: Path) -> list[dict[str, str]]:
    return [json.loads(path.read_text("utf-8")) for path in folder.glob("*.json")]


def test_each_worker_has_a_desktop_and_a_home_of_its_own(tmp_path: Path) -> None:
    done = run(tmp_path, *shared_out(DESKTOPS), workers=2)
    tests = seen(tmp_path)
    assert len(tests) == len({test["ARENA_DESKTOP_HOME"] for test in tests}) == 12
    assert {(test["DISPLAY"], test["PULSE_SERVER"]) for test in tests} == {
        (own["DISPLAY"], own["PULSE_SERVER"]) for own in DESKTOPS
    }
    for own in ("DISPLAY", "PULSE_SERVER", "HOME"):
        assert len({(test["worker"], test[own]) for test in tests}) == 2
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "2 failed, 12 passed" in done.stdout
    assert "AssertionError: assert 'red' == 'green'" in done.stdout
    assert "DeprecationWarning: old hat" in done.stdout


def test_one_process_when_that_is_asked_for_and_where_one_desktop_is_enough(tmp_path: Path) -> None:
    assert shared_out(DESKTOPS[:1]) == []
    run(tmp_path, *shared_out(DESKTOPS), "-n0", workers=1)
    tests = seen(tmp_path)
    assert len(tests) == 12
    assert {test["DISPLAY"] for test in tests} == {DESKTOPS[0]["DISPLAY"]}
    assert len({test["worker"] for test in tests}) == 1
