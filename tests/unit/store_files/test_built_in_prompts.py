import re
import string
import unicodedata
from collections import Counter

import pytest

from arena_desktop.domain.prompts import CATEGORIES, Prompt, clean_text, text_sha256
from arena_desktop.store.prompt_files import built_in_prompts

PLAIN = set(string.ascii_letters + string.digits + " .,;:!?'\"-")
WRITTEN_WITH = {
    "en": PLAIN | set("$"),
    "de": PLAIN | set("äöüßÄÖÜ"),
    "es": PLAIN | set("áéíóúñü¡¿"),
    "fr": PLAIN | set("àâçèéêëîïôùûœÀ"),
    "it": PLAIN | set("àèéìòùÈº"),
}
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\u3005。、！？「」0-9.]+")
LENGTHS = {
    "short": (15, 60),
    "long": (180, 340),
    "numbers": (25, 110),
    "questions": (15, 80),
    "emotion": (20, 80),
    "dialogue": (40, 140),
}


def length(prompt: Prompt) -> float:
    """In letters as English has them: a Japanese sign says about as much as two and a half."""
    return len(prompt.text) * (2.5 if prompt.language == "ja" else 1)


@pytest.fixture(scope="module")
def prompts() -> tuple[Prompt, ...]:
    return built_in_prompts()


def test_there_are_enough_in_every_language_and_category(prompts: tuple[Prompt, ...]) -> None:
    assert {prompt.language for prompt in prompts} == {*WRITTEN_WITH, "ja"}
    for language, all_of_them, each in [("en", 110, 15), *((other, 55, 6) for other in ("de", "es", "fr", "it", "ja"))]:
        count = Counter(prompt.category for prompt in prompts if prompt.language == language)
        assert count.total() >= all_of_them
        assert set(count) == set(CATEGORIES)
        assert min(count.values()) >= each


def test_ids_are_unique_and_say_what_they_are(prompts: tuple[Prompt, ...]) -> None:
    assert len({prompt.id for prompt in prompts}) == len(prompts)
    for prompt in prompts:
        assert re.fullmatch(rf"{prompt.language}-{prompt.category}-\d{{3}}", prompt.id)


def test_no_text_stands_twice_even_in_other_dress(prompts: tuple[Prompt, ...]) -> None:
    def bare(text: str) -> str:
        return "".join(char for char in unicodedata.normalize("NFKD", text).casefold() if char.isalnum())

    assert len({bare(prompt.text) for prompt in prompts}) == len(prompts)


def test_every_text_is_clean_and_has_its_hash(prompts: tuple[Prompt, ...]) -> None:
    for prompt in prompts:
        assert clean_text(prompt.text) == prompt.text
        assert prompt.sha256 == text_sha256(prompt.text)


def test_a_text_is_written_with_the_letters_of_its_language(prompts: tuple[Prompt, ...]) -> None:
    for prompt in prompts:
        if prompt.language == "ja":
            assert JAPANESE.fullmatch(prompt.text), prompt
        else:
            assert set(prompt.text) <= WRITTEN_WITH[prompt.language], prompt
            assert max(len(word) for word in prompt.text.split()) <= 20


def test_lengths_fit_the_category(prompts: tuple[Prompt, ...]) -> None:
    for prompt in prompts:
        low, high = LENGTHS[prompt.category]
        assert low <= length(prompt) <= high, prompt


def test_each_category_is_what_it_is_called(prompts: tuple[Prompt, ...]) -> None:
    for prompt in prompts:
        assert prompt.text.endswith((".", "!", "?", '"', "。", "！", "？", "」")), prompt
        assert prompt.text.count('"') % 2 == 0
        assert prompt.text.count("「") == prompt.text.count("」")
        match prompt.category:
            case "numbers":
                assert any(char.isdigit() for char in prompt.text), prompt
            case "questions":
                assert prompt.text.endswith(("?", "？", "か。")), prompt
            case "dialogue":
                assert prompt.text.count('"') >= 4 or prompt.text.count("「") >= 2, prompt
            case "emotion" if prompt.language == "es":
                assert prompt.text.count("!") == prompt.text.count("¡"), prompt


def test_the_texts_that_votes_name_have_not_changed(prompts: tuple[Prompt, ...]) -> None:
    # Votes carry these ids and hashes: a prompt may be added or removed, never rewritten under its id.
    known = {prompt.id: prompt.sha256[:12] for prompt in prompts}
    assert known["en-short-001"] == "ae8bb1360a3c"
    assert known["en-dialogue-020"] == "e9b2ce227d7c"
    assert known["de-short-001"] == "6954b40c1f4e"
    assert known["ja-dialogue-008"] == "a3314936e200"
