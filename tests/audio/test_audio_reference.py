"""The clip that both sides clone: as loud as they are whatever the file is, and never counted."""

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from arena_desktop.audio.envelope import DIP, FALL, RISE
from arena_desktop.audio.host import write_buffers
from arena_desktop.audio.levels import prepare_pair
from arena_desktop.audio.loaded import LoadedPair
from arena_desktop.audio.loudness import integrated_loudness
from arena_desktop.audio.player import read_pair
from arena_desktop.audio.reference import LONGEST_S, read_reference, with_reference
from arena_desktop.audio.renderer import Mode, Renderer
from arena_desktop.audio.replay import render_log
from arena_desktop.audio.resample import true_peak_db
from arena_desktop.audio.silent import SilentPlayer
from arena_desktop.audio.types import RATE, Clip, PlayerState, PreparedPair
from arena_desktop.domain.votes import Side
from arena_desktop.errors import ArenaError
from tests.helpers.rendering import Timed, render
from tests.helpers.sounds import as_prepared, babble, clip, silence, tone

A, B = Side.A, Side.B
ONE = np.full(6_000, 0.5, dtype=np.float32)
TWO = np.full(4_000, -0.25, dtype=np.float32)
THIRD = np.full(3_000, 0.125, dtype=np.float32)
TRIPLE = replace(as_prepared(ONE, TWO), reference=THIRD)


def with_three(**options: bool) -> Renderer:
    renderer = Renderer()
    renderer.send("options", **{"same_position": False, "loop": False, **options})
    renderer.send("load", pair=LoadedPair.of(TRIPLE))
    return renderer


def pair_of_two() -> PreparedPair:
    return prepare_pair(clip(babble(1.5, 1)), clip(babble(2.0, 2, rms=0.2)))


def kept(path: Path) -> Clip:
    return read_reference(path, hashlib.sha256(path.read_bytes()).hexdigest())


@pytest.mark.parametrize(("ending", "rate"), [("wav", 8_000), ("flac", 44_100), ("mp3", 22_050), ("ogg", 48_000)])
@pytest.mark.parametrize("channels", [1, 2])
def test_any_file_becomes_as_loud_as_the_pair(ending: str, rate: int, channels: int, tmp_path: Path) -> None:
    path = tmp_path / f"clip.{ending}"
    sound = babble(2.0, 5, rms=0.003, rate=rate)
    soundfile.write(path, np.stack([sound, 0.5 * sound][:channels], axis=1), rate)
    made = with_reference(pair_of_two(), kept(path))
    assert made.reference is not None
    assert abs(len(made.reference) / RATE - 2.0) < 0.1
    for samples in (made.a, made.b):
        assert abs(integrated_loudness(made.reference) - integrated_loudness(samples)) < 0.1
    before = pair_of_two()
    assert np.array_equal(made.a, before.a)
    assert (made.gain_a_db, made.lufs_b) == (before.gain_a_db, before.lufs_b)


def test_peaks_of_the_reference_lower_all_three_alike() -> None:
    sound = babble(2.0, 3, rms=0.01)
    sound[RATE] = 0.3
    before = pair_of_two()
    made = with_reference(before, clip(sound))
    assert made.reference is not None
    assert true_peak_db(made.reference) <= -1.0
    assert made.gain_a_db < before.gain_a_db - 1
    assert made.gain_a_db - before.gain_a_db == pytest.approx(made.gain_b_db - before.gain_b_db)
    heard = [integrated_loudness(samples) for samples in (made.a, made.b, made.reference)]
    assert max(heard) - min(heard) < 0.1
    assert made.lufs_a == pytest.approx(heard[0])


def test_a_short_reference_beside_short_sides_is_levelled_too() -> None:
    pair = prepare_pair(clip(babble(0.2, 1)), clip(babble(0.3, 2)))
    made = with_reference(pair, clip(babble(0.25, 1, rms=0.9)))
    assert made.reference is not None
    heard = [float(np.sqrt(np.mean(np.square(samples)))) for samples in (made.a, made.reference)]
    assert 0.7 < heard[0] / heard[1] < 1.4


def test_what_can_not_be_read_is_said_without_a_name(tmp_path: Path) -> None:
    path = tmp_path / "xtts-me.wav"
    soundfile.write(path, babble(1.0), RATE)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(ArenaError, match="changed") as changed:
        read_reference(path, "0" * 64)
    path.write_bytes(b"no sound at all")
    with pytest.raises(ArenaError, match="no form that can be played") as odd:
        kept(path)
    path.unlink()
    with pytest.raises(ArenaError, match="can't be read") as gone:
        read_reference(path, digest)
    os.mkfifo(path)  # nobody will ever write into it
    with pytest.raises(ArenaError, match="can't be read"):
        read_reference(path, digest)
    assert not any("xtts" in str(error.value) for error in (changed, odd, gone))
    for bad in (silence(1.0), np.full(RATE, np.nan, np.float32), np.zeros(0, np.float32)):
        with pytest.raises(ArenaError, match="silent or damaged"):
            with_reference(pair_of_two(), clip(bad))
    spike = silence(2.0)
    spike[RATE] = 1.0
    with pytest.raises(ArenaError, match="peaks"):
        with_reference(pair_of_two(), clip(spike + tone(2.0, peak_db=-50)))


def test_of_a_long_file_a_minute_is_read(tmp_path: Path) -> None:
    path = tmp_path / "long.wav"
    soundfile.write(path, babble(LONGEST_S + 3, rate=4_000), 4_000)
    assert len(kept(path).samples) == LONGEST_S * 4_000


def test_it_is_copied_to_the_bit_and_counts_nowhere() -> None:
    renderer = with_three()
    out = render(renderer, [(0, "play", {"side": A}), (2_000, "reference", {})], 6_000)
    assert np.array_equal(out[2_000 : 2_000 + DIP], np.float32(0.5) * FALL)
    first = 2_000 + DIP
    assert np.array_equal(out[first : first + DIP], np.float32(0.125) * RISE)
    assert (out[first + DIP : first + len(THIRD)] == np.float32(0.125)).all()
    assert not out[first + len(THIRD) :].any()
    now = renderer.snapshot()
    assert (now.plays, now.switches, now.first_played, now.mode) == ((1, 0), 0, A, Mode.IDLE)
    assert now.heard == (2_000, 0)
    assert (now.side, now.reference, now.position, now.reference_length) == (None, True, 3_000, 3_000)


@pytest.mark.parametrize("first", [0, 50, 1_000])
def test_a_side_ends_it_and_the_other_way_round(first: int) -> None:
    out = render(with_three(), [(0, "reference", {}), (first, "play", {"side": B})], 6_000)
    assert (out[first + 2 * DIP : first + DIP + len(TWO)] == np.float32(-0.25)).all()


def test_it_starts_over_at_every_press_and_is_never_repeated() -> None:
    renderer = with_three(same_position=True, loop=True)
    out = render(renderer, [(0, "play", {"side": A}), (3_000, "reference", {}), (4_000, "reference", {})], 20_000)
    assert (out[4_000 + 2 * DIP : 4_000 + DIP + len(THIRD)] == np.float32(0.125)).all()
    assert not out[4_000 + DIP + len(THIRD) :].any()
    assert not renderer.endless
    ramp = np.linspace(0.1, 0.2, 6_000, dtype=np.float32)
    renderer = Renderer()
    renderer.send("options", same_position=True, loop=False)
    renderer.send("load", pair=LoadedPair.of(replace(as_prepared(ramp, ramp), reference=THIRD)))
    out = render(renderer, [(0, "play", {"side": A}), (3_000, "reference", {}), (4_000, "play", {"side": B})], 12_000)
    assert np.array_equal(out[4_000 + 2 * DIP : 4_000 + 3_000], ramp[DIP : 3_000 - DIP])


def test_it_pauses_and_goes_on() -> None:
    renderer = with_three()
    commands: list[Timed] = [(0, "reference", {}), (1_000, "pause", {}), (5_000, "resume", {})]
    out = render(renderer, commands, 9_000)
    assert np.count_nonzero(out) == pytest.approx(len(THIRD), abs=3)


def test_without_one_the_press_does_nothing() -> None:
    renderer = Renderer()
    renderer.send("load", pair=LoadedPair.of(as_prepared(ONE, TWO)))
    assert not render(renderer, [(0, "reference", {})], 3_000).any()
    assert not renderer.snapshot().reference
    assert [entry["command"] for entry in renderer.log] == ["load"]


def test_what_was_heard_is_rendered_again_from_the_log() -> None:
    renderer = Renderer()
    renderer.send("load", pair=LoadedPair.of(TRIPLE))
    out = render(renderer, [(0, "play", {"side": A}), (1_000, "reference", {}), (2_000, "play", {"side": B})], 9_000)
    assert np.array_equal(render_log(renderer.log, TRIPLE, frames=9_000), out)


def test_the_hand_over_file_carries_it(tmp_path: Path) -> None:
    for pair in (TRIPLE, as_prepared(ONE, TWO)):
        write_buffers(tmp_path / "pair", pair)
        third = [] if pair.reference is None else [len(pair.reference)]
        taken = read_pair(tmp_path / "pair", [len(pair.a), len(pair.b), *third], 7)
        assert taken.has_reference is (pair.reference is not None)
        assert np.array_equal(taken.samples[B], pair.b)
        assert taken.peak == 0.5


def test_the_silent_player_tells_of_it_and_counts_nothing() -> None:
    now = [0.0]
    player = SilentPlayer(clock=lambda: now[0])
    player.start()
    player.load(TRIPLE)
    player.play_reference()
    now[0] = (DIP + 1_500) / RATE
    playing = player.status()
    assert (playing.state, playing.reference, playing.side) == (PlayerState.PLAYING, True, None)
    assert playing.position == pytest.approx(0.5, abs=0.01)
    now[0] = 1.0
    ended = player.status()
    assert ended.state is PlayerState.IDLE
    assert (ended.heard_a, ended.heard_b, ended.plays_a, ended.plays_b, ended.first_played) == (0, 0, 0, 0, None)
