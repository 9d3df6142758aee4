"""Joining what an engine spoke in parts."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from arena_desktop.engines.worker.speech.sound import bounds, joined, with_tail

RATE = 16000


def burst(lead: float, length: float, tail: float) -> NDArray[np.float32]:
    quiet = [np.zeros(round(seconds * RATE), np.float32) for seconds in (lead, tail)]
    times = np.arange(round(length * RATE)) / RATE
    return np.concatenate([quiet[0], (0.3 * np.sin(2 * np.pi * 200 * times)).astype(np.float32), quiet[1]])


def test_one_part_stays_as_it_is() -> None:
    sound = burst(0.3, 1.0, 0.5)
    assert np.array_equal(joined([(sound, 0.0)], RATE), sound)


@given(st.lists(st.floats(0.0, 0.6), min_size=2, max_size=2), st.floats(0.0, 0.5))
def test_the_pause_at_a_seam_is_the_one_asked_for_whatever_silence_was_there(
    silences: list[float], pause: float
) -> None:
    both = joined([(burst(0.1, 0.5, silences[0]), pause), (burst(silences[1], 0.5, 0.2), 0.0)], RATE)
    loud = np.flatnonzero(np.abs(both) > 0.01)
    gap = np.diff(loud).max() / RATE
    assert pause - 0.02 <= gap <= pause + 0.08
    assert loud[0] / RATE < 0.11
    assert (len(both) - loud[-1]) / RATE > 0.19


def test_no_click_at_a_seam() -> None:
    flat = np.full(RATE, 0.5, np.float32)
    both = joined([(flat, 0.1), (flat, 0.0)], RATE)
    assert np.abs(np.diff(both)).max() < 0.02
    assert both[0] == both[-1] == 0.5


def test_nothing_to_join() -> None:
    assert joined([], RATE).shape == (0,)
    assert joined([(np.zeros(0, np.float32), 0.3)], RATE).dtype == np.float32


def test_tails_come_out_equal() -> None:
    short, long = burst(0.1, 0.5, 0.3), burst(0.1, 0.5, 0.7)
    assert np.array_equal(with_tail(short, RATE, 0.15), with_tail(long, RATE, 0.15))
    assert abs(len(with_tail(short, RATE, 0.15)) - round(0.75 * RATE)) <= RATE // 50


def test_silence_has_no_bounds_but_its_ends() -> None:
    assert bounds(np.zeros(100, np.float32), RATE) == (0, 100)
    assert bounds(np.zeros(0, np.float32), RATE) == (0, 0)
