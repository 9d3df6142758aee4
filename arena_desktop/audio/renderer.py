"""What comes out of the loudspeaker, frame by frame: pure arithmetic on one loaded pair.

The renderer knows no device, no thread and no clock but its own count of frames. The output depends on the commands
and the frames at which they were applied, never on how the output is cut into blocks.

Every press of a side is the same dip: DIP frames in which whatever sounds is faded out (silence stays silence), then
the side begins and is faded in over as many. So A after A sounds like B after A, and a clip's first frame comes
exactly DIP frames after the press.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena_desktop.audio.envelope import DIP, FALL, RISE, Volume
from arena_desktop.audio.loaded import REFERENCE, LoadedPair, Track
from arena_desktop.domain.votes import Side


class Mode(IntEnum):
    """What the listener asked for last; IDLE also once a side has played to its end."""

    IDLE = 0
    PLAYING = 1
    PAUSED = 2


@dataclass(frozen=True)
class Snapshot:
    """Where the renderer stands, in frames.

    ``generation`` is that of the loaded pair, 0 without one; pairs are (A, B). ``reference``: it was started last, and
    ``position`` is in it.
    """

    generation: int = 0
    mode: Mode = Mode.IDLE
    side: Side | None = None
    position: int = 0
    heard: tuple[int, int] = (0, 0)
    lengths: tuple[int, int] = (1, 1)
    plays: tuple[int, int] = (0, 0)
    switches: int = 0
    first_played: Side | None = None
    underflows: int = 0
    mark: int = 0
    reference: bool = False
    reference_length: int = 1


class _Counts:
    """Presses since the pair was loaded."""

    def __init__(self) -> None:
        self.plays = {Side.A: 0, Side.B: 0}
        self.switches = 0
        self.first: Side | None = None
        self.last: Side | None = None
        self.underflows = 0

    def pressed(self, side: Side) -> None:
        self.plays[side] += 1
        self.switches += self.last is not None and self.last is not side
        self.first = self.first or side
        self.last = side


class Renderer:
    """Renders one pair. :meth:`send` may be called from one other thread; all else belongs to the thread that renders.

    Commands: ``load(pair)``, ``unload()``, ``play(side)``, ``reference()``, ``pause()``, ``resume()``, ``stop()``,
    ``volume(db)``, ``options(same_position, loop)``, ``halt()`` (silent at once: the device is gone), ``underflow()``
    (the device was not fed in time: counted), ``mark(number)`` (shown in the snapshot: all that was sent before has
    been applied). One that makes no sense in the present state does nothing. Every other one, ``mark`` aside, is
    appended to ``log`` as it is applied, as ``{"clock", "command", …arguments}`` with the number of frames rendered
    before it.
    """

    def __init__(self, clock: int = 0) -> None:
        self.clock = clock
        self.log: deque[dict[str, Any]] = deque()
        self._commands: deque[tuple[str, dict[str, Any]]] = deque()
        self._actions: dict[str, Callable[..., None]] = {
            "load": self._load,
            "unload": self._unload,
            "play": self._play,
            "reference": self._play_reference,
            "pause": self._pause,
            "resume": self._resume,
            "stop": self._stop,
            "volume": self._set_volume,
            "options": self._set_options,
            "halt": self._halt,
            "underflow": self._underflow,
            "mark": self._set_mark,
        }
        self._volume = Volume()
        self._options = {"same_position": False, "loop": False}
        self._pair: LoadedPair | None = None
        self._counts = _Counts()
        self._mark = 0
        self._mode = Mode.IDLE
        self._track: Track | None = None
        self._position = 0
        self._sounding = False
        self._loop = False
        # The dip under way: frames of the fade in and of the fade out that are done (DIP: none under way), the gain
        # that the fade out began with, and what comes after it.
        self._in = self._out = DIP
        self._out_gain = np.float32(1.0)
        self._pending: Track | None = None
        self._from_start = True
        self._swap: Callable[[], None] | None = None

    def send(self, command: str, **arguments: Any) -> None:
        """Queue a command; it is applied before the next frame that is rendered."""
        self._commands.append((command, arguments))

    @property
    def settled(self) -> bool:
        """Whether nothing but silence follows until the next command."""
        return not self._commands and not self._sounding and self._out >= DIP

    @property
    def endless(self) -> bool:
        """Whether a side will be repeated until the next command."""
        return self._loop and self._mode is Mode.PLAYING

    def snapshot(self) -> Snapshot:
        """Where things stand after the last rendered frame."""
        pair, counts = self._pair, self._counts
        if pair is None:
            return Snapshot(mark=self._mark)
        waiting = self._pending is not None
        track = self._pending or self._track
        return Snapshot(
            generation=pair.generation,
            mode=self._mode,
            side=track if isinstance(track, Side) else None,
            position=0 if waiting and self._from_start else self._position,
            heard=(pair.heard[Side.A], pair.heard[Side.B]),
            lengths=(pair.length(Side.A), pair.length(Side.B)),
            plays=(counts.plays[Side.A], counts.plays[Side.B]),
            switches=counts.switches,
            first_played=counts.first,
            underflows=counts.underflows,
            mark=self._mark,
            reference=track == REFERENCE,
            reference_length=pair.length(REFERENCE) if pair.has_reference else 1,
        )

    def render(self, out: NDArray[np.float32]) -> None:
        """Fill ``out`` (mono, any length) with the next frames."""
        self._apply_commands()
        done = 0
        while done < len(out):
            done += self._segment(out[done:])

    def skip(self, frames: int) -> None:
        """Let ``frames`` of silence pass unrendered. Only when :attr:`settled`."""
        if not self.settled:
            raise RuntimeError("there is sound to be rendered")
        self.clock += frames
        self._volume.skip(frames)

    # The output

    def _segment(self, out: NDArray[np.float32]) -> int:
        """Render up to the next change of anything; returns the number of frames."""
        fading_out = self._out < DIP
        frames = len(out)
        if fading_out:
            frames = min(frames, DIP - self._out)
        elif self._sounding and self._in < DIP:
            frames = min(frames, DIP - self._in)
        if self._sounding:
            frames = self._copy(out[:frames])
        else:
            out[:frames] = 0.0
            self._volume.skip(frames)
        self.clock += frames
        if fading_out:
            self._out += frames
            if self._out == DIP:
                self._faded_out()
        elif self._in < DIP:
            self._in += frames
        return frames

    def _copy(self, out: NDArray[np.float32]) -> int:
        """Fill ``out`` from what sounds, as far as it goes."""
        assert self._pair is not None
        assert self._track is not None
        source = self._pair.samples[self._track]
        start = self._position
        frames = min(len(out), len(source) - start)
        segment = out[:frames]
        segment[:] = source[start : start + frames]
        if self._out < DIP:
            segment *= self._out_gain * FALL[self._out : self._out + frames]
        elif self._in < DIP:
            segment *= RISE[self._in : self._in + frames]
        self._volume.apply(segment)
        self._pair.deliver(self._track, start, start + frames)
        self._position = start + frames
        if self._position == len(source):
            self._reached_end()
        return frames

    def _reached_end(self) -> None:
        if self._out < DIP:
            self._sounding = False
            self._from_start = True
        elif self._loop:
            self._position = 0
        else:
            self._sounding = False
            self._mode = Mode.IDLE

    def _fade_out(self) -> None:
        if self._out < DIP:
            self._out_gain = self._out_gain * FALL[self._out]
        elif self._in < DIP:
            self._out_gain = RISE[self._in]
        else:
            self._out_gain = np.float32(1.0)
        self._out = 0

    def _faded_out(self) -> None:
        self._sounding = False
        if self._pending is not None:
            assert self._pair is not None
            self._track, self._pending = self._pending, None
            if self._from_start or self._position >= self._pair.length(self._track):
                self._position = 0
        if self._mode is Mode.PLAYING:
            self._begin()
        if self._swap is not None:
            self._swap()
            self._apply_commands()

    def _begin(self) -> None:
        self._sounding = True
        self._in = 0

    # The commands

    def _note(self, command: str, **arguments: Any) -> None:
        self.log.append({"clock": self.clock, "command": command, **arguments})

    def _apply_commands(self) -> None:
        """Apply what is queued. When a pair has to be faded out before it is replaced, the rest waits for that."""
        while self._swap is None and self._commands:
            command, arguments = self._commands.popleft()
            self._actions[command](**arguments)

    def _load(self, pair: LoadedPair) -> None:
        self._when_silent(lambda: self._replace("load", pair))

    def _unload(self) -> None:
        if self._pair is not None:
            self._when_silent(lambda: self._replace("unload", None))

    def _when_silent(self, swap: Callable[[], None]) -> None:
        self._stop()
        if self._out < DIP:
            self._swap = swap
        else:
            swap()

    def _replace(self, command: str, pair: LoadedPair | None) -> None:
        self._swap = None
        self._pair = pair
        self._counts = _Counts()
        self._track, self._position = None, 0
        if pair is None:
            self._note(command)
        else:
            self._volume.snap(pair.peak)
            self._note(command, generation=pair.generation, volume_db=self._volume.db, **self._options)

    def _play(self, side: Side) -> None:
        if self._pair is None:
            return
        # A place in the reference is no place in a side.
        idle = self._mode is Mode.IDLE or REFERENCE in (self._track, self._pending)
        restarting = self._pending is not None and self._from_start
        self._from_start = idle or restarting or not self._options["same_position"]
        self._loop = self._options["loop"]
        self._pending = side
        self._mode = Mode.PLAYING
        self._counts.pressed(side)
        self._fade_out()
        self._note("play", side=side, first_frame=self.clock + DIP)

    def _play_reference(self) -> None:
        if self._pair is None or not self._pair.has_reference:
            return
        self._from_start = True
        self._loop = False
        self._pending = REFERENCE
        self._mode = Mode.PLAYING
        self._fade_out()
        self._note("reference", first_frame=self.clock + DIP)

    def _pause(self) -> None:
        if self._mode is Mode.PLAYING:
            self._mode = Mode.PAUSED
            if self._out >= DIP:
                self._fade_out()
            self._note("pause")

    def _resume(self) -> None:
        if self._mode is Mode.PAUSED:
            self._mode = Mode.PLAYING
            if self._out >= DIP:
                self._begin()
            self._note("resume")

    def _stop(self) -> None:
        if self._mode is Mode.IDLE:
            return
        self._mode = Mode.IDLE
        self._pending = None
        if self._sounding and self._out >= DIP:
            self._fade_out()
        self._note("stop")

    def _set_volume(self, db: float) -> None:
        self._volume.set(db)
        self._note("volume", db=db)

    def _set_options(self, same_position: bool, loop: bool) -> None:
        self._options = {"same_position": same_position, "loop": loop}
        self._note("options", **self._options)

    def _halt(self) -> None:
        self._mode = Mode.IDLE
        self._pending = None
        self._sounding = False
        self._in = self._out = DIP
        self._note("halt")

    def _underflow(self) -> None:
        self._counts.underflows += 1
        self._note("underflow")

    def _set_mark(self, number: int) -> None:
        self._mark = number
