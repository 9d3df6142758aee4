"""Damaged, forged and harmful files through the real command line: never a traceback, never a part of a file, never
more memory than is promised.
"""

import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.helpers.evidence import evidence
from tests.helpers.hostile_files import Writer, bombs, mutations, valid_files
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


@dataclass(frozen=True)
class Met:
    """What came of one harmful file."""

    refused: bool
    read: bool
    faults: list[str]
    peak_mb: float


@pytest.mark.proof("hostile_files")
@pytest.mark.timeout(7200)
def test_no_file_does_harm(tmp_path: Path, full_counts: bool) -> None:
    size = 2_100_000_000 if full_counts else 12_000_000
    log = _prepared(tmp_path / "prepared")
    written = list(_hostile(1000 if full_counts else 6, size, full_counts))

    def met(number: int) -> Met:
        name, write = written[number]
        reader = _READERS[number % len(_READERS)] if full_counts or number % 4 == 0 else None
        with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
            return _met(Path(folder), name, write, log, reader)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        all_met = list(pool.map(met, range(len(written))))
    faults = [fault for one in all_met for fault in one.faults]
    most_mb = max(one.peak_mb for one in all_met)
    counts = {
        "imports": len(all_met),
        "refused": sum(one.refused for one in all_met),
        "reads": sum(one.read for one in all_met),
    }
    evidence(
        "hostile_files",
        {**counts, "bombs_mb": size // 1_000_000, "faults": len(faults), "peak_mb": most_mb, "limit_mb": MOST_MB}
        | {f"fault_{number}": fault for number, fault in enumerate(faults[:20], 1)},
        holds=not faults and most_mb <= MOST_MB,
        claim="1,000 mutations of valid files of every form, and bombs, through the command line: no traceback, no"
        " partial import, at most one line of complaint, at most 300 MB.",
    )


def _met(folder: Path, name: str, write: Callable[[Path], object], log: Path, reader: tuple[str, ...] | None) -> Met:
    """One harmful file is imported into a copy of the log, and read by another command."""
    path, data = folder / "hostile", folder / "data"
    write(path)
    shutil.copytree(log, data)
    ran = _run("--data-dir", str(data), "votes", "import", str(path), "--map", "arena=:hostile")
    faults = [f"{name}: {fault}" for fault in (*_manners(ran), *_whole(log, data, ran))]
    if reader is None:
        return Met(ran.status != 0, False, faults, ran.peak_mb)
    again = _run("--data-dir", str(data), *reader, str(path))
    faults += [f"{' '.join(reader)}, {name}: {fault}" for fault in _manners(again)]
    return Met(ran.status != 0, True, faults, max(ran.peak_mb, again.peak_mb))


def _hostile(number: int, size: int, full: bool) -> Iterator[tuple[str, Callable[[Path], object]]]:
    """The harmful files: what each is, and how to write it."""
    for name, data in mutations(number):
        yield name, partial(_write, data)
    for place, (name, write) in enumerate(bombs().items()):
        if full or place % 4 == 0:
            yield name, partial(_write_bomb, write, size)


def _write(data: bytes, path: Path) -> None:
    path.write_bytes(data)


def _write_bomb(write: Writer, size: int, path: Path) -> None:
    write(path, size)


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
