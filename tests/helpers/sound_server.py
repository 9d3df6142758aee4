"""A sound card made of software: a private PulseAudio with a null sink, and a recorder of what arrives there.

It needs no D-Bus, no session and no hardware. Every instance has its own socket, so several can run side by side, and a
test may kill its own. Without the ``pulseaudio``, ``pactl`` and ``parec`` programs the tests that ask for it fail.
"""

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

RATE = 48_000
SINK = "vout"
_PATIENCE = 10.0
_REMEDY = "the sound tests need it; Debian: apt install pulseaudio pulseaudio-utils libasound2-plugins libportaudio2"


def wait_for(what: str, happened: Callable[[], object], patience: float = _PATIENCE) -> None:
    """Wait until ``happened()`` is true; fail, naming ``what``, when it takes longer than ``patience`` seconds."""
    end = time.monotonic() + patience
    while not happened():
        assert time.monotonic() < end, f"waited {patience:.0f} s in vain: {what}"
        time.sleep(0.005)


class Recorder:
    """Records the left channel of a sink's monitor from its creation to :meth:`stop`."""

    def __init__(self, server: "SoundServer", sink: str = SINK) -> None:
        self._chunks: list[bytes] = []
        self._arrivals: list[tuple[int, float]] = []
        self._bytes = 0
        command = ["parec", "-d", f"{sink}.monitor", "--raw", "--format=float32le", f"--rate={RATE}", "--channels=2"]
        self._process = subprocess.Popen(
            [*command, "--latency-msec=10", "--process-time-msec=5"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=server.environment,
        )
        self._thread = threading.Thread(target=self._read, name="recorder")
        self._thread.start()
        wait_for("the recorder's first sound", lambda: self._bytes > 0)

    def _read(self) -> None:
        assert self._process.stdout is not None
        while chunk := self._process.stdout.read(65536):
            self._arrivals.append((self._bytes, time.monotonic()))
            self._chunks.append(chunk)
            self._bytes += len(chunk)

    @property
    def frames(self) -> int:
        """Frames recorded so far."""
        return self._bytes // 8

    def arrival(self, frame: int) -> float:
        """When (monotonic seconds) the chunk arrived that holds this frame."""
        return max(at for first, at in self._arrivals if first <= frame * 8)

    def arrivals(self) -> list[tuple[int, float]]:
        """Of each chunk its first byte's position and when (monotonic seconds) it arrived."""
        return list(self._arrivals)

    def both(self) -> NDArray[np.float32]:
        """All that was recorded so far, one row a frame."""
        raw = b"".join(self._chunks)
        return np.frombuffer(raw[: len(raw) // 8 * 8], dtype="<f4").reshape(-1, 2)

    def so_far(self) -> NDArray[np.float32]:
        """The left channel of it."""
        return self.both()[:, 0]

    def stop(self, tail: float = 0.3) -> NDArray[np.float32]:
        """Record ``tail`` seconds more, end, and return the left channel of everything."""
        if self._process.poll() is None:
            time.sleep(tail)
            self._process.terminate()
        self._process.wait()
        self._thread.join()
        assert self._process.stdout is not None
        self._process.stdout.close()
        return self.so_far()


class SoundServer:
    """A running private PulseAudio. ``environment`` leads programs to it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.socket = folder / "pa.sock"
        own = {
            "XDG_RUNTIME_DIR": folder,
            "PULSE_RUNTIME_PATH": folder / "pulse",
            "PULSE_STATE_PATH": folder / "state",
            "PULSE_COOKIE": folder / "cookie",
            "PULSE_SERVER": f"unix:{self.socket}",
        }
        self.variables = {name: str(value) for name, value in own.items()}
        self.environment = {**os.environ, **self.variables}
        for name in ("DBUS_SESSION_BUS_ADDRESS", "ALSA_CONFIG_PATH", "PULSE_SINK"):
            self.environment.pop(name, None)
        self._recorders: list[Recorder] = []
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *sinks: str) -> None:
        """Start the server with these null sinks and wait until it answers."""
        # Without norewinds a stream into a null sink stalls at its start and loses its head.
        protocol = f"module-native-protocol-unix auth-anonymous=1 socket={self.socket}"
        modules = [protocol, *(self._null_sink(sink) for sink in sinks)]
        command = ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--realtime=no"]
        command += ["--high-priority=no", f"--log-target=file:{self._folder / 'pa.log'}", "--log-level=notice"]
        for module in modules:
            command += ["-L", module]
        try:
            self._process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment
            )
        except FileNotFoundError as error:
            raise AssertionError(f"there is no pulseaudio program: {_REMEDY}") from error
        wait_for("the sound server's answer", self._answers)

    @staticmethod
    def _null_sink(name: str) -> str:
        return f"module-null-sink sink_name={name} rate={RATE} format=float32le channels=2 norewinds=1"

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, "the sound server ended at once"
        command = ["pactl", "info"]
        return subprocess.run(command, env=self.environment, capture_output=True, check=False).returncode == 0

    def pactl(self, *arguments: str) -> str:
        """Run ``pactl`` against this server; its output."""
        command = ["pactl", *arguments]
        return subprocess.run(command, env=self.environment, capture_output=True, check=True, text=True).stdout.strip()

    def add_sink(self, name: str) -> str:
        """Plug a sound card in; returns the index to pull it by."""
        return self.pactl("load-module", *self._null_sink(name).split())

    def remove_sink(self, name: str) -> None:
        """Pull that sound card."""
        for line in self.pactl("list", "short", "modules").splitlines():
            if f"sink_name={name} " in line:
                self.pactl("unload-module", line.split()[0])

    def record(self, sink: str = SINK) -> Recorder:
        """Record what arrives at a sink from now on."""
        recorder = Recorder(self, sink)
        self._recorders.append(recorder)
        return recorder

    def kill(self) -> None:
        """End the server at once, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
            self.socket.unlink(missing_ok=True)

    def close(self) -> None:
        """Stop everything that was started here."""
        for recorder in self._recorders:
            recorder.stop(tail=0.0)
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None


@pytest.fixture
def sound_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SoundServer]:
    """A running server with one null sink; programs started by the test find it by their environment."""
    server = SoundServer(tmp_path / "sound")
    for name, value in server.variables.items():
        monkeypatch.setenv(name, value)
    for name in ("DBUS_SESSION_BUS_ADDRESS", "ALSA_CONFIG_PATH", "PULSE_SINK"):
        monkeypatch.delenv(name, raising=False)
    server.start(SINK)
    try:
        yield server
    finally:
        server.close()


@pytest.fixture
def no_sound_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SoundServer:
    """A server that was not started: programs look for it in vain. A test may start it."""
    server = SoundServer(tmp_path / "sound")
    for name, value in server.variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    return server
