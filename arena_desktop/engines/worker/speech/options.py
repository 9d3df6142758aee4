"""Read a roster's settings, or refuse them with words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def unknown(settings: Mapping[str, Any], names: Sequence[str], whose: str) -> list[dict[str, str]]:
    """Entries for ``Engine.check``, one for each setting that ``whose`` does not have: a misspelt one must not pass for
    a used one.
    """
    known = ", ".join(names) or "none"
    return [
        {"what": f"a setting {name} of {whose}", "remedy": f"There is no such setting; there are: {known}."}
        for name in sorted(str(name) for name in settings)
        if name not in names
    ]


def known_only(settings: Mapping[str, Any], names: Sequence[str], whose: str) -> None:
    """EngineFault ``settings`` for a setting that ``whose`` does not have."""
    for entry in unknown(settings, names, whose)[:1]:
        raise EngineFault("settings", f"{entry['what'].capitalize()} was asked for.", entry["remedy"])
