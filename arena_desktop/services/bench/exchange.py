"""Export, import, merge and check of many votes, import and merge beside the bare libraries doing the same work on the
same bytes (:mod:`arena_desktop.store.bare_work`), in one run.
"""

import hashlib
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena_desktop.domain.canonical import canonical
from arena_desktop.domain.log_header import make_header
from arena_desktop.domain.roster import Roster
from arena_desktop.domain.stations import StationTally
from arena_desktop.services.bench.measure import at_peak
from arena_desktop.services.bench.sample_log import LISTENERS, MODELS, sample_votes
from arena_desktop.services.vote_export import export_votes
from arena_desktop.services.vote_import import prepared_import
from arena_desktop.services.vote_merge import merge_files
from arena_desktop.services.vote_verify import verify_files
from arena_desktop.store.bare_work import bare_import, bare_merge
from arena_desktop.store.vote_log import VoteLog

VOTES = 1_000_000
SEED = 20260101
STATIONS = 15
_EACH = 10  # of the stations; half of them are in both files
_ROSTER = Roster({}, {})


def bench_exchange(votes: int = VOTES, say: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """All figures as a JSON object; ``say`` is told what is being measured. Needs some 15 kB of disk a vote."""
    votes -= votes % _EACH
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as name:
        folder = Path(name)
        say("making votes")
        one, two = folder / "one.jsonl", folder / "two.jsonl"
        _make(votes, one, two)
        steps = _Steps(votes, say)
        log = folder / "log" / "votes.sqlite"
        bare = steps.run("bare import", lambda _: bare_import(one, folder / "bare.sqlite"))
        (folder / "bare.sqlite").unlink()
        locked: list[float] = []
        done = steps.run("import", lambda progress: _import(log, one, progress, locked))
        exported = steps.run("export", lambda progress: _export(log, folder / "out.jsonl", progress))
        exported["same_bytes_as_imported"] = _digest(folder / "out.jsonl", 0) == _digest(one, 0)
        for path in (folder / "out.jsonl", *log.parent.iterdir()):
            path.unlink()
        checked = steps.run("verify", lambda progress: int(verify_files([one], progress=progress).ok))
        floor = steps.run("bare merge", lambda _: bare_merge([one, two], folder / "bare.jsonl"))
        lines = _digest(folder / "bare.jsonl", 0)
        (folder / "bare.jsonl").unlink()
        merged = steps.run("merge", lambda progress: _merge([one, two], folder / "merged.jsonl", progress))
        merged["same_lines_as_bare"] = _digest(folder / "merged.jsonl", 1) == lines
        size = one.stat().st_size
    return {
        "schema": 1,
        "votes": votes,
        "bytes_a_vote": round(size / votes),
        "models": MODELS,
        "listeners": LISTENERS,
        "stations": STATIONS,
        "seed": SEED,
        "export": exported,
        "import": {**done, "bare": bare, "ratio": _ratio(done, bare), "locked_s": round(locked[0], 3)},
        "merge": {**merged, "bare": floor, "ratio": _ratio(merged, floor)},
        "verify": checked,
    }


class _Steps:
    """Measures one piece of work after the other."""

    def __init__(self, votes: int, say: Callable[[str], None]) -> None:
        self._votes = votes
        self._say = say

    def run(self, what: str, work: Callable[[Callable[[int], None]], int]) -> dict[str, Any]:
        """``work`` is handed what it tells its progress to, and returns how many records it had to do with."""
        self._say(what)
        told: list[int] = []
        started, wall = time.process_time(), time.monotonic()
        result, peak = at_peak(lambda: work(told.append))
        seconds, wall = time.process_time() - started, time.monotonic() - wall
        report = {"seconds": round(seconds, 3), "wall_s": round(wall, 3), "peak_mb": peak, "result": result}
        return {**report, "longest_silence": _silence(told)} if told else report


def _silence(told: list[int]) -> int:
    """The most records between two words of progress (it counts from 0 again when the next part begins)."""
    return max(after - before for before, after in zip([0, *told], told, strict=False))


def _make(votes: int, one: Path, two: Path) -> None:
    """Two whole logs of so many votes, half of them in both."""
    files = (one, two)
    first = (range(_EACH), range(STATIONS - _EACH, STATIONS))
    tallies: tuple[dict[str, StationTally], ...] = ({}, {})
    with one.with_suffix(".body").open("wb") as one_body, two.with_suffix(".body").open("wb") as two_body:
        for number, record in enumerate(sample_votes(votes * STATIONS // _EACH, STATIONS, SEED)):
            line = canonical(record) + b"\n"
            for body, stations, tally in zip((one_body, two_body), first, tallies, strict=True):
                if number % STATIONS in stations:
                    body.write(line)
                    tally.setdefault(record["station_id"], StationTally()).add(record["seq"], record["hash"])
    for path, tally in zip(files, tallies, strict=True):
        with path.open("wb") as stream, path.with_suffix(".body").open("rb") as lines:
            stream.write(canonical(make_header(votes, tally, None)) + b"\n")
            while piece := lines.read(1 << 20):
                stream.write(piece)
        path.with_suffix(".body").unlink()


def _import(log: Path, path: Path, progress: Callable[[int], None], locked: list[float]) -> int:
    with VoteLog.open(log) as opened, prepared_import(opened, [path], roster=_ROSTER, progress=progress) as prepared:
        started = time.monotonic()
        report = prepared.store(progress)
        locked.append(time.monotonic() - started)
    return report.new


def _export(log: Path, out: Path, progress: Callable[[int], None]) -> int:
    with VoteLog.open(log) as opened:
        return export_votes(opened, out, progress=progress).records


def _merge(paths: list[Path], out: Path, progress: Callable[[int], None]) -> int:
    return merge_files(paths, out, progress=progress, writing=progress).new


def _digest(path: Path, skip: int) -> str:
    """Of the lines after the first so many."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        for _ in range(skip):
            stream.readline()
        while piece := stream.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def _ratio(ours: dict[str, Any], bare: dict[str, Any]) -> float:
    return round(float(ours["seconds"]) / max(float(bare["seconds"]), 1e-9), 3)
