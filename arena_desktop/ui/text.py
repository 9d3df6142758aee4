"""Numbers as the screen writes them: true minus signs, thin words, dashes for what is unknown."""

import math
import re
from collections.abc import Callable
from html import escape

DASH = "–"
_RUN = re.compile(r"[^\s/\\-]{25,}")
_DIRECTIONS = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def undirected(words: str) -> str:
    """``words`` without the invisible marks that turn the direction of what stands around them."""
    return words.translate(_DIRECTIONS)


def with_runs(words: str, shortened: Callable[[str], str]) -> str:
    """``words`` with each long run that no line can be broken in ``shortened``."""
    return _RUN.sub(lambda run: shortened(run[0]), words)


def tip(words: str) -> str:
    """``words`` of others for a tool tip, which takes for markup what looks like it."""
    return f"<qt>{escape(words)}</qt>".replace("\n", "<br>") if "<" in words else words


def number(value: float | None, digits: int = 0) -> str:
    """``value`` with ``digits`` decimals, a dash for None."""
    if value is None:
        return DASH
    return f"{value:.{digits}f}".replace("-", "−")


def signed(value: float, digits: int = 0) -> str:
    """``value`` with its sign always shown; what rounds to nothing is written ±0."""
    shown = f"{abs(value):.{digits}f}"
    if float(shown) == 0:
        return f"±{shown}"
    return f"{'+' if value > 0 else '−'}{shown}"


def percent(share: float | None) -> str:
    """A share 0–1 in whole percent, rounded half up; only what is exactly none or all is written 0 % or 100 %."""
    if share is None:
        return DASH
    if not _falsely_whole(share):
        return f"{_rounded(share, 0)} %"
    return "< 1 %" if share < 0.5 else "> 99 %"


def percent_span(low: float, high: float) -> str:
    """A range of shares in percent, e.g. ``81–95 %``. With a decimal, e.g. ``96.6–97.2 %``, where whole numbers would
    make one of two ends, or write an end as 0 or 100 that isn't.
    """
    ends = (low, high)
    if low < high and (_rounded(low, 0) == _rounded(high, 0) or any(_falsely_whole(end) for end in ends)):
        first, last = (_rounded(min(max(end, 0.001), 0.999) if 0 < end < 1 else end, 1) for end in ends)
    else:
        first, last = (percent(end).removesuffix(" %") for end in ends)
    return f"{first} %" if first == last else f"{first}–{last} %"


def chance(probability: float) -> str:
    """A probability in percent that never says never, as it is known from draws: ``< 1 %``, ``37 %``, ``> 99 %``."""
    return percent(min(max(probability, 1e-9), 1 - 1e-9))


def _rounded(share: float, digits: int) -> str:
    scale = 10**digits
    rounded = math.floor(share * 100 * scale + 0.5 + 1e-9) / scale
    return f"{rounded:.0f}" if share in (0, 1) else f"{rounded:.{digits}f}"


def _falsely_whole(share: float) -> bool:
    """Whether rounding makes none or all of what is neither."""
    return 0 < share < 1 and _rounded(share, 0) in ("0", "100")


def decibels(db: float) -> str:
    """A level change, e.g. ``−3 dB``."""
    return f"{signed(db)} dB" if round(db) else "0 dB"


def span(low: int | None, high: int | None) -> str:
    """A range of ranks, e.g. ``2–4``; one number when both ends agree."""
    if low is None or high is None:
        return DASH
    return str(low) if low == high else f"{low}–{high}"


def counted(n: int, one: str, many: str | None = None) -> str:
    """``1 vote``, ``2 votes``, ``3,000 votes``."""
    return f"{n:,} {one if n == 1 else (many or one + 's')}"


def count(n: int) -> str:
    """How many, thousands set apart: ``3,000``."""
    return f"{n:,}"
