"""Loudness and true peak against answers that the standards give, and against the recursion of the standard's text."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_desktop.audio.loudness import gain_to_target, gated_loudness, integrated_loudness, k_weighted, to_lufs
from arena_desktop.audio.resample import true_peak_db
from tests.helpers.sounds import babble, silence, tone

ONE_CHANNEL = 10 * math.log10(2)
"""LU by which one channel reads lower than the same sound in two: EBU Tech 3341 gives its answers for stereo."""


def test_a_full_scale_sine_in_one_channel_reads_minus_3_01() -> None:
    assert integrated_loudness(tone(5, peak_db=0.0)) == pytest.approx(-3.01, abs=0.005)


@pytest.mark.parametrize(
    ("steps", "stereo_answer"),
    [
        ([(-23.0, 20)], -23.0),
        ([(-33.0, 20)], -33.0),
        ([(-36.0, 10), (-23.0, 60), (-36.0, 10)], -23.0),
        ([(-72.0, 10), (-36.0, 10), (-23.0, 60), (-36.0, 10), (-72.0, 10)], -23.0),
        ([(-26.0, 20), (-20.0, 20.1), (-26.0, 20)], -23.0),
    ],
    ids=["case 1", "case 2", "case 3", "case 4", "case 5"],
)
def test_ebu_tech_3341_integrated(steps: list[tuple[float, float]], stereo_answer: float) -> None:
    sound = np.concatenate([tone(seconds, 1000.0, level) for level, seconds in steps])
    assert integrated_loudness(sound) == pytest.approx(stereo_answer - ONE_CHANNEL, abs=0.1)


def recursion(samples: NDArray[np.float32]) -> list[float]:
    """The two biquads of BS.1770-4, tables 1 and 2, sample by sample."""
    signal = [float(x) for x in samples]
    for b, a in (
        ((1.53512485958697, -2.69169618940638, 1.19839281085285), (-1.69065929318241, 0.73248077421585)),
        ((1.0, -2.0, 1.0), (-1.99004745483398, 0.99007225036621)),
    ):
        filtered, x1, x2, y1, y2 = [], 0.0, 0.0, 0.0, 0.0
        for x in signal:
            y = b[0] * x + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2
            filtered.append(y)
            x1, x2, y1, y2 = x, x1, y, y1
        signal = filtered
    return signal


@pytest.mark.parametrize("frames", [1, 4799, 8192, 24576, 24577, 60000])
def test_the_fast_filter_is_the_recursion_of_the_standard(frames: int) -> None:
    sound = babble(2)[:frames]
    assert np.abs(k_weighted(sound) - recursion(sound)).max() < 1e-12


def test_silence_and_less_than_one_block_have_no_loudness() -> None:
    assert integrated_loudness(silence(3)) == -math.inf
    assert integrated_loudness(tone(0.399)) == -math.inf
    assert to_lufs(0.0) == -math.inf


def test_quiet_sound_is_brought_to_the_target_although_it_lies_under_the_absolute_gate() -> None:
    powers = np.array([1e-9, 2e-9, 1.5e-9, 1e-13])
    assert gated_loudness(powers) == -math.inf
    assert gated_loudness(powers, gain_to_target(powers, -23.0)) == pytest.approx(-23.0, abs=1e-6)


@pytest.mark.parametrize(
    ("divisor", "degrees", "peak", "answer"),
    [(4, 0, 0.50, -6.0), (4, 45, 0.50, -6.0), (6, 60, 0.50, -6.0), (8, 67.5, 0.50, -6.0), (4, 45, 1.41, 3.0)],
    ids=["case 15", "case 16", "case 17", "case 18", "case 19"],
)
def test_ebu_tech_3341_true_peak(divisor: int, degrees: float, peak: float, answer: float) -> None:
    phase = 2 * np.pi * np.arange(48000) / divisor + math.radians(degrees)
    sound = (peak * np.sin(phase)).astype(np.float32)
    ramp = np.minimum(1.0, np.minimum(np.arange(48000), np.arange(48000)[::-1]) / 2400).astype(np.float32)
    assert answer - 0.4 <= true_peak_db(sound * ramp) <= answer + 0.2


def test_the_true_peak_of_nothing_is_minus_infinity() -> None:
    assert true_peak_db(silence(0)) == true_peak_db(silence(1)) == -math.inf
