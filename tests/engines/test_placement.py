"""Where a model runs, as a pure function; and what a machine says about itself."""

import importlib.metadata
from pathlib import Path

import pytest

from arena_desktop.engines import machine as this_machine
from arena_desktop.engines.catalogue import Catalogue
from arena_desktop.engines.deadlines import Deadlines
from arena_desktop.engines.interpreter import Interpreter
from arena_desktop.engines.placement import GB, MB, Gpu, Machine, Torch, gpu_fault, place

CARD = Gpu("NVIDIA H200", 140 * GB, "580.65.06")
CUDA = Torch("2.13.0+cu130", "13.0")
CPU_BUILD = Torch("2.13.0+cpu", None)


def pc(gpus: tuple[Gpu, ...] = (), torch: Torch | None = CPU_BUILD, system: str = "Linux", cores: int = 8) -> Machine:
    return Machine(system, "arm64" if system == "Darwin" else "x86_64", cores, 16 * GB, gpus, torch)


@pytest.mark.parametrize(
    ("machine", "engine", "params_m", "wanted", "device"),
    [
        (pc(), "transformers", 100, "auto", "cpu"),
        (pc((CARD,), CUDA), "transformers", 100, "auto", "cuda"),
        (pc((CARD,), CUDA), "kokoro", 82, "auto", "cpu"),  # not on torch
        (pc((CARD,), CUDA), "transformers", 100, "cpu", "cpu"),
        (pc((CARD,), CPU_BUILD), "transformers", 100, "auto", "cpu"),
        (pc((CARD,), None), "transformers", 100, "auto", "cpu"),
        (pc((Gpu("old", 2 * GB, "580.1"),), CUDA), "transformers", 1000, "auto", "cpu"),  # 6 GB don't fit
        (pc((Gpu("old driver", 24 * GB, "535.1"),), CUDA), "transformers", 100, "auto", "cpu"),
        (pc(system="Darwin"), "transformers", 100, "auto", "mps"),
        (pc(system="Darwin"), "piper", 20, "auto", "cpu"),
        (pc(), "transformers", 100, "cuda", "cuda"),  # taken at its word: the engine says why not
    ],
)
def test_devices(machine: Machine, engine: str, params_m: float, wanted: str, device: str) -> None:
    assert place(machine, engine, params_m, {}, wanted).device == device


def test_footprint_grows_with_the_model_and_with_its_type() -> None:
    full = place(pc(), "transformers", 1000, {}).footprint
    half = place(pc(), "transformers", 1000, {"dtype": "float16"}).footprint
    assert full == int(4e9 * 1.5) + 700 * MB
    assert half == int(2e9 * 1.5) + 700 * MB
    assert place(pc(), "piper", 0, {}).footprint == 420 * MB


def test_models_get_half_of_the_memory_and_one_or_two_threads() -> None:
    assert place(pc(), "piper", 20, {}).budget == 8 * GB
    assert place(Machine("Linux", "x86_64", 1, GB), "piper", 20, {}).budget == GB
    assert [place(pc(cores=cores), "piper", 20, {}).threads for cores in (1, 2, 4, 64)] == [1, 1, 2, 2]


def test_a_gpu_that_torch_cannot_use_is_told_with_the_command_that_mends_it() -> None:
    assert gpu_fault(pc()) is None
    assert gpu_fault(pc((CARD,), CUDA)) is None
    without = gpu_fault(pc((CARD,), CPU_BUILD), "/env/bin/python")
    assert without is not None
    assert "NVIDIA H200" in without.message
    assert "2.13.0+cpu" in without.message
    assert without.remedy == 'Run: "/env/bin/python" -m pip install --upgrade --force-reinstall torch==2.13.0'
    in_a_checkout = gpu_fault(pc((CARD,), CPU_BUILD), "/env/bin/python", 'python3 "packaging/bootstrap.py" torch')
    assert in_a_checkout is not None
    assert in_a_checkout.remedy == 'Run: python3 "packaging/bootstrap.py" torch'
    windows = gpu_fault(pc((CARD,), CPU_BUILD, "Windows"))
    assert windows is not None
    assert "--index-url" in windows.remedy
    none = gpu_fault(pc((CARD,), None))
    assert none is not None
    assert "not installed" in none.message
    old = gpu_fault(pc((Gpu("GTX", 8 * GB, "535.183.01"),), CUDA))
    assert old is not None
    assert "535.183.01" in old.message
    assert "580" in old.remedy


@pytest.mark.parametrize(
    ("version", "file", "cuda"),
    [
        ("2.13.0", "__version__ = '2.13.0'\ncuda: Optional[str] = '13.0'\nhip = None\n", "13.0"),
        ("2.13.0+cpu", "cuda: Optional[str] = None\n", None),
        ("2.13.0+cu126", "", "12.6"),
        ("2.13.0+cu130", "", "13.0"),
        ("2.13.0+cpu", "", None),
        ("2.13.0", "cuda = None\n", None),
    ],
)
def test_what_torch_was_built_for_is_read_from_its_files(version: str, file: str, cuda: str | None) -> None:
    assert this_machine.cuda_of(version, file) == cuda


def test_the_drivers_answer() -> None:
    answer = "NVIDIA H200, 143771, 580.65.06\nNVIDIA Thing, [N/A], 580.65.06\n\n"
    assert this_machine.gpus_of(answer) == (
        Gpu("NVIDIA H200", 143771 * MB, "580.65.06"),
        Gpu("NVIDIA Thing", 0, "580.65.06"),
    )


def test_a_driver_that_answers_and_one_that_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "nvidia-smi"
    tool.write_text('#!/bin/sh\necho "NVIDIA Test, 8192, 570.1"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    machine = this_machine.describe()
    assert machine.gpus == (Gpu("NVIDIA Test", 8 * GB, "570.1"),)
    assert machine.memory > GB
    tool.write_text("#!/bin/sh\nexit 9\n")
    assert Gpu("NVIDIA Test", 8 * GB, "570.1") not in this_machine.describe().gpus


def test_the_installed_torch_is_found_without_importing_it() -> None:
    found = this_machine.installed_torch()
    assert found is not None
    assert found.version == importlib.metadata.version("torch")


def test_engines_are_ours_by_file_installed_by_entry_point_or_given_by_path(tmp_path: Path) -> None:
    points = [
        importlib.metadata.EntryPoint("theirs", "their.engine:Speaker", "arena_desktop.engines"),
        importlib.metadata.EntryPoint("kokoro", "their.kokoro", "arena_desktop.engines"),
    ]
    catalogue = Catalogue({"mine": tmp_path / "mine.py"}, lambda: points)
    theirs, mine = catalogue.find("theirs"), catalogue.find("mine")
    assert theirs is not None
    assert (theirs.module, theirs.attribute) == ("their.engine", "Speaker")
    assert mine is not None
    assert mine.message() == {
        "name": "mine",
        "module": None,
        "file": str(tmp_path / "mine.py"),
        "attribute": "Engine",
    }
    kokoro = catalogue.find("kokoro")
    assert kokoro is not None
    assert kokoro.module is None  # our own is not replaced by what happens to be installed
    assert catalogue.find("nothing") is None
    assert {"hibari", "kokoro", "mine", "pico", "piper", "theirs"} <= set(catalogue.names())


def test_a_deadline_follows_the_text_and_the_pace_seen_so_far() -> None:
    deadlines = Deadlines(speak=30, speak_per_character=0.5, speak_least=15, patience=20)
    assert deadlines.for_speech(100, None) == 80
    assert deadlines.for_speech(100, 0.001) == 17
    assert deadlines.for_speech(100, 0.2) == 80  # a slow engine never gets more than one that is not known


def test_another_interpreter_is_not_led_to_our_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = {"PYTHONPATH": "/ours", "VIRTUAL_ENV": "/ours", "HOME": "/home/me"}
    assert Interpreter(None).environment(2, ours)["PYTHONPATH"] == "/ours"
    theirs = Interpreter("/env/bin/python").environment(2, ours)
    assert not {"PYTHONPATH", "VIRTUAL_ENV"} & set(theirs)
    assert (theirs["HOME"], theirs["ARENA_WORKER_THREADS"]) == ("/home/me", "2")


def test_a_frozen_program_is_its_own_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.frozen", True, raising=False)
    assert Interpreter(None).argv()[1:] == ["--worker"]
    assert Interpreter("/env/bin/python").argv()[1].endswith("child.py")
    given = {"LD_LIBRARY_PATH": "/frozen", "LD_LIBRARY_PATH_ORIG": "/usr/lib"}
    assert Interpreter("/env/bin/python").environment(1, given)["LD_LIBRARY_PATH"] == "/usr/lib"
    assert Interpreter(None).environment(1, given)["LD_LIBRARY_PATH"] == "/frozen"
