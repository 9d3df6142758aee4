"""Which texts no engine is asked to speak. Standard library only; the parent asks before it sends."""

from __future__ import annotations

import unicodedata

LONGEST = 10_000
"""Characters."""


def refusal(text: str) -> str | None:
    """Why this text can't be spoken, one sentence, or None."""
    if not text.strip():
        return "There is no text to speak."
    if len(text) > LONGEST:
        return f"The text has {len(text)} characters; more than {LONGEST} can't be spoken at once."
    odd = next((letter for letter in text if _is_odd(letter)), None)
    if odd is not None:
        return f"The text holds a character that can't be spoken (U+{ord(odd):04X})."
    if not any(unicodedata.category(letter)[0] in "LN" for letter in text):
        return "The text holds no letter and no digit, so there is nothing to speak."
    return None


def _is_odd(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Cs") and letter not in "\t\n\r"


def longest_plausible_s(text: str) -> float:
    """A clip longer than this many seconds is a runaway: several times slower than slow speech, digits and signs
    spelled out.
    """
    seconds = 4.0
    for letter in text:
        category = unicodedata.category(letter)
        if category == "Ll":
            seconds += 0.25
        elif category in ("Lu", "Lo", "Lt", "Lm"):
            seconds += 0.7  # spelled, or a syllable
        elif category[0] == "N":
            seconds += 1.0
        elif category[0] == "S":
            seconds += 2.0  # an emoji is read by its name
        elif category[0] == "P" or letter == "\n":
            seconds += 0.8
    return seconds


def shortest_plausible_s(text: str) -> float:
    """A clip shorter than this many seconds can't hold the text: four times faster than fast speech."""
    words = [word[:20] for word in text.split()]  # a made-up word of 300 letters may well be read as a short one
    letters = sum(1 for word in words for letter in word if unicodedata.category(letter)[0] == "L")
    return max(0.1, letters / 100)
