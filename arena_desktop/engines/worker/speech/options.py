"""Read a roster's settings, or refuse them with words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..faults import EngineFault


def number(settings: Mapping[str, Any], name: str, default: float, lowest: float, highest: float) -> float:
    """The number under ``name``; EngineFault ``settings`` when it is none or not within bounds."""
    value = settings.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not lowest <= value <= highest:
        raise EngineFault(
            "settings", f"The setting {name} is {value!r}.", f"Write a number from {lowest:g} to {highest:g}."
        )
    return float(value)


def whole(settings: Mapping[str, Any], name: str, default: int, lowest: int, highest: int) -> int:
    """The whole number under ``name``; EngineFault ``settings`` when it is none or not within bounds."""
    value = settings.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        raise EngineFault(
            "settings", f"The setting {name} is {value!r}.", f"Write a whole number from {lowest} to {highest}."
        )
    return value


def seed_of(settings: Mapping[str, Any], take: int) -> int:
    """The seed for a take: the setting ``seed`` (0) and the take, so that neither repeats the other's sounds."""
    return (whole(settings, "seed", 0, 0, 2**31 - 1) * 1_000_003 + take) % 2**32
