"""Text of any language to phonemes by espeak-ng, in the form in which Piper's voices and Kokoro were trained.

The library drops punctuation; voices were trained with it. So the mark that ended each clause is looked up in the text
and put back.
"""

from __future__ import annotations

import re
import unicodedata

from .espeak_library import Library, espeak_library

#: What stands after a clause in the text, as the mark that the voices know.
_MARKS = {
    **dict.fromkeys(".。．।۔", "."),
    **dict.fromkeys("!！", "!"),
    **dict.fromkeys("?？؟", "?"),
    **dict.fromkeys(",，、،", ","),
    **dict.fromkeys(":：", ":"),
    **dict.fromkeys(";；؛…—–", ";"),
}
_CLOSERS = " \t\n\"'”’»«)]}」』）】"
#: espeak-ng marks a word that it reads by another language's rules: ``(en)…(de)``.
_SWITCHES = re.compile(r"\([^)]*\)")
#: One symbol of Kokoro for what espeak-ng writes as two letters, tied by ``^``.
_KOKORO = {
    "a^ɪ": "I", "a^ʊ": "W", "d^z": "ʣ", "d^ʒ": "ʤ", "e^ɪ": "A", "o^ʊ": "O", "ə^ʊ": "Q", "s^s": "S", "t^s": "ʦ",
    "t^ʃ": "ʧ", "ɔ^ɪ": "Y",
}  # fmt: skip


class EspeakPhonemes:
    """Phonemes of one language; ``voice`` is a voice of espeak-ng. EngineFault ``settings`` if it has no such voice."""

    def __init__(self, voice: str) -> None:
        self._library: Library = espeak_library()
        self._voice = voice
        self._library.choose(voice)

    def prepared(self, text: str) -> str:
        """``text`` as it is: the library takes any."""
        return text

    def ipa(self, text: str) -> str:
        """IPA with punctuation, accents as letters of their own: what Piper's voices read."""
        return unicodedata.normalize("NFD", self._joined(text, ""))

    def kokoro(self, text: str) -> str:
        """Phonemes in Kokoro's alphabet."""
        said = self._joined(text, "^")
        for tied, symbol in _KOKORO.items():
            said = said.replace(tied, symbol)
        return said.replace("^", "").replace("-", "")

    def _joined(self, text: str, tie: str) -> str:
        clauses = self._library.clauses(text, self._voice, tie)
        parts = []
        for index, (said, read) in enumerate(clauses):
            phonemes = _SWITCHES.sub("", said).strip()
            if phonemes:
                parts.append(phonemes + _mark(read, last=index == len(clauses) - 1))
        return " ".join(parts)


def _mark(read: str, last: bool) -> str:
    """The mark that ended the clause ``read``; unless it is the last one it holds a letter of the next."""
    text = read.rstrip(_CLOSERS)
    if not last and text and text[-1] not in _MARKS:
        text = text[:-1].rstrip(_CLOSERS + "¿¡([{“„‘")
    return _MARKS.get(text[-1:], "")
