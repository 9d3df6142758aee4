"""What drawing a chart gives back: its data in words, and the spots that a reader can point at."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Spot:
    """A point of a chart in its own coordinates, and what is to be said of it."""

    x: float
    y: float
    words: str


@dataclass(frozen=True)
class Drawn:
    """``description``: the data in sentences. ``spots`` from left to right or top to bottom. ``height``: what it needs
    in lines of text.
    """

    description: str
    spots: tuple[Spot, ...] = ()
    height: float = 16.0
