"""Where each model is loaded: decided once by :mod:`.placement`, kept while it stays loaded, changed once when memory
runs out.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from arena_desktop.engines.machine_facts import Machine
from arena_desktop.engines.needs import Needs
from arena_desktop.engines.placement import Placement, Tried, place


@dataclass
class _Seat:
    placement: Placement
    tried: tuple[Tried, ...] = ()


class Seats:
    """Thread-safe. Models go by a key that says what is loaded, not where."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seats: dict[str, _Seat] = {}
        self._grown: dict[str, int] = {}

    def seat(self, key: str, look: Callable[[], tuple[Machine, Needs]], wanted: str) -> Placement:
        """Where this model is, or is to be loaded. ``look`` describes the machine and the model, and is called only for
        one that has no seat.
        """
        with self._lock:
            known = self._seats.get(key)
        if known is not None:
            return known.placement
        machine, needs = look()
        found = place(machine, replace(needs, measured=self._grown.get(key, 0)), wanted)
        assert found is not None, "there is always a first place"
        with self._lock:
            return self._seats.setdefault(key, _Seat(found)).placement

    def ran_out(
        self, key: str, machine: Machine, needs: Needs, wanted: str, placement: Placement, crowded: bool
    ) -> Placement | None:
        """Memory ran out there: the next place, which is kept from now on; None when there is no other."""
        with self._lock:
            seat = self._seats.get(key) or _Seat(placement)
            if seat.placement != placement:
                return seat.placement  # another thread found out first
            seat.tried += (Tried(placement, crowded),)
            found = place(machine, needs, wanted, seat.tried)
            if found is not None:
                seat.placement = found
            self._seats[key] = seat
            return found

    def known(self, key: str) -> Placement | None:
        """Where this model was last placed, None if it never was."""
        with self._lock:
            seat = self._seats.get(key)
            return seat.placement if seat else None

    def put_away(self, key: str) -> None:
        """It is loaded no longer: it may be placed anew, unless memory ran out for it."""
        with self._lock:
            seat = self._seats.get(key)
            if seat is not None and not seat.tried:
                del self._seats[key]

    def forgive(self, key: str | None = None) -> None:
        """Forget that memory ran out for this model (None: for any; and every seat)."""
        with self._lock:
            if key is None:
                self._seats.clear()
            elif key in self._seats and self._seats[key].tried:
                del self._seats[key]

    def grew(self, key: str, size: int) -> None:
        """Loading and speaking, this model added so many bytes of RAM to its process."""
        with self._lock:
            self._grown[key] = max(size, self._grown.get(key, 0))
