"""The sound process: one stream, one renderer, commands on standard input, status in a small file.

It imports numpy and sounddevice and nothing of the window, so that neither painting nor synthesis nor the interpreter
lock of another process can disturb the sound. It ends when its standard input ends, so that it never outlives the
window.

Each line of input is one JSON object with a ``number``, for the renderer's ``mark``, and a ``command``: the renderer's
(:class:`arena_desktop.audio.renderer.Renderer`), where ``load`` names the ``file`` that holds the buffers (float32,
A, B, and the reference if there is one; deleted once read), their ``frames``, the ``generation`` and the ``log`` file
for the commands applied to this pair; and ``device`` with a ``name`` or null.
"""

import argparse
import gc
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from arena_desktop.audio.loaded import LoadedPair
from arena_desktop.audio.outputs import NoOutput, load_sounddevice, outputs
from arena_desktop.audio.renderer import Renderer
from arena_desktop.audio.status_file import Record, StatusFile
from arena_desktop.audio.statuses import STATES, status_of
from arena_desktop.audio.stream import KeptStream
from arena_desktop.audio.types import PlayerState
from arena_desktop.domain.votes import Side

PERIOD = 0.01
"""Seconds between two looks at the stream, and two records of the status."""
_LARGEST_MESSAGES = 1 << 20
_ONLY_WITH_SOUND = frozenset({"play", "reference", "pause", "resume"})


class CommandLog:
    """Writes each applied command as a line of JSON, the commands of each loaded pair to a file of their own."""

    def __init__(self) -> None:
        self.paths: dict[int, Path] = {}
        self._path: Path | None = None
        self._file: IO[bytes] | None = None

    def write(self, entry: dict[str, Any]) -> None:
        if entry["command"] == "load":
            self.delete()
            self._path = self.paths.pop(entry["generation"])
            self._file = self._path.open("ab", buffering=0)
        if self._file is not None:
            self._file.write(json.dumps(entry).encode() + b"\n")

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def delete(self) -> None:
        """Nobody reads the newest file any more."""
        self.close()
        if self._path is not None:
            self._path.unlink(missing_ok=True)


class SoundProcess:
    """Ties input lines, renderer, stream and status together. The stream is tended by a thread of its own."""

    def __init__(self, status: StatusFile, latency: float) -> None:
        self._renderer = Renderer()
        self._stream = KeptStream(self._renderer, latency)
        self._status = status
        self._log = CommandLog()
        self._ended = threading.Event()
        self._keeper = threading.Thread(target=self._keep_or_die, name="keeper")
        self._beat = 0

    def run(self, lines: Iterable[bytes]) -> None:
        """Obey until the input ends."""
        self._keeper.start()
        try:
            for line in lines:
                message = json.loads(line)
                number = message.pop("number")
                self._obey(message)
                self._renderer.send("mark", number=number)
        finally:
            self._ended.set()
            self._keeper.join()
            self._log.delete()

    def _obey(self, message: dict[str, Any]) -> None:
        command = message.pop("command")
        if command == "device":
            self._stream.want(message["name"])
        elif command == "load":
            self._log.paths[message["generation"]] = Path(message["log"])
            try:
                pair = read_pair(Path(message["file"]), message["frames"], message["generation"])
            except FileNotFoundError:
                return  # taken back: another pair follows
            self._renderer.send("load", pair=pair)
        elif command not in _ONLY_WITH_SOUND or self._stream.running:
            if "side" in message:
                message["side"] = Side(message["side"])
            self._renderer.send(command, **message)

    def _keep_or_die(self) -> None:
        """A fault of the keeper ends the process: it is then replaced, and nobody waits for a sign of life."""
        try:
            self._keep()
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(70)

    def _keep(self) -> None:
        self._publish()
        while not self._ended.wait(PERIOD):
            self._stream.tend()
            self._write_log()
            self._publish()
            if self._beat == 100:
                # All that will live long is there: never let a collection interrupt the sound again.
                gc.collect()
                gc.freeze()
                gc.disable()
            if self._beat % 1000 == 0:
                bound_messages()
        self._stream.close()
        self._write_log()

    def _write_log(self) -> None:
        while self._renderer.log:
            self._log.write(self._renderer.log.popleft())

    def _publish(self) -> None:
        self._beat += 1
        self._status.write(self._present())

    def _present(self) -> Record:
        # The state first: once it says that sound runs, the snapshot is one of this stream.
        stream = self._stream
        state, fault, device = stream.state, stream.fault, stream.device
        snapshot = stream.snapshot
        shown = STATES[snapshot.mode] if state is PlayerState.IDLE else state
        status = status_of(snapshot, shown, device=device, message=fault.message, remedy=fault.remedy)
        return Record(self._beat, snapshot.mark, status)


def read_pair(path: Path, frames: Sequence[int], generation: int) -> LoadedPair:
    """Take over the pair in a hand-over file, and delete the file."""
    buffers = [np.empty(count, dtype=np.float32) for count in frames]
    with path.open("rb", buffering=0) as file:
        for buffer in buffers:
            view = buffer.data.cast("B")
            while view:
                count = file.readinto(view)
                if not count:
                    raise EOFError(f"{path} ends early")
                view = view[count:]
    path.unlink(missing_ok=True)
    return LoadedPair(buffers[0], buffers[1], generation, *buffers[2:])


def bound_messages() -> None:
    """Sound libraries write to the standard error stream at will, here a file: empty it when it has grown large."""
    try:
        if os.fstat(2).st_size > _LARGEST_MESSAGES:
            os.ftruncate(2, 0)
    except OSError:
        return  # not a file: nothing grows


def write_outputs(path: Path) -> int:
    """Write the outputs' names, or what is wrong, as JSON to ``path``."""
    report: dict[str, Any]
    try:
        sd = load_sounddevice()
        report = {"names": [output.name for output in outputs(sd)]}
    except NoOutput as error:
        report = {"message": error.fault.message, "remedy": error.fault.remedy}
    path.write_text(json.dumps(report), encoding="utf-8")
    return 0


def main(argv: list[str]) -> int:
    """The sound process as a program, as :func:`arena_desktop.audio.child.host_command` starts it."""
    parser = argparse.ArgumentParser(prog="audio-host")
    parser.add_argument("--status", type=Path)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--outputs", type=Path)
    options = parser.parse_args(argv)
    if options.outputs is not None:
        return write_outputs(options.outputs)
    if options.status is None:
        parser.error("--status or --outputs is needed")
    # Ctrl-C in a terminal reaches every process there; this one ends with its input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with StatusFile(options.status, write=True) as status:
        SoundProcess(status, options.latency).run(sys.stdin.buffer)
    options.status.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
