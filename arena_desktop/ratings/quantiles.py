"""Quantiles of the normal and of Student's t distribution, by their upper tail.

The tail of t is half a regularised incomplete beta function, evaluated by its continued fraction (NIST Digital Library
of Mathematical Functions, 8.17.22) with Lentz's method.
"""

import math
from collections.abc import Callable

_TINY = 1e-300
_TERMS = 10_000


def normal_upper(tail: float) -> float:
    """The x that a standard normal variable exceeds with probability ``tail``, 0 < tail ≤ ½."""
    return _inverse(lambda x: 0.5 * math.erfc(x / math.sqrt(2.0)), tail)


def t_upper(tail: float, df: float) -> float:
    """The x that Student's t with ``df`` > 0 degrees of freedom (any real number) exceeds with probability ``tail``."""
    if not df > 0:
        raise ValueError(f"degrees of freedom must be above 0, not {df!r}")
    return _inverse(lambda x: 0.5 * _beta(0.5 * df, 0.5, df / (df + x * x)), tail)


def _inverse(upper: Callable[[float], float], tail: float) -> float:
    """The point where a falling ``upper`` equals ``tail``, by bisection to the last digit."""
    if not 0 < tail <= 0.5:
        raise ValueError(f"the tail must be above 0 and at most ½, not {tail!r}")
    low, high = 0.0, 1.0
    while upper(high) > tail:
        low, high = high, 2.0 * high
    while True:
        middle = 0.5 * (low + high)
        if not low < middle < high:
            return middle
        low, high = (middle, high) if upper(middle) > tail else (low, middle)


def _beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _fraction(a, b, x) / a
    return 1.0 - front * _fraction(b, a, 1.0 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, _inverse_of(1.0 - (a + b) * x / (a + 1.0))
    value = d
    for m in range(1, _TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = _inverse_of(1.0 + term * d)
            c = 1.0 + term / (c or _TINY)
            value *= d * c
        if abs(d * c - 1.0) < 1e-15:
            break
    return value


def _inverse_of(x: float) -> float:
    return 1.0 / (x or _TINY)
