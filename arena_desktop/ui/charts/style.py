"""How charts look: the theme's colours, and inks for models that differ for colour-blind eyes too."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont

from arena_desktop.ui.theme import Theme
from arena_desktop.ui.tokens import Tokens

LIGHT_INKS = ("#0072b2", "#c44e00", "#00795a", "#a8488f", "#7a6200", "#2b7fb8", "#332288", "#8c1d40")
DARK_INKS = ("#6cb8f0", "#ff9e4a", "#3fc99a", "#e58fd0", "#f0e442", "#a9d6ff", "#b9a7ff", "#ff9aa8")
"""After Okabe and Ito, each at least 3:1 against the ground of a chart."""

_STROKES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
_SYMBOLS = ("o", "s", "t", "d", "t1", "p", "h", "star")


@dataclass(frozen=True)
class Ink:
    """How one model is drawn among several: colour, stroke and sign together never repeat within 32 models."""

    color: str
    stroke: Qt.PenStyle
    symbol: str


@dataclass(frozen=True)
class ChartStyle:
    """The look in force, handed to each function that draws. ``em``: a line of text in pixels; ``density``: how many
    dots of what is drawn on make a pixel.
    """

    tokens: Tokens
    dark: bool
    em: float
    font: QFont
    small: QFont
    density: float = 1.0

    def px(self, share: float) -> int:
        """``share`` of a line of text in whole pixels."""
        return max(1, round(self.em * share))

    def stroke(self, share: float) -> float:
        """The width of a line in a plot: its pens count dots."""
        return max(1.0, self.em * share) * self.density

    def ink(self, place: int) -> Ink:
        """The ink of the model at ``place``."""
        inks = DARK_INKS if self.dark else LIGHT_INKS
        turn = place // len(inks)
        return Ink(inks[place % len(inks)], _STROKES[turn % len(_STROKES)], _SYMBOLS[(place + turn) % len(_SYMBOLS)])

    def clear(self, color: str, opacity: float) -> QColor:
        """``color``, let through."""
        shade = QColor(color)
        shade.setAlphaF(opacity)
        return shade


def style_of(theme: Theme, density: float = 1.0) -> ChartStyle:
    """The style that goes with the theme in force."""
    return ChartStyle(theme.tokens, theme.dark, theme.em, theme.font(), theme.font(0.9), density)
