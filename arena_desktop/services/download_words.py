"""Sizes, speeds and licences of downloads in words, the same in the window and in the terminal."""

from arena_desktop.domain.hub import license_named
from arena_desktop.domain.recipes import commercial_use_of, commercial_words


def size_words(size: float) -> str:
    """``12 kB``, ``3.4 MB``, ``1.25 GB``: decimal units."""
    if size < 1000:
        return f"{size:.0f} B"
    for unit, digits in (("kB", 0), ("MB", 1), ("GB", 2)):
        size /= 1000
        if round(size, digits) < 1000 or unit == "GB":
            return f"{size:,.{digits}f} {unit}"
    raise AssertionError


def progress_words(here: int, of: int) -> str:
    """``3.4 MB of 1.25 GB (0 %)``; never 100 % before the last byte."""
    share = 100 if here >= of else min(99, int(100 * here / of))
    return f"{size_words(here)} of {size_words(of)} ({share} %)"


def left_words(rate: float, seconds: float | None) -> str:
    """``4.1 MB/s, about 5 min left``; "" while that isn't known."""
    if rate <= 0:
        return ""
    speed = f"{size_words(rate)}/s"
    return speed if seconds is None else f"{speed}, about {time_words(seconds)} left"


def time_words(seconds: float) -> str:
    """``20 s``, ``5 min``, ``2.5 h``."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h" if seconds < 360_000 else "days"


def license_words(name: str, url: str = "") -> str:
    """The licence as the card names it, and whether that allows commercial use; or that it names none."""
    if not name:
        return f"not stated on its card{f' ({url})' if url else ''}: ask its owner before you use it."
    return f"{license_named(name, url)}. {commercial_words(commercial_use_of(name))}"
