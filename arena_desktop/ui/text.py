"""Numbers as the screen writes them: true minus signs, thin words, dashes for what is unknown."""

DASH = "–"
_DIRECTIONS = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def undirected(words: str) -> str:
    """``words`` without the invisible marks that turn the direction of what stands around them."""
    return words.translate(_DIRECTIONS)


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
    """A share 0–1 in whole percent, never rounded up to 100 %."""
    if share is None:
        return DASH
    whole = int(share * 100 + 1e-9)
    return f"{whole} %"


def percent_span(low: float, high: float) -> str:
    """A range of shares in whole percent, e.g. ``81–95 %``; what is short of 100 % is not rounded up to it."""
    return f"{span(int(low * 100 + 1e-9), int(high * 100 + 1e-9))} %"


def chance(probability: float) -> str:
    """A probability in percent that never says never: ``< 1 %``, ``37 %``, ``> 99 %``."""
    whole = round(probability * 100)
    if whole < 1:
        return "< 1 %"
    return "> 99 %" if whole > 99 else f"{whole} %"


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
