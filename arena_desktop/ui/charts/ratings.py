"""The board as a picture: each model's rating with its interval, best on top, tiers as bands."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF
from PySide6.QtWidgets import QGraphicsRectItem

from arena_desktop.services.board_views import RatingBar
from arena_desktop.ui import text
from arena_desktop.ui.charts.chart import name_axis
from arena_desktop.ui.charts.drawn import Drawn, Spot
from arena_desktop.ui.charts.style import ChartStyle
from arena_desktop.ui.charts.ticks import linear_ticks, spread

LONGEST_NAME_EM = 14


def draw_ratings(plot: Any, bars: Sequence[RatingBar], style: ChartStyle) -> Drawn:
    """One row a model; models that no interval is known for get their dot alone."""
    from pyqtgraph import PlotDataItem, TextItem, mkBrush, mkPen

    known = [(row, bar) for row, bar in enumerate(bars) if bar.rating.value is not None]
    numbers = [n for _, bar in known for n in (bar.rating.low, bar.rating.value, bar.rating.high) if n is not None]
    if not numbers:
        plot.getAxis("left").setTicks([[]])
        plot.getAxis("bottom").setTicks([[]])
        return Drawn("No model has a rating yet.")
    left, right = spread(numbers)
    right += (right - left) * 0.08  # for the names of the tiers
    count = len(bars)
    plot.setXRange(left, right, padding=0)
    plot.setYRange(-count + 0.4, 0.6, padding=0)
    for first, last, tier in _tiers(bars):
        if tier is None:
            continue
        band = QGraphicsRectItem(QRectF(left, -last - 0.5, right - left, last - first + 1))
        band.setPen(Qt.PenStyle.NoPen)
        band.setBrush(QColor(style.tokens.sunken if tier % 2 else style.tokens.surface))
        band.setZValue(-20)
        plot.addItem(band)
        label = TextItem(f"Tier {tier}", color=style.tokens.muted, anchor=(1, 0))
        label.setFont(style.small)
        label.setPos(right, -first + 0.5)
        plot.addItem(label)
    spots = []
    for row, bar in known:
        value, low, high = bar.rating.value, bar.rating.low, bar.rating.high
        assert value is not None
        if low is not None and high is not None:
            pen = mkPen(style.clear(style.tokens.accent, 0.55), width=style.stroke(0.25), cap=Qt.PenCapStyle.RoundCap)
            plot.addItem(PlotDataItem([low, high], [-row, -row], pen=pen, antialias=True))
        spots.append(Spot(value, -row, _told(bar)))
    dots = PlotDataItem(
        [spot.x for spot in spots],
        [spot.y for spot in spots],
        pen=None,
        symbol="o",
        symbolSize=style.px(0.6),
        symbolBrush=mkBrush(style.tokens.accent),
        symbolPen=None,
        useCache=False,
        antialias=True,
    )
    plot.addItem(dots)
    _name_rows(plot, bars, style)
    plot.getAxis("bottom").setTicks([linear_ticks(left, right, 9)])
    bounded = any(bar.rating.low is not None for _, bar in known)
    name_axis(plot, "bottom", "Rating, with its 95 % interval" if bounded else "Rating", style)
    return Drawn(" ".join(spot.words for spot in spots), tuple(spots), height=count * 1.7 + 4)


def _tiers(bars: Sequence[RatingBar]) -> list[tuple[int, int, int | None]]:
    """(first row, last row, tier) of each run of rows in one tier, or in none."""
    runs: list[tuple[int, int, int | None]] = []
    for row, bar in enumerate(bars):
        if runs and runs[-1][2] == bar.tier:
            runs[-1] = (runs[-1][0], row, bar.tier)
        else:
            runs.append((row, row, bar.tier))
    return runs


def _name_rows(plot: Any, bars: Sequence[RatingBar], style: ChartStyle) -> None:
    metrics, widest = QFontMetricsF(style.small), style.px(LONGEST_NAME_EM)
    names = [metrics.elidedText(text.undirected(bar.model.name), Qt.TextElideMode.ElideRight, widest) for bar in bars]
    axis = plot.getAxis("left")
    axis.setTicks([[(-row, name) for row, name in enumerate(names)]])
    axis.setTextPen(style.tokens.text)
    axis.setWidth(max(metrics.horizontalAdvance(name) for name in names) + style.px(0.9))


def _told(bar: RatingBar) -> str:
    rating = bar.rating
    interval = ""
    if rating.low is not None and rating.high is not None:
        interval = f", 95 % interval {text.number(rating.low)} to {text.number(rating.high)}"
    tier = "" if bar.tier is None else f", tier {bar.tier}"
    return f"{bar.model.name}: rating {text.number(rating.value)}{interval}{tier}."
