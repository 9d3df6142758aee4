"""Which voices an installed espeak-ng has, read from its data folder as text: the library itself is not loaded.

A voice's file in ``lang/`` names the language tags that it serves, each with a priority (5 where none is written; the
smallest wins). A name may carry a variant, ``de+f3``: another speaker, whose file lies in ``voices/!v/``.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

_USUAL_PRIORITY = 5


class EspeakVoice(NamedTuple):
    """``id`` is the file's name in lower case (``en-us``, ``de``), which espeak-ng takes as a voice's name;
    ``language`` the tag it is made for; ``tags`` each tag with its priority; ``dictionary`` the name of its word list.
    """

    id: str
    title: str
    language: str
    gender: str
    tags: dict[str, int]
    dictionary: str


@lru_cache(maxsize=4)
def voices(data: Path) -> tuple[EspeakVoice, ...]:
    """The voices in the data folder, by language and title; empty if it has none. Without its dictionary a voice only
    spells, so it is none.
    """
    found = [_read(file) for file in sorted((data / "lang").rglob("*")) if file.is_file()]
    whole = [voice for voice in found if voice.tags and (data / f"{voice.dictionary}_dict").is_file()]
    return tuple(sorted(whole, key=lambda voice: (voice.language, voice.title)))


@lru_cache(maxsize=4)
def variants(data: Path) -> dict[str, str]:
    """The speakers that any voice can be given, ``f3`` and the like, each with its gender ("" where none is said)."""
    place = data / "voices" / "!v"
    return {file.name: _gender(_lines(file)) for file in sorted(place.iterdir())} if place.is_dir() else {}


def find(data: Path, name: str) -> EspeakVoice | None:
    """The voice that ``name`` (a language tag or a voice's id, with or without a variant) stands for; None if there is
    none. Where several serve a tag, the one that says so with the smallest number, then the first.
    """
    wanted = name.split("+")[0].strip().lower()
    own = next((voice for voice in voices(data) if wanted in (voice.id, voice.title.lower())), None)
    serving = [voice for voice in voices(data) if wanted in voice.tags]
    return own or min(serving, key=lambda voice: voice.tags[wanted], default=None)


def variant_of(name: str) -> str:
    """The variant in a voice's name, "" for none."""
    return name.partition("+")[2].strip()


def _read(file: Path) -> EspeakVoice:
    lines = _lines(file)
    tags: dict[str, int] = {}
    title, dictionary = file.name, ""
    for words in lines:
        if words[0] == "name":
            title = " ".join(words[1:])
        elif words[0] == "language" and len(words) > 1:
            tags[words[1].lower()] = int(words[2]) if len(words) > 2 and words[2].isdigit() else _USUAL_PRIORITY
        elif words[0] == "dictionary" and len(words) > 1:
            dictionary = words[1]
    language = next(iter(tags), "")
    return EspeakVoice(
        file.name.lower(), title, language, _gender(lines) or "male", tags, dictionary or language.split("-")[0]
    )


def _lines(file: Path) -> list[list[str]]:
    text = file.read_text(encoding="utf-8", errors="replace")
    bare = (line.split("//")[0].split() for line in text.splitlines())
    return [words for words in bare if words]


def _gender(lines: list[list[str]]) -> str:
    return next((words[1].lower() for words in lines if words[0] == "gender" and len(words) > 1), "")
