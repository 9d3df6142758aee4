"""English text to phonemes with hibari's front end (Apache-2.0; no espeak-ng, so no GPL), in Kokoro's alphabet or
in IPA.
"""

from __future__ import annotations

import re
from typing import Any

from .shared import Shared
from .text_split import cut_words

#: Kokoro's one-letter diphthongs, affricates and reductions as the IPA that espeak-ng writes.
_IPA = {
    "A": "eɪ", "I": "aɪ", "O": "oʊ", "W": "aʊ", "Y": "ɔɪ", "Q": "əʊ", "ʤ": "dʒ", "ʧ": "tʃ", "ᵊ": "ə", "T": "ɾ"
}  # fmt: skip
_TO_IPA = str.maketrans(_IPA)
# Limits of the front end, found by trial: from 50 digits on a number raises IndexError, its net for unknown words
# reads 24 letters and drops the rest, and its time grows with the cube of the pieces in a run without spaces (1,000
# characters take minutes).
_MOST_DIGITS, _MOST_LETTERS, _LONGEST_RUN = 30, 24, 60
_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_LETTERS = re.compile(rf"[^\W\d_]{{{_MOST_LETTERS + 1},}}")


class FrontEnd:
    """Phonemes of one accent. Holds tens of MB of dictionaries: share it by :func:`front_end`."""

    def __init__(self, british: bool) -> None:
        from hibari.g2p import G2P

        self.g2p = G2P(british=british)
        self._lexicon: Any = self.g2p.lexicon

    def prepared(self, text: str) -> str:
        """``text`` with what the front end can't take spelt so that it can: very long numbers digit by digit, very
        long words and runs with spaces inside. Idempotent.
        """
        text = _NUMBER.sub(lambda match: _spelt(match.group()), text)
        text = _LETTERS.sub(lambda match: self._cut(match.group()), text)
        return cut_words(text, _LONGEST_RUN)

    def kokoro(self, text: str) -> str:
        """Phonemes in the alphabet of Kokoro (misaki)."""
        return str(self.g2p(self.prepared(text)))

    def ipa(self, text: str) -> str:
        """Phonemes in IPA as Piper's English voices read them."""
        return self.kokoro(text).translate(_TO_IPA)

    def _cut(self, word: str) -> str:
        known = any(form in self._lexicon.golds for form in (word, word.lower()))
        return word if known else cut_words(word, _MOST_LETTERS)


_front_ends: Shared[FrontEnd] = Shared()


def front_end(british: bool) -> FrontEnd:
    """The front end for British or American English, one for all engines of this process that hold it."""
    return _front_ends.get(british, lambda: FrontEnd(british))


def _spelt(number: str) -> str:
    digits = sum(char.isdigit() for char in number)
    if digits <= _MOST_DIGITS:
        return number
    return " ".join("point" if char == "." else char for char in number if char != ",")
