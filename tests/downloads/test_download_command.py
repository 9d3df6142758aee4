"""``models download`` as a person has it: what it is first, one line for a fault, killed and gone on with."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.cli.main import main
from tests.helpers.local_hub import COMMIT, Fault, LocalHub, Made
from tests.helpers.program import command, run

BIG = Made(3_000_000, seed=5)
FILES: dict[str, bytes | Made] = {
    "config.json": b"{}",
    "model.safetensors": BIG,
    "pytorch_model.bin": Made(9_000),
    "voices/\x1b[31mred.pt": b"p",
    "../up": b"u",
    "odd.pth": b"pickle",
}


@pytest.fixture
def hub(open_hub: Callable[..., LocalHub]) -> LocalHub:
    return open_hub(FILES, card={"cardData": {"license": "cc-by-4.0\x1b[2J"}})


def _words(tmp_path: Path, hub: LocalHub, *more: str) -> list[str]:
    return ["--data-dir", str(tmp_path), "models", "download", "acme/voice", "--endpoint", hub.url, *more]


def test_licence_files_and_sizes_are_said_and_a_dry_run_brings_nothing(tmp_path: Path, hub: LocalHub) -> None:
    done = run(*_words(tmp_path, hub, "--dry-run"))
    assert done.returncode == 0, done.stderr
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[0].startswith(f"acme/voice at {COMMIT[:12]}")
    assert lines[1].startswith("Licence: cc-by-4.0")
    assert "3.0 MB model.safetensors" in lines
    assert "9 kB pytorch_model.bin (the same weights are there as safetensors)" in lines
    assert any(line.startswith("6 B odd.pth (a pickle") for line in lines)
    assert "Refused: ../up: its name leads out of its folder." in lines
    assert lines[-1] == "In all: 3.0 MB"
    assert "\x1b" not in done.stdout
    assert hub.requests("model.safetensors") == []
    assert not (tmp_path / "models").exists()


def test_it_arrives_and_the_report_has_what_a_roster_needs(tmp_path: Path, hub: LocalHub) -> None:
    done = run(*_words(tmp_path, hub, "--json", "--file", "model.safetensors", "--file", "config*"))
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["folder"] == str(tmp_path / "models" / "acme--voice" / COMMIT[:12])
    assert report["roster_files"]["revision"] == COMMIT
    assert report["roster_files"]["sha256"]["model.safetensors"] == BIG.hashes()[0]
    assert set(report["roster_files"]["sha256"]) == {"model.safetensors", "config.json"}
    assert report["bytes"] == 3_000_002


def test_killed_in_the_middle_it_goes_on_with_what_had_arrived(tmp_path: Path, hub: LocalHub) -> None:
    hub.fault("model.safetensors", *[Fault(after=700_000, stall=True)] * 2)
    for _ in range(2):
        asked = len(hub.requests("model.safetensors"))
        process = subprocess.Popen(
            command(*_words(tmp_path, hub)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        part = tmp_path / "models" / ".downloads" / f"acme--voice@{COMMIT[:12]}" / "parts"
        before = _size(part)
        while _size(part) <= before or len(hub.requests("model.safetensors")) == asked:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
    done = run(*_words(tmp_path, hub))
    assert done.returncode == 0, done.stderr
    place = tmp_path / "models" / "acme--voice" / COMMIT[:12]
    assert (place / "model.safetensors").read_bytes() == BIG.whole()
    starts = [int(one.range.removeprefix("bytes=").rstrip("-") or 0) for one in hub.requests("model.safetensors")]
    assert starts == sorted(set(starts))
    assert not (tmp_path / "models" / ".downloads").exists()


def _size(parts: Path) -> int:
    try:
        return sum(path.stat().st_size for path in parts.glob(f"{BIG.hashes()[0]}.part"))
    except OSError:
        return 0


def test_ctrl_c_ends_it_whatever_it_waits_for(tmp_path: Path, hub: LocalHub) -> None:
    hub.fault("model.safetensors", Fault(after=700_000, stall=True))
    process = subprocess.Popen(
        command(*_words(tmp_path, hub)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    while not hub.requests("model.safetensors"):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 1
    assert said == "arena-desktop: Stopped. What has arrived is kept: give the same command to go on.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nobody/nothing"], "has no"),
        (["nothing"], "is no model of a hub"),
        (["acme/voice", "--revision", "../x"], "is no revision"),
        (["acme/voice", "--file", "nothing*"], "Nothing of acme/voice is wanted"),
        (["acme/voice", "--endpoint", "hub.example"], "is no address of a hub"),
    ],
)
def test_what_cannot_be_had_is_one_line(
    tmp_path: Path, hub: LocalHub, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *more = words
    endpoint = [] if "--endpoint" in more else ["--endpoint", hub.url]
    assert main(["--data-dir", str(tmp_path), "models", "download", name, *endpoint, *more, "--json"]) == 1
    told = capsys.readouterr()
    assert said in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


def test_a_token_stands_in_no_argument_no_log_and_no_answer(tmp_path: Path, open_hub: Callable[..., LocalHub]) -> None:
    hub = open_hub({"config.json": b"{}"}, token="hf_secret")
    words = ["--data-dir", str(tmp_path), "models", "download", "acme/voice"]
    environment = {**os.environ, "HF_ENDPOINT": hub.url, "HF_TOKEN": "hf_secret"}
    done = subprocess.run(command(*words), capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert "hf_secret" not in done.stdout + done.stderr
    wrong = subprocess.run(
        command(*words), capture_output=True, text=True, env={**environment, "HF_TOKEN": "hf_wrong"}, check=False
    )
    assert wrong.returncode == 1
    assert "gated" in wrong.stderr
    assert "hf_wrong" not in wrong.stderr
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or b"hf_" not in path.read_bytes().replace(b"hf_token", b"")
