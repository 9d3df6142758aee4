"""What reaches an engine: nothing invisible, nothing broken; and refusals in one sentence."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.engines.worker.faults import EngineFault
from arena_desktop.engines.worker.speech.text import cleaned


@given(st.text(max_size=80))
def test_whatever_is_typed_gives_clean_text_or_one_sentence(text: str) -> None:
    wanted = "".join(char for char in unicodedata.normalize("NFC", text) if unicodedata.category(char)[0] in "LNS")
    if not wanted:
        with pytest.raises(EngineFault, match=r"^The text has no .*\.$"):
            cleaned(text)
        return
    clean = cleaned(text)
    clean.encode()
    assert cleaned(clean) == clean
    assert "".join(char for char in clean if unicodedata.category(char)[0] in "LNS") == wanted


@pytest.mark.parametrize(
    ("typed", "clean"),
    [
        ("a\x00b", "a b"),
        ("  two   words \t", "two words"),
        ("one\r\ntwo\n\n\nthree", "one\ntwo\nthree"),
        ("e\u0301", "é"),
        ("\u202eHello\u200b \u2066world\u2069\ufeff", "Hello world"),
        ("Fine \ud83d day", "Fine day"),
        ("👩\u200d👧", "👩\u200d👧"),
    ],
)
def test_examples(typed: str, clean: str) -> None:
    assert cleaned(typed) == clean


@pytest.mark.parametrize("text", ["", "  \n", "...!?", "\u200b\u202e", "\ud83d", "\x00"])
def test_nothing_to_speak(text: str) -> None:
    with pytest.raises(EngineFault, match="no letter, digit or symbol"):
        cleaned(text)
