"""How much memory loaded models may take: follows what the machine has free, as a pure function."""

from dataclasses import dataclass

from arena_desktop.engines.machine_facts import GB, Machine
from arena_desktop.engines.placement import Placement

LEAST = GB
"""Our models may always take this much together: on a small machine one must still be able to speak."""


@dataclass(frozen=True)
class Held:
    """What the speech processes hold now, measured: ``ram`` of all of them together, ``vram`` by GPU (torch's own
    number; what others hold there is seen in what is free). In bytes.
    """

    ram: int = 0
    vram: int = 0


def budget(machine: Machine, held: int) -> int:
    """Bytes of RAM for all speech processes together, which ``held`` bytes are theirs already: half of the memory, and
    never so much that less than a tenth of it (at most 1 GB) would be free for everybody else.
    """
    most = max(LEAST, machine.memory // 2)
    if machine.free is None:
        return most
    spare = machine.free - min(GB, machine.memory // 10)
    return min(most, max(0, held + spare))


def has_room(machine: Machine, placement: Placement, held: Held) -> bool:
    """Whether the model can be loaded as placed without putting another one away."""
    if held.ram + placement.ram > budget(machine, held.ram):
        return False
    gpu = next((gpu for gpu in machine.gpus if placement.device == f"cuda:{gpu.index}"), None)
    if gpu is None or not placement.vram:
        return True
    free = gpu.free if gpu.free is not None else gpu.memory - held.vram
    return placement.vram <= free
