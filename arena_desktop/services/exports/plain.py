"""Numbers and names as text that no reader's machine can take for anything else, the same in every locale."""

import math
import unicodedata

from arena_desktop.harmless import one_line

__all__ = [
    "DASH",
    "MINUS",
    "bounds",
    "chance",
    "counted",
    "fixed",
    "one_line",
    "percent",
    "percent_with_bounds",
    "points",
    "rank_range",
    "whole_text",
]

DASH = "–"
MINUS = "−"

_PLACES = {"best": 4}  # an integral that is good to three places


def whole_text(text: str) -> str:
    """``text`` as it is but for what no file of text may hold: control characters and halves of characters."""
    return "".join(char if char in "\t\n\r" else _harmless(char) for char in text)


def _harmless(char: str) -> str:
    if char.isspace():
        return " "
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) in ("Cc", "Cs") else char


def points(value: float | None) -> str:
    """Elo points without decimals; a dash where there are none."""
    if value is None:
        return DASH
    whole = math.floor(value + 0.5)
    return f"{MINUS}{-whole}" if whole < 0 else str(whole)


def bounds(low: float | None, high: float | None) -> str:
    """Both ends of an interval."""
    return DASH if low is None or high is None else f"{points(low)} … {points(high)}"


def rank_range(low: int | None, high: int | None) -> str:
    """The ranks that are left open."""
    if low is None or high is None:
        return DASH
    return str(low) if low == high else f"{low}{DASH}{high}"


def percent(share: float | None) -> str:
    """A share 0–1 in percent; never 0 or 100 unless it is exactly that."""
    if share is None:
        return DASH
    if 0.0 < share < 0.01:
        return "< 1 %"
    if 0.99 < share < 1.0:
        return "> 99 %"
    return f"{math.floor(100.0 * share + 0.5)} %"


def chance(share: float | None) -> str:
    """A probability in percent that comes from a fit, and so is never sure."""
    if share is None:
        return DASH
    return "< 1 %" if share < 0.01 else "> 99 %" if share > 0.99 else percent(share)


def percent_with_bounds(share: float | None, low: float | None, high: float | None) -> str:
    """A share with its interval: ``97 % (95–98)``."""
    if share is None or low is None or high is None:
        return DASH
    return f"{percent(share)} ({math.floor(100.0 * low + 0.5)}{DASH}{math.floor(100.0 * high + 0.5)})"


def fixed(key: str, value: float) -> float:
    """The number of a row under ``key``, rounded so that the last digits, in which machines differ, are gone."""
    return round(value, _PLACES.get(key, 6)) + 0.0


def counted(number: int, one: str, many: str = "") -> str:
    """``1 vote``, ``2 votes``, ``12,345 votes``."""
    return f"1 {one}" if number == 1 else f"{number:,} {many or one + 's'}"
