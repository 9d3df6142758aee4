"""The fixed set: every language of the built-in prompts has one, and it holds what is hard."""

import pytest

from arena_desktop.domain.fixed_set import FIXED_SETS, fixed_set, letters_of
from arena_desktop.engines.worker.texts import refusal
from arena_desktop.store.prompt_files import built_in_prompts

HARD = {"numbers", "names", "long", "one word", "punctuation"}


def test_every_language_of_the_prompts_has_a_set() -> None:
    assert set(FIXED_SETS) == {prompt.language for prompt in built_in_prompts()}
    for found in FIXED_SETS.values():
        texts = {text.kind: text for text in found.texts}
        assert set(texts) >= HARD
        assert any(letter.isdigit() for letter in texts["numbers"].text)
        assert texts["long"].letters == max(text.letters for text in found.texts)
        assert len(texts["one word"].text.split()) == 1
        assert all(refusal(text.text) is None for text in found.texts)


@pytest.mark.parametrize(
    ("languages", "found"), [(("en-GB",), "en"), (("xx", "de_AT"), "de"), (("JA",), "ja"), (("sw",), None), ((), None)]
)
def test_the_set_is_that_of_the_first_language_that_has_one(languages: tuple[str, ...], found: str | None) -> None:
    chosen = fixed_set(languages)
    assert (chosen and chosen.language) == found


@pytest.mark.parametrize(
    ("text", "letters"), [("Umbrella.", 8), ("At 7:35", 17), ("おちゃ", 2), ("駅", 2), ("ラーメン", 4), ("… !", 0)]
)
def test_letters_are_counted_as_they_are_read(text: str, letters: float) -> None:
    assert letters_of(text) == letters
