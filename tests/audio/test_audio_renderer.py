"""What comes out of the renderer, to the bit, without any device."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.audio.envelope import CEILING, DIP, FALL, RISE, VOLUME_RAMP
from arena_desktop.audio.renderer import Mode, Renderer
from arena_desktop.audio.replay import render_log
from arena_desktop.domain.votes import Side
from tests.helpers.rendering import Timed, loaded, render
from tests.helpers.sounds import Samples, as_prepared, babble, counting, tone

A, B = Side.A, Side.B
ONE = np.full(6_000, 0.5, dtype=np.float32)
TWO = np.full(4_000, -0.25, dtype=np.float32)


def with_pair(a: Samples = ONE, b: Samples = TWO) -> Renderer:
    renderer = Renderer()
    renderer.send("load", pair=loaded(a, b))
    return renderer


def press(clock: int, side: Side) -> Timed:
    return (clock, "play", {"side": side})


def test_a_side_is_copied_to_the_bit_between_its_fades() -> None:
    sound = babble(0.2)
    out = render(with_pair(sound, TWO), [press(0, A)], len(sound) + 2 * DIP)
    assert not out[:DIP].any()
    assert np.array_equal(out[DIP : 2 * DIP], sound[:DIP] * RISE)
    assert np.array_equal(out[2 * DIP : DIP + len(sound)], sound[DIP:])
    assert not out[DIP + len(sound) :].any()


@pytest.mark.parametrize("moment", [1_000, 1_001, 2_345])
def test_pressing_the_same_side_sounds_like_pressing_the_other(moment: int) -> None:
    """The dip must not tell whether the side changed: with both sides alike nothing differs."""
    alike = babble(0.2)
    same = render(with_pair(alike, alike), [press(0, A), press(moment, A)], 8_000)
    other = render(with_pair(alike, alike), [press(0, A), press(moment, B)], 8_000)
    assert np.array_equal(same, other)


def test_every_press_is_out_then_in_and_starts_over() -> None:
    out = render(with_pair(), [press(0, A), press(2_000, B), press(4_000, B)], 6_000)
    for moment, before, after in ((2_000, 0.5, -0.25), (4_000, -0.25, -0.25)):
        assert np.array_equal(out[moment : moment + DIP], np.float32(before) * FALL)
        assert np.array_equal(out[moment + DIP : moment + 2 * DIP], np.float32(after) * RISE)
        assert (out[moment + 2 * DIP : moment + 1_000] == np.float32(after)).all()


def test_the_first_frame_comes_at_the_same_distance_from_every_press() -> None:
    """From silence, from the middle of a side, from a fade, and from a pause; the log names the frame."""
    ramp = counting(5_000)
    renderer = with_pair(ramp, ramp)
    moments = [0, 1_000, 1_100, 1_290, 2_000]
    commands = [*(press(moment, B) for moment in moments), (3_000, "pause", {}), press(3_500, A)]
    out = render(renderer, commands, 6_000)
    firsts = [entry["first_frame"] for entry in renderer.log if entry["command"] == "play"]
    assert firsts == [moment + DIP for moment in [*moments, 3_500]]
    for first in (0 + DIP, 2_000 + DIP, 3_500 + DIP):
        assert np.array_equal(out[first : first + DIP], ramp[:DIP] * RISE)


def test_a_press_within_a_dip_fades_on_from_where_it_is() -> None:
    out = render(with_pair(), [press(0, A), press(2_000, B), press(2_100, A)], 4_000)
    assert np.abs(np.diff(out)).max() < 0.5 * 1.05 * np.pi / 2 / DIP
    assert (out[2_100 + 2 * DIP : 3_500] == 0.5).all()


def test_pause_holds_and_resume_goes_on() -> None:
    ramp = counting(9_000)
    renderer = with_pair(ramp, TWO)
    out = render(renderer, [press(0, A), (2_000, "pause", {}), (5_000, "resume", {})], 12_000)
    assert not out[2_000 + DIP : 5_000].any()
    assert renderer.snapshot().mode is Mode.IDLE
    # Not a frame is skipped: what follows the fade out is what the fade in begins with.
    assert np.array_equal(out[5_000 + DIP : 5_000 + 2 * DIP], ramp[2_000 + DIP : 2_000 + 2 * DIP])
    assert renderer.snapshot().heard[0] == len(ramp)


def test_a_pause_before_the_side_has_begun_holds_at_its_first_frame() -> None:
    renderer = with_pair()
    out = render(renderer, [press(0, A), (100, "pause", {})], 2_000)
    assert not out.any()
    assert renderer.snapshot().mode is Mode.PAUSED
    assert renderer.snapshot().position == 0
    assert render(renderer, [(2_000, "resume", {})], 3_000).any()


def test_pause_and_resume_within_one_dip() -> None:
    renderer = with_pair()
    out = render(renderer, [press(0, A), (1_000, "pause", {}), (1_050, "resume", {})], 3_000)
    assert (out[1_000 + 2 * DIP :] == 0.5).all()
    assert renderer.snapshot().mode is Mode.PLAYING


def test_what_makes_no_sense_does_nothing() -> None:
    renderer = Renderer()
    commands: list[Timed] = [press(0, A), (0, "pause", {}), (0, "resume", {}), (0, "stop", {}), (0, "unload", {})]
    assert not render(renderer, commands, 100).any()
    assert not renderer.log
    renderer.send("load", pair=loaded(ONE, TWO))
    assert not render(renderer, [(100, "pause", {}), (100, "resume", {})], 100).any()
    assert [entry["command"] for entry in renderer.log] == ["load"]


def test_same_position_goes_on_where_the_other_side_was() -> None:
    a = counting(9_000)
    b = -a
    renderer = with_pair(a, b)
    renderer.send("options", same_position=True, loop=False)
    out = render(renderer, [press(0, A), press(2_000, B), press(4_000, B)], 6_000)
    plain = 2_000 + 2 * DIP
    assert np.array_equal(out[plain:4_000], b[plain - DIP : 4_000 - DIP])
    plain = 4_000 + 2 * DIP
    assert np.array_equal(out[plain:6_000], b[plain - DIP : 6_000 - DIP])


def test_same_position_starts_over_where_there_is_nothing_to_go_on_with() -> None:
    renderer = with_pair(ONE, TWO)
    renderer.send("options", same_position=True, loop=False)
    render(renderer, [press(0, A), press(5_500, B)], 5_500 + DIP)
    assert renderer.snapshot().position == 0
    render(renderer, [], 10_000)
    assert renderer.snapshot().mode is Mode.IDLE
    render(renderer, [press(renderer.clock, A)], DIP + 10)
    assert renderer.snapshot().position == 10


def test_two_quick_presses_from_silence_start_over_as_one_does() -> None:
    renderer = with_pair(ONE, TWO)
    renderer.send("options", same_position=True, loop=False)
    render(renderer, [press(0, B), press(8_000, A), press(8_100, A)], 8_100 + DIP + 10)
    assert renderer.snapshot().position == 10


def test_loop_repeats_without_counting_plays_and_options_hold_from_the_next_play() -> None:
    renderer = with_pair()
    render(renderer, [press(0, A), (100, "options", {"same_position": False, "loop": True})], 20_000)
    assert renderer.snapshot().mode is Mode.IDLE
    out = render(renderer, [press(20_000, A)], 20_000)
    assert renderer.snapshot().mode is Mode.PLAYING
    assert renderer.snapshot().plays == (2, 0)
    assert (out[2 * DIP :] == 0.5).all()
    assert renderer.snapshot().heard[0] == len(ONE)


def test_heard_counts_distinct_frames() -> None:
    renderer = with_pair()
    render(renderer, [press(0, A), press(1_000, A), press(2_500, B)], 3_000)
    # A was cut off at its frame 1,000 (the fade out of the first press included), then at 1,500; B ran for 260 frames.
    assert renderer.snapshot().heard == (1_500, 260)
    render(renderer, [press(3_000, A)], 20_000)
    assert renderer.snapshot().heard == (6_000, 500)


def test_plays_switches_and_the_side_first_played_are_counted() -> None:
    renderer = with_pair()
    moments = [(0, B), (1_000, B), (2_000, A), (9_000, A), (20_000, B)]
    render(renderer, [press(clock, side) for clock, side in moments], 30_000)
    snapshot = renderer.snapshot()
    assert snapshot.plays == (2, 3)
    assert snapshot.switches == 2
    assert snapshot.first_played is B


def test_load_fades_out_what_sounds_and_starts_all_counts_anew() -> None:
    renderer = with_pair()
    out = render(
        renderer,
        [press(0, A), (2_000, "load", {"pair": loaded(TWO, ONE, generation=2)}), press(2_000, A)],
        3_000,
    )
    assert np.array_equal(out[2_000 : 2_000 + DIP], np.float32(0.5) * FALL)
    # The press waited for the new pair.
    assert np.array_equal(out[2_000 + 2 * DIP : 2_000 + 3 * DIP], np.float32(-0.25) * RISE)
    snapshot = renderer.snapshot()
    assert (snapshot.generation, snapshot.plays, snapshot.switches) == (2, (1, 0), 0)
    render(renderer, [(3_000, "unload", {})], 1_000)
    assert renderer.snapshot().generation == 0


def test_halt_is_silent_at_once_and_keeps_the_counts() -> None:
    renderer = with_pair()
    out = render(renderer, [press(0, A), (1_000, "halt", {})], 2_000)
    assert not out[1_000:].any()
    assert renderer.snapshot().mode is Mode.IDLE
    assert renderer.snapshot().heard == (1_000 - DIP, 0)


def test_volume_walks_in_20_ms_and_is_the_same_for_both_sides() -> None:
    change = (3_000, "volume", {"db": -6.0})
    a = render(with_pair(TWO, ONE), [press(0, B), change], 5_000)
    b = render(with_pair(ONE, TWO), [press(0, A), change], 5_000)
    assert np.array_equal(a, b)
    gain = a[3_000:] / np.float32(0.5)
    assert gain[0] == pytest.approx(1.0, abs=1e-5)
    assert (np.diff(gain) <= 0).all()
    assert gain[VOLUME_RAMP:] == pytest.approx(10 ** (-6 / 20), abs=1e-6)


def test_a_raised_volume_clips_neither_side() -> None:
    loud = tone(0.5, peak_db=-2.0)
    quiet = tone(0.5, peak_db=-12.0)
    renderer = with_pair(loud, quiet)
    out = render(renderer, [(0, "volume", {"db": 6.0}), press(2_000, A), press(30_000, B)], 60_000)
    assert np.abs(out[:30_000]).max() == pytest.approx(CEILING, abs=1e-4)
    assert np.abs(out[30_300:]).max() == pytest.approx(CEILING / 10 ** (10 / 20), abs=1e-4)


def test_there_is_no_click_in_a_dip() -> None:
    a, b = tone(1, 300.0, -6.0), tone(1, 700.0, -6.0)
    for phase in range(0, 300, 37):
        out = render(with_pair(a, b), [press(0, A), press(4_800 + phase, B)], 20_000).astype(np.float64)
        piece = out[4_600 + phase : 4_600 + phase + 2_048] * np.hanning(2_048)
        spectrum = np.abs(np.fft.rfft(piece)) / (2_048 / 4)
        assert 20 * np.log10(spectrum[6_000 * 2_048 // 48_000 :].max()) < -80


def commands() -> st.SearchStrategy[list[Timed]]:
    other: list[tuple[str, dict[str, Any]]] = [
        ("pause", {}),
        ("resume", {}),
        ("stop", {}),
        ("halt", {}),
        ("underflow", {}),
    ]
    one = st.one_of(
        st.sampled_from([("play", {"side": A}), ("play", {"side": B})]),
        st.sampled_from(other),
        st.builds(lambda db: ("volume", {"db": db}), st.floats(-20, 6)),
        st.builds(lambda s, lo: ("options", {"same_position": s, "loop": lo}), st.booleans(), st.booleans()),
    )
    timed = st.lists(st.tuples(st.integers(0, 12_000), one), max_size=12)
    return timed.map(lambda found: [(clock, name, arguments) for clock, (name, arguments) in sorted(found, key=first)])


def first(timed: tuple[Any, ...]) -> int:
    return int(timed[0])


@settings(max_examples=60)
@given(commands(), st.integers(1, 700), st.integers(0, 600))
def test_blocks_do_not_matter_and_the_log_renders_the_same_again(script: list[Timed], block: int, start: int) -> None:
    a, b = babble(0.1, 1), babble(0.08, 2)
    script = [(clock + start, name, arguments) for clock, name, arguments in script]
    renders = []
    for size in (1 << 14, block):
        renderer = Renderer()
        out = render(renderer, [(start, "load", {"pair": loaded(a, b)}), *script], 15_000, size)
        renders.append((out, list(renderer.log), renderer.snapshot()))
    assert np.array_equal(renders[0][0], renders[1][0])
    assert renders[0][1:] == renders[1][1:]
    out, log, _ = renders[0]
    assert np.array_equal(render_log(log, as_prepared(a, b), frames=15_000 - start), out[start:])


@settings(max_examples=40)
@given(commands(), st.lists(st.integers(0, 12_000), max_size=3), st.integers(1, 700))
def test_blocks_do_not_matter_across_several_pairs(script: list[Timed], changes: list[int], block: int) -> None:
    sides = [babble(0.1, seed) for seed in range(1, 6)]
    renders = []
    for size in (1 << 14, block):
        loads: list[Timed] = [(0, "load", {"pair": loaded(sides[3], sides[4], 9)})]
        loads += [(at, "load", {"pair": loaded(sides[n], sides[n + 1], n)}) for n, at in enumerate(changes)]
        renderer = Renderer()
        out = render(renderer, sorted([*loads, *script], key=first), 15_000, size)
        renders.append((out, list(renderer.log), renderer.snapshot()))
    assert np.array_equal(renders[0][0], renders[1][0])
    assert renders[0][1:] == renders[1][1:]


def test_a_log_is_rendered_to_its_end() -> None:
    renderer = with_pair()
    out = render(renderer, [press(100, A), press(3_000, B), (5_000, "unload", {})], 8_000)
    again = render_log(list(renderer.log), as_prepared(ONE, TWO))
    assert np.array_equal(again, out[: len(again)])
    assert not out[len(again) :].any()


def test_a_log_of_an_endless_loop_needs_a_length_and_one_without_a_load_is_refused() -> None:
    renderer = with_pair()
    render(renderer, [(0, "options", {"same_position": False, "loop": True}), press(0, A)], 1_000)
    with pytest.raises(ValueError, match="looped"):
        render_log(list(renderer.log), as_prepared(ONE, TWO))
    with pytest.raises(ValueError, match="load"):
        render_log([], as_prepared(ONE, TWO))


def test_only_silence_may_be_skipped() -> None:
    renderer = with_pair()
    render(renderer, [], 10)
    assert renderer.settled
    renderer.skip(1_000)
    assert renderer.clock == 1_010
    render(renderer, [press(1_010, A)], 10)
    with pytest.raises(RuntimeError):
        renderer.skip(1)


def test_a_side_without_frames_is_refused() -> None:
    with pytest.raises(ValueError, match="both sides"):
        loaded(ONE, ONE[:0])
