"""What really arrives at a sound card, compared with what the command log says was played."""

import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from arena_desktop.audio.envelope import DIP, FALL, RISE
from arena_desktop.audio.host import ProcessPlayer
from arena_desktop.audio.levels import prepare_pair
from arena_desktop.audio.loudness import integrated_loudness
from arena_desktop.audio.reference import with_reference
from arena_desktop.audio.replay import render_log
from arena_desktop.audio.types import PlayerState, PlayerStatus, PreparedPair
from arena_desktop.domain.votes import Side
from tests.helpers.sound_server import SoundServer, wait_for
from tests.helpers.sounds import Samples, as_prepared, babble, clip

A, B = Side.A, Side.B


@pytest.fixture
def player(sound_server: SoundServer, tmp_path: Path) -> Iterator[ProcessPlayer]:
    # More latency than in real use: here it is proved what is played, and the machine may be busy with other tests.
    made = ProcessPlayer(tmp_path / "runtime", tmp_path / "log", latency=0.2)
    made.start()
    wait_for("a device", lambda: made.status().state is PlayerState.IDLE)
    yield made
    made.close()


def until(player: ProcessPlayer, what: str, true: Callable[[PlayerStatus], bool]) -> PlayerStatus:
    wait_for(what, lambda: true(player.status()))
    return player.status()


def play_to_the_end(player: ProcessPlayer, side: Side) -> None:
    player.play(side)
    until(player, "the end", lambda s: s.state is PlayerState.IDLE)


def aligned(recorded: Samples, expected: Samples) -> tuple[Samples, Samples]:
    """Both from their first frame that is not zero to the last such frame of what is expected."""
    start, here = np.flatnonzero(expected)[0], np.flatnonzero(recorded)[0]
    length = int(np.flatnonzero(expected)[-1]) + 1 - start
    return recorded[here : here + length], expected[start : start + length]


def test_a_session_arrives_to_the_bit_as_its_log_renders_it(player: ProcessPlayer, sound_server: SoundServer) -> None:
    pair = as_prepared(babble(1.2, 1), babble(1.0, 2))
    recorder = sound_server.record()
    player.load(pair)
    player.play(B)
    actions: list[Callable[[], None]] = [
        lambda: player.play(A),
        lambda: player.play(A),
        lambda: player.set_volume(-7.3),
        lambda: player.play(B),
        player.pause,
        player.resume,
        lambda: player.set_options(same_position=True, loop=True),
        lambda: player.play(A),
        lambda: player.set_volume(0.0),
        lambda: player.play(B),
        player.pause,
        lambda: player.play(A),
    ]
    random = np.random.default_rng(5)
    for action in actions:
        time.sleep(float(random.uniform(0.03, 0.15)))
        action()
    player.set_options(same_position=False, loop=False)
    play_to_the_end(player, B)
    log = player.command_log()
    recorded = recorder.both()
    wait_for("the end at the sink", lambda: recorder.frames > len(recorded) + 30_000)
    both = recorder.both()
    recorder.stop(tail=0.0)
    assert player.status().underflows == 0
    assert len(log) == 1 + 1 + len(actions) + 2
    got, expected = aligned(both[:, 0], render_log(log, pair))
    assert np.array_equal(got, expected)
    assert np.array_equal(both[:, 0], both[:, 1])


def test_a_pair_arrives_gapless_in_order_and_equally_loud(player: ProcessPlayer, sound_server: SoundServer) -> None:
    pair = prepare_pair(clip(babble(1.0, 1, 0.2, 24_000), 24_000), clip(babble(0.8, 2, 0.01, 22_050), 22_050))
    recorder = sound_server.record()
    player.load(pair)
    play_to_the_end(player, A)
    play_to_the_end(player, B)
    status, log = player.status(), player.command_log()
    recorded = recorder.stop()
    assert (status.heard_a, status.heard_b) == (1.0, 1.0)
    starts = [entry["first_frame"] - log[0]["clock"] for entry in log if entry["command"] == "play"]
    rendered = render_log(log, pair)
    shift = int(np.flatnonzero(recorded)[0]) - int(np.flatnonzero(rendered)[0])
    loudness = []
    for start, samples in zip(starts, (pair.a, pair.b), strict=True):
        heard = recorded[start + shift : start + shift + len(samples)]
        assert np.array_equal(heard[DIP:], samples[DIP:])
        loudness.append(integrated_loudness(heard))
    assert abs(loudness[0] - loudness[1]) <= 0.2
    assert loudness[0] == pytest.approx(-23.0, abs=0.1)


def test_the_dip_is_the_same_on_every_press(player: ProcessPlayer, sound_server: SoundServer) -> None:
    """With a constant on both sides only the dips are left to be seen, each of them whole and to the bit."""
    level = np.float32(0.25)
    flat = np.full(48_000 * 4, level)
    recorder = sound_server.record()
    player.load(as_prepared(flat, flat))
    for press, side in enumerate((A, A, B, B, A)):
        player.play(side)
        before = player.status().position
        until(player, "some more", lambda s, p=press: s.plays_a + s.plays_b == p + 1 and s.position > 0.02)  # type: ignore[misc]
        assert before >= 0
    player.unload()
    recorded = recorder.stop()
    sounding = np.flatnonzero(recorded)
    lowest = [
        i
        for i in range(sounding[0] + DIP, sounding[-1] - DIP)
        if recorded[i] < recorded[i - 1] and recorded[i + 1] >= recorded[i]
    ]
    assert len(lowest) == 4
    dip = np.concatenate([level * FALL, level * RISE])
    for bottom in lowest:
        assert np.array_equal(recorded[bottom + 1 - DIP : bottom + 1 + DIP], dip)


def test_shares_heard_are_exactly_what_was_delivered(player: ProcessPlayer, sound_server: SoundServer) -> None:
    pair: PreparedPair = as_prepared(babble(2.0, 1), babble(2.0, 2))
    player.load(pair)
    player.play(A)
    until(player, "some of A", lambda s: s.heard_a > 0.2)
    player.play(A)
    until(player, "some of A again", lambda s: s.plays_a == 2 and s.position > 0.05)
    player.play(B)
    until(player, "some of B", lambda s: s.heard_b > 0.3)
    player.pause()
    status = until(player, "a pause", lambda s: s.state is PlayerState.PAUSED)
    time.sleep(0.3)
    status = player.status()
    plays = [entry for entry in player.command_log() if entry["command"] in ("play", "pause")]
    spans = [(one["first_frame"], two["clock"] + DIP) for one, two in itertools.pairwise(plays)]
    a_frames = max(stop - start for start, stop in spans[:2])
    b_frames = spans[2][1] - spans[2][0]
    assert status.heard_a == a_frames / len(pair.a)
    assert status.heard_b == b_frames / len(pair.b)


def test_the_reference_arrives_to_the_bit_as_loud_as_the_sides_and_counts_as_nothing_heard(
    player: ProcessPlayer, sound_server: SoundServer
) -> None:
    pair = prepare_pair(clip(babble(1.0, 1, 0.2, 24_000), 24_000), clip(babble(0.8, 2, 0.01, 22_050), 22_050))
    pair = with_reference(pair, clip(babble(1.1, 3, 0.003, 32_000), 32_000))
    assert pair.reference is not None
    recorder = sound_server.record()
    player.load(pair)
    player.play_reference()
    until(player, "the reference", lambda s: s.reference)
    until(player, "its end", lambda s: s.state is PlayerState.IDLE)
    status = player.status()
    assert (status.heard_a, status.heard_b, status.plays_a + status.plays_b) == (0.0, 0.0, 0)
    play_to_the_end(player, A)
    player.play_reference()
    until(player, "the reference again", lambda s: s.reference and s.position > 0.2)
    play_to_the_end(player, B)
    log = player.command_log()
    recorded = recorder.stop()
    got, expected = aligned(recorded, render_log(log, pair))
    assert np.array_equal(got, expected)
    first = got[: len(pair.reference)]
    assert abs(integrated_loudness(first) - integrated_loudness(pair.a)) <= 0.2
