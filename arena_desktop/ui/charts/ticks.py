"""Where an axis has its marks."""

import math
from collections.abc import Sequence

_STEPS = (1.0, 2.0, 5.0)


def nice_step(span: float, most: int) -> float:
    """The smallest step of 1, 2 or 5 times a power of ten that gives at most ``most`` marks over ``span``."""
    if span <= 0:
        return 1.0
    base = 10.0 ** math.floor(math.log10(span / most))
    return next(step * base for step in (*_STEPS, 10.0) if span / (step * base) <= most + 1e-9)


def linear_ticks(
    low: float, high: float, most: int, *, whole: bool = False, counts: bool = False
) -> list[tuple[float, str]]:
    """Marks at round numbers between ``low`` and ``high``; ``whole``: only at whole ones;
    ``counts``: with their thousands set apart.
    """
    step = nice_step(high - low, most)
    if whole:
        step = max(1.0, round(step))
    apart = "," if counts else ""
    first, digits = math.ceil(low / step - 1e-9), max(0, -math.floor(math.log10(step) + 1e-9))
    marks = [n * step for n in range(first, math.floor(high / step + 1e-9) + 1)]
    return [(mark, f"{mark:{apart}.{digits}f}".replace("-", "−")) for mark in marks]


def log_ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Marks at 1, 2 and 5 times powers of ten between ``low`` and ``high`` (both above 0), placed at their log10."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in (_STEPS, (1.0, 3.0), (1.0,)):
        marks = [step * 10.0**decade for decade in decades for step in steps if low <= step * 10.0**decade <= high]
        if len(marks) <= most:
            break
    return [(math.log10(mark), f"{mark:g}") for mark in marks]


def spread(values: Sequence[float], room: float = 0.06) -> tuple[float, float]:
    """A range that holds ``values`` with some room on both sides."""
    low, high = min(values), max(values)
    extra = (high - low) * room or max(1.0, abs(high) * room)
    return low - extra, high + extra
