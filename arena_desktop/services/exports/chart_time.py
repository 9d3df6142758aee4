"""What happened over time: the ratings as they were, and votes per day."""

from collections.abc import Sequence

from arena_desktop.services.board_views import ChartsView, HistoryView, Series
from arena_desktop.services.exports.markup import element
from arena_desktop.services.exports.svg import (
    CHAR,
    Scale,
    below,
    beside,
    box,
    chart,
    hint,
    label,
    line,
    short,
    spanning,
    wide,
)

COLOURS = 8
"""So many models have a colour of their own: the best ones; the others are grey."""

_WIDTH, _HEIGHT, _LEFT, _TOP, _LINE = 760.0, 400.0, 64.0, 12.0, 14.0
_BANDS = 3  # of so many models the interval is drawn


def history_chart(view: HistoryView) -> str:
    """The curve of every model over the votes, the best ones in colour; "" with fewer than two moments."""
    drawn = [series for series in view.series if any(value is not None for value in series.rating)]
    if len(view.votes) < 2 or not drawn:
        return ""
    drawn.sort(key=lambda series: (-_last(series.rating), series.model.repo_id))
    coloured = drawn[:COLOURS]
    right = _WIDTH - CHAR * max(wide(short(series.model.name, 22)) for series in coloured) - 24
    bottom = _HEIGHT - 44
    ends = [end for s in drawn for end in s.rating if end is not None]
    ends += [end for s in drawn[:_BANDS] for side in (s.low, s.high) for end in side if end is not None]
    across, up = spanning(view.votes, _LEFT, right), spanning(ends, bottom, _TOP)
    across = Scale(view.votes[0], max(view.votes[-1], view.votes[0] + 1), _LEFT, right)
    parts = [below(across, _TOP, bottom, "votes", whole=True), beside(up, _LEFT, right, "rating")]
    for marker in view.markers:
        if across.low <= marker.votes <= across.high:
            x = across(marker.votes)
            parts.append(element("g", hint(marker.text), line(x, _TOP, x, bottom, "marker")))
    parts += [_band(series, view.votes, across, up, place) for place, series in enumerate(drawn[:_BANDS])]
    for place in reversed(range(len(drawn))):
        kind = f"curve s{place}" if place < COLOURS else "curve other"
        parts.append(_curve(drawn[place], view.votes, across, up, kind))
    heights = _apart([up(_last(series.rating)) for series in coloured], bottom)
    parts += [
        label(right + 8, y + 4, short(series.model.name, 22), kind=f"label t{place}")
        for place, (series, y) in enumerate(zip(coloured, heights, strict=True))
    ]
    said = f"Ratings of {len(drawn)} models over {view.votes[-1]} votes; the {len(coloured)} highest in colour."
    return chart("history", "Ratings as they were", said, _WIDTH, _HEIGHT, *parts)


def days_chart(view: ChartsView) -> str:
    """Votes over time as bars; "" without a dated vote."""
    days = view.days
    if not days:
        return ""
    height, bottom = 220.0, 176.0
    right = _WIDTH - 20
    up = spanning([day.votes for day in days], bottom, _TOP, zero=True)
    step = min(40.0, (right - _LEFT) / len(days))
    bars = [
        element(
            "g",
            hint(f"{day.date}: {day.votes}"),
            box(_LEFT + step * place, up(day.votes), max(step - 1, 0.6), bottom - up(day.votes), "bar"),
        )
        for place, day in enumerate(days)
        if day.votes
    ]
    dates = [label(_LEFT, bottom + 16, days[0].date, kind="tick")]
    if len(days) > 1:
        end = max(_LEFT + step * len(days), _LEFT + 200)
        dates.append(label(end, bottom + 16, days[-1].date, anchor="end", kind="tick"))
    most = max(days, key=lambda day: day.votes)
    said = f"Votes from {days[0].date} to {days[-1].date}; most, {most.votes}, from {most.date} on."
    return chart(
        "days", "Votes over time", said, _WIDTH, height, beside(up, _LEFT, right, "votes", whole=True), *bars, *dates
    )


def _last(values: Sequence[float | None]) -> float:
    return next((value for value in reversed(values) if value is not None), 0.0)


def _curve(series: Series, votes: Sequence[int], across: Scale, up: Scale, kind: str) -> str:
    known = [(across(at), up(value)) for at, value in zip(votes, series.rating, strict=True) if value is not None]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in known)
    return element("g", hint(series.model.name), element("polyline", points=path, class_=kind))


def _band(series: Series, votes: Sequence[int], across: Scale, up: Scale, place: int) -> str:
    """The interval over the votes, with gaps where there is none."""
    runs: list[list[tuple[float, float, float]]] = [[]]
    for at, low, high in zip(votes, series.low, series.high, strict=True):
        if low is None or high is None:
            runs.append([])
        else:
            runs[-1].append((across(at), up(low), up(high)))
    return "".join(_area(run, place) for run in runs if len(run) > 1)


def _area(run: Sequence[tuple[float, float, float]], place: int) -> str:
    there = [f"{x:.1f},{y:.1f}" for x, y, _ in run]
    back = [f"{x:.1f},{y:.1f}" for x, _, y in reversed(run)]
    return element("polygon", points=" ".join(there + back), class_=f"spread f{place}")


def _apart(heights: Sequence[float], bottom: float) -> list[float]:
    """``heights``, which rise, moved so that no two labels meet."""
    moved: list[float] = []
    for height in heights:
        moved.append(max(height, moved[-1] + _LINE) if moved else height)
    over = max(0.0, moved[-1] - bottom) if moved else 0.0
    return [height - over for height in moved]
