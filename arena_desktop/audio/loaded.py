"""A pair as the renderer holds it, with the record of what was delivered of it."""

from typing import Self

import numpy as np
from numpy.typing import NDArray

from arena_desktop.audio.types import PreparedPair
from arena_desktop.domain.votes import Side


class LoadedPair:
    """Two mono float32 buffers at the output rate, and which frames of each went to the device at least once."""

    def __init__(self, a: NDArray[np.float32], b: NDArray[np.float32], generation: int) -> None:
        if not len(a) or not len(b):
            raise ValueError("a pair needs frames on both sides")
        self.generation = generation
        self.samples = {Side.A: np.ascontiguousarray(a, np.float32), Side.B: np.ascontiguousarray(b, np.float32)}
        self.peak = max(float(np.abs(samples).max()) for samples in self.samples.values())
        self.heard = {Side.A: 0, Side.B: 0}
        self._delivered = {side: np.zeros(len(samples), dtype=np.bool_) for side, samples in self.samples.items()}

    @classmethod
    def of(cls, pair: PreparedPair, generation: int = 1) -> Self:
        """The prepared pair, nothing of it delivered yet."""
        return cls(pair.a, pair.b, generation)

    def length(self, side: Side) -> int:
        """Frames of that side."""
        return len(self.samples[side])

    def deliver(self, side: Side, start: int, stop: int) -> None:
        """Note frames ``start`` to ``stop`` of that side as delivered; counts those that are new."""
        delivered = self._delivered[side][start:stop]
        self.heard[side] += len(delivered) - int(np.count_nonzero(delivered))
        delivered[:] = True
