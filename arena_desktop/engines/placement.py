"""Where a model runs, in which number type, and what is tried when memory runs out: one pure function over a described
machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from arena_desktop.engines import precision
from arena_desktop.engines.machine_facts import GB, MB, Gpu, Machine, Torch
from arena_desktop.engines.needs import LIBRARY, ON_GPU, Needs, Runtime

__all__ = ["GB", "MB", "Gpu", "GpuFault", "Machine", "Placement", "Torch", "Tried", "gpu_fault", "place"]

OF_FREE = 0.9
"""A model goes onto a GPU if it fits into this share of the memory that is free there;"""
OF_ALL = 0.8
"""or, where that isn't known or our own models can make room, of all its memory."""


@dataclass(frozen=True)
class Placement:
    """``device`` and ``dtype`` are what the engine is asked for (``cuda:0``: the first GPU). ``ram`` and ``vram`` are
    the bytes that the model is expected to take beside what is there. ``alone``: every other model is put away first.
    ``threads``: how many threads the engine may use. ``why`` says in words why it isn't where it would be first, ""
    else.
    """

    device: str
    dtype: str
    ram: int
    vram: int
    threads: int
    alone: bool = False
    why: str = ""

    @property
    def kind(self) -> str:
        """``cpu``, ``cuda`` or ``mps``."""
        return self.device.split(":")[0]


@dataclass(frozen=True)
class Tried:
    """A placement that ran out of memory. ``crowded``: other models were loaded beside it."""

    placement: Placement
    crowded: bool = False


def place(machine: Machine, needs: Needs, wanted: str = "auto", tried: Sequence[Tried] = ()) -> Placement | None:
    """Where to load a model, after ``tried`` ran out of memory; None when nothing is left to try.

    ``wanted`` is ``cpu``, ``cuda``, ``cuda:1``, ``mps`` or ``auto``. What is named is taken at its word (an engine that
    can't says so). ``auto`` takes a GPU for an engine that can use one, if the model fits: of several the one with most
    free memory. After running out of memory there is one more attempt: in a smaller type, or with no other model beside
    it, or on the processor.
    """
    if not tried:
        return _first(machine, needs, wanted)
    if len(tried) > 1:
        return None
    return _retreat(machine, needs, tried[0])


def threads_for(cores: int) -> int:
    """How many threads an engine may use while someone listens."""
    return 1 if cores <= 2 else 2


def _first(machine: Machine, needs: Needs, wanted: str) -> Placement:
    kind = wanted.split(":")[0]
    if wanted == "auto":
        return _automatic(machine, needs)
    if kind == "cpu":
        return _on_cpu(machine, needs)
    gpu = next((gpu for gpu in machine.gpus if wanted == f"cuda:{gpu.index}"), None)
    if wanted == "cuda" and machine.gpus:
        gpu = max(machine.gpus, key=_room)
        wanted = f"cuda:{gpu.index}"
    return _at(machine, needs, wanted, _gpu_dtype(needs, kind, gpu))


def _automatic(machine: Machine, needs: Needs) -> Placement:
    usable = _usable_gpus(machine, needs)
    for gpu in sorted(usable, key=_room, reverse=True):
        found = _at(machine, needs, f"cuda:{gpu.index}", _gpu_dtype(needs, "cuda", gpu))
        if found.vram <= _room(gpu):
            return found
    if needs.runtime is Runtime.TORCH and machine.torch is not None and machine.has_mps:
        found = _at(machine, needs, "mps", _gpu_dtype(needs, "mps", None))
        if found.ram <= machine.memory * OF_ALL:
            return found
    return _on_cpu(machine, needs, "It does not fit into what is free on the GPU." if usable else "")


def _usable_gpus(machine: Machine, needs: Needs) -> tuple[Gpu, ...]:
    """The GPUs on which ``auto`` may put this model."""
    if needs.runtime is Runtime.TORCH:
        return machine.gpus if gpu_fault(machine) is None else ()
    if needs.runtime is Runtime.ONNX and not needs.quantised and "cuda" in machine.onnx_on:
        return machine.gpus
    return ()


def _room(gpu: Gpu) -> float:
    return gpu.memory * OF_ALL if gpu.free is None else gpu.free * OF_FREE


def _gpu_dtype(needs: Needs, kind: str, gpu: Gpu | None) -> str:
    """On a GPU a model that is made for it runs in a reduced type: twice as fast, half as large."""
    return needs.dtype or _reduced(needs.made_for, kind, gpu) or precision.FULL


def _reduced(types: Sequence[str], kind: str, gpu: Gpu | None) -> str | None:
    if kind == "cuda":
        return precision.on_cuda(types, gpu.capability if gpu else None, gpu.name if gpu else "")
    return precision.on_mps(types) if kind == "mps" else precision.on_cpu(types)


def _on_cpu(machine: Machine, needs: Needs, why: str = "", *, alone: bool = False) -> Placement:
    """In full precision, which is the fastest there; in less only where that is too large for the machine."""
    full = _at(machine, needs, "cpu", needs.dtype or precision.FULL, alone=alone, why=why)
    smaller = None if needs.dtype else precision.on_cpu(needs.at_need)
    if smaller is None or full.ram <= machine.memory * OF_ALL:
        return full
    words = f"{why} In {precision.FULL} it is too large for this machine.".strip()
    return _at(machine, needs, "cpu", smaller, alone=alone, why=words)


def _retreat(machine: Machine, needs: Needs, tried: Tried) -> Placement | None:
    before = tried.placement
    gpu = next((gpu for gpu in machine.gpus if before.device == f"cuda:{gpu.index}"), None)
    out = f"The memory of {'this machine' if before.kind == 'cpu' else 'the GPU'} was not enough"
    smaller = _reduced(needs.at_need, before.kind, gpu)
    if smaller is not None and precision.BYTES[smaller] < precision.BYTES.get(before.dtype, 0):
        return _at(machine, needs, before.device, smaller, alone=True, why=f"{out} in {before.dtype}.")
    if tried.crowded and (gpu is None or before.vram <= gpu.memory * OF_ALL):
        return _at(machine, needs, before.device, before.dtype, alone=True, why=f"{out} beside other models.")
    if before.kind == "cpu":
        return None
    found = _on_cpu(machine, needs, f"{out}.", alone=True)
    return found if found.ram <= machine.memory * OF_ALL else None


def _at(machine: Machine, needs: Needs, device: str, dtype: str, *, alone: bool = False, why: str = "") -> Placement:
    library, size = LIBRARY[needs.runtime], needs.size(dtype)
    if device.startswith("cuda"):
        ram, vram = library, size + ON_GPU
    else:
        ram, vram = (dtype == precision.FULL and needs.measured) or library + size, 0
    return Placement(device, dtype, ram, vram, threads_for(machine.cores), alone, why)


@dataclass(frozen=True)
class GpuFault:
    """Why a GPU that is there can't be used, and the command or the step that mends it."""

    message: str
    remedy: str


OLDEST_DRIVER = {11: 450, 12: 525, 13: 580}
"""The first driver branch for each major version of CUDA, from NVIDIA's table of compatible drivers."""
TORCH_TO_INSTALL = "torch==2.13.0"
CUDA_INDEX = "https://download.pytorch.org/whl/cu130"


def gpu_fault(machine: Machine, python: str = "python", set_up: str | None = None) -> GpuFault | None:
    """What keeps torch from using the NVIDIA GPU of this machine; None if nothing does or if there is none.

    ``set_up``: the command by which this installation gets its torch, where there is one; else pip of ``python`` does.
    """
    if not machine.gpus:
        return None
    gpu, torch = machine.gpus[0], machine.torch
    index = (
        f" --index-url {CUDA_INDEX}" if machine.system == "Windows" else ""
    )  # elsewhere the plain package is the CUDA build
    by_pip = f'"{python}" -m pip install --upgrade --force-reinstall {TORCH_TO_INSTALL}{index}'
    command = f"Run: {set_up or by_pip}"
    if torch is None:
        return GpuFault(f"There is a GPU ({gpu.name}), but torch is not installed.", command)
    if torch.cuda is None:
        return GpuFault(f"There is a GPU ({gpu.name}), but torch {torch.version} is a build without CUDA.", command)
    needed = OLDEST_DRIVER.get(int(torch.cuda.split(".")[0]), 0)
    if gpu.driver and int(gpu.driver.split(".")[0]) < needed:
        return GpuFault(
            f"There is a GPU ({gpu.name}), but its driver {gpu.driver} is too old for torch {torch.version} "
            f"(CUDA {torch.cuda}).",
            f"Install NVIDIA's driver {needed} or newer.",
        )
    return None
