"""Proofs: found by name, run at full counts under ``prove`` alone, and written down as they are."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import evidence as evidence_module
from tests.helpers.evidence import Figure, evidence

ROOT = Path(__file__).resolve().parent.parent.parent

PROOFS = """
import pytest
from tests.helpers.evidence import evidence


@pytest.mark.proof("strong")
def test_strong(full_counts, tmp_path):
    evidence("strong", {"rounds": 200 if full_counts else 2}, holds=True)


@pytest.mark.proof("weak")
def test_weak():
    evidence("weak", {"rounds": 1}, holds=False)


def test_ordinary():
    pass
"""


def _pytest(place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (place / "test_claims.py").write_text(PROOFS, encoding="utf-8")
    (place / "conftest.py").write_text("from tests.conftest import *\n", encoding="utf-8")
    (place / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text(encoding="utf-8"), encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(ROOT), "ARENA_DESKTOP_PROVE": "0"}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "test_claims.py", *arguments]
    return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False, timeout=100)


def test_a_proof_is_chosen_by_its_name(tmp_path: Path) -> None:
    done = _pytest(tmp_path, "--proof", "strong")
    assert "1 passed, 2 deselected" in done.stdout, done.stdout


def test_a_name_that_no_proof_has_runs_nothing(tmp_path: Path) -> None:
    assert _pytest(tmp_path, "--proof", "strung").returncode == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_proof_that_does_not_hold_fails_among_the_tests_too(tmp_path: Path) -> None:
    done = _pytest(tmp_path)
    assert "1 failed, 2 passed" in done.stdout
    assert "the proof weak does not hold: {'rounds': 1}" in done.stdout
    assert not (ROOT / "docs" / "evidence" / "weak.md").exists()


@pytest.mark.parametrize("holds", [True, False])
def test_what_a_proof_found_is_written_down_either_way(tmp_path: Path, holds: bool) -> None:
    figures: dict[str, Figure] = {"p99_ms": 31.25, "votes": 200, "engine": "piper"}
    if holds:
        evidence("kill", figures, holds, claim="No vote is lost.", folder=tmp_path)
    else:
        with pytest.raises(AssertionError, match="the proof kill does not hold"):
            evidence("kill", figures, holds, claim="No vote is lost.", folder=tmp_path)
    record = json.loads((tmp_path / "kill.json").read_text(encoding="utf-8"))
    assert record["holds"] is holds
    assert record["figures"] == figures
    assert record["again"] == "python3 packaging/bootstrap.py prove kill"
    assert set(record) == {"schema", "name", "claim", "holds", "figures", "date", "commit", "machine", "again"}
    text = (tmp_path / "kill.md").read_text(encoding="utf-8")
    assert text.startswith(f"# kill: {'holds' if holds else 'DOES NOT HOLD'}\n")
    assert "| p99_ms | 31.25 |" in text
    assert record["commit"] in text


def test_the_commit_and_the_machine_class_are_told() -> None:
    assert len(evidence_module.commit()) >= 7
    assert f"{os.cpu_count()} × " in evidence_module.machine()
    assert os.uname().nodename not in evidence_module.machine()
