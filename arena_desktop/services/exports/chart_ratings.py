"""The chart of ratings: one line a model, best first, with its interval; tiers as bands."""

from collections.abc import Mapping, Sequence
from typing import Any

from arena_desktop.services.exports.columns import model_name
from arena_desktop.services.exports.markup import element
from arena_desktop.services.exports.plain import bounds, points, rank_range
from arena_desktop.services.exports.svg import (
    CHAR,
    Scale,
    below,
    box,
    chart,
    dot,
    hint,
    label,
    line,
    short,
    spanning,
    wide,
)

_WIDTH, _ROW, _TOP = 760.0, 24.0, 8.0


def ratings_chart(rows: Sequence[Mapping[str, Any]], value: str) -> str:
    """The chart of rows of a board; ``value`` is the key of the number. "" without a rated model."""
    rated = [row for row in rows if row[value] is not None]
    if not rated:
        return ""
    left = CHAR * max(wide(short(model_name(row))) for row in rated) + 16
    ends = [end for row in rated for end in (row[value], row.get("low"), row.get("high")) if end is not None]
    scale = spanning(ends, left, _WIDTH - 16)
    bottom = _TOP + _ROW * len(rated)
    bands = [
        box(left, _TOP + _ROW * place, _WIDTH - 16 - left, _ROW, f"band{(row.get('tier') or 0) % 2}")
        for place, row in enumerate(rated)
    ]
    marks = [_mark(row, row[value], _TOP + _ROW * (place + 0.5), scale, left) for place, row in enumerate(rated)]
    best = f"Highest: {model_name(rated[0])}, {points(rated[0][value])}."
    bounded = any(row.get("low") is not None for row in rated)
    said = f"{best} Bands are tiers; lines are 95 % intervals." if bounded else f"{best} There are no intervals."
    axis = below(scale, _TOP, bottom, "points")
    return chart("ratings", "Ratings", said, _WIDTH, bottom + 44, *bands, axis, *marks)


def interval_bar(row: Mapping[str, Any], low: float, high: float) -> str:
    """One row's interval as a small bar for a table, on the scale ``low`` … ``high``."""
    width, height = 160.0, 16.0
    scale = spanning((low, high), 2, width - 2)
    parts = [line(scale(row["low"]), 8, scale(row["high"]), 8, "whisker"), dot(scale(row["rating"]), 8, 4, "dot")]
    return element("svg", *parts, width=width, height=height, viewBox="0 0 160 16", aria_hidden="true")


def _mark(row: Mapping[str, Any], value: float, y: float, scale: Scale, left: float) -> str:
    x = scale(value)
    name = label(left - 8, y + 4, short(model_name(row)), anchor="end")
    if row.get("low") is None:
        return name + dot(x, y, 4.5, "dot", hint(f"{model_name(row)}: {points(value)}"))
    said = (
        f"{model_name(row)}: {points(value)} ({bounds(row['low'], row['high'])}),"
        f" rank {rank_range(row['rank_low'], row['rank_high'])}, tier {row['tier']}"
    )
    return element(
        "g", hint(said), name, line(scale(row["low"]), y, scale(row["high"]), y, "whisker"), dot(x, y, 4.5, "dot")
    )
