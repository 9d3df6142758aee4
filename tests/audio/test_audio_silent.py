"""The silent player's time."""

import pytest

from arena_desktop.audio.silent import SilentPlayer
from arena_desktop.audio.types import RATE, PlayerState
from arena_desktop.domain.votes import Side
from tests.helpers.sounds import as_prepared, babble


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_sound_passes_at_the_speed_asked_for() -> None:
    clock = Clock()
    player = SilentPlayer(speed=10.0, clock=clock)
    player.start()
    player.load(as_prepared(babble(2.0), babble(1.0)))
    player.play(Side.A)
    clock.now += 0.1005
    status = player.status()
    assert status.state is PlayerState.PLAYING
    assert status.heard_a == pytest.approx(0.5, abs=1 / RATE)
    clock.now += 0.1005
    assert player.status().state is PlayerState.IDLE
    assert player.status().heard_a == 1.0


def test_a_night_without_a_question_passes_in_no_time() -> None:
    clock = Clock()
    player = SilentPlayer(speed=50.0, clock=clock)
    player.start()
    player.load(as_prepared(babble(0.1), babble(0.1)))
    clock.now += 12 * 3600
    assert player.status().state is PlayerState.IDLE
    player.play(Side.B)
    assert player.command_log()[-1]["clock"] == pytest.approx(12 * 3600 * 50 * RATE, rel=1e-9)


def test_before_its_start_it_only_waits() -> None:
    player = SilentPlayer()
    player.play(Side.A)
    assert player.status().state is PlayerState.STARTING
    with pytest.raises(ValueError, match="speed"):
        SilentPlayer(speed=0.0)
