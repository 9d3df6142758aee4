"""Cutting text: nothing spoken is lost, every part fits, and the weightiest break is taken."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.engines.worker.speech.text_split import (
    CLAUSE,
    CUT,
    SENTENCE,
    WORD,
    Part,
    cut_words,
    sentences,
    split_sentences,
    split_text,
)

TEXTS = st.text(
    st.one_of(st.sampled_from("ab C.,;!? \n—-…'\"。，é\u0301\u200d😀"), st.characters(exclude_categories=["Cs"])),
    max_size=120,
)


def without_spaces(text: str) -> str:
    return "".join(text.split())


@given(TEXTS, st.integers(1, 40))
def test_no_character_is_lost_and_every_part_fits(text: str, longest: int) -> None:
    parts = split_text(text, lambda part: len(part) <= longest)
    assert without_spaces("".join(part.text for part in parts)) == without_spaces(text)
    for part in parts:
        assert part.text == part.text.strip() != ""
        letters = [char for char in part.text if not _sticks(char)]
        assert len(part.text) <= longest or len(letters) <= 1 or "\u200d" in part.text
    assert not parts or parts[-1].pause == 0


@given(TEXTS, st.integers(1, 40))
def test_sentence_by_sentence_loses_nothing_either(text: str, longest: int) -> None:
    parts = split_sentences(text, lambda part: len(part) <= longest)
    assert without_spaces("".join(part.text for part in parts)) == without_spaces(text)
    assert not parts or parts[-1].pause == 0


@given(TEXTS, st.integers(1, 20))
def test_cut_words_only_adds_spaces(text: str, longest: int) -> None:
    cut = cut_words(text, longest)
    assert cut.replace(" ", "") == text.replace(" ", "")
    assert all(len(run) <= longest for run in cut.split())
    assert cut_words(cut, longest) == cut


@given(TEXTS)
def test_a_text_that_fits_is_one_part(text: str) -> None:
    assert split_text(text, lambda _: True) == ([Part(text.strip(), 0.0)] if text.strip() else [])


def test_sentences_are_packed_and_cut_at_their_ends() -> None:
    text = "One two three. Four five six. Seven eight nine."
    assert split_text(text, lambda part: len(part) <= 30) == [
        Part("One two three. Four five six.", SENTENCE),
        Part("Seven eight nine.", 0.0),
    ]


def test_then_clauses_then_words_then_letters() -> None:
    text = "A clause of words, another clause here. Abcdefghijklmnopqrstuvwxyz."
    assert split_text(text, lambda part: len(part) <= 20) == [
        Part("A clause of words,", CLAUSE),
        Part("another clause here.", SENTENCE),
        Part("Abcdefghijklmnopqrst", CUT),
        Part("uvwxyz.", 0.0),
    ]
    assert split_text("one two three four", lambda part: len(part) <= 9)[0] == Part("one two", WORD)


def test_a_letter_keeps_its_marks() -> None:
    text = "e\u0301" * 10
    assert all(part.text.startswith("e") for part in split_text(text, lambda part: len(part) <= 5))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Smith met Mr. J. Brown. They left.", ["Dr. Smith met Mr. J. Brown.", "They left."]),
        ("He paid 3.50 dollars. Why?", ["He paid 3.50 dollars.", "Why?"]),
        ('"Stop!" she said. "Now."', ['"Stop!" she said.', '"Now."']),
        ("First line\nsecond line", ["First line", "second line"]),
        ("今天很好。明天呢？", ["今天很好。", "明天呢？"]),
        ("Wait… what?", ["Wait… what?"]),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_a_long_text_is_measured_rarely() -> None:
    asked = []

    def fits(part: str) -> bool:
        asked.append(part)
        return len(part) <= 100

    parts = split_text("abcde " * 2000, fits)
    assert len(parts) > 100
    assert len(asked) < 20 * len(parts)


def _sticks(char: str) -> bool:
    return char == "\u200d" or unicodedata.category(char) in ("Mn", "Mc", "Me") or 0x1F3FB <= ord(char) <= 0x1F3FF
