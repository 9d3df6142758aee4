"""The share of acceptable battles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.ratings.acceptability import Share, acceptable


def test_no_battle_no_share() -> None:
    assert acceptable(0, 0) == Share(None, None, None)


# R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3: 81/263, 15/148, 0/20, 1/29.
@pytest.mark.parametrize(
    ("battles", "good", "low", "high"),
    [(263, 81, 0.2553, 0.3662), (148, 15, 0.0624, 0.1605), (20, 0, 0.0, 0.1611), (29, 1, 0.0061, 0.1718)],
)
def test_published_intervals(battles: int, good: int, low: float, high: float) -> None:
    found = acceptable(battles, battles - good)
    assert found.share == good / battles
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_the_interval_holds_the_share_and_mirrors(counts: tuple[int, int]) -> None:
    battles, bad = counts
    found, mirrored = acceptable(battles, bad), acceptable(battles, battles - bad)
    assert found.low is not None
    assert found.high is not None
    assert found.share is not None
    assert 0 <= found.low <= found.share <= found.high <= 1
    assert mirrored.low == pytest.approx(1 - found.high, abs=1e-12)
    wider = acceptable(4 * battles, 4 * bad)
    assert wider.low is not None
    assert wider.high is not None
    assert wider.high - wider.low < found.high - found.low
