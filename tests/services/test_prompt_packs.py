"""Packs of sentences: which of them are spoken in an arena of a language, and what is said of the others."""

from pathlib import Path

import pytest

from arena_desktop.errors import ArenaError
from arena_desktop.services.prompt_shelf import PromptShelf
from arena_desktop.services.views import PromptSource

SHELF = PromptShelf(lambda: bytes(32))
PACK = "text,language\nGood morning.,en-GB\nGuten Morgen.,de\n...,de\nGute Nacht.,DE-at\nWithout a language.,\n?,\n"


@pytest.fixture
def pack(tmp_path: Path) -> PromptSource:
    path = tmp_path / "pack.csv"
    path.write_text(PACK, encoding="utf-8")
    return PromptSource(kind="file", path=str(path))


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("de", ["Guten Morgen.", "Gute Nacht.", "Without a language."]),
        ("en", ["Good morning.", "Without a language."]),
        (None, ["Good morning.", "Guten Morgen.", "Gute Nacht.", "Without a language."]),
    ],
)
def test_an_arena_takes_the_sentences_of_its_language(
    pack: PromptSource, language: str | None, texts: list[str]
) -> None:
    taken = SHELF.take(pack, language)
    assert [prompt.text for prompt in taken.prompts] == texts
    silent = next(prompt for prompt in taken.prompts if prompt.text == "Without a language.")
    assert silent.language == (language or "")


def test_what_is_left_out_is_said_with_its_lines(pack: PromptSource) -> None:
    taken = SHELF.take(pack, "de")
    assert taken.note == "3 sentences; without lines 4, 7; 1 in another language"
    assert taken.left_out.startswith("2 lines of the file were left out (4, 7); line 4: The text has no letter")
    assert taken.left_out.endswith("1 sentence is in another language than this arena's.")


def test_a_pack_of_another_language_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "deutsch.csv"
    path.write_text("text,language\nGuten Tag.,de\n", encoding="utf-8")
    with pytest.raises(ArenaError, match=r"None of the 1 sentences of deutsch.csv is in .*\(fr\)"):
        SHELF.take(PromptSource(kind="file", path=str(path)), "fr")


def test_of_many_bad_lines_the_first_are_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("Good.\n" + "...\n" * 9, encoding="utf-8")
    taken = SHELF.take(PromptSource(kind="file", path=str(path)), None)
    assert taken.note == "1 sentence; without lines 2, 3, 4, 5, 6 and 4 more"


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\x07", "\ue000"])
def test_sentences_with_hidden_marks_are_left_out(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "marks.txt"
    path.write_text(f"Good morning.\nGood {mark}night.\n", encoding="utf-8")
    taken = SHELF.take(PromptSource(kind="file", path=str(path)), "en")
    assert [prompt.text for prompt in taken.prompts] == ["Good morning."]
    assert f"U+{ord(mark):04X}" in taken.left_out
    assert mark not in taken.left_out
