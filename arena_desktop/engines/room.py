"""Room for a model that is going to be loaded: others are put away, the least recently used first."""

from collections.abc import Callable

from arena_desktop.engines.budget import has_room
from arena_desktop.engines.machine_facts import Machine
from arena_desktop.engines.placement import Placement
from arena_desktop.engines.residents import Child, Residents


class Room:
    """``look`` describes the machine as it is now (with True its GPUs, too). ``unload`` puts a model of a child away,
    and has ``residents`` measured anew; ``rest`` ends a child that has none left.
    """

    def __init__(
        self,
        residents: Residents,
        look: Callable[[bool], Machine],
        unload: Callable[[Child, str], None],
        rest: Callable[[Child], None],
    ) -> None:
        self._residents = residents
        self._look = look
        self._unload = unload
        self._rest = rest

    def make(self, child: Child, key: str, placement: Placement) -> None:
        """Put models away until this one can be loaded as placed, or none is left: then it is tried all the same."""
        gpu = int(placement.device.partition(":")[2] or 0) if placement.vram else None
        while True:
            victim = self._residents.oldest([(child, key)])
            if victim is None:
                return
            if not placement.alone:
                machine = self._look(gpu is not None)
                if has_room(machine, placement, self._residents.held(gpu)):
                    return
            self._put_away(victim, child)

    def _put_away(self, victim: tuple[Child, str], loading: Child) -> None:
        self._unload(*victim)
        if victim[0] != loading and self._residents.count(victim[0]) == 0:
            self._rest(victim[0])
