"""Compares what a recogniser heard with what was to be said: case, punctuation and the way of writing numbers don't
count.
"""

import importlib.util
import re
import unicodedata
from collections.abc import Iterable

from arena_desktop.domain.word_errors import WordErrors
from arena_desktop.errors import ArenaError

LIBRARIES = {"jiwer": "jiwer", "text_to_num": "text2num"}
"""What the extra brings for it: importable names, and the packages that carry them."""
NUMBERS = frozenset({"en", "de", "es", "fr", "it", "nl", "pt"})
"""Languages in which numbers in words are told from other words."""


def lacking_packages() -> list[str]:
    """What of the extra ``asr`` isn't installed."""
    return [package for module, package in LIBRARIES.items() if importlib.util.find_spec(module) is None]


def require_extra() -> None:
    """Raise :class:`ArenaError` if the extra ``asr`` isn't installed."""
    lacking = lacking_packages()
    if lacking:
        raise ArenaError(
            f"A word error rate needs the extra asr, which isn't installed (it lacks {', '.join(lacking)}).",
            'Install it: pip install "arena-desktop[asr]".',
        )


def word_errors(wanted: Iterable[str], heard: str, language: str) -> WordErrors | None:
    """The errors of ``heard`` against that one of ``wanted`` (ways to write the same text) which it comes closest to;
    None if none of them has a word. ``language`` is a plain code, such as ``en``.
    """
    import jiwer

    told = words_of(heard, language)
    found = []
    for text in wanted:
        said = words_of(text, language)
        if said:
            aligned = jiwer.process_words(" ".join(said), " ".join(told))
            found.append(WordErrors(len(said), aligned.substitutions, aligned.deletions, aligned.insertions))
    return min(found, key=lambda errors: errors.rate, default=None)


def words_of(text: str, language: str) -> list[str]:
    """``text`` as words to compare: lower case, without punctuation, every number as its digits one by one.

    So "1984", "nineteen eighty-four" and "one thousand nine hundred and eighty-four" are the same four words.
    """
    from text_to_num import alpha2digit

    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    plain = " ".join(re.sub(r"[^\w\s']|_|(?<!\w)'|'(?!\w)", " ", plain).split())
    if language in NUMBERS and plain:
        plain = alpha2digit(plain, language, 0)
    return re.sub(r"(\d)", r" \1 ", plain).split()
