"""The proofs at their full counts: the tests marked ``proof``, each writing its figures under docs/evidence/."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from desktop import desktop
from saying import say

FULL = "ARENA_DESKTOP_PROVE"
"""Set to ``1``: proofs run at their full counts and keep their figures."""


def prove(root: Path, python: Path, names: Sequence[str]) -> int:
    """Run the named proofs, or all, at their full counts. Gives pytest's status, or 2 if no proof has such a name."""
    with desktop() as surroundings:
        command = [str(python), "-m", "pytest", "-m", "proof", "-p", "no:randomly", "--timeout=0", "-s"]
        command.extend(f"--proof={name}" for name in names)
        status = subprocess.call(command, cwd=root, env=surroundings | {FULL: "1"})
    if status == 5:
        say("No proof has that name. `bootstrap.py test --collect-only -q -m proof` lists them.")
        return 2
    say(f"What was found lies under {os.path.relpath(root / 'docs' / 'evidence', root)}")
    return status
