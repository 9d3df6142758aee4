"""Where a model runs and what it needs: one pure function over a described machine."""

from dataclasses import dataclass
from typing import Any

MB = 2**20
GB = 2**30

BYTES_PER_PARAMETER = {"float32": 4, "float16": 2, "bfloat16": 2, "int8": 1}
LIBRARY_BYTES = {"transformers": 700 * MB}
"""What an engine's library takes beside the weights; others :data:`SMALL_LIBRARY`."""
SMALL_LIBRARY = 120 * MB
ON_TORCH = frozenset({"transformers"})
"""Engines whose device can be chosen; the others run on the CPU."""
UNKNOWN_MODEL = 300 * MB
ROOM = 1.5
"""Weights × this: activations, and copies while loading."""


@dataclass(frozen=True)
class Gpu:
    """An NVIDIA GPU as its driver reports it. ``memory`` in bytes, ``driver`` e.g. ``580.65.06``."""

    name: str
    memory: int
    driver: str = ""


@dataclass(frozen=True)
class Torch:
    """The installed torch, as its files tell it. ``cuda`` is the CUDA version that it was built for, None for a build
    without.
    """

    version: str
    cuda: str | None


@dataclass(frozen=True)
class Machine:
    """What placement needs to know. ``memory`` is the RAM in bytes; ``system`` is ``Linux``, ``Windows`` or ``Darwin``;
    ``processor`` e.g. ``x86_64``, ``arm64``. ``torch`` is None when it isn't installed.
    """

    system: str
    processor: str
    cores: int
    memory: int
    gpus: tuple[Gpu, ...] = ()
    torch: Torch | None = None

    @property
    def has_mps(self) -> bool:
        """Apple's GPU."""
        return self.system == "Darwin" and self.processor == "arm64"


@dataclass(frozen=True)
class Placement:
    """``device`` is what the engine is asked for; ``footprint`` the bytes that the model is expected to take there;
    ``budget`` the bytes of RAM that all loaded models of one machine may take together; ``threads`` how many threads an
    engine may use.
    """

    device: str
    dtype: str
    footprint: int
    budget: int
    threads: int


def place(machine: Machine, engine: str, params_m: float, settings: dict[str, Any], wanted: str = "auto") -> Placement:
    """Place one model. ``wanted`` is ``cpu``, ``cuda``, ``mps`` or ``auto``; what is named is taken at its word (an
    engine that can't says so). ``auto`` takes the GPU for an engine on torch if this torch can use it and the model
    fits in 80 % of its memory. ``params_m`` counts millions of parameters (0: unknown); ``settings["dtype"]`` is the
    weights' type, float32 by default.
    """
    dtype = str(settings.get("dtype", "float32"))
    weights = int(params_m * 1e6 * BYTES_PER_PARAMETER.get(dtype, 4) * ROOM) or UNKNOWN_MODEL
    footprint = weights + LIBRARY_BYTES.get(engine, SMALL_LIBRARY)
    device = wanted
    if wanted == "auto":
        device = _automatic(machine, footprint) if engine in ON_TORCH else "cpu"
    return Placement(
        device=device,
        dtype=dtype,
        footprint=footprint,
        budget=max(GB, machine.memory // 2),
        threads=threads_for(machine.cores),
    )


def threads_for(cores: int) -> int:
    """How many threads an engine may use while someone listens."""
    return 1 if cores <= 2 else 2


def _automatic(machine: Machine, footprint: int) -> str:
    if gpu_fault(machine) is None and any(footprint <= gpu.memory * 0.8 for gpu in machine.gpus):
        return "cuda"
    return "mps" if machine.has_mps and machine.torch is not None else "cpu"


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
