"""The whole job, as a user does it: the real program, real voices, a sound server's monitor as the ear, keys alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_desktop.audio.loudness import integrated_loudness
from arena_desktop.audio.types import RATE
from tests.helpers.evidence import evidence
from tests.helpers.finding import find, prepare_again
from tests.helpers.program import Program, export_votes, run_json
from tests.helpers.sound_server import Recorder, SoundServer, sound_server

VOTES = [("1", "a"), ("3", "tie"), ("4", "both_bad")]


__all__ = ["sound_server"]


@pytest.fixture
def program(sound_server: SoundServer, tmp_path: Path) -> Iterator[Program]:
    data = tmp_path / "data"
    data.mkdir()
    # A long buffer: on a machine that runs tests a gap would tell of its load, not of the program.
    (data / "settings.json").write_text('{"schema": 1, "latency": 0.2}', encoding="utf-8")
    program = Program(data)
    yield program
    if program.process.poll() is None:
        program.kill()


@pytest.mark.proof("three-battles")
@pytest.mark.timeout(600)
def test_three_battles_heard_voted_exported_and_replayed(
    sound_server: SoundServer, program: Program, tmp_path: Path
) -> None:
    recorder = sound_server.record()
    program.wait_for("battle_ready", 1)
    program.focus()
    for number, (key, _) in enumerate(VOTES, start=1):
        program.wait_for("heard_all", number)
        # The gate opens at 90 %; the second clip is to be found whole.
        program.wait_until(lambda: _is_silent(recorder), f"end of battle {number}")
        program.key(key)
        program.wait_for("reveal_painted", number)
        if number < len(VOTES):
            program.key("n")
            program.wait_for("battle_ready", number + 1)
    assert program.close() == 0
    recording = recorder.stop()

    records = export_votes(program.data_dir, tmp_path / "log.jsonl")
    assert [record["vote"] for record in records] == [vote for _, vote in VOTES]
    for record in records:
        assert record["listening"]["heard_a"] >= 0.9
        assert record["listening"]["heard_b"] >= 0.9
        assert record["model_a"]["repo_id"] != record["model_b"]["repo_id"]
    differences, frames = _clips_are_in(recording, records, program.data_dir / "cache" / "clips")
    _second_machine_agrees(program.data_dir, tmp_path / "second", tmp_path / "log.jsonl")
    evidence(
        "three-battles",
        {
            "votes": ", ".join(record["vote"] for record in records),
            "models": ", ".join(f"{r['model_a']['name']} / {r['model_b']['name']}" for r in records),
            "least_heard_share": min(min(r["listening"]["heard_a"], r["listening"]["heard_b"]) for r in records),
            "frames_found_in_the_recording": frames,
            "largest_loudness_difference_lu": round(max(differences), 3),
            "boards_equal_on_a_second_machine": True,
        },
        holds=max(differences) <= 0.2,
        claim="Keys alone: each clip found in the recording, in order, gapless, the two of a pair alike.",
    )


def _is_silent(recorder: Recorder, seconds: float = 0.4) -> bool:
    return not recorder.so_far()[-int(seconds * RATE) :].any()


def _clips_are_in(
    recording: NDArray[np.float32], records: list[dict[str, Any]], cache: Path
) -> tuple[list[float], int]:
    """Each prepared clip stands in the recording, in the order played, sample for sample. Gives for each pair how far
    apart the two are in loudness, and how many frames were compared.
    """
    end_of_last = frames = 0
    differences = []
    for record in records:
        pair = prepare_again(record, cache)
        clips = {"a": pair.a, "b": pair.b}
        first = record["listening"]["first_played"]
        heard = []
        for side in (first, "b" if first == "a" else "a"):
            start = find(clips[side], recording)
            assert start >= end_of_last, "played out of order"
            played = recording[start : start + len(clips[side])]
            fade = int(0.006 * RATE)
            np.testing.assert_allclose(played[fade:-fade], clips[side][fade:-fade], atol=2e-4, err_msg="not gapless")
            heard.append(integrated_loudness(played))
            end_of_last = start + len(clips[side]) - fade
            frames += len(played)
        differences.append(abs(heard[0] - heard[1]))
    return differences, frames


def _second_machine_agrees(first: Path, second: Path, exported: Path) -> None:
    report = run_json("--data-dir", str(second), "votes", "import", str(exported))
    assert (report["new"], report["already"], report["skipped"]) == (len(VOTES), 0, [])
    for method in ("elo", "rating", "bt"):
        boards = [run_json("--data-dir", str(d), "leaderboard", "--method", method) for d in (first, second)]
        assert boards[0] == boards[1]
        assert sum(row["battles"] for row in boards[0]["rows"]) == 2 * len(VOTES)
    replayed = run_json("ratings", "replay", str(exported))
    assert replayed["applied"] == len(VOTES)
