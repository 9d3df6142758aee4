"""Measurements: kept for this machine, fed by use, shown only when that tells nothing; and the chart that they feed."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.cli.main import main
from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.machine_facts import GB, Gpu, Machine
from arena_desktop.engines.types import Identity, Spoken
from arena_desktop.errors import ArenaError
from arena_desktop.services.arena_votes import Speeds
from arena_desktop.services.board import Board
from arena_desktop.services.board_views import ChartsLens, ChartsView
from arena_desktop.services.exports import board_export, board_report
from arena_desktop.services.lenses import look
from arena_desktop.services.measurements import Measured, Measurements
from arena_desktop.services.speeds_file import read_speeds
from arena_desktop.store.measurements import MeasurementsFile
from tests.helpers.boards import Records, board_of, roster_of, votes_between

HERE = Machine("Linux", "x86_64", 2, 8 * GB)
THERE = replace(HERE, gpus=(Gpu("NVIDIA L4", 24 * GB),))
NOON = datetime(2026, 12, 2, 12, tzinfo=UTC)
ONE = Measured("x/one", "ab" * 32, "cpu", "float32", 120.5, 3.2, 0.4, 0.25, "2026-12-02T11:00:00Z")
MODEL = ModelSpec("x/one", "One")
IDENTITY = Identity("piper", "1", "ab" * 32, "cd" * 32)


def kept(folder: Path, machine: Machine = HERE) -> Measurements:
    return Measurements(MeasurementsFile(folder / "measurements.json"), lambda: machine, lambda: NOON)


def clip(rtf: float, seconds: float = 1.0, device: str = "cpu") -> Spoken:
    return Spoken(Path("a.wav"), 16000, 16000, seconds, rtf, device, "float32", "00" * 32)


def test_what_was_measured_is_there_after_a_restart_and_on_this_machine_alone(tmp_path: Path) -> None:
    first = kept(tmp_path)
    first.record(ONE)
    assert first.of("x/one") == (ONE,)
    assert kept(tmp_path).of("x/one") == (ONE,)
    assert kept(tmp_path, THERE).of("x/one") == ()
    on_gpu = replace(ONE, device="cuda", dtype="bfloat16", rtf=0.05)
    kept(tmp_path, THERE).record(on_gpu)
    assert kept(tmp_path).of("x/one") == (ONE,)
    again = replace(ONE, rtf=0.5, when="2026-12-02T12:00:00Z")
    kept(tmp_path).record(again)
    assert kept(tmp_path).of("x/one") == (again,)
    titles = [
        machine["title"] for machine in json.loads((tmp_path / "measurements.json").read_text())["machines"].values()
    ]
    assert sorted(titles) == ["2 × x86_64, 8 GB, Linux", "2 × x86_64, 8 GB, NVIDIA L4, Linux"]


def test_two_programs_measure_and_neither_loses_what_the_other_found(tmp_path: Path) -> None:
    one, other = kept(tmp_path), kept(tmp_path)
    assert (one.of("x/one"), other.of("x/two")) == ((), ())  # both have read the file
    one.record(ONE)
    other.record(replace(ONE, repo_id="x/two"))
    assert {found.repo_id for name in ("x/one", "x/two") for found in kept(tmp_path).of(name)} == {"x/one", "x/two"}


def test_what_another_program_measured_is_seen_when_somebody_looks_anew(tmp_path: Path) -> None:
    one, other = kept(tmp_path), kept(tmp_path)
    assert one.of("x/one") == ()
    other.record(ONE)
    assert one.of("x/one") == ()
    one.look_anew()
    assert one.of("x/one") == (ONE,)
    (tmp_path / "measurements.json").unlink()
    (tmp_path / "measurements.json").mkdir()
    newer = replace(ONE, rtf=0.75, when="2027-01-01T00:00:00Z")
    with pytest.raises(ArenaError):
        one.record(newer)
    one.look_anew()
    assert one.of("x/one") == (newer,)  # what could not be written is not lost while the program runs


def test_clips_in_use_are_written_at_the_end_and_show_nothing_before(tmp_path: Path) -> None:
    running = kept(tmp_path)
    for rtf, seconds in ((9.0, 30.0), (0.3, 1.0), (0.2, 0.8)):  # the first one had to wait for the load
        running.note(MODEL, IDENTITY, clip(rtf, seconds))
    assert running.of("x/one") == ()
    assert list(tmp_path.iterdir()) == []
    running.heard("x/one")
    running.close()
    (found,) = kept(tmp_path).of("x/one")
    assert (found.rtf, found.clip_s, found.in_use) == (0.3, 1.0, True)
    assert found.cold_s is found.warm_s is found.memory_mb is None
    later = kept(tmp_path)
    assert later.clip_seconds("x/one") is None  # never reads the file itself: it is asked on the window's thread
    later.of("x/one")
    assert later.clip_seconds("x/one") == 1.0


def test_what_was_spoken_for_battles_that_wait_is_told_nowhere(tmp_path: Path) -> None:
    running = kept(tmp_path)
    running.note(MODEL, IDENTITY, clip(0.3))
    running.note(ModelSpec("x/two", "Two"), IDENTITY, clip(0.3))
    running.heard("x/two")
    running.close()
    assert kept(tmp_path).of("x/one") == ()
    assert "x/one" not in (tmp_path / "measurements.json").read_text()
    assert kept(tmp_path).of("x/two") != ()


def test_use_never_overwrites_what_somebody_measured(tmp_path: Path) -> None:
    kept(tmp_path).record(ONE)
    running = kept(tmp_path)
    running.note(MODEL, IDENTITY, clip(4.0, 9.0))
    running.heard("x/one")
    running.close()
    (found,) = kept(tmp_path).of("x/one")
    assert found == replace(ONE, clip_s=9.0)
    again = replace(ONE, rtf=0.1)
    running = kept(tmp_path)
    running.record(again)
    assert kept(tmp_path).of("x/one") == (replace(again, clip_s=9.0),)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no JSON",
        "[1]",
        '{"machines": 5}',
        '{"machines": {"x": 5}}',
        '{"schema": 1, "machines": {"MACHINE": {"entries": [5, {"repo_id": 7}, {"repo_id": "x/one"}]}}}',
        '{"schema": 1, "machines": {"MACHINE": {"entries": "all"}}}',
    ],
)
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, content: str) -> None:
    kept(tmp_path).record(ONE)
    file = tmp_path / "measurements.json"
    (machine,) = json.loads(file.read_text())["machines"]
    file.write_text(content.replace("MACHINE", machine))
    assert kept(tmp_path).of("x/one") == ()
    kept(tmp_path).record(ONE)
    assert kept(tmp_path).of("x/one") == (ONE,)


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "measurements.json"
    file.write_text('{"schema": 2, "machines": {}}')
    kept(tmp_path).record(ONE)
    assert file.read_text() == '{"schema": 2, "machines": {}}'


def test_a_file_that_can_not_be_written_is_said_where_somebody_asked_and_only_there(tmp_path: Path) -> None:
    (tmp_path / "measurements.json").mkdir()
    with pytest.raises(ArenaError, match="can't be written"):
        kept(tmp_path).record(ONE)
    running = kept(tmp_path)
    running.note(MODEL, IDENTITY, clip(0.3))
    running.heard("x/one")
    running.close()


def test_speeds_are_those_of_the_device_that_most_were_measured_on(tmp_path: Path) -> None:
    found = kept(tmp_path)
    found.record(ONE)
    found.record(replace(ONE, repo_id="x/two", rtf=0.5))
    found.record(replace(ONE, repo_id="x/three", device="cuda", rtf=0.01))
    found.note(ModelSpec("x/four", "Four"), IDENTITY, clip(0.2))
    found.heard("x/four")
    found.close()
    assert found.speeds() == ("cpu", {"x/one": 0.25, "x/two": 0.5})


# --- the chart -------------------------------------------------------------------------------------------------------

NAMES = ("Fast", "Slow", "Worse", "Alone")


def charts(speeds: Speeds) -> ChartsView:
    votes = board_of(NAMES, 400).votes("")
    view = look(replace(votes, speeds=speeds), ChartsLens())
    assert isinstance(view, ChartsView)
    return view


def test_the_chart_of_speed_takes_what_was_measured_where_two_models_were() -> None:
    view = charts(Speeds("cpu", {"org/m-0": 0.1, "org/m-1": 2.0, "x/unknown": 1.0}))
    assert view.measured
    assert view.device == "cpu"
    assert {point.model.repo_id: point.x for point in view.speed} == {"org/m-0": 0.1, "org/m-1": 2.0}
    assert {model.repo_id for model in view.no_speed} == {"org/m-2", "org/m-3"}
    assert not charts(Speeds("cpu", {"org/m-0": 0.1})).measured


def speeds_file(folder: Path, *entries: dict[str, Any]) -> Path:
    file = folder / "speeds.json"
    told = {"device": "cpu", "dtype": "float32", "when": "2026-12-02T11:00:00Z"}
    file.write_text(json.dumps({"schema": 1, "models": [{**told, **entry} for entry in entries]}))
    return file


def test_exports_with_a_file_of_speeds_carry_them_and_the_front(tmp_path: Path) -> None:
    file = speeds_file(
        tmp_path,
        {"repo_id": "org/m-0", "rtf": 0.1},
        {"repo_id": "org/m-1", "rtf": 2.0},
        {"repo_id": "org/m-2", "rtf": None},  # it could not speak
        {"repo_id": "org/m-3", "rtf": 0.01, "device": "cuda"},
    )
    plain, report = board_report(board_of(NAMES, 400)), board_report(board_of(NAMES, 400), speeds=read_speeds(file))
    assert "rtf" not in next(csv.reader(io.StringIO(board_export(plain, "csv").decode())))
    rows = {row["repo_id"]: row for row in csv.DictReader(io.StringIO(board_export(report, "csv").decode()))}
    assert {name: row["rtf"] for name, row in rows.items()} == {
        "org/m-0": "0.100000",
        "org/m-1": "2.000000",
        "org/m-2": "",
        "org/m-3": "",
    }
    assert rows["org/m-0"]["rtf_front"] == "true"
    assert rows["org/m-0"]["rtf_device"] == "cpu"
    assert "--speeds speeds.json" in rows["org/m-0"]["recompute"]
    page = board_export(report, "html").decode()
    assert "(cpu, measured apart from the votes)" in page
    assert "--speeds speeds.json" in page
    assert board_export(report, "csv") == board_export(report, "csv")


def test_a_model_that_another_surely_beats_at_no_more_cost_is_off_the_front(tmp_path: Path) -> None:
    votes = [
        {**vote, "vote": "a" if vote["model_a"]["repo_id"] == "org/m-0" else "b"}
        for vote in votes_between(("org/m-0", "org/m-1"), 60)
    ]
    board = Board(roster_of(NAMES[:2]), Records(votes))
    file = speeds_file(tmp_path, {"repo_id": "org/m-0", "rtf": 0.1}, {"repo_id": "org/m-1", "rtf": 2.0})
    report = board_report(board, speeds=read_speeds(file))
    rows = {row["repo_id"]: row for row in csv.DictReader(io.StringIO(board_export(report, "csv").decode()))}
    assert (rows["org/m-0"]["rtf_front"], rows["org/m-1"]["rtf_front"]) == ("true", "false")


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"models": 5}', '{"models": [5]}', '{"models": []}', "\x00"])
def test_a_file_that_holds_no_speeds_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    file = tmp_path / "speeds.json"
    file.write_text(content)
    assert main(["--data-dir", str(tmp_path / "home"), "leaderboard", "--speeds", str(file)]) == 1
    said = capsys.readouterr().err
    assert "speed" in said
    assert "bench models --json" in said
