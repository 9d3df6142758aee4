"""From the press of a key to the clip's first frame at the sound server."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_desktop.audio.types import RATE
from tests.helpers.driver import write_roster
from tests.helpers.evidence import evidence
from tests.helpers.finding import find, prepare_again
from tests.helpers.keyboard import Keyboard
from tests.helpers.program import Program, export_votes
from tests.helpers.sound_server import SoundServer, sound_server

__all__ = ["sound_server"]


@pytest.fixture
def program(sound_server: SoundServer, tmp_path: Path) -> Iterator[Program]:
    data = tmp_path / "data"
    data.mkdir()
    # One long text of the listener's own, without autoplay, so that every press starts a clip worth looking for.
    text = "Every press of a key should be answered at once, however often it is pressed, and on whichever side."
    (data / "settings.json").write_text(
        f'{{"schema": 1, "autoplay": false, "prompt_kind": "own", "prompt_text": "{text}"}}', encoding="utf-8"
    )
    program = Program(data, "--roster", str(write_roster(tmp_path)))
    yield program
    if program.process.poll() is None:
        program.kill()


@pytest.mark.proof("key_to_sound")
@pytest.mark.timeout(600)
def test_key_to_sound(sound_server: SoundServer, program: Program, tmp_path: Path, full_counts: bool) -> None:
    presses = 200 if full_counts else 8
    chance = random.Random(7)
    recorder = sound_server.record()
    program.wait_for("battle_ready", 1)
    program.focus()
    pressed: list[tuple[str, int]] = []
    with Keyboard() as keyboard:
        for _ in range(presses):
            side = chance.choice("ab")
            pressed.append((side, keyboard.press(side)))
            time.sleep(chance.uniform(1.1, 1.4))
        for side in "ab":
            keyboard.press(side)
            program.wait_until(lambda: recorder.so_far()[-RATE // 4 :].any(), "sound")
            program.wait_until(lambda: not recorder.so_far()[-RATE // 2 :].any(), "the end of the clip")
        keyboard.press("1")
        program.wait_for("reveal_painted", 1)
    assert program.close() == 0
    recording = recorder.stop()

    (record,) = export_votes(program.data_dir, tmp_path / "log.jsonl")
    record["model_a"]["clip_sha256"] = record["private"]["clip_a_sha256"]
    record["model_b"]["clip_sha256"] = record["private"]["clip_b_sha256"]
    pair = prepare_again(record, program.data_dir / "cache" / "clips")
    clips = {"a": pair.a[:RATE], "b": pair.b[:RATE]}
    delays = []
    for side, at in pressed:
        window = _frame_at(recorder.arrivals(), at / 1e9 - 0.05)
        start = window + find(clips[side], recording[window : window + int(1.5 * RATE)])
        delays.append((recorder.arrival(start) - at / 1e9) * 1000)
    delays.sort()
    p95 = delays[int(0.95 * len(delays))]
    evidence(
        "key_to_sound",
        {
            "presses": presses,
            "p50_ms": round(delays[len(delays) // 2], 1),
            "p95_ms": round(p95, 1),
            "max_ms": round(delays[-1], 1),
        },
        holds=p95 <= (80 if full_counts else 1000),
        claim="From the press of a key to the clip's first frame at the sink's monitor: at most 80 ms in 95 of 100.",
    )


def _frame_at(arrivals: list[tuple[int, float]], moment: float) -> int:
    """The first frame that had arrived by ``moment`` (monotonic seconds)."""
    return max((byte // 8 for byte, at in arrivals if at <= moment), default=0)
