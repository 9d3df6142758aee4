"""One output stream kept open over the life of the sound process, and opened again when its device is lost."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from arena_desktop.audio import faults
from arena_desktop.audio.faults import Fault
from arena_desktop.audio.outputs import NoOutput, choose, load_sounddevice, look_again, outputs
from arena_desktop.audio.renderer import Renderer, Snapshot
from arena_desktop.audio.types import RATE, PlayerState

RETRY = 1.0
"""Seconds between two attempts to open a device."""
SHORTEST_PATIENCE = 0.5
"""Seconds without a request for sound after which a device is lost; four times the latency, if that is longer."""


class KeptStream:
    """Feeds the renderer's output to a device.

    :meth:`tend` is called often, from one thread; it opens, watches and reopens.
    """

    def __init__(self, renderer: Renderer, latency: float, load: Callable[[], Any] = load_sounddevice) -> None:
        self.snapshot = Snapshot()
        self.state = PlayerState.STARTING
        self.fault = Fault("", "")
        self.device: str | None = None
        self._renderer = renderer
        self._latency = latency
        self._patience = max(SHORTEST_PATIENCE, 4 * latency)
        self._load = load
        self._stream: Any = None
        self._wanted: str | None = None
        self._chosen = False
        self._next_try = 0.0
        self._mono = np.zeros(8192, dtype=np.float32)
        self._finished = False
        self._running = False
        self._last_block = 0.0
        self._initialised = False

    @property
    def running(self) -> bool:
        """Whether a device asks for sound."""
        return self.state is PlayerState.IDLE

    def want(self, device: str | None) -> None:
        """Use the device of this name from the next :meth:`tend` on; None is the system's default."""
        self._wanted = device
        self._chosen = True

    def tend(self) -> None:
        """Open, watch or reopen the stream, whatever is due."""
        now = time.monotonic()
        if self._chosen:
            self._chosen = False
            self._drop()
            self.state, self.fault = PlayerState.STARTING, Fault("", "")
            self._next_try = now
        if self._stream is not None:
            self._watch(now)
        elif now >= self._next_try:
            self._next_try = now + RETRY
            self._open(now)

    def close(self) -> None:
        """Let go of the device."""
        self._drop()

    def _watch(self, now: float) -> None:
        if self._running and self.state is not PlayerState.IDLE:
            self.state, self.fault = PlayerState.IDLE, Fault("", "")
        if not self._finished and now - self._last_block <= self._patience:
            return
        if self.state is PlayerState.IDLE:
            self.state, self.fault = PlayerState.LOST, faults.lost(self.device or "")
        elif self.state is PlayerState.STARTING:
            # It opened and never asked for sound, as a suspended device does.
            self.state, self.fault = PlayerState.NO_DEVICE, faults.lost(self.device or "")
        self._drop()
        self._next_try = now + RETRY

    def _open(self, now: float) -> None:
        try:
            self._try_to_open(now)
        except NoOutput as error:
            if self.state is not PlayerState.LOST:
                self.state, self.fault, self.device = PlayerState.NO_DEVICE, error.fault, None

    def _try_to_open(self, now: float) -> None:
        sd = self._load()
        try:
            if self._initialised:
                look_again(sd)
            self._initialised = True
            output = choose(outputs(sd), self._wanted)
        except sd.PortAudioError as error:
            raise NoOutput(faults.no_output()) from error
        self._finished = self._running = False
        self._last_block = now
        try:
            stream = sd.OutputStream(
                samplerate=RATE,
                blocksize=0,
                device=output.index,
                channels=min(2, output.channels),
                dtype="float32",
                latency=self._latency,
                callback=self._callback,
                finished_callback=self._on_finished,
            )
        except sd.PortAudioError as error:
            raise NoOutput(faults.not_opened(output.name, error)) from error
        try:
            stream.start()
        except sd.PortAudioError as error:
            stream.close()
            raise NoOutput(faults.not_opened(output.name, error)) from error
        self._stream = stream
        self.device = output.name
        self._last_block = time.monotonic()

    def _drop(self) -> None:
        """Close the stream. What was playing does not go on by itself when sound is back."""
        if self._stream is None:
            return
        stream, self._stream = self._stream, None
        stream.close(ignore_errors=True)
        self._running = False
        self._renderer.send("halt")

    def _on_finished(self) -> None:
        self._finished = True

    def _callback(self, out: Any, frames: int, _time: Any, flags: Any) -> None:
        """Called by PortAudio in its own thread for the next ``frames`` frames."""
        if flags.output_underflow and self._running:
            self._renderer.send("underflow")
        if frames > len(self._mono):
            self._mono = np.zeros(frames, dtype=np.float32)
        mono = self._mono[:frames]
        self._renderer.render(mono)
        out[:] = mono[:, np.newaxis]
        self.snapshot = self._renderer.snapshot()
        self._last_block = time.monotonic()
        self._running = True
