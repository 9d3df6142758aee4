"""Rating against size or speed: models that another one beats in both are grey."""

from collections.abc import Sequence

from arena_desktop.services.board_views import FrontPoint
from arena_desktop.services.exports.markup import element
from arena_desktop.services.exports.plain import bounds, points
from arena_desktop.services.exports.svg import (
    CHAR,
    below,
    beside,
    chart,
    dot,
    hint,
    label,
    line,
    short,
    spanning,
    tick_text,
    wide,
)

_WIDTH, _HEIGHT, _LEFT, _TOP, _LINE = 760.0, 420.0, 64.0, 12.0, 13.0

Place = tuple[float, float, float]
"""Where something stands: from x to x, at y."""


def front_chart(key: str, title: str, axis: str, found: Sequence[FrontPoint]) -> str:
    """The chart of points whose rating is known; "" for fewer than two."""
    known = [point for point in found if point.rating.value is not None and point.x > 0]
    if len(known) < 2:
        return ""
    right, bottom = _WIDTH - 20, _HEIGHT - 44
    ends = [end for p in known for end in (p.rating.value, p.rating.low, p.rating.high) if end is not None]
    across = spanning([point.x for point in known], _LEFT, right, log=True)
    up = spanning(ends, bottom, _TOP)
    taken = [_around(across(point.x), up(point.rating.value or 0.0)) for point in known]
    marks, names = [], []
    for point in sorted(known, key=lambda point: (point.dominated, -(point.rating.value or 0.0))):
        value = point.rating.value or 0.0
        x, y = across(point.x), up(value)
        kind = "muted" if point.dominated else "dot"
        ends_known = point.rating.low is not None
        interval = f" ({bounds(point.rating.low, point.rating.high)})" if ends_known else ""
        said = f"{point.model.name}: {points(value)}{interval}, {tick_text(point.x)}"
        parts = [hint(f"{said}; another is at least as good in both" if point.dominated else said)]
        if point.rating.low is not None and point.rating.high is not None:
            parts.append(line(x, up(point.rating.low), x, up(point.rating.high), f"whisker {kind}-line"))
        marks.append(element("g", *parts, dot(x, y, 4.5, kind)))
        names.append(_name(point.model.name, x, y, right, taken, point.dominated))
    said = f"{len(known)} models; grey ones are no better than another in either respect."
    axes = below(across, _TOP, bottom, axis) + beside(up, _LEFT, right, "rating")
    return chart(key, title, said, _WIDTH, _HEIGHT, axes, *marks, *names)


def _around(x: float, y: float) -> Place:
    return x - 5, x + 5, y


def _name(name: str, x: float, y: float, right: float, taken: list[Place], grey: bool) -> str:
    """The name right of its point, else left of it; none where it would cover another name or point."""
    text = short(name, 22)
    width = CHAR * wide(text)
    for start, at, anchor in ((x + 8, x + 8, "start"), (x - 8 - width, x - 8, "end")):
        fits = start > _LEFT and start + width < right
        if fits and not any(
            abs(y - at_y) < _LINE and start < end and begin < start + width for begin, end, at_y in taken
        ):
            taken.append((start, start + width, y))
            return label(at, y + 4, text, anchor=anchor, kind="faint" if grey else "label")
    return ""


def _meet(one: Place, other: Place) -> bool:
    return abs(one[2] - other[2]) < _LINE and one[0] < other[1] and other[0] < one[1]
