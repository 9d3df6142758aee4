"""Three torch models loaded, and the window stays small: torch lives in the child alone."""

import json
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.helpers.evidence import evidence
from tests.helpers.program import Program, run
from tests.helpers.tiny_checkpoints import build

MODELS = ("one", "two", "three")
MOST_BATTLES = 20
"""By then each of three models was drawn with all but certainty."""


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """The real window over three checkpoints of the transformers library."""
    models = [
        {
            "repo_id": f"test/{name}",
            "name": name.title(),
            "engine": "transformers",
            "files": build("vits", tmp_path / name).files,
            "language": ["en"],
        }
        for name in MODELS
    ]
    arena = {"id": "english", "title": "English", "language": "en", "models": [f"test/{name}" for name in MODELS]}
    roster = tmp_path / "roster.json"
    roster.write_text(json.dumps({"schema": 1, "models": models, "arenas": [arena]}), encoding="utf-8")
    program = Program(tmp_path / "data", "--roster", str(roster), "--silent", "--speed", "20")
    yield program
    program.kill()


@pytest.mark.proof("torch_memory")
@pytest.mark.timeout(1800)
def test_the_window_stays_small_with_three_torch_models_loaded(program: Program, full_counts: bool) -> None:
    fewest = 60 if full_counts else 2
    program.wait_for("battle_ready", 1, within=240)
    program.focus()
    battles = 0
    while battles < fewest or (_voted_on(program.data_dir) < len(MODELS) and battles < MOST_BATTLES):
        battles += 1
        program.wait_for("heard_all", battles)
        program.key("1")
        program.wait_for("reveal_painted", battles)
        program.key("n")
        program.wait_for("battle_ready", battles + 1)
    window = psutil.Process(program.process.pid)
    children = [child for child in window.children(recursive=True) if _has_torch(child)]
    resident, torch_inside, voted_on = window.memory_info().rss / 1e6, _has_torch(window), _voted_on(program.data_dir)
    figures = {
        "battles": battles,
        "models_voted_on": voted_on,
        "window_resident_mb": round(resident, 1),
        "window_loads_torch": torch_inside,
        "children_with_torch": len(children),
        "child_resident_mb": round(sum(child.memory_info().rss for child in children) / 1e6, 1),
    }
    holds = resident <= 250 and not torch_inside and len(children) == 1 and voted_on == len(MODELS)
    evidence(
        "torch_memory",
        figures,
        holds=holds,
        claim="With three torch models loaded the window holds at most 250 MB and no torch.",
    )


def _has_torch(process: psutil.Process) -> bool:
    return any("libtorch" in file.path for file in process.memory_maps())


def _voted_on(data_dir: Path) -> int:
    """How many models the votes so far name."""
    done = run("--data-dir", str(data_dir), "--silent", "votes", "export", "-o", str(data_dir / "votes.jsonl"))
    assert done.returncode == 0, done.stderr
    lines = (data_dir / "votes.jsonl").read_text("utf-8").splitlines()[1:]
    votes = [vote for vote in map(json.loads, lines) if vote["type"] == "vote"]
    return len({vote[side]["repo_id"] for vote in votes for side in ("model_a", "model_b")})
