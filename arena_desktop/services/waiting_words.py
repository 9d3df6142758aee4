"""Times that somebody waits for, in words: as exact as an estimate is, and no more."""

from dataclasses import dataclass

_WORTH_SAYING_S = 10.0
"""A shorter least time says next to nothing."""


@dataclass(frozen=True)
class Estimate:
    """Seconds that something takes; not ``whole``: at least, for what was never measured counts for nothing."""

    seconds: float
    whole: bool = True

    def times(self, share: float) -> "Estimate":
        """So many times as long."""
        return Estimate(self.seconds * share, self.whole)

    @property
    def words(self) -> str:
        """``about 6 min``, ``at least 6 min``."""
        return about(self.seconds) if self.whole else at_least(self.seconds)

    @property
    def left(self) -> str:
        """``about 6 min left``."""
        return f"{self.words} left" if self.whole or self.seconds >= _WORTH_SAYING_S else "time left not yet known"


def about(seconds: float) -> str:
    """``about 6 min``; under a minute in steps of ten seconds, from an hour on in halves of one."""
    if seconds < 5:
        return "a few seconds"
    if seconds < 55:
        return f"about {max(10, round(seconds / 10) * 10)} s"
    if seconds < 3570:
        return f"about {round(seconds / 60)} min"
    hours = round(seconds / 1800) / 2
    return f"about {hours:g} h"


def at_least(seconds: float) -> str:
    """``at least 6 min``: rounded down, so that it holds."""
    if seconds < _WORTH_SAYING_S:
        return "time not yet known"
    if seconds < 60:
        return f"at least {seconds // 10 * 10:.0f} s"
    if seconds < 3600:
        return f"at least {seconds // 60:.0f} min"
    return f"at least {seconds // 1800 / 2:g} h"


def within(seconds: float) -> str:
    """``within 40 s``: rounded up, so that it holds."""
    if seconds <= 5:
        return "within 5 s"
    if seconds <= 60:
        return f"within {-(-seconds // 10) * 10:.0f} s"
    return f"within {-(-seconds // 60):.0f} min"
