"""A player that makes no sound: the same renderer on a clock that may run faster than time.

For ``--silent`` and for tests.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from arena_desktop.audio.loaded import LoadedPair
from arena_desktop.audio.renderer import Renderer
from arena_desktop.audio.statuses import STATES, of_pair, status_of
from arena_desktop.audio.types import RATE, PlayerState, PlayerStatus, PreparedPair
from arena_desktop.domain.votes import Side

_BLOCK = 4096


class SilentPlayer:
    """Implements :class:`arena_desktop.audio.types.Player` without a device.

    Time passes only while it is asked for something.
    """

    def __init__(self, speed: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        """``speed``: seconds of sound that pass in one second of ``clock``; above 0."""
        if speed <= 0:
            raise ValueError("speed must be above 0")
        self._speed = speed
        self._clock = clock
        self._renderer = Renderer()
        self._log: list[dict[str, Any]] = []
        self._scratch = np.zeros(_BLOCK, dtype=np.float32)
        self._began: float | None = None
        self._generation = self._wanted = 0

    def start(self) -> None:
        if self._began is None:
            self._began = self._clock()

    def load(self, pair: PreparedPair) -> int:
        self._generation += 1
        self._wanted = self._generation
        self._send("load", pair=LoadedPair.of(pair, self._generation))
        return self._generation

    def unload(self) -> None:
        self._wanted = 0
        self._send("unload")

    def play(self, side: Side) -> None:
        if self._began is not None:
            self._send("play", side=side)

    def play_reference(self) -> None:
        if self._began is not None:
            self._send("reference")

    def pause(self) -> None:
        self._send("pause")

    def resume(self) -> None:
        self._send("resume")

    def set_volume(self, db: float) -> None:
        self._send("volume", db=db)

    def set_options(self, *, same_position: bool, loop: bool) -> None:
        self._send("options", same_position=same_position, loop=loop)

    def set_device(self, name: str | None) -> None:
        """Nothing to choose."""

    def set_latency(self, seconds: float) -> None:
        """There is no output that could be late."""

    def status(self) -> PlayerStatus:
        if self._began is None:
            return PlayerStatus(PlayerState.STARTING, generation=self._generation)
        self._advance()
        snapshot = self._renderer.snapshot()
        return of_pair(status_of(snapshot, STATES[snapshot.mode]), self._wanted, self._generation)

    def command_log(self) -> list[dict[str, Any]]:
        self._take_log()
        return list(self._log)

    def close(self) -> None:
        self.unload()
        self._began = None

    def _send(self, command: str, **arguments: Any) -> None:
        self._advance()
        self._renderer.send(command, **arguments)
        self._renderer.render(self._scratch[:0])

    def _advance(self) -> None:
        """Render what the clock says has been played."""
        if self._began is None:
            return
        due = int((self._clock() - self._began) * self._speed * RATE)
        while self._renderer.clock < due:
            frames = due - self._renderer.clock
            if self._renderer.settled:
                self._renderer.skip(frames)
            else:
                self._renderer.render(self._scratch[: min(frames, _BLOCK)])
        self._take_log()

    def _take_log(self) -> None:
        while self._renderer.log:
            entry = self._renderer.log.popleft()
            if entry["command"] == "load":
                self._log.clear()
            self._log.append(entry)
