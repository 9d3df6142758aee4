"""Writing HTML and SVG: every text and attribute goes through here, and nothing of them is ever taken for markup."""

import math
from html import escape

from arena_desktop.services.exports.plain import one_line

_VOID = frozenset({"meta", "br", "col", "link"})


def words(text: str) -> str:
    """``text`` in one line, as content."""
    return escape(one_line(text), quote=True)


def number(value: float) -> str:
    """A coordinate: at most one decimal, no exponent."""
    tenths = math.floor(value * 10.0 + 0.5)
    whole, rest = divmod(abs(tenths), 10)
    return f"{'-' if tenths < 0 else ''}{whole}{f'.{rest}' if rest else ''}"


def element(tag: str, *children: str, **attributes: str | float | None) -> str:
    """An element around children that are markup already. Attribute names: ``_`` stands for ``-``, one at the end is
    dropped (``class_``); None leaves the attribute out.
    """
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{named}>" if tag in _VOID else f"<{tag}{named}>{''.join(children)}</{tag}>"


def _value(value: str | float) -> str:
    return words(value) if isinstance(value, str) else number(value)
