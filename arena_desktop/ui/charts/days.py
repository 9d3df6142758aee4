"""How many votes were cast on each day."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from arena_desktop.services.board_views import Day
from arena_desktop.ui import text
from arena_desktop.ui.charts.chart import name_axis
from arena_desktop.ui.charts.drawn import Drawn, Spot
from arena_desktop.ui.charts.style import ChartStyle
from arena_desktop.ui.charts.ticks import linear_ticks

MOST_DATES = 8
LEAST_DAYS = 7


@dataclass(frozen=True)
class Calendar:
    """The bars, and how many days each stands for."""

    days: tuple[Day, ...]
    span: int = 1


def draw_days(plot: Any, calendar: Calendar, style: ChartStyle) -> Drawn:
    """A bar a day (or a longer span), those without votes included. x counts days from the first: a file with small
    numbers keeps them exact.
    """
    from pyqtgraph import BarGraphItem, mkBrush, mkPen

    axis, left = plot.getAxis("bottom"), plot.getAxis("left")
    days, span = calendar.days, calendar.span
    if not days:
        axis.setTicks([[]])
        left.setTicks([[]])
        return Drawn("No vote has a date.")
    start = min(date.fromisoformat(day.date) for day in days)
    cast = [((date.fromisoformat(day.date) - start).days, day.votes) for day in days]
    last = max(cast)[0] + span - 1
    short = max(0, LEAST_DAYS - (last + 1)) / 2
    most = max(votes for _, votes in cast)
    bars = BarGraphItem(
        x=[day + (span - 1) / 2 for day, _ in cast],
        height=[votes for _, votes in cast],
        width=span - 0.2,
        brush=mkBrush(style.tokens.accent),
        pen=mkPen(style.tokens.surface, width=style.stroke(0.06)),
    )
    plot.addItem(bars)
    plot.setXRange(-0.6 - short, last + 0.6 + short, padding=0)
    plot.setYRange(0, most * 1.08, padding=0)
    step = max(1, -(-(last + 1) // MOST_DATES))
    axis.setTicks([[(day, _short(start + timedelta(day))) for day in range(0, last + 1, step)]])
    left.setTicks([linear_ticks(0, most * 1.08, 6, whole=True, counts=True)])
    plot.showGrid(y=True, alpha=0.15)
    name_axis(plot, "left", "Votes" if span == 1 else f"Votes in {span} days", style)
    since = "" if span == 1 else f"{span} days from "
    spots = tuple(
        Spot(day + (span - 1) / 2, votes, f"{since}{_long(start + timedelta(day))}: {text.counted(votes, 'vote')}.")
        for day, votes in sorted(cast)
    )
    return Drawn(" ".join(spot.words for spot in spots), spots)


def _short(when: date) -> str:
    return f"{when.day} {when:%b}"


def _long(when: date) -> str:
    return f"{when.day} {when:%B %Y}"
