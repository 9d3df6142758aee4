"""Measuring models: by command and from the window, with real children of their own."""

import json
import threading
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from arena_desktop.cli.main import main
from arena_desktop.domain.roster import ModelSpec, Roster
from arena_desktop.engines.host import SpeechHost
from arena_desktop.engines.types import FailureKind, SpeechFailure
from arena_desktop.errors import ArenaError
from arena_desktop.services.bench.models import measure
from arena_desktop.services.cancelling import Cancelled
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.measurements import Measurements
from arena_desktop.services.measuring import Measuring
from arena_desktop.services.models import Models
from arena_desktop.store.measurements import MeasurementsFile
from tests.engines.conftest import MakeHost, MakeModel, wait_for

ROSTER = """
schema: 1
models:
  - {repo_id: t/pico, name: Pico, engine: pico, voices: [en-US], language: [en]}
  - {repo_id: t/lost, name: Lost, engine: piper, files: {path: nowhere.onnx}, language: [en]}
arenas:
  - {id: english, title: English, models: [t/pico, t/lost]}
"""


def test_each_start_is_a_process_of_its_own_and_memory_is_that_of_the_model(
    make_host: MakeHost, model: MakeModel
) -> None:
    pids: list[int] = []
    progress: list[tuple[int, int]] = []

    def new_host() -> SpeechHost:
        pids.extend(child.pid for child in psutil.Process().children())
        return make_host()

    def moment() -> str:
        return "2026-12-02T12:00:00Z"

    heavy = measure(
        model(megabytes=300),
        new_host,
        moment,
        starts=3,
        rounds=2,
        progress=lambda done, total: progress.append((done, total)),
    )
    assert pids == []  # the one before has ended
    assert (len(heavy.cold), len(heavy.warm)) == (3, 2)
    one = heavy.measured
    assert (one.repo_id, one.device, one.dtype, one.when) == ("test/tone", "cpu", "float32", moment())
    assert one.cold_s is not None
    assert one.warm_s is not None
    assert one.warm_s < one.cold_s
    assert min(heavy.cold) <= one.cold_s <= max(heavy.cold)
    light = measure(model(), make_host, moment, starts=1, rounds=1).measured
    assert one.memory_mb is not None
    assert light.memory_mb is not None
    assert 290 < one.memory_mb - light.memory_mb < 360
    assert progress[0] == (0, 7)
    assert progress[-1] == (6, 7)
    assert psutil.Process().children() == []


def test_a_model_that_fails_leaves_no_process(make_host: MakeHost, model: MakeModel) -> None:
    with pytest.raises(SpeechFailure) as caught:
        measure(model("silence"), make_host, str, starts=1, rounds=1)
    assert caught.value.kind is FailureKind.SILENCE
    assert psutil.Process().children() == []

    def stop(done: int, total: int) -> None:
        if done:
            raise Cancelled

    with pytest.raises(Cancelled):
        measure(model(), make_host, str, starts=2, rounds=1, progress=stop)
    assert psutil.Process().children() == []


def test_the_command_measures_what_is_ready_and_keeps_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    roster = tmp_path / "roster.yaml"
    roster.write_text(ROSTER)
    start = ["--data-dir", str(tmp_path / "home"), "--roster", str(roster), "bench", "models"]
    assert main([*start, "--starts", "1", "--rounds", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"]
    (entry,) = told["models"]  # the other one lacks its file
    assert (entry["repo_id"], entry["device"], entry["ok"]) == ("t/pico", "cpu", True)
    assert all(entry[key] > 0 for key in ("cold_s", "warm_s", "rtf", "memory_mb", "sound_s"))
    kept = json.loads((tmp_path / "home" / "measurements.json").read_text())["machines"]
    ((entries,),) = [[machine["entries"]] for machine in kept.values()]
    assert [(one["repo_id"], one["rtf"]) for one in entries] == [("t/pico", entry["rtf"])]

    assert main([*start, "Pico", "Lost", "--starts", "1", "--rounds", "1"]) == 1
    said = capsys.readouterr()
    assert "t/pico: cpu" in said.out
    assert "× real time" in said.out
    assert "t/lost: FAILED:" in said.out
    assert "1 of 2 models could not be measured: t/lost." in said.err


def test_a_model_that_fails_is_reported_with_the_same_keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "r.yaml").write_text(ROSTER)
    words = ["--data-dir", str(tmp_path / "d"), "--roster", str(tmp_path / "r.yaml"), "bench", "models"]
    assert main([*words, "Pico", "Lost", "--starts", "1", "--rounds", "1", "--json"]) == 1
    pico, lost = json.loads(capsys.readouterr().out)["models"]
    assert list(pico) == list(lost)
    assert (lost["ok"], "nowhere.onnx" in lost["detail"], lost["device"]) == (False, True, None)


def test_a_python_without_an_answer_is_asked_once_for_all_that_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena_desktop.engines.environments.looking.PATIENCE_S", 1.0)
    python, asked = tmp_path / "python", tmp_path / "asked"
    python.write_text(f"#!/bin/sh\necho once >>'{asked}'\nsleep 1000\n")
    python.chmod(0o755)
    lines = [f"  - {{repo_id: t/{n}, name: N{n}, engine: pico, voices: [en-US], python: {python}}}" for n in range(3)]
    (tmp_path / "r.yaml").write_text("schema: 1\nmodels:\n" + "\n".join(lines) + "\narenas: []\n")
    words = ["--data-dir", str(tmp_path / "d"), "--roster", str(tmp_path / "r.yaml"), "bench", "models"]
    assert main([*words, "t/0", "t/1", "t/2", "--json"]) == 1
    assert ["no answer" in one["detail"] for one in json.loads(capsys.readouterr().out)["models"]] == [True] * 3
    assert asked.read_text() == "once\n"


def test_what_cannot_be_kept_is_told_all_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "r.yaml").write_text(ROSTER)
    (tmp_path / "d" / "measurements.json" / "in the way").mkdir(parents=True)
    words = ["--data-dir", str(tmp_path / "d"), "--roster", str(tmp_path / "r.yaml"), "bench", "models"]
    assert main([*words, "Pico", "Pico", "--starts", "1", "--rounds", "1", "--json"]) == 1
    out, err = capsys.readouterr()
    assert [one["cold_s"] > 0 for one in json.loads(out)["models"]] == [True, True]
    assert "measurements.json" in err.splitlines()[-1]


@pytest.mark.parametrize(
    "words",
    [["--starts", "0"], ["--rounds", "101"], ["--device", "gpu"], ["--device", "cuda:x"], ["--device", "cuda:100"]],
)
def test_wrong_options_are_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main(["--data-dir", str(tmp_path), "bench", "models", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


class Window:
    """The Models page's services with a :class:`Measuring`, over test engines."""

    def __init__(self, folder: Path, make_host: MakeHost, *models: ModelSpec) -> None:
        self.inbox = Inbox()
        self.failures: list[ArenaError] = []
        self.words: list[str] = []
        self.host = make_host()
        roster = Roster({model.repo_id: model for model in models}, {})
        self.kept = Measurements(MeasurementsFile(folder / "measurements.json"), lambda: self.host.machine)
        self.models = Models(roster, self.host, self.inbox, measured=self.kept.of, changed=self._seen)
        self.measuring = Measuring(
            inbox=self.inbox,
            models=lambda: roster.models,
            new_host=make_host,
            measurements=self.kept,
            shown=self.models,
            failed=self.failures.append,
        )

    def _seen(self, view: object) -> None:
        busy = self.models.view().rows[0].busy
        if busy and busy not in self.words:
            self.words.append(busy)

    def until(self, happened: Callable[[], object]) -> None:
        wait_for(lambda: (self.inbox.drain(), happened())[1], "it happens", within=60)


def test_the_window_measures_shows_how_far_it_is_and_then_the_numbers_even_while_a_battle_is_open(
    tmp_path: Path, make_host: MakeHost, model: MakeModel
) -> None:
    window = Window(tmp_path, make_host, model())
    window.models.hold()
    window.measuring.measure("test/tone")
    window.measuring.measure("test/tone")  # asked for already
    window.measuring.measure("test/nobody")
    window.until(lambda: window.models.view().rows[0].measured)
    (row,) = window.models.view().rows
    assert row.busy == ""
    assert row.measured[0].cold_s
    assert window.words[0] == "Waits to be measured"
    assert window.words[-1].startswith("Measuring, ")
    assert window.failures == []
    window.measuring.close()
    window.models.close()


def test_clips_of_battles_change_nothing_on_the_page_before_their_models_were_heard(
    tmp_path: Path, make_host: MakeHost, model: MakeModel
) -> None:
    window = Window(tmp_path, make_host, model())
    out = tmp_path / "a.wav"
    spoken = window.host.speak(model(), "The birch canoe.", None, out)
    window.kept.note(model(), window.host.identify(model()), spoken)
    window.models.refresh()
    assert window.models.view().rows[0].measured == ()
    assert window.models.view().rows[0].device == ""
    window.models.note_device("test/tone", spoken.device)
    assert window.models.view().rows[0].device == "the processor, float32"
    window.measuring.close()
    window.models.close()


def test_what_fails_is_told_and_closing_ends_a_measurement_at_once(
    tmp_path: Path, make_host: MakeHost, model: MakeModel, mark: Path
) -> None:
    window = Window(tmp_path, make_host, model("silence"), model("slow_native"))
    window.measuring.measure("test/silence")
    window.until(lambda: window.failures)
    assert "Acting silence" in str(window.failures[0])
    assert window.models.view().rows[0].busy == ""
    window.measuring.measure("test/slow_native")
    window.until(mark.exists)
    closing = threading.Thread(target=window.measuring.close)
    closing.start()
    closing.join(20)
    assert not closing.is_alive()
    window.models.close()
