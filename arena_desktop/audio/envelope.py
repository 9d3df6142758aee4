"""The two gains that the renderer lays over a clip: the dip of every press, and the volume.

Both are counted in frames, so that they are the same on every machine and for every partition of the output into
blocks.
"""

import numpy as np
from numpy.typing import NDArray

from arena_desktop.audio.types import RATE

DIP = RATE * 5 // 1000
"""Frames of the raised-cosine fade out, and of the fade in after it: 5 ms each."""
VOLUME_RAMP = RATE * 20 // 1000
"""Frames over which the volume changes: 20 ms, the same for both sides."""
CEILING = 10.0 ** (-1.0 / 20.0)
"""Largest sample magnitude that a raised volume may lead to (−1 dBFS)."""


def _rise(frames: int) -> NDArray[np.float32]:
    rise = 0.5 - 0.5 * np.cos(np.pi * (np.arange(frames) + 0.5) / frames)
    return rise.astype(np.float32)


RISE = _rise(DIP)
FALL = RISE[::-1].copy()


class Volume:
    """The master gain. A change is walked to along a raised cosine, by frames of output, sounding or not."""

    def __init__(self) -> None:
        self.db = 0.0
        self._limit = 1.0
        self._from = self._to = np.float32(1.0)
        self._at = VOLUME_RAMP
        self._ramp = _rise(VOLUME_RAMP)

    def _wanted(self) -> np.float32:
        return np.float32(min(10.0 ** (self.db / 20.0), self._limit))

    def set(self, db: float) -> None:
        """Walk to ``db`` from wherever the gain is now."""
        self._from = self._now()
        self.db = db
        self._to = self._wanted()
        self._at = 0

    def snap(self, peak: float) -> None:
        """Take the wanted gain at once (nothing is sounding) for a pair whose largest sample magnitude is ``peak``.

        A raised volume is held back where it would clip either side: both stay equally loud.
        """
        self._limit = max(1.0, CEILING / peak) if peak > 0.0 else 1.0
        self._to = self._wanted()
        self._at = VOLUME_RAMP

    def _now(self) -> np.float32:
        if self._at >= VOLUME_RAMP:
            return self._to
        return np.float32(self._from + (self._to - self._from) * self._ramp[self._at])

    def skip(self, frames: int) -> None:
        """Let silent frames pass."""
        self._at = min(VOLUME_RAMP, self._at + frames)

    def apply(self, sound: NDArray[np.float32]) -> None:
        """Scale these frames in place. At 0 dB they stay as they are, to the bit."""
        done = min(len(sound), VOLUME_RAMP - self._at)
        if done > 0:
            sound[:done] *= self._from + (self._to - self._from) * self._ramp[self._at : self._at + done]
            self._at += done
        if done < len(sound) and self._to != 1.0:
            sound[max(done, 0) :] *= self._to
