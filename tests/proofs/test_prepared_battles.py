"""A slow model, once its battles were prepared, keeps nobody waiting: a command that sleeps, as any other program."""

import json
import math
import statistics
import subprocess
import sys
import time
import wave
from array import array
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.votes import Vote
from arena_desktop.services.views import Phase
from tests.helpers.driver import Driver
from tests.helpers.evidence import evidence

SLOW = "test/slow"
PROGRAM = """\
import sys, time, wave
time.sleep(float(sys.argv[2]))
with wave.open(sys.argv[3], "rb") as clip, wave.open(sys.argv[1], "wb") as out:
    out.setparams(clip.getparams())
    out.writeframes(clip.readframes(min(clip.getnframes(), 1100 * len(sys.stdin.read()))))
"""
ALLOWED_MS = 100.0
SPEED = 8.0
"""Of the listener, who votes at once: a clip of five seconds is heard in less than one, faster than the slow model
speaks, so that who has nothing prepared does wait.
"""
NOTICED_MS = 1000.0
"""Without preparing the longest wait must be more than that, or the comparison says nothing."""


@pytest.mark.proof("prepared_battles")
@pytest.mark.timeout(1800)
def test_prepared_battles_of_a_slow_model_keep_nobody_waiting(tmp_path: Path, full_counts: bool) -> None:
    battles, seconds = (50, 3.0) if full_counts else (4, 0.5)
    roster = _roster(tmp_path, seconds)
    began = time.monotonic()
    found = _render(tmp_path, roster, battles)
    prepared_s = time.monotonic() - began
    waits, slow_battles, spoken = _listen(tmp_path / "data", roster, battles)
    unprepared, _, _ = _listen(tmp_path / "other", roster, 15 if full_counts else 2)
    figures = {
        "battles": len(waits),
        "battles_with_the_slow_model": slow_battles,
        "slow_model_s_a_clip": seconds,
        "clips": found["clips"]["total"],
        "preparing_s": round(prepared_s, 1),
        "clips_spoken_while_listening": spoken,
        "wait_median_ms": round(statistics.median(waits), 1),
        "wait_longest_ms": round(max(waits), 1),
        "wait_allowed_ms": ALLOWED_MS,
        "longest_without_preparing_ms": round(max(unprepared), 1),
    }
    allowed = ALLOWED_MS if full_counts else 400.0
    holds = spoken == 0 and slow_battles > 0 and len(waits) == battles - 1 and max(waits) <= allowed
    if full_counts:
        holds = holds and max(unprepared) > NOTICED_MS
    evidence(
        "prepared_battles",
        figures,
        holds=holds,
        claim="Once they were prepared, also before a restart, no battle of a slow model makes the listener wait; where"
        " nothing was prepared, some do.",
    )


def _roster(folder: Path, seconds: float) -> Path:
    program, clip = folder / "slow.py", folder / "clip.wav"
    program.write_text(PROGRAM)
    with wave.open(str(clip), "wb") as out:
        out.setparams((1, 2, 16_000, 0, "NONE", ""))
        out.writeframes(array("h", [int(9_000 * math.sin(n / 11)) for n in range(16_000 * 30)]).tobytes())
    argv = [sys.executable, str(program), "{out}", str(seconds), str(clip)]
    models: list[dict[str, Any]] = [
        {"repo_id": "test/hibari", "name": "Alder", "engine": "hibari", "language": ["en"]},
        {"repo_id": "test/pico", "name": "Birch", "engine": "pico", "voices": ["en-US"], "language": ["en"]},
        {"repo_id": SLOW, "name": "Cedar", "engine": "command", "settings": {"argv": argv}, "language": ["en"]},
    ]
    arena = {"id": "english", "title": "English", "language": "en", "models": [model["repo_id"] for model in models]}
    path = folder / "roster.json"
    path.write_text(json.dumps({"schema": 1, "models": models, "arenas": [arena]}))
    return path


def _render(folder: Path, roster: Path, battles: int) -> dict[str, Any]:
    options = ["--data-dir", str(folder / "data"), "--roster", str(roster)]
    command = [sys.executable, "-m", "arena_desktop", *options, "render", "--battles", str(battles), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=900)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _listen(data: Path, roster: Path, battles: int) -> tuple[list[float], int, int]:
    """Milliseconds from N to each further battle, how many had the slow model, and the clips spoken up to the last
    battle but those that are kept ready after it.
    """
    driver = Driver(data, roster, speed=SPEED)
    waits: list[float] = []
    slow, spoken = 0, 0
    try:
        driver.until(lambda: driver.view.phase is Phase.READY, "the first battle", within=300)
        for battle in range(1, battles + 1):
            driver.until(lambda: driver.view.can_vote, "the gate")
            if battle <= battles - 2:  # from then on battles are drawn that nobody has prepared
                spoken = driver.clips_spoken()
            driver.services.listen.vote(Vote.A)
            driver.until(lambda: driver.view.reveal is not None, "the reveal")
            reveal = driver.view.reveal
            assert reveal is not None
            slow += SLOW in (reveal.a.repo_id, reveal.b.repo_id)
            if battle == battles:
                break
            pressed = time.monotonic()
            driver.services.listen.next()
            driver.until(lambda: driver.view.phase is Phase.READY, "the next battle", within=300)
            waits.append(1000 * (time.monotonic() - pressed))
    finally:
        driver.close()
    return waits, slow, spoken
