"""Where a model runs, as a pure function; and what a machine says about itself."""

import importlib.metadata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.engines import gpus
from arena_desktop.engines import machine as this_machine
from arena_desktop.engines.budget import Held, budget, has_room
from arena_desktop.engines.catalogue import Catalogue
from arena_desktop.engines.deadlines import Deadlines
from arena_desktop.engines.interpreter import Interpreter
from arena_desktop.engines.needs import Needs, Runtime, needs_of
from arena_desktop.engines.placement import (
    GB,
    MB,
    Gpu,
    Machine,
    Placement,
    Torch,
    Tried,
    gpu_fault,
    place,
    threads_for,
)
from arena_desktop.engines.worker import libraries

CARD = Gpu("NVIDIA H200", 140 * GB, "580.65.06")
CUDA = Torch("2.13.0+cu130", "13.0")
CPU_BUILD = Torch("2.13.0+cpu", None)


def pc(gpus: tuple[Gpu, ...] = (), torch: Torch | None = CPU_BUILD, system: str = "Linux", cores: int = 8) -> Machine:
    return Machine(system, "arm64" if system == "Darwin" else "x86_64", cores, 16 * GB, gpus, torch)


def torch_model(params_m: float = 100, architecture: str = "vits", **more: Any) -> Needs:
    return Needs("transformers", architecture, params_m, runtime=Runtime.TORCH, **more)


def onnx_model(**more: Any) -> Needs:
    return Needs("piper", params_m=20, weights=63 * MB, runtime=Runtime.ONNX, **more)


ALL_TYPES = ("float32", "float16", "bfloat16")
LANGUAGE_MODEL = torch_model(3000, "csm", dtypes=ALL_TYPES)
T4 = Gpu("Tesla T4", 16 * GB, "580.1", 15 * GB, (7, 5), 0)
L4 = Gpu("NVIDIA L4", 24 * GB, "580.1", 20 * GB, (8, 9), 1)
MAC = Machine("Darwin", "arm64", 8, 16 * GB, torch=CPU_BUILD)


@pytest.mark.parametrize(
    ("machine", "needs", "wanted", "device", "dtype"),
    [
        # device: what auto picks
        (pc(), torch_model(), "auto", "cpu", "float32"),
        (pc((CARD,), CUDA), torch_model(), "auto", "cuda:0", "float32"),
        (pc((CARD,), CUDA), Needs("hibari"), "auto", "cpu", "float32"),  # not on torch
        (pc((CARD,), CPU_BUILD), torch_model(), "auto", "cpu", "float32"),
        (pc((CARD,), None), torch_model(), "auto", "cpu", "float32"),
        (pc((Gpu("old", 2 * GB, "580.1"),), CUDA), torch_model(1000), "auto", "cpu", "float32"),  # 6 GB don't fit
        (pc((Gpu("full", 80 * GB, "580.1", GB),), CUDA), torch_model(1000), "auto", "cpu", "float32"),
        (pc((Gpu("old driver", 24 * GB, "535.1"),), CUDA), torch_model(), "auto", "cpu", "float32"),
        (MAC, torch_model(), "auto", "mps", "float32"),
        (replace(MAC, torch=None), torch_model(), "auto", "cpu", "float32"),
        (replace(MAC, memory=4 * GB), torch_model(1000), "auto", "cpu", "float32"),
        (MAC, Needs("hibari"), "auto", "cpu", "float32"),
        # onnxruntime: a GPU where its package has one
        (pc((CARD,), CUDA), onnx_model(), "auto", "cpu", "float32"),
        (replace(pc((CARD,)), onnx_on=frozenset({"cuda"})), onnx_model(), "auto", "cuda:0", "float32"),
        (replace(pc((CARD,)), onnx_on=frozenset({"cuda"})), onnx_model(quantised=True), "auto", "cpu", "float32"),
        (replace(MAC, onnx_on=frozenset({"mps"})), onnx_model(), "auto", "cpu", "float32"),
        (replace(MAC, onnx_on=frozenset({"mps"})), onnx_model(), "mps", "mps", "float32"),
        # several GPUs: the one with most free memory, or the one wished for
        (pc((T4, L4), CUDA), torch_model(), "auto", "cuda:1", "float32"),
        (pc((T4, replace(L4, free=5 * GB)), CUDA), torch_model(), "auto", "cuda:0", "float32"),
        (pc((T4, L4), CUDA), torch_model(), "cuda", "cuda:1", "float32"),
        (pc((T4, L4), CUDA), torch_model(), "cuda:0", "cuda:0", "float32"),
        (pc((T4, L4), CUDA), torch_model(), "cuda:7", "cuda:7", "float32"),  # the engine says that there is none
        # what is named is taken at its word
        (pc((CARD,), CUDA), torch_model(), "cpu", "cpu", "float32"),
        (pc(), torch_model(), "cuda", "cuda", "float32"),
        (pc(), torch_model(), "mps", "mps", "float32"),
        # number types
        (pc((L4,), CUDA), LANGUAGE_MODEL, "auto", "cuda:1", "bfloat16"),
        (pc((T4,), CUDA), LANGUAGE_MODEL, "auto", "cpu", "bfloat16"),  # no bfloat16 there, unsafe in float16
        (pc((T4,), CUDA), torch_model(1000, "csm", dtypes=ALL_TYPES), "auto", "cuda:0", "float32"),
        (pc((T4,), CUDA), torch_model(1000, "bark", dtypes=ALL_TYPES), "auto", "cuda:0", "float16"),
        (pc((L4,), CUDA), torch_model(1000, "bark", dtypes=ALL_TYPES), "auto", "cuda:1", "bfloat16"),
        (pc((L4,), CUDA), torch_model(1000, "bark"), "auto", "cuda:1", "float32"),  # its adapter has no choice
        (pc((L4,), CUDA), torch_model(1000, "vits", dtypes=ALL_TYPES), "auto", "cuda:1", "float32"),
        (pc((L4,), CUDA), torch_model(1000, "bark", dtypes=ALL_TYPES, dtype="float32"), "auto", "cuda:1", "float32"),
        (
            pc((replace(T4, name="NVIDIA GeForce GTX 1660", free=6 * GB),), CUDA),
            torch_model(300, "bark", dtypes=ALL_TYPES),
            "auto",
            "cuda:0",
            "float32",
        ),
        (
            pc((replace(T4, capability=None),), CUDA),
            torch_model(300, "bark", dtypes=ALL_TYPES),
            "auto",
            "cuda:0",
            "float16",
        ),
        (MAC, torch_model(1000, "bark", dtypes=ALL_TYPES), "auto", "mps", "float16"),
        (MAC, torch_model(1000, "csm", dtypes=ALL_TYPES), "auto", "mps", "float32"),
        (pc(), torch_model(1000, "csm", dtypes=ALL_TYPES), "auto", "cpu", "float32"),
        (pc(), LANGUAGE_MODEL, "auto", "cpu", "bfloat16"),  # 19 GB of float32 on a machine of 16
        (pc(), replace(LANGUAGE_MODEL, dtype="float32"), "auto", "cpu", "float32"),
    ],
)
def test_the_first_place(machine: Machine, needs: Needs, wanted: str, device: str, dtype: str) -> None:
    placed = place(machine, needs, wanted)
    assert placed is not None
    assert (placed.device, placed.dtype, placed.alone) == (device, dtype, False)


def at(device: str, dtype: str = "float32", vram: int = 2 * GB) -> Placement:
    return Placement(device, dtype, ram=GB, vram=vram, threads=2)


@pytest.mark.parametrize(
    ("machine", "needs", "tried", "then"),
    [
        # in a smaller type where the model has one, without the others beside it
        (pc((L4,), CUDA), LANGUAGE_MODEL, (Tried(at("cuda:1")),), ("cuda:1", "bfloat16")),
        (pc((T4,), CUDA), torch_model(300, "bark", dtypes=ALL_TYPES), (Tried(at("cuda:0")),), ("cuda:0", "float16")),
        (pc(), LANGUAGE_MODEL, (Tried(at("cpu")),), ("cpu", "bfloat16")),
        (MAC, torch_model(300, "bark", dtypes=ALL_TYPES), (Tried(at("mps")),), ("mps", "float16")),
        # an adapter that says that it speaks in one is believed at need
        (pc((L4,), CUDA), torch_model(300, "new", dtypes=ALL_TYPES), (Tried(at("cuda:1")),), ("cuda:1", "float16")),
        # alone where others were loaded
        (pc((L4,), CUDA), torch_model(), (Tried(at("cuda:1"), crowded=True),), ("cuda:1", "float32")),
        (pc(), torch_model(), (Tried(at("cpu"), crowded=True),), ("cpu", "float32")),
        (pc(), Needs("hibari"), (Tried(at("cpu"), crowded=True),), ("cpu", "float32")),
        # a model that is larger than the GPU is not tried there again
        (pc((L4,), CUDA), torch_model(), (Tried(at("cuda:1", vram=23 * GB), crowded=True),), ("cpu", "float32")),
        # on the processor
        (pc((L4,), CUDA), torch_model(), (Tried(at("cuda:1")),), ("cpu", "float32")),
        (pc((L4,), CUDA), LANGUAGE_MODEL, (Tried(at("cuda:1", "bfloat16")),), ("cpu", "bfloat16")),
        (MAC, torch_model(), (Tried(at("mps")),), ("cpu", "float32")),
        # nowhere
        (pc((L4,), CUDA), torch_model(9000), (Tried(at("cuda:1")),), None),  # the RAM is no larger
        (pc(), torch_model(), (Tried(at("cpu")),), None),
        (pc(), LANGUAGE_MODEL, (Tried(at("cpu", "bfloat16")),), None),
        (pc(), replace(LANGUAGE_MODEL, dtypes=()), (Tried(at("cpu")),), None),
        # and never a second time
        (pc((L4,), CUDA), torch_model(), (Tried(at("cuda:1"), crowded=True), Tried(at("cuda:1"))), None),
        (pc((L4,), CUDA), LANGUAGE_MODEL, (Tried(at("cuda:1")), Tried(at("cuda:1", "bfloat16"))), None),
    ],
)
def test_the_place_after_memory_ran_out(
    machine: Machine, needs: Needs, tried: tuple[Tried, ...], then: tuple[str, str] | None
) -> None:
    placed = place(machine, needs, "auto", tried)
    if then is None:
        assert placed is None
        return
    assert placed is not None
    assert (placed.device, placed.dtype, placed.alone) == (*then, True)
    assert placed.why.startswith("The memory of ")


def test_what_a_model_takes_grows_with_its_weights_and_with_its_type() -> None:
    def taken(needs: Needs, machine: Machine | None = None, wanted: str = "cpu") -> tuple[int, int]:
        placed = place(machine or pc(), needs, wanted)
        assert placed is not None
        return placed.ram, placed.vram

    assert taken(torch_model(1000)) == (int(4e9 * 1.5) + 700 * MB, 0)
    assert taken(torch_model(1000, dtype="float16")) == (int(2e9 * 1.5) + 700 * MB, 0)
    assert taken(torch_model(0, weights=100 * MB)) == (850 * MB, 0)
    assert taken(torch_model(1000), pc((L4,), CUDA), "cuda") == (700 * MB, int(4e9 * 1.5) + 500 * MB)
    assert taken(Needs("hibari")) == (360 * MB, 0)  # nothing is known of it
    assert taken(onnx_model()) == (int(63 * MB * 1.5) + 120 * MB, 0)
    assert taken(torch_model(1000, measured=3 * GB)) == (3 * GB, 0)  # what it really took here


def test_an_engine_gets_one_thread_or_two() -> None:
    assert [threads_for(cores) for cores in (1, 2, 4, 64)] == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("memory", "free", "held", "allowed"),
    [
        (16 * GB, None, 0, 8 * GB),
        (GB, None, 0, GB),
        (16 * GB, 16 * GB, 0, 8 * GB),
        (16 * GB, 4 * GB, 0, 3 * GB),  # others took it: 1 GB stays free for them
        (16 * GB, 2 * GB, 3 * GB, 4 * GB),
        (16 * GB, GB // 2, 3 * GB, 3 * GB - GB // 2),  # our own must give some back
        (16 * GB, 0, 0, 0),
    ],
)
def test_the_budget_follows_what_the_machine_has_free(memory: int, free: int | None, held: int, allowed: int) -> None:
    assert budget(Machine("Linux", "x86_64", 2, memory, free=free), held) == allowed


@pytest.mark.parametrize(
    ("gpu_free", "held", "placement", "room"),
    [
        (None, Held(0, 0), at("cpu"), True),
        (None, Held(7 * GB + 1, 0), at("cpu"), False),
        (3 * GB, Held(0, 0), at("cuda:0"), True),
        (GB, Held(0, 5 * GB), at("cuda:0"), False),
        (None, Held(0, 23 * GB), at("cuda:0"), False),  # the driver doesn't tell: by what we hold ourselves
        (3 * GB, Held(8 * GB, 0), at("cuda:0"), False),  # its libraries want RAM, too
    ],
)
def test_there_is_room_or_not(gpu_free: int | None, held: Held, placement: Placement, room: bool) -> None:
    card = Gpu("NVIDIA L4", 24 * GB, free=gpu_free)
    assert has_room(Machine("Linux", "x86_64", 2, 16 * GB, (card,)), placement, held) is room


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
    assert libraries.cuda_of(version, file) == cuda


ANSWER = """NVIDIA H200, 143771, 580.65.06, 140000, GPU-1111, 9.0
NVIDIA Thing, [N/A], 580.65.06, [N/A], GPU-2222, [N/A]

NVIDIA GeForce GTX 1060, 6144, 470.1, 5000, GPU-3333
"""


def test_the_drivers_answer() -> None:
    assert gpus.gpus_of(ANSWER) == (
        Gpu("NVIDIA H200", 143771 * MB, "580.65.06", 140000 * MB, (9, 0), 0),
        Gpu("NVIDIA Thing", 0, "580.65.06", None, None, 1),
        Gpu("NVIDIA GeForce GTX 1060", 6144 * MB, "470.1", 5000 * MB, None, 2),  # asked without the capability
    )


@pytest.mark.parametrize(
    ("visible", "names"),
    [
        ("0", ["NVIDIA H200"]),
        ("2,0", ["NVIDIA GeForce GTX 1060", "NVIDIA H200"]),
        ("GPU-2222", ["NVIDIA Thing"]),
        ("0,9,2", ["NVIDIA H200"]),
        ("", []),
        ("-1", []),
    ],
)
def test_gpus_are_numbered_as_torch_sees_them(visible: str, names: list[str]) -> None:
    seen = gpus.gpus_of(ANSWER, visible)
    assert [gpu.name for gpu in seen] == names
    assert [gpu.index for gpu in seen] == list(range(len(names)))


def test_a_driver_that_answers_an_old_one_and_one_that_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "nvidia-smi"
    tool.write_text('#!/bin/sh\necho "NVIDIA Test, 8192, 570.1, 8000, GPU-1, 8.6"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    machine = this_machine.describe()
    assert machine.gpus == (Gpu("NVIDIA Test", 8 * GB, "570.1", 8000 * MB, (8, 6)),)
    assert machine.memory > GB
    assert machine.free is not None
    assert 0 < machine.free <= machine.memory
    tool.write_text(
        '#!/bin/sh\ncase "$1" in *compute_cap*) exit 2;; esac\necho "NVIDIA Old, 4096, 470.1, 4000, GPU-1"\n'
    )
    assert this_machine.look_again(machine, True).gpus == (Gpu("NVIDIA Old", 4 * GB, "470.1", 4000 * MB),)
    tool.write_text("#!/bin/sh\nexit 9\n")
    assert all(gpu.free is None for gpu in gpus.gpus())


def test_the_installed_torch_is_found_without_importing_it() -> None:
    found = libraries.installed()
    assert found["torch"]["version"] == importlib.metadata.version("torch")
    assert found["onnx_on"] == []
    assert this_machine.describe().torch == Torch(found["torch"]["version"], found["torch"]["cuda"])


def test_needs_come_from_the_adapter_else_from_the_roster() -> None:
    told = {
        "runtime": "torch",
        "architecture": "csm",
        "dtypes": ["float32", "bfloat16"],
        "weights": 5,
        "quantised": True,
    }
    assert needs_of("theirs", 12, {"dtype": "bfloat16"}, told) == Needs(
        "theirs", "csm", 12, 5, Runtime.TORCH, ("float32", "bfloat16"), "bfloat16", quantised=True
    )
    assert needs_of("piper", 0, {"dtype": "auto"}, {"runtime": None, "weights": -1}) == Needs(
        "piper", runtime=Runtime.ONNX
    )
    assert needs_of("theirs", 0, {}, {"runtime": "steam"}).runtime is Runtime.OWN


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
