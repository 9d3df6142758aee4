"""A change of latency takes hold at once: the output is opened anew."""

from pathlib import Path

import numpy as np

from arena_desktop.audio.host import ProcessPlayer
from arena_desktop.audio.levels import prepare_pair
from arena_desktop.audio.types import Clip, PlayerState
from arena_desktop.domain.votes import Side
from tests.helpers.sound_server import SoundServer, wait_for


def test_another_latency_opens_the_output_anew_and_plays_on(sound_server: SoundServer, tmp_path: Path) -> None:
    tone = Clip((0.1 * np.sin(np.arange(48_000) / 9)).astype(np.float32), 48_000)
    player = ProcessPlayer(tmp_path / "runtime", tmp_path / "logs", latency=0.05)
    try:
        player.start()
        player.load(prepare_pair(tone, tone))
        wait_for("the output", lambda: player.status().state is PlayerState.IDLE)
        first = _latency(sound_server)
        player.set_latency(0.2)
        wait_for("the output again", lambda: player.status().state is PlayerState.IDLE)
        player.play(Side.A)
        wait_for("the whole clip", lambda: player.status().heard_a == 1.0)
        assert _latency(sound_server) > 2 * first
    finally:
        player.close()


def _latency(server: SoundServer) -> int:
    """Microseconds of buffer that the server holds for our stream, as it lists them."""
    lines = server.pactl("list", "sink-inputs").splitlines()
    texts = [line.split(":")[1].split()[0] for line in lines if "Buffer Latency" in line]
    assert len(texts) == 1
    return int(texts[0])
