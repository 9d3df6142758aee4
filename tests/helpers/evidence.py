"""Keeps what a proof found: figures, date, commit, machine class, and how to run it again.

Only under ``bootstrap.py prove`` a result file is written (``docs/evidence/NAME.md`` and ``.json``); among the tests
the same call only decides. A proof that does not hold is written down as it is, and fails.
"""

import datetime
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.helpers.selection import FULL

ROOT = Path(__file__).resolve().parent.parent.parent
Figure = str | int | float | bool | None


def evidence(
    name: str, figures: Mapping[str, Figure], holds: bool, *, claim: str = "", folder: Path | None = None
) -> None:
    """Write the result of proof ``name`` down if it ran at full counts, then fail if it does not hold.

    ``figures``: what was measured, by a name that carries the unit (``"p99_ms"``). ``claim``: the sentence proved.
    ``folder`` asks for the files whatever the counts were.
    """
    if FULL or folder is not None:
        _write(folder or ROOT / "docs" / "evidence", name, dict(figures), holds, claim)
    assert holds, f"the proof {name} does not hold: {dict(figures)}"


def _write(folder: Path, name: str, figures: dict[str, Figure], holds: bool, claim: str) -> None:
    again = f"python3 packaging/bootstrap.py prove {name}"
    record = {
        "schema": 1,
        "name": name,
        "claim": claim,
        "holds": holds,
        "figures": figures,
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "commit": commit(),
        "machine": machine(),
        "again": again,
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    rows = "\n".join(f"| {key} | {_shown(value)} |" for key, value in figures.items())
    text = f"# {name}: {'holds' if holds else 'DOES NOT HOLD'}\n\n"
    text += f"{claim}\n\n" if claim else ""
    text += f"| figure | value |\n|---|---|\n{rows}\n\n"
    text += f"{record['date']}, commit {record['commit']}, on {record['machine']}. Again: `{again}`\n"
    (folder / f"{name}.md").write_text(text, encoding="utf-8")


def commit() -> str:
    """The commit that is checked out, with ``+`` if files differ from it."""
    git = shutil.which("git")
    if git is None:
        return "unknown"
    done = subprocess.run(
        [git, "describe", "--always", "--dirty=+", "--abbrev=12", "--exclude=*"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or "unknown"


def machine() -> str:
    """What kind of machine this is; nothing that tells which one."""
    model = platform.processor() or platform.machine()
    if sys.platform == "linux":
        with Path("/proc/cpuinfo").open(encoding="utf-8") as lines:
            model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    return f"{os.cpu_count()} × {model}, {platform.system()} {platform.machine()}, Python {platform.python_version()}"


def _shown(value: Figure) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
