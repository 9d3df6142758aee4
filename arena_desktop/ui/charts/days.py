"""How many votes were cast on each day."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from arena_desktop.services.board_views import Day
from arena_desktop.ui import text
from arena_desktop.ui.charts.chart import name_axis
from arena_desktop.ui.charts.drawn import Drawn, Spot
from arena_desktop.ui.charts.style import ChartStyle
from arena_desktop.ui.charts.ticks import linear_ticks

MOST_DATES = 8
LEAST_DAYS = 7


def draw_days(plot: Any, days: Sequence[Day], style: ChartStyle) -> Drawn:
    """A bar a day, days without votes included."""
    from pyqtgraph import BarGraphItem, mkBrush, mkPen

    axis, left = plot.getAxis("bottom"), plot.getAxis("left")
    if not days:
        axis.setTicks([[]])
        left.setTicks([[]])
        return Drawn("No vote has a date.")
    cast = [(date.fromisoformat(day.date).toordinal(), day.votes) for day in days]
    first, last = min(cast)[0], max(cast)[0]
    short = max(0, LEAST_DAYS - (last - first + 1)) / 2
    most = max(votes for _, votes in cast)
    bars = BarGraphItem(
        x=[day for day, _ in cast],
        height=[votes for _, votes in cast],
        width=0.8,
        brush=mkBrush(style.tokens.accent),
        pen=mkPen(style.tokens.surface, width=1),
    )
    plot.addItem(bars)
    plot.setXRange(first - 0.6 - short, last + 0.6 + short, padding=0)
    plot.setYRange(0, most * 1.08, padding=0)
    step = max(1, -(-(last - first + 1) // MOST_DATES))
    axis.setTicks([[(day, _short(day)) for day in range(first, last + 1, step)]])
    left.setTicks([linear_ticks(0, most * 1.08, 6, whole=True)])
    plot.showGrid(y=True, alpha=0.15)
    name_axis(plot, "left", "Votes", style)
    spots = tuple(Spot(day, votes, f"{_long(day)}: {text.counted(votes, 'vote')}.") for day, votes in sorted(cast))
    return Drawn(" ".join(spot.words for spot in spots), spots)


def _short(day: int) -> str:
    when = date.fromordinal(day)
    return f"{when.day} {when:%b}"


def _long(day: int) -> str:
    when = date.fromordinal(day)
    return f"{when.day} {when:%B %Y}"
