"""How many votes a verdict takes: the sample size for one pair at a given power.

With p the share of one model among the decided votes, the score z = (wins − losses) / √votes has mean (2p − 1)√n and
variance 4p(1 − p), so n = ((z_crit √v0 + z_power √v1) / (p − ½))² with v0 = ¼ and v1 = p(1 − p) (J. L. Fleiss,
*Statistical Methods for Rates and Proportions*, the sample size of one proportion).
"""

import math
from collections.abc import Callable

TWO_SIDED_5 = 1.959963984540054
"""The normal quantile of a two-sided test at 5 %."""

POWER_80 = 0.8416212335729143
"""The normal quantile of a power of 80 %."""

MOST_VOTES = 100_000
"""Beyond so many votes no number is named: a difference that takes more is none that anyone will settle."""

_SURELY = 0.999  # no model is taken to win always: a handful of votes can't show that


def votes_needed(share: float, critical: float = TWO_SIDED_5, power: float = POWER_80) -> float:
    """The decided votes after which a pair at ``share`` (0–1) is told apart, infinite at ½.

    ``critical`` standard errors make a verdict; ``power`` is the normal quantile of the chance that they are reached.
    """
    share = min(max(share, 1.0 - _SURELY), _SURELY)
    gap = abs(share - 0.5)
    if gap == 0.0:
        return math.inf
    return ((0.5 * critical + power * math.sqrt(share * (1.0 - share))) / gap) ** 2


def votes_until(share: float, critical: Callable[[float], float], power: float = POWER_80) -> float:
    """As :func:`votes_needed`, where the standard errors that make a verdict depend on the number of votes.

    Infinite beyond :data:`MOST_VOTES`.
    """

    def enough(votes: float) -> bool:
        return votes >= votes_needed(share, critical(votes), power)

    low, high = 0.0, 1.0
    while not enough(high):
        low, high = high, 2.0 * high
        if low > MOST_VOTES:
            return math.inf
    while high - low > 0.01:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def more_votes(needed: float, *, ties: float = 0.0, design: float = 1.0, there: float = 0.0) -> int | None:
    """How many votes must follow those that are ``there``, at least 1; None where no sensible number would do.

    ``needed`` are decided votes, each as good as one by a listener of its own. ``ties`` is the share of draws, which
    decide nothing. ``design`` is the design effect of listeners who vote repeatedly, (standard error clustered by
    listener / standard error of single votes)².
    """
    if ties >= 1.0 or not math.isfinite(needed):
        return None
    more = needed / (1.0 - ties) * max(1.0, design) - there
    return None if more > MOST_VOTES else max(1, math.ceil(more - 1e-9))
