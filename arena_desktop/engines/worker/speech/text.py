"""What an engine is handed: text without characters that can't be spoken, or one sentence that says why not."""

from __future__ import annotations

import re
import unicodedata

from ..faults import EngineFault

_JOINERS = "\u200c\u200d"
_SPOKEN = ("L", "N", "S")


def cleaned(text: str) -> str:
    """``text`` in NFC without control, invisible and broken characters; runs of white space become one space or
    line break.

    Raises EngineFault ``text`` when no letter, digit or symbol is left.
    """
    # Half a surrogate pair can't be written as UTF-8: native code would get something else than the text, or an
    # exception.
    kept = "".join(_kept(char) for char in unicodedata.normalize("NFC", text.replace("\r\n", "\n")))
    lines = (" ".join(line.split()) for line in re.split(r"[\n\r\v\f\x85\u2028\u2029]+", kept))
    clean = "\n".join(line for line in lines if line)
    if not any(unicodedata.category(char)[0] in _SPOKEN for char in clean):
        raise EngineFault("text", "The text has no letter, digit or symbol that could be spoken.", "Use another text.")
    return clean


def nothing_said(voice: str) -> EngineFault:
    """The fault for a text of which this voice speaks nothing at all, e.g. another script."""
    return EngineFault(
        "text", f"{voice} knows no sound for anything in this text.", "Use a text in the voice's own language."
    )


def _kept(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cc":
        return char if char == "\n" else " " if not char.isspace() else ("\n" if char in "\r\v\f\x85" else " ")
    if category in ("Cs", "Co") or (category == "Cf" and char not in _JOINERS):
        return ""
    return char
