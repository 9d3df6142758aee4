"""Two clips made alike: what a listener must not be able to tell them apart by."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.audio.edges import extent
from arena_desktop.audio.levels import PEAK_LIMIT_DBTP, TOLERANCE_LU, UnusableClip, prepare_pair
from arena_desktop.audio.loudness import integrated_loudness
from arena_desktop.audio.resample import true_peak_db
from arena_desktop.audio.types import RATE, Clip
from arena_desktop.domain.votes import Side
from arena_desktop.errors import ArenaError
from tests.helpers.sounds import Samples, babble, clip, silence, tone


def onset(samples: Samples) -> int:
    """First frame that is not near silence, found without the code under test."""
    return int(np.argmax(np.abs(samples) > 0.02 * np.abs(samples).max()))


def offset(samples: Samples) -> int:
    """Frames after the last such frame."""
    return onset(samples[::-1])


def test_both_sides_come_out_at_the_target_and_at_one_rate() -> None:
    pair = prepare_pair(clip(babble(3, rate=24_000, rms=0.2), 24_000), clip(babble(2, 2, 0.01, 22_050), 22_050))
    assert pair.rate == RATE
    for samples, seconds, claimed in ((pair.a, 3, pair.lufs_a), (pair.b, 2, pair.lufs_b)):
        assert samples.dtype == np.float32
        assert len(samples) / RATE == pytest.approx(seconds, abs=0.05)
        assert integrated_loudness(samples) == pytest.approx(-23.0, abs=0.01)
        assert claimed == pytest.approx(integrated_loudness(samples), abs=0.001)
    assert pair.gain_a_db < 0 < pair.gain_b_db


def test_the_target_is_kept_as_asked() -> None:
    pair = prepare_pair(clip(babble(2)), clip(babble(2, 2)), target_lufs=-28.0)
    assert pair.target_lufs == -28.0
    assert integrated_loudness(pair.a) == pytest.approx(-28.0, abs=0.01)


def test_sides_do_not_matter() -> None:
    one, two = clip(babble(2)), clip(babble(1.5, 2), RATE)
    straight, crossed = prepare_pair(one, two), prepare_pair(two, one)
    assert np.array_equal(straight.a, crossed.b)
    assert np.array_equal(straight.b, crossed.a)


def test_a_clip_against_itself_is_the_same_sound_twice() -> None:
    pair = prepare_pair(clip(babble(2)), clip(babble(2)))
    assert np.array_equal(pair.a, pair.b)


def test_an_offset_is_removed() -> None:
    pair = prepare_pair(clip(babble(2) + np.float32(0.2)), clip(babble(2)))
    assert abs(float(pair.a.mean())) < 1e-4
    assert np.abs(pair.a - pair.b).max() < 1e-3


@pytest.mark.parametrize("strange", ["a", "b"])
@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda x: np.stack([x, x], axis=1), "not mono"),
        (lambda x: np.where(np.arange(len(x)) == 500, np.nan, x).astype(np.float32), "not numbers"),
        (lambda x: np.where(np.arange(len(x)) == 500, np.inf, x).astype(np.float32), "not numbers"),
        (lambda x: x[:0], "empty"),
        (lambda x: x * 0, "silent"),
        (lambda x: x * 0 + np.float32(0.5), "silent"),
        (lambda x: x * np.float32(1e-5), "silent"),
        (lambda x: (x * 32767).astype(np.int16), "int16"),
    ],
)
def test_a_clip_that_can_not_be_played_is_refused_and_its_side_named(
    spoil: Callable[[Samples], Samples], words: str, strange: str
) -> None:
    good, bad = clip(babble(1)), Clip(spoil(babble(1)), RATE)
    with pytest.raises(UnusableClip, match=words) as caught:
        prepare_pair(*((bad, good) if strange == "a" else (good, bad)))
    assert caught.value.side is Side(strange)
    assert "sample a" not in str(caught.value).lower()


@pytest.mark.parametrize("rate", [0, -1, 3_999, 10_000_000])
def test_a_strange_rate_is_refused(rate: int) -> None:
    with pytest.raises(UnusableClip, match="sample rate"):
        prepare_pair(clip(babble(1), rate), clip(babble(1)))


def test_a_very_quiet_clip_is_raised_to_the_target() -> None:
    pair = prepare_pair(clip(babble(2, rms=0.0004)), clip(babble(2, 2)))
    assert integrated_loudness(pair.a) == pytest.approx(-23.0, abs=0.01)
    assert pair.gain_a_db > 40


def test_peaks_lower_both_sides_alike_and_limit_neither() -> None:
    peaky = babble(3)
    peaky[[30_000, 70_000, 110_000]] = 1.0
    plain = babble(3, 2)
    pair = prepare_pair(clip(peaky), clip(plain))
    alone = prepare_pair(clip(plain), clip(plain))
    assert pair.lufs_a is not None
    assert pair.lufs_b is not None
    assert pair.lufs_b < -23.5
    assert abs(pair.lufs_a - pair.lufs_b) <= TOLERANCE_LU
    assert integrated_loudness(pair.a) == pytest.approx(integrated_loudness(pair.b), abs=TOLERANCE_LU)
    assert PEAK_LIMIT_DBTP - 0.2 < true_peak_db(pair.a) <= PEAK_LIMIT_DBTP
    # Only a gain came between: the plain side keeps its shape.
    gain = 10 ** ((pair.gain_b_db - alone.gain_b_db) / 20)
    assert np.abs(pair.b - alone.b * np.float32(gain)).max() < 1e-6


def test_a_pair_that_its_peaks_would_make_inaudible_is_refused() -> None:
    rumble = tone(2, 1.0, 0.0) + babble(2, rms=1e-6)
    with pytest.raises(ArenaError, match="too quiet"):
        prepare_pair(clip(rumble), clip(babble(2)))


def test_a_clip_under_400_ms_is_levelled_by_its_active_part_and_says_so() -> None:
    pair = prepare_pair(clip(babble(0.3, rms=0.01)), clip(babble(2, 2)))
    assert (pair.short_a, pair.short_b) == (True, False)
    assert pair.lufs_a is None
    assert pair.lufs_b == pytest.approx(-23.0, abs=0.01)
    # On the same scale: the short sound, repeated until it can be measured, is as loud as the other side.
    active = pair.a[extent(pair.a).lead :][: round(0.3 * RATE)]
    assert integrated_loudness(np.tile(active, 7)) == pytest.approx(-23.0, abs=0.6)


def test_silence_around_a_short_sound_does_not_make_it_long() -> None:
    padded = np.concatenate([silence(0.3), babble(0.3), silence(0.4)]) + babble(1.0, 5, rms=1e-5)
    pair = prepare_pair(clip(padded), clip(babble(0.3)))
    assert pair.short_a
    assert pair.short_b


def test_digital_silence_is_cut_and_near_silence_is_not() -> None:
    noise = babble(0.4, 3, rms=2e-5)
    spoken = babble(1.0)
    digital = np.concatenate([silence(0.7), spoken, silence(0.9)])
    near = np.concatenate([noise, spoken, noise])
    assert len(prepare_pair(clip(digital), clip(spoken)).a) < RATE * 1.03
    pair = prepare_pair(clip(near), clip(spoken))
    assert len(pair.a) >= len(near) - 1
    assert onset(pair.a) >= 0.4 * RATE
    assert abs(onset(pair.a) - onset(pair.b)) <= RATE // 1000


@settings(max_examples=40)
@given(
    leads=st.tuples(st.floats(0, 0.5), st.floats(0, 0.5)),
    tails=st.tuples(st.floats(0, 0.5), st.floats(0, 0.5)),
    floors=st.tuples(st.sampled_from([0.0, 1e-6, 3e-5]), st.sampled_from([0.0, 1e-6, 3e-5])),
    rates=st.tuples(st.sampled_from([16_000, 22_050, 24_000, 44_100, 48_000]), st.sampled_from([24_000, 48_000])),
    strengths=st.tuples(st.floats(-40, -3), st.floats(-40, -3)),
)
def test_sound_begins_and_ends_together_whatever_the_engines_left_around_it(
    leads: tuple[float, float],
    tails: tuple[float, float],
    floors: tuple[float, float],
    rates: tuple[int, int],
    strengths: tuple[float, float],
) -> None:
    made = []
    for lead, tail, floor, rate, strength, seconds in zip(
        leads, tails, floors, rates, strengths, (0.6, 0.9), strict=True
    ):
        sound = np.concatenate([silence(lead, rate), tone(seconds, 1500.0, strength, rate), silence(tail, rate)])
        scale = 10 ** (strength / 20)
        noise = np.random.default_rng(7).standard_normal(len(sound)).astype(np.float32)
        made.append(clip(sound + np.float32(floor * scale) * noise, rate))
    pair = prepare_pair(made[0], made[1])
    assert abs(onset(pair.a) - onset(pair.b)) <= RATE // 1000
    assert abs(offset(pair.a) - offset(pair.b)) <= RATE // 1000
    for samples, seconds in ((pair.a, 0.6), (pair.b, 0.9)):
        sounding = len(samples) - onset(samples) - offset(samples)
        assert sounding / RATE == pytest.approx(seconds, abs=0.004)
        assert abs(float(samples[0])) < 1e-4
        assert abs(float(samples[-1])) < 1e-4
    assert pair.lufs_a is not None
    assert pair.lufs_b is not None
    assert abs(integrated_loudness(pair.a) - integrated_loudness(pair.b)) <= TOLERANCE_LU
    assert max(true_peak_db(pair.a), true_peak_db(pair.b)) <= PEAK_LIMIT_DBTP


def test_where_sound_lies_does_not_depend_on_its_level() -> None:
    sound = np.concatenate([silence(0.1), babble(0.5), silence(0.2)])
    assert extent(sound) == extent(sound * np.float32(0.01))
    assert extent(sound).lead == pytest.approx(0.1 * RATE, abs=2)
    assert extent(sound).tail == pytest.approx(0.2 * RATE, abs=2)


def test_gains_are_finite_numbers() -> None:
    pair = prepare_pair(clip(babble(1, rms=0.3)), clip(babble(0.1)))
    assert all(math.isfinite(gain) for gain in (pair.gain_a_db, pair.gain_b_db))
