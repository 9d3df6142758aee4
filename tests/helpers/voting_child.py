"""A process that votes: ``python -m tests.helpers.voting_child DATABASE VOTES PAUSE_S``.

Each vote's id is printed once it is durable. What the log refuses is printed as ``refused: …``; it then ends with 1.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from arena_desktop.errors import ArenaError
from arena_desktop.store.opening import open_log
from tests.helpers.vote_logs import draft

ROOT = Path(__file__).resolve().parent.parent.parent


def start(database: Path, votes: int, pause_s: float = 0.0, limit: Callable[[], None] | None = None) -> "Child":
    """Start such a process. ``limit`` is called in it before anything else."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.helpers.voting_child", str(database), str(votes), str(pause_s)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=limit,
    )


def finish(child: "Child") -> tuple[list[str], str]:
    """The ids that were confirmed (a line without its end was confirmed to nobody), and why it was refused, if so."""
    assert child.stdout is not None
    with child, child.stdout:
        lines = [line.strip() for line in child.stdout if line.endswith("\n")]
    refused = "".join(line for line in lines if line.startswith("refused: "))
    return [line for line in lines if not line.startswith("refused: ")], refused


Child = subprocess.Popen[str]


def _vote(database: Path, votes: int, pause_s: float) -> int:
    try:
        with open_log(database) as log:
            for _ in range(votes):
                print(log.append_vote(draft())["id"], flush=True)
                time.sleep(pause_s)
    except ArenaError as error:
        print(f"refused: {error}", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_vote(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
