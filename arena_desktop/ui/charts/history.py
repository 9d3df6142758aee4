"""Ratings over votes or time: chosen models in ink with their intervals as bands, the others as faint lines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

from arena_desktop.services.board_views import HistoryView, Marker, Series
from arena_desktop.ui import text
from arena_desktop.ui.charts.chart import keep_arranged, name_axis
from arena_desktop.ui.charts.drawn import Drawn, Spot
from arena_desktop.ui.charts.style import ChartStyle
from arena_desktop.ui.charts.ticks import linear_ticks, spread

LONGEST_NAME_EM = 10
_DAY = 86_400.0


@dataclass(frozen=True)
class Course:
    """A history, the ids of the models chosen, and whether x is the date instead of the number of votes."""

    view: HistoryView
    chosen: frozenset[str]
    by_date: bool = False


def draw_history(plot: Any, course: Course, style: ChartStyle) -> Drawn:
    """One line a model; vertical lines mark what changed in the roster. Dates are counted from the first, in seconds: a
    file with small numbers keeps them exact.
    """
    from pyqtgraph import InfiniteLine, mkPen

    view = course.view
    xs = _places(course)
    kept = [k for k, x in enumerate(xs) if x is not None]
    lines = [
        (place, series) for place, series in enumerate(view.series) if any(series.rating[k] is not None for k in kept)
    ]
    chosen = [(place, series) for place, series in lines if series.model.repo_id in course.chosen]
    if not lines:
        plot.getAxis("left").setTicks([[]])
        plot.getAxis("bottom").setTicks([[]])
        return Drawn("No vote has a date." if course.by_date and view.votes else "There is no history yet.")
    start = xs[kept[0]] or 0.0 if course.by_date else 0.0
    x = np.array([xs[k] for k in kept], np.float64) - start
    low, high = _range([series for _, series in chosen] or [series for _, series in lines], kept)
    left, right = float(x[0]), float(x[-1])
    span = (right - left) or 1.0
    plot.setXRange(left - span * 0.01, right, padding=0)
    plot.setYRange(low, high, padding=0)
    plot.showGrid(y=True, alpha=0.12)
    spots: list[Spot] = []
    for marker in view.markers:
        where = _marker_place(course, xs, marker.votes)
        if where is not None:
            at = where - start
            pen = mkPen(style.clear(style.tokens.line_strong, 0.8), width=style.stroke(0.06), style=Qt.PenStyle.DotLine)
            plot.addItem(InfiniteLine(pos=at, angle=90, pen=pen, movable=False))
            spots.append(
                Spot(at, low + (high - low) * 0.97, f"After {text.counted(marker.votes, 'vote')}: {marker.text}")
            )
    for _, series in lines:
        if series.model.repo_id not in course.chosen:
            y = _numbers(series.rating, kept)
            _faint(plot, x, np.where((y < low) | (y > high), np.nan, y), style)
    for place, series in chosen:
        _line(plot, x, series, kept, place, style)
        spots += _spots(course, x, series, kept, start)
    _name_lines(plot, chosen, kept, (left - span * 0.01, right), style)
    bottom = plot.getAxis("bottom")
    bottom.setTicks(
        [_date_ticks(left, right, start) if course.by_date else linear_ticks(left, right, 8, whole=True, counts=True)]
    )
    _end_axis(plot, (left - span * 0.01, right), low, style)
    name_axis(plot, "bottom", "Date" if course.by_date else "Votes", style)
    plot.getAxis("left").setTicks([linear_ticks(low, high, 7)])
    name_axis(plot, "left", "Rating", style)
    last = " ".join(_ending(series) for _, series in chosen)
    changes = " ".join(_marked(marker) for marker in view.markers)
    return Drawn(f"{last} {changes}".strip(), tuple(sorted(spots, key=lambda spot: spot.x)), height=19)


def _end_axis(plot: Any, ends_at: tuple[float, float], low: float, style: ChartStyle) -> None:
    """Draw the axis of x as far as there are votes: the names at the ends of the lines stand beyond it."""
    from pyqtgraph import PlotDataItem, mkPen

    plot.getAxis("bottom").setPen(style.clear(style.tokens.line_strong, 0.0))
    pen = mkPen(style.tokens.line_strong, width=style.stroke(0.12))  # half of it lies outside the plot
    plot.addItem(PlotDataItem(ends_at, (low, low), pen=pen))


def _marked(marker: Marker) -> str:
    return f"After {text.counted(marker.votes, 'vote')}: {marker.text}"


def _places(course: Course) -> list[float | None]:
    if course.by_date:
        return list(course.view.times)
    return [float(votes) for votes in course.view.votes]


def _marker_place(course: Course, xs: Sequence[float | None], votes: int) -> float | None:
    if not course.by_date:
        return float(votes)
    later = [x for count, x in zip(course.view.votes, xs, strict=True) if count >= votes and x is not None]
    return later[0] if later else None


def _numbers(values: Sequence[float | None], kept: Sequence[int]) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([np.nan if values[k] is None else values[k] for k in kept], np.float64)


def _range(shown: Sequence[Series], kept: Sequence[int]) -> tuple[float, float]:
    """Holds every rating, and the intervals as far as they are not those of the first few votes."""
    ratings = np.concatenate([_numbers(series.rating, kept) for series in shown])
    ratings = ratings[~np.isnan(ratings)]
    later = kept[len(kept) // 3 :]
    ends = np.concatenate([_numbers(values, later) for series in shown for values in (series.low, series.high)])
    ends = ends[~np.isnan(ends)]
    return spread([float(n) for n in np.concatenate([ratings, ends])], 0.05)


def _faint(plot: Any, x: Any, y: Any, style: ChartStyle) -> None:
    from pyqtgraph import PlotDataItem, mkPen

    pen = mkPen(style.clear(style.tokens.line_strong, 0.45), width=style.stroke(0.06))
    for run in _runs(y):
        plot.addItem(PlotDataItem(x[run], y[run], pen=pen, antialias=True))


def _runs(y: Any) -> Iterator[slice]:
    """The stretches of known numbers: one path with gaps in it makes an SVG that no reader takes."""
    known = np.concatenate([[False], ~np.isnan(y), [False]])
    edges = np.flatnonzero(known[1:] != known[:-1])
    for first, end in zip(edges[::2], edges[1::2], strict=True):
        yield slice(int(first), int(end))


def _stretches(y: Any) -> Iterator[Any]:
    """Where a band is drawn: from one known moment to the next, but not over a gap longer than they usually lie apart.
    Intervals are worked out at a part of the moments only; for a while there may be none at all.
    """
    known = np.flatnonzero(~np.isnan(y))
    apart = np.diff(known)
    if len(known) > 1:
        breaks = np.flatnonzero(apart > 3 * np.median(apart)) + 1
        yield from (stretch for stretch in np.split(known, breaks) if len(stretch) > 1)


def _line(plot: Any, x: Any, series: Series, kept: Sequence[int], place: int, style: ChartStyle) -> None:
    from pyqtgraph import FillBetweenItem, PlotCurveItem, PlotDataItem, mkBrush, mkPen

    ink = style.ink(place)
    low, high, y = (_numbers(values, kept) for values in (series.low, series.high, series.rating))
    (bottom, top) = plot.getViewBox().viewRange()[1]
    for run in _stretches(low + high):
        edges = [PlotCurveItem(x[run], np.clip(values[run], bottom, top)) for values in (low, high)]
        band = FillBetweenItem(edges[0], edges[1], brush=mkBrush(style.clear(ink.color, 0.1)))
        band.setZValue(-10)
        plot.addItem(band)
    pen = mkPen(ink.color, width=style.stroke(0.13), style=ink.stroke)
    for run in _runs(y):
        plot.addItem(PlotDataItem(x[run], y[run], pen=pen, antialias=True))
    signs = np.flatnonzero(~np.isnan(y))[:: max(1, len(y) // 6)]
    dots = PlotDataItem(
        x[signs],
        y[signs],
        pen=None,
        symbol=ink.symbol,
        symbolSize=style.px(0.5),
        symbolBrush=mkBrush(ink.color),
        symbolPen=mkPen(style.tokens.surface, width=style.stroke(0.06)),
        useCache=False,
        antialias=True,
    )
    plot.addItem(dots)


def _spots(course: Course, x: Any, series: Series, kept: Sequence[int], start: float) -> list[Spot]:
    found = []
    for at, k in zip(x, kept, strict=True):
        rating, low, high = series.rating[k], series.low[k], series.high[k]
        if rating is None:
            continue
        interval = "" if low is None or high is None else f" ({text.number(low)} to {text.number(high)})"
        when = f" on {_day(at + start)}" if course.by_date else ""
        votes = text.counted(course.view.votes[k], "vote")
        found.append(
            Spot(float(at), rating, f"{series.model.name}: {text.number(rating)}{interval} after {votes}{when}.")
        )
    return found


def _ending(series: Series) -> str:
    known = [(r, lo, hi) for r, lo, hi in zip(series.rating, series.low, series.high, strict=True) if r is not None]
    if not known:
        return f"{series.model.name}: no rating."
    rating, low, high = known[-1]
    interval = "" if low is None or high is None else f", 95 % interval {text.number(low)} to {text.number(high)}"
    return f"{series.model.name}: from {text.number(known[0][0])} to {text.number(rating)}{interval}."


def _name_lines(
    plot: Any,
    chosen: Sequence[tuple[int, Series]],
    kept: Sequence[int],
    ends_at: tuple[float, float],
    style: ChartStyle,
) -> None:
    """Names at the right ends of the lines, with room made for them, moved apart where lines end close together."""
    from pyqtgraph import TextItem

    metrics, box = QFontMetricsF(style.small), plot.getViewBox()
    ends = []
    for place, series in chosen:
        known = [series.rating[k] for k in kept if series.rating[k] is not None]
        name = metrics.elidedText(
            text.undirected(series.model.name), Qt.TextElideMode.ElideRight, style.px(LONGEST_NAME_EM)
        )
        label = TextItem(name, color=style.ink(place).color, anchor=(0, 0.5))
        label.setFont(style.small)
        plot.addItem(label)
        ends.append((known[-1] or 0.0, label))
    ends.sort(key=lambda end: -end[0])
    left, right = ends_at
    widest = max((label.boundingRect().width() for _, label in ends), default=0.0)

    def arrange() -> None:
        room = min(widest + style.px(0.4), box.width() / 2)
        box.setXRange(left, right + (right - left) * room / max(1.0, box.width() - room), padding=0)
        (_, _), (low, high) = box.viewRange()
        least = metrics.height() * (high - low) / max(1.0, box.height())
        ys: list[float] = []
        for y, _ in ends:
            ys.append(min(y, ys[-1] - least) if ys else y)
        if ys and ys[-1] < low + least / 2:  # pushed out at the bottom: push back up
            ys[-1] = low + least / 2
            for n in range(len(ys) - 2, -1, -1):
                ys[n] = max(ys[n], ys[n + 1] + least)
        for (_, label), y in zip(ends, ys, strict=True):
            label.setPos(right, y)

    keep_arranged(box, arrange)


def _date_ticks(left: float, right: float, start: float) -> list[tuple[float, str]]:
    """Marks at round times, as seconds after ``start``."""
    left, right = left + start, right + start
    days = max(1, round((right - left) / _DAY))
    if right - left < 2 * _DAY:
        step = max(1, round((right - left) / 3600 / 5)) * 3600.0
        first = np.ceil(left / step) * step
        return [
            (float(t) - start, f"{datetime.fromtimestamp(t, UTC):%H:%M}") for t in np.arange(first, right + 1, step)
        ]
    step = max(1, -(-days // 7)) * _DAY
    first = np.ceil(left / _DAY) * _DAY
    return [(float(t) - start, _day(t)) for t in np.arange(first, right + 1, step)]


def _day(seconds: float) -> str:
    when = datetime.fromtimestamp(seconds, UTC)
    return f"{when.day} {when:%b}"
