"""Which models are loaded in which child, and what each child was last measured to hold."""

import threading
from collections.abc import Iterable, Mapping
from typing import Any

from arena_desktop.engines.budget import Held

Child = str | None
"""The interpreter that a child runs under; None is the program's own."""


class Residents:
    """Fed by the children's replies. Thread-safe. Models go by the key under which they are loaded."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._clock = 0
        self._used: dict[tuple[Child, str], int] = {}
        self._ram: dict[Child, int] = {}
        self._vram: dict[Child, dict[int, int]] = {}
        self._expected: dict[tuple[Child, str], int] = {}

    def expect(self, child: Child, key: str, ram: int) -> None:
        """A model is about to be loaded there, and should take so many bytes: for a system that doesn't measure."""
        with self._lock:
            self._expected[child, key] = ram

    def measured(self, child: Child, held: Mapping[str, Any]) -> None:
        """What a child said that it holds, see the worker's ``held``."""
        with self._lock:
            loaded = [str(key) for key in held.get("loaded", ())]
            for known in [known for known in self._used if known[0] == child and known[1] not in loaded]:
                del self._used[known]
            for key in loaded:
                self._used.setdefault((child, key), self._tick())
            resident = held.get("resident")
            expected = sum(self._expected.get((child, key), 0) for key in loaded)
            self._ram[child] = expected if resident is None else int(resident)
            self._vram[child] = {int(number): int(size) for number, size in held.get("cuda", {}).items()}

    def used(self, child: Child, key: str) -> None:
        """A model was spoken with just now."""
        with self._lock:
            if (child, key) in self._used:
                self._used[child, key] = self._tick()

    def gone(self, child: Child) -> None:
        """A child has ended, and with it all that it held."""
        with self._lock:
            self._ram.pop(child, None)
            self._vram.pop(child, None)
            for known in [known for known in self._used if known[0] == child]:
                del self._used[known]

    def put_away(self, child: Child, key: str) -> None:
        """A model is no longer loaded there."""
        with self._lock:
            self._used.pop((child, key), None)

    def holds(self, child: Child, key: str) -> bool:
        """Whether a model is loaded there."""
        with self._lock:
            return (child, key) in self._used

    def ram(self, child: Child) -> int:
        """Bytes of RAM that this child held when it was last heard of."""
        with self._lock:
            return self._ram.get(child, 0)

    def held(self, gpu: int | None = None) -> Held:
        """What all children hold together: RAM, and what is on the GPU of that number."""
        with self._lock:
            on_gpu = 0 if gpu is None else sum(by_number.get(gpu, 0) for by_number in self._vram.values())
            return Held(sum(self._ram.values()), on_gpu)

    def oldest(self, besides: Iterable[tuple[Child, str]] = ()) -> tuple[Child, str] | None:
        """The model that was not spoken with for the longest time, None if there is none but ``besides``."""
        kept = set(besides)
        with self._lock:
            others = [known for known in self._used if known not in kept]
            return min(others, key=lambda known: self._used[known], default=None)

    def count(self, child: Child) -> int:
        """How many models are loaded in this child."""
        with self._lock:
            return sum(known[0] == child for known in self._used)

    def _tick(self) -> int:
        self._clock += 1
        return self._clock
