"""Everything that is checked before a change is accepted, one stage after the other, each with one closing line."""

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


def run_all(root: Path, python: Path, arguments: Sequence[str]) -> int:
    """All stages, then pytest inside a desktop of its own. Gives 0 if every one of them passed."""
    failed = [stage.name for stage in STAGES if not _stage(root, python, stage)]
    with desktop() as environment:
        status = pytest(root, python, arguments, environment)
    if failed:
        say(f"Not passed before the tests ran: {', '.join(failed)} (see above)")
    return status or (1 if failed else 0)


def pytest(root: Path, python: Path, arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """The tests; gives pytest's own status."""
    return subprocess.call([str(python), "-m", "pytest", *arguments], cwd=root, env=dict(environment))


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
