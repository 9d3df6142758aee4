"""The share of a model's battles that were acceptable, meaning not voted ``both_bad``, with its interval."""

import math
from dataclasses import dataclass

from arena_desktop.ratings.quantiles import normal_upper

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Share:
    """A share 0–1 and its interval; all None without a battle."""

    share: float | None
    low: float | None
    high: float | None


def acceptable(battles: int, both_bad: int, confidence: float = CONFIDENCE) -> Share:
    """The share of ``battles`` that were not ``both_bad``, with E. B. Wilson's score interval (JASA 22, 1927)."""
    if not battles:
        return Share(None, None, None)
    z = normal_upper(0.5 * (1.0 - confidence))
    share = (battles - both_bad) / battles
    middle = share + z * z / (2 * battles)
    half = z * math.sqrt(share * (1.0 - share) / battles + z * z / (4.0 * battles * battles))
    whole = 1.0 + z * z / battles
    # The formula's ends touch 0 and 1 exactly when the share does; rounding must not cross them.
    return Share(share, max(0.0, min(share, (middle - half) / whole)), min(1.0, max(share, (middle + half) / whole)))
