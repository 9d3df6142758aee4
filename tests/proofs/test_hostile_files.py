"""Damaged, forged and harmful files through the real command line: never a traceback, never a part of a file, never
more memory than is promised.
"""

import contextlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.helpers.evidence import evidence
from tests.helpers.hostile_files import bombs, mutations, valid_files
from tests.helpers.program import command

MOST_MB = 300
MEASURED = Path(__file__).resolve().parent.parent / "helpers" / "measured.py"
_WITHIN_S = 900.0
_READERS = (("votes", "verify"), ("ratings", "replay"), ("leaderboard", "--from"))


@dataclass(frozen=True)
class Ran:
    """What a command did: its status, its words, the most memory it held."""

    status: int
    out: str
    err: str
    peak_mb: float


@pytest.mark.proof("hostile_files")
@pytest.mark.timeout(7200)
def test_no_file_does_harm(tmp_path: Path, full_counts: bool) -> None:
    size = 2_100_000_000 if full_counts else 12_000_000
    log = _prepared(tmp_path / "prepared")
    path = tmp_path / "hostile"
    faults: list[str] = []
    peaks: list[float] = []
    counts = {"imports": 0, "refused": 0, "reads": 0}
    for number, name in enumerate(_hostile(path, 1000 if full_counts else 6, size, full_counts)):
        data = tmp_path / "data"
        shutil.copytree(log, data)
        ran = _run("--data-dir", str(data), "votes", "import", str(path), "--map", "arena=:hostile")
        counts["imports"] += 1
        counts["refused"] += ran.status != 0
        faults += [f"{name}: {fault}" for fault in (*_manners(ran), *_whole(log, data, ran))]
        peaks.append(ran.peak_mb)
        reader = _READERS[number % len(_READERS)]
        if full_counts or number % 4 == 0:
            ran = _run("--data-dir", str(data), *reader, str(path))
            counts["reads"] += 1
            faults += [f"{' '.join(reader)}, {name}: {fault}" for fault in _manners(ran)]
            peaks.append(ran.peak_mb)
        shutil.rmtree(data)
        path.unlink()
    evidence(
        "hostile_files",
        {**counts, "bombs_mb": size // 1_000_000, "faults": len(faults), "peak_mb": max(peaks), "limit_mb": MOST_MB}
        | {f"fault_{number}": fault for number, fault in enumerate(faults[:20], 1)},
        holds=not faults and max(peaks) <= MOST_MB,
        claim="1,000 mutations of valid files of every form, and bombs, through the command line: no traceback, no"
        " partial import, at most one line of complaint, at most 300 MB.",
    )


def _hostile(path: Path, number: int, size: int, full: bool) -> Iterator[str]:
    """Puts one harmful file after the other at ``path``; says what it is."""
    for name, data in mutations(number):
        path.write_bytes(data)
        yield name
    for place, (name, write) in enumerate(bombs().items()):
        if full or place % 4 == 0:
            write(path, size)
            yield name


def _prepared(folder: Path) -> Path:
    """A data directory whose log holds votes of every form."""
    folder.mkdir()
    paths = [folder.parent / f"valid-{number}" for number, _ in enumerate(valid_files())]
    for path, content in zip(paths, valid_files().values(), strict=True):
        path.write_bytes(content)
    ran = _run("--data-dir", str(folder), "votes", "import", *map(str, paths))
    assert (ran.status, ran.err) == (0, "")
    assert "Skipped" not in ran.out
    return folder


def _run(*arguments: str) -> Ran:
    """A command as a child of its own; its peak memory is the system's count."""
    with tempfile.TemporaryDirectory() as folder:
        peak = Path(folder) / "peak"
        ran = subprocess.run(
            [sys.executable, "-S", str(MEASURED), str(peak), *command(*arguments)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_WITHIN_S,
            check=False,
        )
        held = int(peak.read_text(encoding="ascii"))
    return Ran(ran.returncode, ran.stdout.decode("utf-8", "replace"), ran.stderr.decode("utf-8", "replace"), held / 1e6)


def _manners(ran: Ran) -> Iterator[str]:
    if ran.status not in (0, 1, 2):
        yield f"ended with {ran.status}"
    if "Traceback" in ran.err or "This is a bug" in ran.err:
        yield f"a bug: {ran.err[-300:]}"
    # Notes are lines of their own; a complaint is one line that begins with the program's name.
    complaints = [line for line in ran.err.splitlines() if line.startswith("arena-desktop:")]
    if len(complaints) > 1 or (ran.status != 0 and not ran.out and not complaints):
        yield f"{len(complaints)} lines of complaint: {ran.err[:300]}"
    if ran.peak_mb > MOST_MB:
        yield f"took {ran.peak_mb:.0f} MB"


def _whole(before: Path, after: Path, ran: Ran) -> Iterator[str]:
    """What of an import is there in part."""
    old, new = _records(before), _records(after)
    said = re.match(r"Imported ([0-9]+) new", ran.out)
    promised = int(said.group(1)) if said else 0
    if len(new) != len(old) + promised:
        yield f"{len(new) - len(old)} records came in, {promised} were told"
    if not set(old) <= set(new):
        yield "records of the log are gone"


def _records(folder: Path) -> list[tuple[str, str]]:
    with contextlib.closing(sqlite3.connect(folder / "votes.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return database.execute("SELECT id, hash FROM records").fetchall()
