"""An audit's findings in words: what was found, how bad it is for the ratings, what to do."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from arena_desktop.ratings.audit.finding import Finding, Interval, Severity

Name = Callable[[str], str]
"""The name of the model with this id."""


@dataclass(frozen=True)
class Words:
    """``found``, ``effect`` and ``remedy`` are whole sentences or empty; ``figures`` a label and a number each."""

    title: str
    found: str
    effect: str = ""
    remedy: str = ""
    figures: tuple[tuple[str, str], ...] = ()


def unknown(finding: Finding, reason: str = "") -> str:
    """That the check can't tell, and what it would take."""
    said = reason or "Too few votes to tell"
    return f"{said}." if finding.needed is None else f"{said}; about {about(finding.needed)} votes in all needed."


def can_tell(finding: Finding) -> bool:
    """Whether there was enough to look at."""
    return finding.severity is not Severity.UNKNOWN


def about(number: float) -> str:
    """Rounded up to two digits."""
    if number <= 10:
        return str(math.ceil(number))
    step = 10 ** (math.floor(math.log10(number)) - 1)
    return f"{math.ceil(number / step) * step:,}"


def points(value: float) -> str:
    """A difference in Elo points."""
    return f"{value:+.0f}".replace("-", "−") if round(value) else "0"


def spread(interval: Interval) -> str:
    """A difference with its interval."""
    return f"{points(interval.value)} ({points(interval.low)} to {points(interval.high)})"


def percent(share: float) -> str:
    """A share 0–1; a small one keeps a digit."""
    return f"{100 * share:.1f} %" if 0 < share < 0.1 else f"{100 * share:.0f} %"


def percents(interval: Interval) -> str:
    """A share with its interval."""
    digits = 1 if interval.high < 0.1 else 0
    return f"{percent(interval.value)} ({100 * interval.low:.{digits}f}–{100 * interval.high:.{digits}f})"


def times(number: int, one: str, many: str = "") -> str:
    """``1 vote``, ``2 votes``."""
    return f"1 {one}" if number == 1 else f"{number:,} {many or one + 's'}"


def listed(names: list[str] | tuple[str, ...], most: int = 4) -> str:
    """Names in a row; beyond ``most`` only how many more."""
    shown = list(names[:most])
    if len(names) > most:
        return f"{', '.join(shown)} and {len(names) - most} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


Wording = Callable[[Finding, Name], Words]
