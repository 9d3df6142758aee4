"""Rating against what a model costs: its size or its speed. What another model beats in both is greyed."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from arena_desktop.services.board_views import FrontPoint
from arena_desktop.ui import text
from arena_desktop.ui.charts.chart import keep_arranged, name_axis
from arena_desktop.ui.charts.drawn import Drawn, Spot
from arena_desktop.ui.charts.style import ChartStyle
from arena_desktop.ui.charts.ticks import linear_ticks, log_ticks, spread

LONGEST_NAME_EM = 11
_DECADE = 10.0


@dataclass(frozen=True)
class Front:
    """The points, and what their x is: its name, and how one value is said (``{}`` stands for the number)."""

    points: tuple[FrontPoint, ...]
    axis: str
    told: str


def draw_front(plot: Any, front: Front, style: ChartStyle) -> Drawn:
    """Points with intervals; the best of each cost are joined by a line; x is logarithmic where it spans a decade."""
    from pyqtgraph import PlotDataItem, mkBrush, mkPen

    points = [point for point in front.points if point.rating.value is not None and point.x > 0]
    if not points:
        plot.getAxis("left").setTicks([[]])
        plot.getAxis("bottom").setTicks([[]])
        return Drawn("No model with a rating has this number.")
    xs = [point.x for point in points]
    log = max(xs) / min(xs) >= _DECADE / 3
    place = log10 if log else float
    left, right = spread([place(x) for x in xs], 0.1)
    right += (right - left) * 0.12  # for the names at the right
    numbers = [n for p in points for n in (p.rating.low, p.rating.value, p.rating.high) if n is not None]
    low, high = spread(numbers)
    plot.setXRange(left, right, padding=0)
    plot.setYRange(low, high, padding=0)
    plot.showGrid(x=True, y=True, alpha=0.12)
    best = _rising([(place(p.x), p.rating.value or 0.0) for p in points if not p.dominated])
    if len(best) > 1:
        pen = mkPen(style.clear(style.tokens.accent, 0.5), width=style.stroke(0.1), style=Qt.PenStyle.DashLine)
        plot.addItem(PlotDataItem([x for x, _ in best], [y for _, y in best], pen=pen, antialias=True))
    for point in points:
        color = style.tokens.line_strong if point.dominated else style.tokens.accent
        if point.rating.low is not None and point.rating.high is not None:
            pen = mkPen(style.clear(color, 0.5), width=style.stroke(0.12))
            ends = [point.rating.low, point.rating.high]
            plot.addItem(PlotDataItem([place(point.x)] * 2, ends, pen=pen, antialias=True))
    for dominated in (True, False):
        some = [point for point in points if point.dominated is dominated]
        color = style.tokens.line_strong if dominated else style.tokens.accent
        dots = PlotDataItem(
            [place(point.x) for point in some],
            [point.rating.value for point in some],
            pen=None,
            symbol="o" if not dominated else "s",
            symbolSize=style.px(0.6 if not dominated else 0.5),
            symbolBrush=mkBrush(style.tokens.surface if dominated else color),
            symbolPen=mkPen(color, width=style.stroke(0.12)),
            useCache=False,
            antialias=True,
        )
        plot.addItem(dots)
    bottom = plot.getAxis("bottom")
    bottom.setTicks([log_ticks(_DECADE**left, _DECADE**right, 8) if log else linear_ticks(left, right, 8)])
    plot.getAxis("left").setTicks([linear_ticks(low, high, 7)])
    name_axis(plot, "bottom", front.axis, style)
    name_axis(plot, "left", "Rating, with its 95 % interval", style)
    spots = tuple(Spot(place(p.x), p.rating.value or 0.0, _told(p, front)) for p in sorted(points, key=lambda p: p.x))
    _name_points(plot, points, [place(p.x) for p in points], style)
    return Drawn(" ".join(spot.words for spot in spots), spots, height=20)


def _rising(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """What is better than everything that costs less."""
    found: list[tuple[float, float]] = []
    for x, y in sorted(points, key=lambda point: (point[0], -point[1])):
        if not found or y > found[-1][1]:
            found.append((x, y))
    return found


def _told(point: FrontPoint, front: Front) -> str:
    rating = point.rating
    interval = ""
    if rating.low is not None and rating.high is not None:
        interval = f", 95 % interval {text.number(rating.low)} to {text.number(rating.high)}"
    beaten = " Another model is surely better and costs no more." if point.dominated else ""
    what = front.told.format(f"{point.x:.3g}")
    return f"{point.model.name}: {what}, rating {text.number(rating.value)}{interval}.{beaten}"


def _name_points(plot: Any, points: Sequence[FrontPoint], xs: Sequence[float], style: ChartStyle) -> None:
    """A name beside each point, where there is room for it; the best are named first. The readout names the others."""
    from pyqtgraph import TextItem

    metrics, box = QFontMetricsF(style.small), plot.getViewBox()
    labels = []
    for point, x in zip(points, xs, strict=True):
        name = metrics.elidedText(
            text.undirected(point.model.name), Qt.TextElideMode.ElideRight, style.px(LONGEST_NAME_EM)
        )
        label = TextItem(name, color=style.tokens.muted if point.dominated else style.tokens.text, anchor=(0, 0.5))
        label.setFont(style.small)
        label.setPos(x, point.rating.value or 0.0)
        plot.addItem(label)
        labels.append((label, metrics.horizontalAdvance(name) + 8, metrics.height() + 2))
    order = sorted(range(len(points)), key=lambda n: (points[n].dominated, -(points[n].rating.value or 0.0)))

    def arrange() -> None:
        wide_, tall = box.width(), box.height()
        room = QRectF(0, 0, wide_, tall)
        (left, right), (low, high) = box.viewRange()
        gap = style.px(0.45)
        dots = [
            (
                (x - left) / (right - left) * room.width(),
                (high - (p.rating.value or 0.0)) / (high - low) * room.height(),
            )
            for p, x in zip(points, xs, strict=True)
        ]
        taken = [QRectF(x - gap / 2, y - gap / 2, gap, gap) for x, y in dots]
        for n in order:
            label, wide, high_ = labels[n]
            x, y = dots[n]
            choices = (
                ((0, 0.5), QRectF(x + gap, y - high_ / 2, wide, high_)),
                ((1, 0.5), QRectF(x - gap - wide, y - high_ / 2, wide, high_)),
                ((0, 1), QRectF(x + gap / 2, y - high_ - gap / 2, wide, high_)),
                ((0, 0), QRectF(x + gap / 2, y + gap / 2, wide, high_)),
                ((1, 1), QRectF(x - gap / 2 - wide, y - high_ - gap / 2, wide, high_)),
                ((1, 0), QRectF(x - gap / 2 - wide, y + gap / 2, wide, high_)),
            )
            for anchor, place in choices:
                own = taken[n]
                if room.contains(place) and not any(place.intersects(other) for other in taken if other is not own):
                    shift = gap if anchor[1] == 0.5 else gap / 2
                    label.setAnchor((anchor[0] + (-1 if anchor[0] == 0 else 1) * shift / wide, anchor[1]))
                    taken.append(place)
                    label.show()
                    break
            else:
                label.hide()

    for label, _, _ in labels:
        label.hide()
    keep_arranged(box, arrange)
