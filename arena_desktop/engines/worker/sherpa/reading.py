"""What a model of sherpa-onnx is given for a text: phonemes from our own front ends, or the text itself where the model
has a lexicon or reads letters.
"""

from __future__ import annotations

from ..faults import EngineFault
from ..kokoro.languages import language_of
from ..kokoro.styles import Share
from ..speech import packages
from ..speech.espeak_phonemes import EspeakPhonemes
from ..speech.phonemes import FrontEnd, front_end
from .kinds import Model

#: Kokoro's own alphabet came with its version 2; the first reads plain IPA, as all others do.
_OWN_ALPHABET = 2


class Reading:
    """One way from text to what is given; ``front`` is None where that is the text."""

    def __init__(self, front: FrontEnd | EspeakPhonemes | None, own_alphabet: bool) -> None:
        self._front = front
        self._own_alphabet = own_alphabet
        self._known: dict[str, str] = {}

    def prepared(self, text: str) -> str:
        """``text`` with what can't be taken spelt so that it can."""
        return text if self._front is None else self._front.prepared(text)

    def size(self, text: str) -> int:
        """How much of a run ``text`` takes."""
        return len(text) if self._front is None else len(self._phonemes(text))

    def audible(self, text: str) -> bool:
        """Whether there is anything in it that makes a sound."""
        return any(char.isalnum() for char in (text if self._front is None else self._phonemes(text)))

    def codepoints(self, text: str) -> list[list[int]]:
        """The phonemes as the library takes them; [] where it takes the text."""
        return [] if self._front is None else [[ord(char) for char in self._phonemes(text)]]

    def _phonemes(self, text: str) -> str:
        if self._front is None:
            return text
        if text not in self._known:
            self._known[text] = self._front.kokoro(text) if self._own_alphabet else self._front.ipa(text)
        return self._known[text]


def tag_of(model: Model, written: object, speaker: str) -> str:
    """The tag of the language that is read: as written in the settings, as the name of a Kokoro's speaker tells, else
    as the model's notes do; "" where nothing tells it.
    """
    if written:
        return str(written).lower().replace("_", "-")
    if _has_own_alphabet(model) and speaker[2:3] == "_":
        try:
            return language_of([Share(speaker, 1.0)], None).tag
        except EngineFault:
            return "zh"
    return model.language()


def missing_to_read(model: Model, tag: str) -> list[dict[str, str]]:
    """What is lacking here to read the language, as entries of ``Engine.check``."""
    module = _front_end_of(model, tag)
    return packages.missing(module) if module else []


def reading_of(model: Model, tag: str) -> Reading:
    """How ``model`` reads the language ``tag``. EngineFault with words where that can't be done here."""
    module = _front_end_of(model, tag)
    if not module:
        return Reading(None, own_alphabet=False)
    for entry in packages.missing(module):
        raise EngineFault("missing", f"To read {tag} this model lacks {entry['what']}.", entry["remedy"])
    front = front_end(british=tag.startswith("en-gb")) if module == "hibari" else EspeakPhonemes(_espeak_name(tag))
    return Reading(front, _has_own_alphabet(model))


def _front_end_of(model: Model, tag: str) -> str:
    """The module that makes the phonemes, "" where the text is given."""
    if not model.reads_phonemes() or ("lexicon" in model.files and tag.startswith("zh")):
        return ""
    return "hibari" if tag.startswith("en") or not tag else "espeakng_loader"


def _has_own_alphabet(model: Model) -> bool:
    version = model.notes.get("version", "1")
    return model.kind.name == "kokoro" and version.isdecimal() and int(version) >= _OWN_ALPHABET


def _espeak_name(tag: str) -> str:
    return {"fr": "fr-fr"}.get(tag, tag)
