"""The roster's settings for models that draw their words one by one: read, checked, handed to ``generate``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..faults import EngineFault
from ..speech.options import number, whole

#: Setting → (lowest, highest). Whole numbers are checked as such where both bounds are.
RANGES: dict[str, tuple[float, float]] = {
    "temperature": (0.05, 2.0),
    "top_k": (1, 10_000),
    "top_p": (0.05, 1.0),
    "repetition_penalty": (0.5, 2.0),
    "min_eos_p": (0.0, 1.0),
    "guidance": (1.0, 10.0),
    "max_new_tokens": (1, 10_000),
    "min_new_tokens": (0, 5_000),
}
_GENERATE_NAMES = {"guidance": "guidance_scale"}


def chosen(
    settings: Mapping[str, Any], *names: str, ranges: Mapping[str, tuple[float, float]] = {}
) -> dict[str, Any]:  # only read
    """The settings among ``names`` that are given, under the names of ``generate``; EngineFault for one out of range.
    ``ranges``: narrower ones for this architecture. A name such as ``coarse_temperature`` has the range of its ending.
    """
    return {
        _GENERATE_NAMES.get(name, name): _read(settings, name, ranges)
        for name in names
        if name in settings and name != "sample"
    } | _whether_to_sample(settings, names)


def capped(settings: Mapping[str, Any], most: int) -> int:
    """How many tokens may be drawn: ``most`` for this text, or the setting ``max_new_tokens`` if that is fewer."""
    asked = whole(settings, "max_new_tokens", 10_000, 1, 10_000)
    return max(1, min(most, asked))


def flag(settings: Mapping[str, Any], name: str, default: bool) -> bool:
    """The setting ``name`` as true or false; EngineFault when it is neither."""
    value = settings.get(name, default)
    if not isinstance(value, bool):
        raise EngineFault("settings", f"The setting {name} is {value!r}.", "Write true or false.")
    return value


def _whether_to_sample(settings: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {"do_sample": flag(settings, "sample", True)} if "sample" in names and "sample" in settings else {}


def _read(settings: Mapping[str, Any], name: str, ranges: Mapping[str, tuple[float, float]]) -> float | int:
    key = name if name in RANGES else name.partition("_")[2]
    lowest, highest = ranges.get(name, RANGES[key])
    if isinstance(lowest, int) and isinstance(highest, int):
        return whole(settings, name, lowest, lowest, highest)
    return number(settings, name, lowest, lowest, highest)
