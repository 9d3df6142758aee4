"""What an audit says: one finding a check, its figures as numbers. Words are made of them elsewhere."""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad a finding is. ``OK``: looked for and not found. ``UNKNOWN``: too little data to tell."""

    OK = "ok"
    UNKNOWN = "unknown"
    NOTICE = "notice"
    WARNING = "warning"
    SERIOUS = "serious"

    @property
    def order(self) -> int:
        """0 for the mildest."""
        return list(Severity).index(self)

    @property
    def fires(self) -> bool:
        """Whether something was found."""
        return self.order >= Severity.NOTICE.order


@dataclass(frozen=True)
class Figures:
    """The numbers behind a finding; each check has its own kind. Models by their id; ratings in Elo points, shares
    0–1.
    """


@dataclass(frozen=True)
class Finding:
    """What one check found. ``needed``: about how many votes in all it takes before an ``UNKNOWN`` can be told, None
    where more votes alone would not do.
    """

    check: str
    severity: Severity
    figures: Figures
    needed: int | None = None


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


def listener_name(listener: Hashable) -> str:
    """The pseudonym; ``unnamed``, with the source where it is known, for those without one."""
    if isinstance(listener, str):
        return listener
    source = listener[0] if isinstance(listener, tuple) and listener else None
    return f"unnamed ({source})" if source else "unnamed"
