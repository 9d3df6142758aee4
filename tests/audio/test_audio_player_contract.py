"""What every player keeps to, with a device and without."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from arena_desktop.audio.host import ProcessPlayer
from arena_desktop.audio.replay import render_log
from arena_desktop.audio.silent import SilentPlayer
from arena_desktop.audio.types import RATE, Player, PlayerState, PlayerStatus
from arena_desktop.domain.votes import Side
from tests.helpers.sound_server import wait_for
from tests.helpers.sounds import as_prepared, babble

A, B = Side.A, Side.B
PAIR = as_prepared(babble(0.4, 1), babble(0.3, 2))


@pytest.fixture(params=["process", "silent"])
def player(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Player]:
    made: Player
    if request.param == "process":
        request.getfixturevalue("sound_server")
        made = ProcessPlayer(tmp_path / "runtime", tmp_path / "log")
    else:
        made = SilentPlayer(speed=4.0)
    assert made.status().state is PlayerState.STARTING
    made.start()
    made.start()
    until(made, "ready", lambda status: status.state is PlayerState.IDLE)
    yield made
    made.close()
    made.close()
    if request.param == "process":
        assert list((tmp_path / "runtime").iterdir()) == []


def until(player: Player, what: str, true: Callable[[PlayerStatus], bool]) -> PlayerStatus:
    wait_for(what, lambda: true(player.status()))
    return player.status()


def play_to_the_end(player: Player, side: Side) -> PlayerStatus:
    player.play(side)
    return until(player, "the end", lambda s: s.state is PlayerState.IDLE)


def test_both_sides_are_played_and_counted(player: Player) -> None:
    generation = player.load(PAIR)
    assert player.status().generation == generation
    assert play_to_the_end(player, B).heard_b == 1.0
    status = play_to_the_end(player, A)
    assert (status.heard_a, status.heard_b) == (1.0, 1.0)
    assert (status.plays_a, status.plays_b, status.switches, status.first_played) == (1, 1, 1, B)
    assert status.position == 1.0
    assert status.rate == RATE
    assert status.generation == generation


def test_a_new_pair_starts_at_zero(player: Player) -> None:
    first = player.load(PAIR)
    play_to_the_end(player, A)
    second = player.load(PAIR)
    assert second == first + 1
    status = player.status()
    assert (status.generation, status.heard_a, status.plays_a, status.first_played) == (second, 0.0, 0, None)
    assert play_to_the_end(player, B).heard_a == 0.0


def test_pause_and_resume(player: Player) -> None:
    player.load(PAIR)
    player.play(A)
    until(player, "playing", lambda s: s.heard_a > 0.1)
    assert player.status().state is PlayerState.PLAYING
    assert player.status().side is A
    player.pause()
    held = until(player, "paused", lambda s: s.state is PlayerState.PAUSED)
    until(player, "a settled position", lambda s: s.state is PlayerState.PAUSED)
    assert held.heard_a < 1.0
    player.resume()
    assert until(player, "the end", lambda s: s.state is PlayerState.IDLE).heard_a == 1.0


def test_a_call_shows_in_the_status_at_once(player: Player) -> None:
    """Who polls must not take the moment before a side begins for the moment after its end."""
    player.load(PAIR)
    for side in (A, B, B):
        player.play(side)
        assert (player.status().state, player.status().side) == (PlayerState.PLAYING, side)
        player.pause()
        assert (player.status().state, player.status().side) == (PlayerState.PAUSED, side)
        player.resume()
        assert (player.status().state, player.status().side) == (PlayerState.PLAYING, side)
    until(player, "the end", lambda s: s.state is PlayerState.IDLE)
    player.play(A)
    player.load(PAIR)
    assert player.status().state is PlayerState.IDLE


def test_calls_that_make_no_sense_do_nothing(player: Player) -> None:
    player.play(A)
    player.pause()
    player.resume()
    player.unload()
    player.load(PAIR)
    player.resume()
    player.pause()
    until(player, "the log", lambda _: bool(player.command_log()))
    assert player.status().state is PlayerState.IDLE
    assert [entry["command"] for entry in player.command_log()] == ["load"]


def test_the_log_renders_what_was_played(player: Player) -> None:
    player.set_volume(-3.0)
    player.set_options(same_position=False, loop=False)
    player.load(PAIR)
    player.play(A)
    until(player, "some of A", lambda s: s.heard_a > 0.2)
    play_to_the_end(player, B)
    log = player.command_log()
    assert [(entry["command"], entry.get("side")) for entry in log] == [("load", None), ("play", "a"), ("play", "b")]
    assert log[0]["volume_db"] == -3.0
    again = render_log(log, PAIR)
    first = log[2]["first_frame"] - log[0]["clock"]
    gain = np.float32(10 ** (-3.0 / 20))
    assert np.array_equal(again[first + 240 : first + len(PAIR.b)], PAIR.b[240:] * gain)


def test_loop_and_same_position_are_obeyed(player: Player) -> None:
    player.set_options(same_position=True, loop=True)
    player.load(PAIR)
    player.play(A)
    until(player, "all of A", lambda s: s.heard_a == 1.0)
    assert player.status().state is PlayerState.PLAYING
    player.play(B)
    status = until(player, "B", lambda s: s.side is B and s.position > 0)
    assert status.plays_b == 1
    player.unload()
    assert until(player, "silence", lambda s: s.state is PlayerState.IDLE).heard_a == 0.0
    assert player.command_log() == [] or player.command_log()[-1]["command"] in ("stop", "unload")


def test_many_pairs_in_a_row_leave_the_last_one(player: Player) -> None:
    generations = [player.load(PAIR) for _ in range(20)]
    status = play_to_the_end(player, A)
    assert status.generation == generations[-1]
    assert status.plays_a == 1
    assert player.command_log()[0]["generation"] == generations[-1]
