"""Children that really take memory: the budget over all of them, and what becomes of a model when memory runs out."""

import signal
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena_desktop.domain.roster import ModelSpec, Roster
from arena_desktop.engines.free_memory import Ram, killed_for_memory, ram
from arena_desktop.engines.host import SpeechHost
from arena_desktop.engines.machine_facts import GB, MB, Gpu, Machine, Torch
from arena_desktop.engines.memory_watch import MemoryWatch
from arena_desktop.engines.types import FailureKind, SpeechFailure
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.models import Models
from tests.engines.conftest import MakeHost

TEXT = "The birch canoe slid on."
PLAIN = Machine("Linux", "x86_64", 2, 8 * GB, torch=Torch("2.13.0+cpu", None))
WITH_GPU = Machine(
    "Linux", "x86_64", 2, 8 * GB, (Gpu("NVIDIA L4", 24 * GB, "580.1", 20 * GB, (8, 9)),), Torch("2.13.0", "13.0")
)


@pytest.fixture
def loads(tmp_path: Path) -> Path:
    """Where the hungry engine writes each attempt to load."""
    return tmp_path / "loads"


def hungry(loads: Path, name: str = "hungry", **settings: Any) -> ModelSpec:
    return ModelSpec(f"test/{name}", name.title(), engine="hungry", settings={"mark": str(loads), **settings})


def attempts(loads: Path) -> list[str]:
    return loads.read_text().splitlines()


def make(make_host: MakeHost, machine: Machine) -> SpeechHost:
    return make_host(describe_machine=lambda: machine, look_again=lambda machine, at_gpus: machine)


def failing(host: SpeechHost, model: ModelSpec, out: Path) -> SpeechFailure:
    with pytest.raises(SpeechFailure) as caught:
        host.speak(model, TEXT, None, out)
    return caught.value


def test_a_model_that_runs_into_the_limit_is_loaded_once_more_in_a_smaller_type_and_stays_there(
    make_host: MakeHost, loads: Path, tmp_path: Path
) -> None:
    host = make(make_host, PLAIN)
    model = hungry(loads, megabytes=400, limit=300, architecture="csm", dtypes=["float32", "bfloat16"])
    spoken = host.speak(model, TEXT, None, tmp_path / "a.wav")
    assert (spoken.device, spoken.dtype) == ("cpu", "bfloat16")
    assert attempts(loads) == ["cpu float32", "cpu bfloat16"]
    assert host.failures(model.repo_id).counts == {FailureKind.OUT_OF_MEMORY: 1}
    assert host.place_of(model) == "the processor, bfloat16. The memory of this machine was not enough in float32."
    host.speak(model, TEXT, None, tmp_path / "b.wav")
    assert len(attempts(loads)) == 2  # it is loaded, and where is remembered
    host.check(model)  # asked to look again: there may be memory now
    assert host.speak(model, TEXT, None, tmp_path / "c.wav").dtype == "bfloat16"
    assert attempts(loads)[2:] == ["cpu float32", "cpu bfloat16"]


@pytest.mark.parametrize("types", [["float32"], ["float32", "bfloat16"]])
def test_where_nothing_smaller_fits_it_is_a_failure_of_its_kind(
    make_host: MakeHost, loads: Path, tmp_path: Path, types: list[str]
) -> None:
    host = make(make_host, PLAIN)
    model = hungry(loads, megabytes=600, limit=200, architecture="csm", dtypes=types)
    failure = failing(host, model, tmp_path / "a.wav")
    assert failure.kind is FailureKind.OUT_OF_MEMORY
    assert failure.remedy
    assert attempts(loads) == [f"cpu {dtype}" for dtype in types]
    assert host.failures(model.repo_id).counts == {FailureKind.OUT_OF_MEMORY: len(types)}
    failing(host, model, tmp_path / "a.wav")
    assert len(attempts(loads)) == len(types) + 1  # no second round of attempts
    small = hungry(loads, "small")
    assert host.speak(small, TEXT, None, tmp_path / "b.wav").frames > 0  # the limit went with its process


def test_a_process_that_the_libraries_abort_for_want_of_memory_is_no_crash(
    make_host: MakeHost, loads: Path, tmp_path: Path
) -> None:
    host = make(make_host, PLAIN)
    failure = failing(host, hungry(loads, act="abort"), tmp_path / "a.wav")
    assert failure.kind is FailureKind.OUT_OF_MEMORY
    assert attempts(loads) == ["cpu float32"]


def test_beside_other_models_it_is_tried_once_more_alone(make_host: MakeHost, loads: Path, tmp_path: Path) -> None:
    host = make(make_host, PLAIN)
    other = hungry(loads, "other", megabytes=100)
    host.speak(other, TEXT, None, tmp_path / "a.wav")
    large = hungry(loads, "large", megabytes=500, limit=200)
    assert failing(host, large, tmp_path / "b.wav").kind is FailureKind.OUT_OF_MEMORY
    assert attempts(loads)[-2:] == ["cpu float32", "cpu float32"]
    assert host.speak(other, TEXT, None, tmp_path / "c.wav").frames > 0


def test_out_of_the_gpu_onto_the_processor_and_the_models_page_says_so(
    make_host: MakeHost, loads: Path, tmp_path: Path
) -> None:
    host = make(make_host, WITH_GPU)
    model = hungry(loads)
    spoken = host.speak(model, TEXT, None, tmp_path / "a.wav")
    assert (spoken.device, spoken.dtype) == ("cpu", "float32")
    assert attempts(loads) == ["cuda:0 float32", "cpu float32"]
    page = Models(Roster({model.repo_id: model}, {}), host, Inbox())
    page.note_device(model.repo_id, spoken.device)
    (row,) = page.view().rows
    assert row.device == "the processor, float32. The memory of the GPU was not enough."
    assert row.failures == (("out of memory", 1),)
    page.close()


def test_a_model_on_the_gpu_is_recorded_as_cuda_and_described_by_the_cards_name(
    make_host: MakeHost, loads: Path, tmp_path: Path
) -> None:
    host = make(make_host, WITH_GPU)
    model = hungry(loads, fits_gpu=True, architecture="csm", dtypes=["float32", "bfloat16"])
    spoken = host.speak(model, TEXT, None, tmp_path / "a.wav")
    assert (spoken.device, spoken.dtype) == ("cuda", "bfloat16")
    assert host.place_of(model) == "NVIDIA L4, bfloat16"
    host.set_device("cpu")
    assert host.speak(model, TEXT, None, tmp_path / "b.wav").device == "cpu"
    assert attempts(loads) == ["cuda:0 bfloat16", "cpu float32"]


def test_the_budget_is_one_for_all_children_and_memory_returns(
    make_host: MakeHost, loads: Path, tmp_path: Path
) -> None:
    venv_python = tmp_path / "env" / "python"
    venv_python.parent.mkdir()
    venv_python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    venv_python.chmod(0o755)
    host = make(make_host, Machine("Linux", "x86_64", 2, 2 * GB, torch=PLAIN.torch))  # 1 GB for models
    own = hungry(loads, "own", megabytes=500)
    foreign = ModelSpec(
        "test/foreign",
        "Foreign",
        engine="hungry",
        settings={"mark": str(loads), "megabytes": 500},
        python=str(venv_python),
    )

    def taken() -> int:
        return sum(child.memory_info().rss for child in psutil.Process().children(recursive=True))

    host.speak(own, TEXT, None, tmp_path / "a.wav")
    assert taken() > 500 * MB
    host.speak(foreign, TEXT, None, tmp_path / "b.wav")
    assert 500 * MB < taken() < 900 * MB
    assert len(psutil.Process().children()) == 1  # a child with nothing to hold is ended
    host.speak(own, TEXT, None, tmp_path / "c.wav")
    assert 500 * MB < taken() < 900 * MB
    assert len(attempts(loads)) == 3


def test_a_model_that_others_need_the_memory_of_is_put_away(make_host: MakeHost, loads: Path, tmp_path: Path) -> None:
    """The same machine, whose memory another program takes between two sentences."""
    free = [8 * GB]
    host = make_host(
        describe_machine=lambda: PLAIN,
        look_again=lambda machine, at_gpus: Machine("Linux", "x86_64", 2, 8 * GB, torch=PLAIN.torch, free=free[0]),
    )
    first, second = hungry(loads, "first", megabytes=300), hungry(loads, "second", megabytes=301)
    for model in (first, second, first, second):
        host.speak(model, TEXT, None, tmp_path / "a.wav")
    assert len(attempts(loads)) == 2  # both stay loaded
    free[0] = GB
    third = hungry(loads, "third", megabytes=302)
    host.speak(third, TEXT, None, tmp_path / "a.wav")
    (child,) = psutil.Process().children()
    assert child.memory_info().rss < 500 * MB


@pytest.mark.parametrize(
    ("status", "counted", "words", "ran_out"),
    [
        (-signal.SIGKILL, 1, "", True),
        (-signal.SIGKILL, 0, "", False),  # somebody killed it
        (-signal.SIGABRT, 0, "what():  std::bad_alloc", True),
        (-signal.SIGABRT, 0, "[enforce fail] DefaultCPUAllocator: can't allocate memory", True),
        (-signal.SIGABRT, 0, "assertion failed", False),
        (-signal.SIGSEGV, 1, "out of memory", False),
        (1, 1, "out of memory", False),
    ],
)
def test_why_a_child_fell(tmp_path: Path, status: int, counted: int, words: str, ran_out: bool) -> None:
    log = tmp_path / "speech.log"
    log.write_text("an earlier one: out of memory\n")
    counts = iter([7, 7 + counted])
    watch = MemoryWatch(log, lambda: next(counts))
    with log.open("a") as file:
        file.write(words + "\n")
    assert watch.ran_out(status) is ran_out


def test_the_systems_figures_and_a_containers(tmp_path: Path) -> None:
    proc, cgroups = tmp_path / "proc", tmp_path / "cgroup"
    (proc / "self").mkdir(parents=True)
    (proc / "meminfo").write_text("MemTotal:       16777216 kB\nMemFree: 1 kB\nMemAvailable:   8388608 kB\n")
    (proc / "vmstat").write_text("nr_free_pages 5\noom_kill 3\n")
    assert ram(proc, cgroups) == Ram(16 * GB, 8 * GB)
    assert killed_for_memory(proc) == 3
    assert killed_for_memory(tmp_path) == 0

    (proc / "self" / "cgroup").write_text("0::/user.slice/app\n")
    inner, outer = cgroups / "user.slice" / "app", cgroups / "user.slice"
    inner.mkdir(parents=True)
    (inner / "memory.max").write_text("max\n")
    (inner / "memory.current").write_text(f"{GB}\n")
    assert ram(proc, cgroups) == Ram(16 * GB, 8 * GB)  # no limit
    (outer / "memory.max").write_text(f"{4 * GB}\n")
    (outer / "memory.current").write_text(f"{3 * GB}\n")
    (outer / "memory.stat").write_text(f"anon 1\ninactive_file {GB}\n")  # given up where it is needed
    assert ram(proc, cgroups) == Ram(4 * GB, 2 * GB)

    (proc / "self" / "cgroup").write_text("4:memory:/docker/abc\n1:cpu:/\n")  # version 1, in a container
    (cgroups / "memory").mkdir()
    (cgroups / "memory" / "memory.limit_in_bytes").write_text(f"{2 * GB}\n")
    (cgroups / "memory" / "memory.usage_in_bytes").write_text(f"{GB}\n")
    assert ram(proc, cgroups) == Ram(2 * GB, GB)
    (cgroups / "memory" / "memory.limit_in_bytes").write_text("9223372036854771712\n")
    assert ram(proc, cgroups) == Ram(16 * GB, 8 * GB)
