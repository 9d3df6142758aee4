"""Quantiles against printed tables."""

import pytest

from arena_desktop.ratings.quantiles import normal_upper, t_upper


@pytest.mark.parametrize(
    ("tail", "x"), [(0.5, 0.0), (0.025, 1.959963984540054), (0.005, 2.5758293035489), (1e-6, 4.753424308823)]
)
def test_the_normal_distribution(tail: float, x: float) -> None:
    assert normal_upper(tail) == pytest.approx(x, rel=1e-11, abs=1e-11)


# NIST/SEMATECH e-Handbook of Statistical Methods, table 1.3.6.7.2, and for one degree of freedom cot(π × tail).
@pytest.mark.parametrize(
    ("tail", "df", "x"),
    [
        (0.025, 1, 12.706204736432),
        (0.025, 4, 2.776),
        (0.025, 9, 2.262),
        (0.001, 4, 7.173),
        (0.005, 30, 2.750),
        (0.05, 100, 1.660),
        (1e-5, 1, 31830.988607),
    ],
)
def test_students_t(tail: float, df: float, x: float) -> None:
    assert t_upper(tail, df) == pytest.approx(x, rel=3e-4)


def test_t_with_two_degrees_of_freedom_has_a_closed_form() -> None:
    for tail in (0.4, 0.1, 0.025, 1e-4, 1e-8):
        p = 1 - 2 * tail
        assert t_upper(tail, 2) == pytest.approx(p * (2 / (1 - p * p)) ** 0.5, rel=1e-7)


def test_t_approaches_the_normal_from_above() -> None:
    rising = [t_upper(0.025, df) for df in (1e6, 1000.0, 40.0, 7.5, 4.0, 0.7)]
    assert rising == sorted(rising)
    assert rising[0] == pytest.approx(normal_upper(0.025), rel=2e-6)


@pytest.mark.parametrize("tail", [0.0, -0.1, 0.6, float("nan")])
def test_a_tail_that_is_none_is_refused(tail: float) -> None:
    with pytest.raises(ValueError, match="tail"):
        normal_upper(tail)


@pytest.mark.parametrize("df", [0.0, -1.0, float("nan")])
def test_no_degrees_of_freedom_are_refused(df: float) -> None:
    with pytest.raises(ValueError, match="degrees"):
        t_upper(0.025, df)
