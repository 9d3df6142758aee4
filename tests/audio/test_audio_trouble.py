"""Devices, servers and processes that go away: said in words, survived, and never taken for listening."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from arena_desktop.audio.child import host_environment
from arena_desktop.audio.devices import list_devices
from arena_desktop.audio.host import PATIENCE, ProcessPlayer
from arena_desktop.audio.types import PlayerState, PlayerStatus
from arena_desktop.domain.votes import Side
from arena_desktop.errors import ArenaError
from tests.helpers.sound_server import SINK, SoundServer, wait_for
from tests.helpers.sounds import as_prepared, babble

A, B = Side.A, Side.B
PAIR = as_prepared(babble(4.0, 1), babble(0.3, 2))
WITHOUT_PORTAUDIO = (
    "import ctypes.util, sys; ctypes.util.find_library = lambda name: None;"
    "from arena_desktop.audio.player import main; sys.exit(main(sys.argv[1:]))"
)

Make = Callable[..., ProcessPlayer]


class Clock:
    """A clock that a test may put forward; it runs by itself as well."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        import time

        return time.monotonic() + self.ahead


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Starts a player; closes it after the test."""
    made: list[ProcessPlayer] = []

    def start(**options: object) -> ProcessPlayer:
        player = ProcessPlayer(tmp_path / "runtime", tmp_path / "log", **options)  # type: ignore[arg-type]
        made.append(player)
        player.start()
        return player

    yield start
    for player in made:
        player.close()
    assert list((tmp_path / "runtime").iterdir()) == []


def until(player: ProcessPlayer, state: PlayerState) -> PlayerStatus:
    seen: list[PlayerStatus] = []

    def reached() -> bool:
        seen.append(player.status())
        return seen[-1].state is state

    wait_for(f"{state}, not {player.status()}", reached)
    return seen[-1]


def start_to_play(player: ProcessPlayer) -> PlayerStatus:
    player.load(PAIR)
    player.play(A)
    wait_for("some of A", lambda: player.status().heard_a > 0.02)
    return player.status()


def sounds_again(player: ProcessPlayer) -> None:
    """The trial is repeated and heard to its end."""
    player.load(PAIR)
    player.play(B)
    wait_for("all of B", lambda: player.status().heard_b == 1.0)
    assert player.status().heard_a == 0.0


def child_of(player: ProcessPlayer) -> psutil.Process:
    (child,) = [c for c in psutil.Process().children() if "arena_desktop.audio.player" in " ".join(c.cmdline())]
    return child


def test_a_device_that_is_pulled_out_is_lost_and_found_again(make: Make, sound_server: SoundServer) -> None:
    player = make()
    until(player, PlayerState.IDLE)
    before = start_to_play(player)
    sound_server.remove_sink(SINK)
    lost = until(player, PlayerState.LOST)
    assert "lost" in lost.message
    assert "Connect" in lost.remedy
    assert before.heard_a <= lost.heard_a < 1.0
    assert lost.plays_a == 1
    player.play(B)
    sound_server.add_sink(SINK)
    back = until(player, PlayerState.IDLE)
    # What was asked for while there was no sound does not burst out now, nor does the interrupted side go on.
    assert back.plays_b == 0
    assert back.message == ""
    assert player.command_log()[-1]["command"] == "halt"
    sounds_again(player)


def test_a_server_that_dies_is_a_lost_device(make: Make, sound_server: SoundServer) -> None:
    player = make()
    until(player, PlayerState.IDLE)
    start_to_play(player)
    sound_server.kill()
    until(player, PlayerState.LOST)
    sound_server.start(SINK)
    until(player, PlayerState.IDLE)
    sounds_again(player)


def test_a_device_that_asks_for_no_sound_is_lost_by_its_heartbeat(make: Make, sound_server: SoundServer) -> None:
    player = make()
    until(player, PlayerState.IDLE)
    start_to_play(player)
    sound_server.pactl("suspend-sink", SINK, "1")
    until(player, PlayerState.LOST)
    sound_server.pactl("suspend-sink", SINK, "0")
    until(player, PlayerState.IDLE)
    sounds_again(player)


def test_one_of_two_devices_may_go(make: Make, sound_server: SoundServer) -> None:
    sound_server.add_sink("second")
    player = make()
    until(player, PlayerState.IDLE)
    start_to_play(player)
    sound_server.remove_sink("second")
    sounds_again(player)


def test_without_a_server_it_is_said_and_sound_comes_with_the_server(
    make: Make, no_sound_server: SoundServer, tmp_path: Path
) -> None:
    player = make()
    status = until(player, PlayerState.NO_DEVICE)
    assert "sound device" in status.message
    assert "libasound2-plugins" in status.remedy
    generation = player.load(PAIR)
    player.play(A)
    assert player.status().generation == generation
    assert player.status().plays_a == 0
    try:
        no_sound_server.start(SINK)
        until(player, PlayerState.IDLE)
        sounds_again(player)
    finally:
        player.close()
        no_sound_server.close()


def test_a_server_without_a_card_is_no_device(make: Make, no_sound_server: SoundServer) -> None:
    no_sound_server.start()
    try:
        player = make()
        assert until(player, PlayerState.NO_DEVICE).remedy
        no_sound_server.add_sink(SINK)
        until(player, PlayerState.IDLE)
        player.close()
    finally:
        no_sound_server.close()


def test_a_missing_portaudio_is_named_with_its_package(make: Make, sound_server: SoundServer) -> None:
    player = make(command=lambda: [sys.executable, "-c", WITHOUT_PORTAUDIO])
    status = until(player, PlayerState.NO_DEVICE)
    assert "PortAudio" in status.message
    assert "libportaudio2" in status.remedy


def test_devices_are_chosen_and_remembered_by_name(make: Make, sound_server: SoundServer, tmp_path: Path) -> None:
    names = list_devices(tmp_path / "runtime")
    assert "pulse" in names
    player = make(device="Headphones that are not here")
    status = until(player, PlayerState.NO_DEVICE)
    assert "Headphones that are not here" in status.message
    player.set_device("pulse")
    assert until(player, PlayerState.IDLE).device == "pulse"
    sounds_again(player)
    player.play(A)
    player.set_device("gone")
    assert "gone" in until(player, PlayerState.NO_DEVICE).message
    player.set_device(None)
    assert until(player, PlayerState.IDLE).device in names


def test_the_list_of_devices_without_a_server_is_empty(no_sound_server: SoundServer, tmp_path: Path) -> None:
    assert list_devices(tmp_path / "runtime") == ()
    assert list((tmp_path / "runtime").iterdir()) == []


def test_a_list_that_can_not_be_had_is_said(
    monkeypatch: pytest.MonkeyPatch, sound_server: SoundServer, tmp_path: Path
) -> None:
    monkeypatch.setattr("arena_desktop.audio.devices.host_command", lambda: [sys.executable, "-c", WITHOUT_PORTAUDIO])
    with pytest.raises(ArenaError, match="PortAudio is missing"):
        list_devices(tmp_path / "runtime")
    monkeypatch.setattr(
        "arena_desktop.audio.devices.host_command", lambda: [sys.executable, "-c", "raise SystemExit(3)"]
    )
    with pytest.raises(ArenaError, match="does not answer"):
        list_devices(tmp_path / "runtime")


def test_a_killed_sound_process_is_replaced_and_the_pair_is_there_again(make: Make, sound_server: SoundServer) -> None:
    player = make()
    player.set_volume(-2.0)
    until(player, PlayerState.IDLE)
    start_to_play(player)
    child_of(player).kill()
    status = until(player, PlayerState.FAILED)
    assert "signal 9" in status.message
    assert "again" in status.remedy
    assert until(player, PlayerState.IDLE).heard_a == 0.0
    player.play(B)
    wait_for("all of B", lambda: player.status().heard_b == 1.0)
    assert player.status().plays_a == 0
    assert player.command_log()[0]["volume_db"] == -2.0
    sounds_again(player)


def test_a_sound_process_that_hangs_is_replaced(make: Make, sound_server: SoundServer) -> None:
    clock = Clock()
    player = make(clock=clock)
    until(player, PlayerState.IDLE)
    child = child_of(player)
    child.suspend()
    clock.ahead = PATIENCE + 1
    assert "does not answer" in until(player, PlayerState.FAILED).message
    assert not child.is_running()
    until(player, PlayerState.IDLE)


def test_a_sound_process_that_does_not_read_never_holds_up_the_window(make: Make, sound_server: SoundServer) -> None:
    player = make()
    until(player, PlayerState.IDLE)
    child_of(player).suspend()
    for _ in range(5_000):
        player.set_volume(-1.0)
    assert "does not answer" in player.status().message
    until(player, PlayerState.IDLE)


def test_a_sound_process_that_never_starts_is_said_and_tried_again_at_leisure(make: Make, tmp_path: Path) -> None:
    clock = Clock()
    starts: list[int] = []

    def command() -> list[str]:
        starts.append(1)
        return [str(tmp_path / "no such program")]

    player = make(command=command, clock=clock)
    for _ in range(50):
        assert "can't be started" in player.status().message
    assert player.status().state is PlayerState.FAILED
    assert len(starts) == 2
    clock.ahead = 1.5
    player.status()
    player.status()
    assert len(starts) == 3


def test_a_pair_that_can_not_be_written_is_said_and_handed_over_later(
    make: Make, sound_server: SoundServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = make()
    until(player, PlayerState.IDLE)

    def full(path: Path, _pair: object) -> None:
        raise OSError(28, "No space left on device", str(path))

    with monkeypatch.context() as patch:
        patch.setattr("arena_desktop.audio.host.write_buffers", full)
        player.load(PAIR)
        status = until(player, PlayerState.FAILED)
    assert "No space left" in status.message
    assert "room" in status.remedy
    until(player, PlayerState.IDLE)
    player.play(B)
    wait_for("all of B", lambda: player.status().heard_b == 1.0)


def test_a_sound_process_does_not_outlive_its_window(sound_server: SoundServer, tmp_path: Path) -> None:
    runtime = tmp_path / "runtime"
    program = (
        "import sys, time; from pathlib import Path;"
        "from arena_desktop.audio.host import ProcessPlayer;"
        "from tests.helpers.sounds import as_prepared, babble;"
        "p = ProcessPlayer(Path(sys.argv[1]), Path(sys.argv[1]).parent / 'log'); p.start();"
        "p.load(as_prepared(babble(1), babble(1)));\n"
        "while not p.command_log(): p.status(); time.sleep(0.01)\n"
        "print('up', flush=True); time.sleep(60)"
    )
    window = subprocess.Popen(
        [sys.executable, "-c", program, str(runtime)], stdout=subprocess.PIPE, env=host_environment()
    )
    assert window.stdout is not None
    assert window.stdout.readline() == b"up\n"
    (child,) = psutil.Process(window.pid).children()
    os.kill(window.pid, signal.SIGKILL)
    window.wait()
    window.stdout.close()
    wait_for("the end of the sound process", lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)
    assert list(runtime.iterdir()) == []


def test_nothing_that_can_be_seen_from_outside_tells_the_sides_apart(
    make: Make, sound_server: SoundServer, tmp_path: Path
) -> None:
    player = make()
    until(player, PlayerState.IDLE)
    start_to_play(player)
    assert {path.suffix for path in (tmp_path / "runtime").iterdir()} == {".status", ".log"}
    arguments = child_of(player).cmdline()
    assert arguments[1:3] == ["-m", "arena_desktop.audio.player"]
    said = (tmp_path / "log" / "sound-process.log").read_text()
    assert said == ""
    assert not {"frames", "length"} & {key for entry in player.command_log() for key in entry}
