"""The two sides of a battle and the four votes."""

from enum import StrEnum


class Side(StrEnum):
    """A side of a battle; also the value of ``listening.first_played``."""

    A = "a"
    B = "b"

    @property
    def other(self) -> "Side":
        """The opposite side."""
        return Side.B if self is Side.A else Side.A


class Vote(StrEnum):
    """A listener's verdict, as it stands in the log."""

    A = "a"
    B = "b"
    TIE = "tie"
    BOTH_BAD = "both_bad"
