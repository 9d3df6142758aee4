"""Text of files as people may be shown it: nothing in it steers a terminal or turns what stands around it."""

import re
import unicodedata

_LONGEST = 60
_TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_ODD = re.compile("[^ -~\u00a1-\u00ac\u00ae-\u0377]")


def harmless(text: str) -> str:
    """``text`` on one line, as wide as it was: blanks of any kind, line breaks too, are spaces; marks that turn the
    direction of writing are dropped, and control characters and halves of characters become
    ``\N{REPLACEMENT CHARACTER}``.
    """
    return _ODD.sub(_instead, text)


def one_line(text: str) -> str:
    """:func:`harmless` text, one space between its words."""
    return " ".join(harmless(text).split())


def several_lines(text: str) -> str:
    """Text whose line breaks are meant, each line :func:`harmless`."""
    return "\n".join(map(harmless, text.split("\n")))


def shortened(text: str, longest: int = _LONGEST) -> str:
    """:func:`harmless` text of at most ``longest`` characters."""
    # What is cut off first is not looked through: it may be long.
    flat = harmless(text[: longest + 1])
    return flat if len(text) <= longest else f"{flat[: longest - 1]}…"


def _instead(found: re.Match[str]) -> str:
    char = found.group()
    if char in _TURNING:
        return ""
    if char.isspace():
        return " "
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) in ("Cc", "Cs") else char
