"""The machine we run on, described for :mod:`arena_desktop.engines.placement`. Torch is looked at, never imported."""

import os
import platform
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from arena_desktop.engines.free_memory import ram
from arena_desktop.engines.gpus import gpus
from arena_desktop.engines.machine_facts import Machine, Torch
from arena_desktop.engines.worker import libraries


def describe() -> Machine:
    """Look at this machine; takes up to some seconds where an NVIDIA driver has to be asked."""
    memory = ram()
    machine = Machine(
        system=platform.system(),
        processor=platform.machine(),
        cores=os.cpu_count() or 1,
        memory=memory.total,
        gpus=gpus(),
        free=memory.free,
    )
    return with_libraries(machine, libraries.installed())


def with_libraries(machine: Machine, told: Mapping[str, Any]) -> Machine:
    """``machine`` as an interpreter sees it in which ``told`` is installed, see the worker's ``libraries``."""
    torch = told.get("torch")
    return replace(
        machine,
        torch=Torch(str(torch["version"]), torch["cuda"]) if torch else None,
        onnx_on=frozenset(str(device) for device in told.get("onnx_on", ())),
    )


LookAgain = Callable[[Machine, bool], Machine]
"""See :func:`look_again`."""


def look_again(machine: Machine, at_gpus: bool) -> Machine:
    """``machine`` with what is free now; the driver is asked only with ``at_gpus``."""
    memory = ram()
    free = None if memory.free is None else min(memory.free, machine.memory)
    return replace(machine, free=free, gpus=gpus() if at_gpus and machine.gpus else machine.gpus)
