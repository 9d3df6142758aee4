"""A log that can't be written to, since its disk is full, costs the lines in it and nothing else."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from arena_desktop.cli.main import main

CHILD = """
import os, sys, warnings
from arena_desktop.engines.worker.wire import Channel
channel = Channel.claim()
print("to nobody")
print("to nobody", file=sys.stderr, flush=True)
warnings.warn("to nobody")
channel.reply({"spoken": channel.next()["text"]})
"""

SPEAK = """
import array, sys, wave
with wave.open(sys.argv[1], "wb") as out:
    out.setparams((1, 2, 16000, 0, "NONE", ""))
    out.writeframes(array.array("h", [i % 200 * 50 for i in range(16000)]).tobytes())
"""


@pytest.fixture
def full() -> Path:
    device = Path("/dev/full")
    if not (device.exists() and stat.S_ISCHR(device.stat().st_mode)):
        pytest.fail("this system has no full device to write to")
    return device


def test_a_child_with_a_full_log_answers(full: Path) -> None:
    with full.open("wb") as log:
        done = subprocess.run(
            [sys.executable, "-c", CHILD],
            input=b'{"text": "hello"}\n',
            stdout=subprocess.PIPE,
            stderr=log,
            check=True,
            timeout=60,
        )
    assert json.loads(done.stdout) == {"spoken": "hello"}


def test_a_model_speaks_though_neither_log_nor_hashes_can_be_written(
    full: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    (data / "logs").mkdir(parents=True)
    (data / "logs" / "speech.log").symlink_to(full)
    (data / "cache" / "weight-hashes.json" / "in the way").mkdir(parents=True)
    (tmp_path / "speak.py").write_text(SPEAK)
    argv = [sys.executable, str(tmp_path / "speak.py"), "{out}"]
    model = {"repo_id": "a/b", "name": "B", "engine": "command", "settings": {"argv": argv}}
    (tmp_path / "roster.json").write_text(json.dumps({"schema": 1, "models": [model], "arenas": []}))
    words = ["--data-dir", str(data), "--roster", str(tmp_path / "roster.json")]
    status = main([*words, "synth", "B", "--text", "Hello.", "-o", str(tmp_path / "o.wav")])
    assert status == 0, capsys.readouterr().err
    assert [name for name in os.listdir(data / "cache") if name.endswith(".part")] == []  # noqa: PTH208
