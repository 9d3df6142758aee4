"""``render``: battles are prepared by a command; Ctrl+C keeps what was spoken, and no window is disturbed."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.store.plan_files import PlanFiles

SLOW = """\
import array, math, sys, time, wave
time.sleep(float(sys.argv[2]))
text = sys.stdin.read()
with wave.open(sys.argv[1], "wb") as out:
    out.setparams((1, 2, 16000, 0, "NONE", ""))
    out.writeframes(array.array("h", [int(9000 * math.sin(n / 11)) for n in range(1100 * len(text))]).tobytes())
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data directory whose arena has three commands that take a while."""
    slow = tmp_path / "slow.py"
    slow.write_text(SLOW)
    models = [
        {
            "repo_id": f"test/{name}",
            "name": name,
            "engine": "command",
            "settings": {"argv": [sys.executable, str(slow), "{out}", seconds]},
        }
        for name, seconds in (("one", "0"), ("two", "0"), ("three", "0.1"))
    ]
    arenas = [{"id": "english", "title": "English", "models": [model["repo_id"] for model in models]}]
    (tmp_path / "roster.json").write_text(json.dumps({"schema": 1, "models": models, "arenas": arenas}))
    return tmp_path


def start(home: Path, *words: str) -> "subprocess.Popen[str]":
    options = ["--data-dir", str(home / "data"), "--roster", str(home / "roster.json")]
    return subprocess.Popen(
        [sys.executable, "-m", "arena_desktop", *options, "render", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def render(home: Path, *words: str) -> tuple[int, str, str]:
    with start(home, *words) as process:
        out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def report(home: Path, *words: str) -> dict[str, Any]:
    status, out, err = render(home, *words, "--json")
    assert (status, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


def test_battles_wait_and_a_second_call_has_nothing_left_to_do(home: Path) -> None:
    found = report(home, "--battles", "3")
    assert (found["schema"], found["arena"], found["battles"], found["note"]) == (1, "english", 3, "")
    assert found["clips"] == {"done": found["clips"]["total"], "total": found["clips"]["total"], "failed": 0}
    clips = list((home / "data" / "cache" / "clips").glob("*/*.wav"))
    status, out, _ = render(home, "--battles", "3")
    assert status == 0
    assert out.startswith("3 battles wait in the arena english with both clips spoken")
    assert list((home / "data" / "cache" / "clips").glob("*/*.wav")) == clips


def test_after_a_larger_one_was_killed_a_small_one_does_no_more_than_it_was_asked(home: Path) -> None:
    clips = home / "data" / "cache" / "clips"
    with start(home, "--battles", "60") as process:
        deadline = time.monotonic() + 60
        while len(list(clips.glob("*/*.wav"))) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.kill()
    found = report(home, "--battles", "2")
    assert found["battles"] >= 2
    assert found["clips"]["done"] == found["clips"]["total"] <= 4
    assert found["battles"] + found["unspoken"] == 60
    assert len(list(clips.glob("*/*.wav"))) < 60
    status, out, _ = render(home, "--battles", "2")
    assert status == 0
    assert f"{found['unspoken']} more, drawn earlier, lack clips" in out


def test_ctrl_c_ends_it_soon_and_keeps_what_was_spoken(home: Path) -> None:
    clips = home / "data" / "cache" / "clips"
    with start(home, "--battles", "200") as process:
        try:
            deadline = time.monotonic() + 60
            while len(list(clips.glob("*/*.wav"))) < 3:
                assert time.monotonic() < deadline
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, err) == (1, "")
    assert "Stopped early" in out
    kept = {clip.name for clip in clips.glob("*/*.wav")}
    (sealed,) = (home / "data" / "prepared").glob("*.sealed")
    assert sealed.stat().st_size > 5_000, "the battles that were drawn are still to be played"
    assert kept <= {clip.name for clip in clips.glob("*/*.wav")}


def faults() -> Sequence[tuple[tuple[str, ...], int, str]]:
    return (
        (("--arena", "nowhere"), 1, "has no arena nowhere. Its arenas: english."),
        (("--battles", "0"), 2, "--battles must lie between 1 and 1,000."),
        (("--battles", "some"), 2, "invalid int value"),
    )


@pytest.mark.parametrize(("words", "status", "said"), faults())
def test_wrong_words_are_refused_in_one_line(home: Path, words: Sequence[str], status: int, said: str) -> None:
    found, out, err = render(home, *words)
    assert (found, out, err.count("\n")) == (status, "", 1)
    assert said in err


def test_too_few_voices_are_told_with_what_the_first_lacks(home: Path) -> None:
    told = json.loads((home / "roster.json").read_text())
    for model in told["models"][1:]:
        model["settings"]["argv"][0] = "no-such-program"
    (home / "roster.json").write_text(json.dumps(told))
    status, out, err = render(home)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "needs two voices that are ready; it has 1. two lacks the program no-such-program. Install it" in err


def test_while_a_window_keeps_battles_the_command_says_where_to_press(home: Path) -> None:
    window = PlanFiles(home / "data" / "prepared", lambda: b"")
    assert window.claim()
    try:
        status, _, err = render(home)
    finally:
        window.let_go()
    assert (status, err.count("\n")) == (1, 1)
    assert "A window of this data directory is open" in err
