"""Everything that is checked before a change is accepted, one stage after the other, each with one closing line.

The tests are shared out among workers, one a processor, each in a desktop of its own: what a test does to the screen or
the sound server disturbs no test of another worker.
"""

import contextlib
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop import desktop
from saying import say


@dataclass(frozen=True)
class Stage:
    """One check that reads the code without running it."""

    name: str
    arguments: tuple[str, ...]


STAGES = (
    Stage("ruff check", ("-m", "ruff", "check", "--quiet", ".")),
    Stage("ruff format", ("-m", "ruff", "format", "--check", "--quiet", ".")),
    Stage(
        "mypy --strict",
        (
            "-m",
            "mypy",
        ),
    ),
    Stage("import contracts", ("-c", "from importlinter.cli import lint_imports_command as go; go()", "--no-cache")),
)


MOST_WORKERS = 4
"""More gain little: each worker loads the engines that its tests ask for (up to 2 GB)."""


def run_all(root: Path, python: Path, arguments: Sequence[str]) -> int:
    """All stages, then pytest inside desktops of its own. Gives 0 if every one of them passed."""
    failed = [stage.name for stage in STAGES if not _stage(root, python, stage)]
    with contextlib.ExitStack() as stack:
        desktops = [stack.enter_context(desktop()) for _ in range(_workers())]
        status = pytest(root, python, [*shared_out(desktops), *arguments], desktops[0])
    if failed:
        say(f"Not passed before the tests ran: {', '.join(failed)} (see above)")
    return status or (1 if failed else 0)


def pytest(root: Path, python: Path, arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """The tests; gives pytest's own status."""
    usual = dict(environment)
    usual.pop("PYTHONDONTWRITEBYTECODE", None)  # else every child of a test would compile the whole program again
    return subprocess.call([str(python), "-m", "pytest", *arguments], cwd=root, env=usual)


def shared_out(desktops: Sequence[Mapping[str, str]]) -> list[str]:
    """Options of pytest for one worker in each of these desktops; none for a single one.

    Each worker begins with its part of the order and, when that is done, takes over half of what another still has to
    do. An ``-n0`` after these options takes them back.
    """
    if len(desktops) < 2:
        return []
    first = desktops[0]
    options = ["--dist=worksteal"]
    for own in desktops:
        changed = [f"env:{name}={value}" for name, value in own.items() if first.get(name) != value]
        options.append("--tx=" + "//".join(["popen", *changed]))
    return options


def _workers() -> int:
    return max(1, min(len(os.sched_getaffinity(0)), MOST_WORKERS))


def _stage(root: Path, python: Path, stage: Stage) -> bool:
    begun = time.monotonic()
    done = subprocess.run(
        [str(python), *stage.arguments],
        cwd=root,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    took = time.monotonic() - begun
    if done.returncode == 0:
        say(f"{stage.name}: passed ({took:.1f} s)")
        return True
    print(done.stdout.rstrip())
    say(f"{stage.name}: FAILED ({took:.1f} s)")
    return False
