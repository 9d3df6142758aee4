"""Cut a text into parts that an engine can take: at sentences, else clauses, else words, else between letters.

Pure functions on text. No character that could be spoken is lost or moved: the parts, joined without white space,
are the text without white space.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import NamedTuple

#: Seconds of quiet between two parts, by what they were cut at.
SENTENCE, CLAUSE, WORD, CUT = 0.30, 0.15, 0.03, 0.0

_CLOSERS = "\"'”’»)\\]}」』）】"
_SENTENCE_END = re.compile(rf"\n+\s*|[.!?…]+[{_CLOSERS}]*\s+|[。！？]+[{_CLOSERS}]*\s*")
_CLAUSE_END = re.compile(rf"[,;:—–][{_CLOSERS}]*\s+|\s[—–-]+\s+|—|[、，；：]\s*")
_WORD_END = re.compile(r"\s+|(?<=\w)-(?=\w)")
#: A full stop after these belongs to the word (also after one capital letter: an initial).
# fmt: off
_NO_END = frozenset((
    "mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "gen", "col", "sgt", "capt", "lt", "rev",
    "hon", "vs", "etc", "no", "fig", "vol", "approx", "e.g", "i.e"
))
# fmt: on


class Part(NamedTuple):
    """``text`` has no white space at its ends; ``pause`` is the quiet in seconds that belongs after it (0 for the
    last).
    """

    text: str
    pause: float


def split_text(text: str, fits: Callable[[str], bool]) -> list[Part]:
    """Parts of ``text`` for which ``fits`` holds, as few as greedy packing gives, cut at the weightiest breaks that do.

    ``fits`` is taken to hold for every shorter beginning of a text that fits. Only a single letter (with its marks)
    that does not fit by itself is handed back all the same. A text of white space alone has no parts.
    """
    parts: list[Part] = []
    _split(text, fits, 0, 0.0, parts)
    if parts:
        parts[-1] = Part(parts[-1].text, 0.0)
    return parts


def split_sentences(text: str, fits: Callable[[str], bool]) -> list[Part]:
    """As :func:`split_text`, but every sentence is a part of its own: for engines that were made for one sentence
    at a time.
    """
    parts: list[Part] = []
    for sentence in sentences(text):
        if parts:
            parts[-1] = Part(parts[-1].text, SENTENCE)
        parts += split_text(sentence, fits)
    return parts


def sentences(text: str) -> list[str]:
    """The sentences of ``text``, without white space at their ends; a line break ends one too."""
    return [unit.strip() for unit in _units_at(_SENTENCE_END, text, _is_sentence_end) if unit.strip()]


def cut_words(text: str, longest: int) -> str:
    """``text`` with a space inside every run of more than ``longest`` characters without white space (marks stay
    with their letter).
    """
    return "".join(_cut_run(run, longest) for run in re.split(r"(\s+)", text))


def _split(text: str, fits: Callable[[str], bool], level: int, pause: float, parts: list[Part]) -> None:
    stripped = text.strip()
    if not stripped:
        return
    if level == len(_LEVELS) or fits(stripped):
        parts.append(Part(stripped, pause))
        return
    units, own_pause = _LEVELS[level](text), _PAUSES[level]
    at = 0
    while at < len(units):
        count = _most(units, at, fits)
        after = pause if at + max(count, 1) == len(units) else own_pause
        if count == 0:
            _split(units[at], fits, level + 1, after, parts)
            at += 1
        else:
            joined = "".join(units[at : at + count]).strip()
            if joined:
                parts.append(Part(joined, after))
            at += count


def _most(units: Sequence[str], at: int, fits: Callable[[str], bool]) -> int:
    """How many units from ``at`` on fit together: doubling, then halving, so that ``fits`` is asked O(log n) times."""

    def together(count: int) -> bool:
        joined = "".join(units[at : at + count]).strip()
        return not joined or fits(joined)

    left = len(units) - at
    good, step = 0, 1
    while good < left and together(min(good + step, left)):
        good = min(good + step, left)
        step *= 2
    bad = min(good + step, left + 1)
    while bad - good > 1:
        middle = (good + bad) // 2
        if together(middle):
            good = middle
        else:
            bad = middle
    return good


def _units_at(pattern: re.Pattern[str], text: str, accept: Callable[[str, re.Match[str]], bool]) -> list[str]:
    units, start = [], 0
    for match in pattern.finditer(text):
        if accept(text, match):
            units.append(text[start : match.end()])
            start = match.end()
    units.append(text[start:])
    return [unit for unit in units if unit]


def _is_sentence_end(text: str, match: re.Match[str]) -> bool:
    if match.group().startswith("\n"):
        return True
    if text[match.end() : match.end() + 1].islower():
        return False
    if match.group().rstrip() != ".":
        return True
    word = re.split(r"[\s(\"“'‘]", text[max(0, match.start() - 12) : match.start()])[-1]
    return not (word.lower() in _NO_END or (len(word) == 1 and word.isupper()))


def _always(text: str, match: re.Match[str]) -> bool:
    return True


def _by_sentence(text: str) -> list[str]:
    return _units_at(_SENTENCE_END, text, _is_sentence_end)


def _by_clause(text: str) -> list[str]:
    return _units_at(_CLAUSE_END, text, _always)


def _by_word(text: str) -> list[str]:
    return _units_at(_WORD_END, text, _always)


def _by_letter(text: str) -> list[str]:
    """Letters with the marks that sit on them; parts of one emoji stay together."""
    units: list[str] = []
    for char in text:
        if units and (_sticks(char) or units[-1].endswith("\u200d")):
            units[-1] += char
        else:
            units.append(char)
    return units


def _sticks(char: str) -> bool:
    return char == "\u200d" or unicodedata.category(char) in ("Mn", "Mc", "Me") or 0x1F3FB <= ord(char) <= 0x1F3FF


def _cut_run(run: str, longest: int) -> str:
    if len(run) <= longest or run.isspace():
        return run
    lines, current = [], ""
    for letter in _by_letter(run):
        if current and len(current) + len(letter) > longest:
            lines.append(current)
            current = ""
        # Marks piled on one letter count as well: past the limit even they are set apart.
        while len(letter) > longest:
            lines.append(letter[:longest])
            letter = letter[longest:]
        current += letter
    return " ".join([*lines, current] if current else lines)


_LEVELS = (_by_sentence, _by_clause, _by_word, _by_letter)
_PAUSES = (SENTENCE, CLAUSE, WORD, CUT)
