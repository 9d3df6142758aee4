"""The player that makes sound: keeps a sound process running and speaks to it without ever waiting."""

import contextlib
import json
import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena_desktop.audio.child import SoundChild, host_command
from arena_desktop.audio.faults import Fault, child_ended, child_hangs, child_not_started, not_handed_over
from arena_desktop.audio.statuses import STATES, of_pair
from arena_desktop.audio.types import PlayerState, PlayerStatus, PreparedPair
from arena_desktop.domain.votes import Side

LATENCY = 0.05
PATIENCE = 10.0
"""Seconds without a sign of life after which the sound process is replaced. Opening a slow sound system must fit in."""
PAUSES = (0.0, 1.0, 2.0, 5.0)
"""Seconds before the first, second, … start after a failure in a row; the last one holds from then on."""
STEADY = 30.0
"""Seconds of good running after which a failure counts as the first again."""


@dataclass(frozen=True)
class _Loaded:
    pair: PreparedPair
    generation: int
    log: Path


@dataclass(frozen=True)
class _Asked:
    """What a command that has not taken effect yet will lead to."""

    number: int
    state: PlayerState
    side: Side | None
    position: float
    reference: bool = False


def _buffers(pair: PreparedPair) -> list[NDArray[np.float32]]:
    return [pair.a, pair.b] if pair.reference is None else [pair.a, pair.b, pair.reference]


def write_buffers(path: Path, pair: PreparedPair) -> None:
    """Write the buffers of the pair to a file, one after another, for :func:`arena_desktop.audio.player.read_pair`."""
    with path.open("wb", buffering=0) as file:
        for samples in _buffers(pair):
            view = np.ascontiguousarray(samples, dtype=np.float32).data.cast("B")
            while view:
                view = view[file.write(view) :]


class ProcessPlayer:
    """Implements :class:`arena_desktop.audio.types.Player` on a real device, through a process of its own.

    A sound process that ends or hangs is reported as FAILED and replaced. The new one is given pair, volume, options
    and device again, with all counts at zero: whoever polls sees FAILED, then IDLE with nothing heard.
    """

    def __init__(
        self,
        runtime_dir: Path,
        log_dir: Path,
        latency: float = LATENCY,
        device: str | None = None,
        *,
        command: Callable[[], list[str]] = host_command,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``runtime_dir`` takes short-lived files, ``log_dir`` what the sound libraries say; ``latency`` in seconds."""
        self._runtime_dir = runtime_dir
        self._log_dir = log_dir
        self._latency = latency
        self._device = device
        self._command = command
        self._clock = clock
        self._child: SoundChild | None = None
        self._started = False
        self._loaded: _Loaded | None = None
        self._generation = 0
        self._volume_db = 0.0
        self._options = {"same_position": False, "loop": False}
        self._last = PlayerStatus(PlayerState.STARTING)
        self._beat = self._sent = 0
        self._asked: _Asked | None = None
        self._beat_at = self._started_at = 0.0
        self._fault: Fault | None = None
        self._failures = 0
        self._restart_at = 0.0
        # Short-lived files, the newest last; the oldest have been deleted several times over when they drop out.
        self._leftover: deque[Path] = deque(maxlen=16)

    # Player

    def start(self) -> None:
        if not self._started:
            self._started = True
            self._spawn()

    def load(self, pair: PreparedPair) -> int:
        self._generation += 1
        self._forget()
        self._loaded = _Loaded(pair, self._generation, self._new_path("log"))
        self._hand_over()
        return self._generation

    def unload(self) -> None:
        self._forget()
        self._send("unload")

    def play(self, side: Side) -> None:
        self._send("play", side=side)
        if self._loaded is not None:
            self._asked = _Asked(self._sent, PlayerState.PLAYING, side, 0.0)

    def play_reference(self) -> None:
        self._send("reference")
        if self._loaded is not None and self._loaded.pair.reference is not None:
            self._asked = _Asked(self._sent, PlayerState.PLAYING, None, 0.0, reference=True)

    def pause(self) -> None:
        before = self.status()
        self._send("pause")
        if before.state is PlayerState.PLAYING:
            self._asked = _Asked(self._sent, PlayerState.PAUSED, before.side, before.position, before.reference)

    def resume(self) -> None:
        before = self.status()
        self._send("resume")
        if before.state is PlayerState.PAUSED:
            self._asked = _Asked(self._sent, PlayerState.PLAYING, before.side, before.position, before.reference)

    def set_volume(self, db: float) -> None:
        self._volume_db = db
        self._send("volume", db=db)

    def set_options(self, *, same_position: bool, loop: bool) -> None:
        self._options = {"same_position": same_position, "loop": loop}
        self._send("options", **self._options)

    def set_device(self, name: str | None) -> None:
        self._device = name
        self._send("device", name=name)

    def set_latency(self, seconds: float) -> None:
        if seconds != self._latency:
            self._latency = seconds
            if self._child is not None:
                # A stream keeps its latency for life, and so does the process around it.
                self._child.close()
                self._spawn()

    def status(self) -> PlayerStatus:
        self._watch()
        status = self._last
        if self._fault is not None:
            status = replace(
                status, state=PlayerState.FAILED, message=self._fault.message, remedy=self._fault.remedy, device=None
            )
        wanted = self._loaded.generation if self._loaded is not None else 0
        status = of_pair(status, wanted, self._generation)
        if self._asked is not None and status.state in STATES.values():
            # Not there yet: some milliseconds pass until a command is seen in the status.
            asked = self._asked
            return replace(
                status, state=asked.state, side=asked.side, position=asked.position, reference=asked.reference
            )
        return status

    def command_log(self) -> list[dict[str, Any]]:
        if self._loaded is None:
            return []
        try:
            lines = self._loaded.log.read_bytes().splitlines(keepends=True)
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in lines if line.endswith(b"\n")]

    def close(self) -> None:
        self._started = False
        if self._child is not None:
            self._child.close()
            self._child = None
        self._forget()

    # The process

    def _spawn(self) -> None:
        self._last = PlayerStatus(PlayerState.STARTING)
        self._beat = self._sent = 0
        self._asked = None
        self._beat_at = self._started_at = self._clock()
        try:
            self._runtime_dir.mkdir(parents=True, exist_ok=True)
            self._log_dir.mkdir(parents=True, exist_ok=True)
            self._child = SoundChild(
                self._runtime_dir, self._log_dir / "sound-process.log", self._latency, self._command()
            )
        except OSError as error:
            self._failed(child_not_started(error))
            return
        self._send("device", name=self._device)
        self._send("volume", db=self._volume_db)
        self._send("options", **self._options)
        if self._loaded is not None:
            # A log of its own: frames are counted from 0 again.
            self._loaded = replace(self._loaded, log=self._new_path("log"))
            self._hand_over()

    def _watch(self) -> None:
        """Take in the newest status; notice an end or a hang; start again when it is time."""
        now = self._clock()
        if self._child is None:
            if self._started and now >= self._restart_at:
                self._spawn()
            return
        record = self._child.read()
        if record is not None and record.beat != self._beat:
            self._beat, self._last = record.beat, record.status
            self._beat_at = now
            if self._asked is not None and record.mark >= self._asked.number:
                self._asked = None
            if self._last.state is not PlayerState.STARTING:
                self._fault = None
        code = self._child.exit_status()
        if code is not None:
            self._failed(child_ended(code))
        elif now - self._beat_at > PATIENCE:
            self._failed(child_hangs())

    def _failed(self, fault: Fault) -> None:
        now = self._clock()
        if self._child is not None:
            self._child.close(kill=True)
            self._child = None
        if now - self._started_at > STEADY:
            self._failures = 0
        self._restart_at = now + PAUSES[min(self._failures, len(PAUSES) - 1)]
        self._failures += 1
        self._fault = fault

    def _send(self, command: str, **arguments: Any) -> None:
        if self._child is None:
            return
        self._sent += 1
        taken = self._child.send(command, number=self._sent, **arguments)
        if not taken and self._child.exit_status() is None:
            self._failed(child_hangs())

    # The pair

    def _new_path(self, kind: str) -> Path:
        """A fresh name that tells nothing."""
        path = self._runtime_dir / f"{secrets.token_hex(8)}.{kind}"
        self._leftover.append(path)
        return path

    def _hand_over(self) -> None:
        if self._loaded is None or self._child is None:
            return
        pair = self._loaded.pair
        path = self._new_path("pair")
        try:
            write_buffers(path, pair)
        except OSError as error:
            self._failed(not_handed_over(error))
            return
        self._send(
            "load",
            file=str(path),
            frames=[len(samples) for samples in _buffers(pair)],
            generation=self._loaded.generation,
            log=str(self._loaded.log),
        )

    def _forget(self) -> None:
        self._loaded = None
        self._asked = None
        for path in self._leftover:
            # A file that the process holds open stays for now, on Windows; it may also just be about to write one.
            with contextlib.suppress(PermissionError):
                path.unlink(missing_ok=True)
