"""What charts are drawn with: scales, ticks, axes, labels. A chart is an ``svg`` element with title and description;
its colours are classes of the page's style sheet.
"""

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from arena_desktop.services.exports.markup import element, number, words
from arena_desktop.services.exports.plain import MINUS, one_line

CHAR = 7.5
"""About the width of a letter of a label, in pixels."""


@dataclass(frozen=True)
class Scale:
    """From values to pixels, by ratios if ``log``."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        low, high, at = (math.log10(each) if self.log else each for each in (self.low, self.high, value))
        return self.start + (at - low) / (high - low) * (self.end - self.start)


def spanning(values: Sequence[float], start: float, end: float, *, log: bool = False, zero: bool = False) -> Scale:
    """A scale with some room around ``values``, of which there is at least one; with ``zero`` it begins at 0."""
    low, high = min(values), max(values)
    if log:
        return Scale(low / 1.25, high * 1.25, start, end, log=True)
    room = 0.04 * (high - low) or 1.0
    return Scale(0.0 if zero else low - room, high + room, start, end)


def ticks(scale: Scale, count: int = 6, *, whole: bool = False) -> list[float]:
    """Round values within a scale; ``whole``: of things that are counted."""
    if scale.log:
        decades = range(math.floor(math.log10(scale.low)), math.ceil(math.log10(scale.high)) + 1)
        many = math.log10(scale.high / scale.low) > 2.5
        found = [digit * 10.0**decade for decade in decades for digit in ((1,) if many else (1, 2, 5))]
        return [value for value in found if scale.low <= value <= scale.high]
    step = _round_step((scale.high - scale.low) / count)
    if whole:
        step = max(step, 1.0)
    first, last = math.ceil(scale.low / step), math.floor(scale.high / step)
    return [place * step for place in range(first, last + 1)]


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(digit * power for digit in (1.0, 2.0, 5.0, 10.0) if digit * power >= least * 0.999)


def tick_text(value: float) -> str:
    """A tick's number."""
    text = f"{value:.6g}"
    return f"{MINUS}{text[1:]}" if text.startswith("-") else text


def label(x: float, y: float, text: str, *, anchor: str = "start", kind: str = "label", turn: float = 0.0) -> str:
    """One line of text."""
    turned = f"rotate({turn:g} {x:.1f} {y:.1f})" if turn else None
    return element("text", words(text), x=x, y=y, text_anchor=anchor, class_=kind, transform=turned)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def box(x: float, y: float, width: float, height: float, kind: str, **more: str | float | None) -> str:
    """A rectangle."""
    return element("rect", x=x, y=y, width=width, height=height, class_=kind, **more)


def dot(x: float, y: float, radius: float, kind: str, *children: str) -> str:
    """A circle."""
    return element("circle", *children, cx=x, cy=y, r=radius, class_=kind)


def hint(text: str) -> str:
    """What is shown when the pointer rests on the element around it."""
    return element("title", words(text))


def below(scale: Scale, top: float, bottom: float, title: str, *, whole: bool = False) -> str:
    """The horizontal axis under a plot, with lines up to its ``top``."""
    parts = []
    for value in ticks(scale, whole=whole):
        x = scale(value)
        parts += [
            line(x, top, x, bottom, "grid"),
            label(x, bottom + 16, tick_text(value), anchor="middle", kind="tick"),
        ]
    parts.append(label((scale.start + scale.end) / 2, bottom + 34, title, anchor="middle", kind="axis"))
    return "".join(parts)


def beside(scale: Scale, left: float, right: float, title: str, *, whole: bool = False) -> str:
    """The vertical axis left of a plot, with lines to its ``right``."""
    parts = []
    for value in ticks(scale, whole=whole):
        y = scale(value)
        parts += [line(left, y, right, y, "grid"), label(left - 6, y + 4, tick_text(value), anchor="end", kind="tick")]
    middle = (scale.start + scale.end) / 2
    parts.append(label(14, middle, title, anchor="middle", kind="axis", turn=-90))
    return "".join(parts)


def chart(key: str, title: str, said: str, width: float, height: float, *parts: str) -> str:
    """A whole chart. ``key`` is unique on the page; ``said`` describes what is to be seen."""
    name, described = f"{key}-title", f"{key}-desc"
    return element(
        "svg",
        element("title", words(title), id=name),
        element("desc", words(said), id=described),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
        aria_labelledby=f"{name} {described}",
    )


def wide(text: str) -> float:
    """About how many letters wide ``text`` is: those of East Asia count double."""
    return sum(2.0 if unicodedata.east_asian_width(char) in "WF" else 1.0 for char in one_line(text))


def short(text: str, most: int = 30) -> str:
    """``text`` cut to about ``most`` letters."""
    text = one_line(text)
    if wide(text) <= most:
        return text
    kept = text
    while wide(kept) > most - 1:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"
