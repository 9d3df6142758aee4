"""A desktop for tests: a screen, a window manager and a sound server of its own, on a machine that has none of them.

Everything lies in one temporary folder and is stopped by process id; several desktops can live side by side. The null
sink is loaded with ``norewinds=1``: without it a stream stalls at its start and the monitor loses the head of a clip.
"""

import contextlib
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from saying import Fault

SINK = "vout"
MARK = "ARENA_DESKTOP_TEST_DESKTOP"
"""Set to ``1`` in the environment of whatever runs inside such a desktop."""
PATIENCE_SECONDS = 30.0
_NOT_INHERITED = ("DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY", "ALSA_CONFIG_PATH", "XAUTHORITY", "PULSE_SINK")


@contextlib.contextmanager
def desktop(base: Mapping[str, str] | None = None) -> Iterator[dict[str, str]]:
    """A running desktop; gives the environment for what is to run in it. Everything is gone afterwards.

    Sets DISPLAY, XDG_RUNTIME_DIR, PULSE_SERVER and the like. The sink is called ``vout``, its monitor
    ``vout.monitor``, both 48 kHz stereo float32. Raises Fault if a part is missing or doesn't start.
    """
    for program in ("Xvfb", "openbox", "xdotool", "pulseaudio", "pactl"):
        if shutil.which(program) is None:
            raise Fault(f"the checks need {program}, which is not installed here.")
    environment = dict(os.environ if base is None else base)
    for key in _NOT_INHERITED:
        environment.pop(key, None)
    with contextlib.ExitStack() as stack:
        place = tempfile.TemporaryDirectory(prefix="arena-desk-", ignore_cleanup_errors=True)
        folder = Path(stack.enter_context(place))
        folder.chmod(0o700)
        environment |= {
            MARK: "1",
            "XDG_RUNTIME_DIR": str(folder),
            "PULSE_RUNTIME_PATH": str(folder / "pulse"),
            "PULSE_STATE_PATH": str(folder / "state"),
            "PULSE_COOKIE": str(folder / "cookie"),
            "PULSE_SERVER": f"unix:{folder / 'sound.sock'}",
        }
        environment["DISPLAY"] = _screen(stack, folder, environment)
        _window_manager(stack, folder, environment)
        _sound(stack, folder, environment)
        yield environment


def _screen(stack: contextlib.ExitStack, folder: Path, environment: Mapping[str, str]) -> str:
    reading, writing = os.pipe()
    try:
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-dpi", "96"]
        command += ["-nolisten", "tcp", "-noreset"]
        server = _start(stack, folder, "xvfb", command, environment, keep=(writing,))
        os.close(writing)
        writing = -1
        said = b""
        until = time.monotonic() + PATIENCE_SECONDS
        while not said.endswith(b"\n"):
            ready, _, _ = select.select([reading], [], [], max(0.0, until - time.monotonic()))
            more = os.read(reading, 64) if ready else b""
            if not more:
                raise Fault(f"the screen (Xvfb) did not start: {_last_words(folder / 'xvfb.log')}")
            said += more
        if server.poll() is not None:
            raise Fault(f"the screen (Xvfb) ended at once: {_last_words(folder / 'xvfb.log')}")
        return f":{said.decode().strip()}"
    finally:
        os.close(reading)
        if writing >= 0:
            os.close(writing)


def _window_manager(stack: contextlib.ExitStack, folder: Path, environment: Mapping[str, str]) -> None:
    manager = _start(stack, folder, "openbox", ["openbox", "--sm-disable"], environment)
    # Until it has taken the screen over, windows get no keyboard and its desktops can't be counted.
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        asked = subprocess.run(["xdotool", "get_num_desktops"], env=environment, capture_output=True, check=False)
        if asked.returncode == 0 and asked.stdout.strip() not in (b"", b"0"):
            return
        if manager.poll() is not None or time.monotonic() > until:
            raise Fault(f"the window manager (openbox) did not start: {_last_words(folder / 'openbox.log')}")
        time.sleep(0.05)


def _sound(stack: contextlib.ExitStack, folder: Path, environment: Mapping[str, str]) -> None:
    command = ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--realtime=no"]
    command += ["--high-priority=no", f"--log-target=file:{folder / 'sound.log'}", "--log-level=notice"]
    command += ["-L", f"module-native-protocol-unix auth-anonymous=1 socket={folder / 'sound.sock'}"]
    command += ["-L", f"module-null-sink sink_name={SINK} rate=48000 format=float32le channels=2 norewinds=1"]
    server = _start(stack, folder, "pulseaudio", command, environment)
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        asked = subprocess.run(["pactl", "list", "short", "sinks"], env=environment, capture_output=True, check=False)
        if asked.returncode == 0 and SINK.encode() in asked.stdout:
            return
        if server.poll() is not None or time.monotonic() > until:
            raise Fault(f"the sound server (pulseaudio) did not start: {_last_words(folder / 'sound.log')}")
        time.sleep(0.05)


def _start(
    stack: contextlib.ExitStack,
    folder: Path,
    name: str,
    command: Sequence[str],
    environment: Mapping[str, str],
    keep: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            pass_fds=keep,
            start_new_session=True,  # Ctrl+C ends what runs inside first; the desktop is stopped here afterwards
        )
    stack.callback(_stop, process)
    return process


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _last_words(log: Path) -> str:
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        lines = []
    return lines[-1] if lines else "it said nothing"
