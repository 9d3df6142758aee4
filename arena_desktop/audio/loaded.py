"""A pair as the renderer holds it, with the record of what was delivered of it."""

from typing import Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from arena_desktop.audio.types import PreparedPair
from arena_desktop.domain.votes import Side

REFERENCE: Final = "reference"
"""The third buffer's name beside the two sides."""

Track = Side | Literal["reference"]


class LoadedPair:
    """Two mono float32 buffers at the output rate, and which frames of each went to the device at least once; perhaps
    a third one, the reference, of which nothing is noted.
    """

    def __init__(
        self,
        a: NDArray[np.float32],
        b: NDArray[np.float32],
        generation: int,
        reference: NDArray[np.float32] | None = None,
    ) -> None:
        if not len(a) or not len(b):
            raise ValueError("a pair needs frames on both sides")
        self.generation = generation
        self.samples: dict[Track, NDArray[np.float32]] = {
            Side.A: np.ascontiguousarray(a, np.float32),
            Side.B: np.ascontiguousarray(b, np.float32),
        }
        if reference is not None and len(reference):
            self.samples[REFERENCE] = np.ascontiguousarray(reference, np.float32)
        self.peak = max(float(np.abs(samples).max()) for samples in self.samples.values())
        self.heard = {Side.A: 0, Side.B: 0}
        self._delivered = {side: np.zeros(self.length(side), dtype=np.bool_) for side in Side}

    @classmethod
    def of(cls, pair: PreparedPair, generation: int = 1) -> Self:
        """The prepared pair, nothing of it delivered yet."""
        return cls(pair.a, pair.b, generation, pair.reference)

    @property
    def has_reference(self) -> bool:
        """Whether there is a reference to be played."""
        return REFERENCE in self.samples

    def length(self, track: Track) -> int:
        """Frames of that side, or of the reference."""
        return len(self.samples[track])

    def deliver(self, side: Track, start: int, stop: int) -> None:
        """Note frames ``start`` to ``stop`` of that side as delivered; counts those that are new. Of the reference
        nothing is noted.
        """
        if side == REFERENCE:
            return
        delivered = self._delivered[side][start:stop]
        self.heard[side] += len(delivered) - int(np.count_nonzero(delivered))
        delivered[:] = True
