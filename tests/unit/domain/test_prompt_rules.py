import hashlib
import hmac
import itertools
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.domain.prompts import (
    MAX_OWN_TEXT,
    Prompt,
    PromptDeck,
    TextRefused,
    choose_prompt,
    clean_text,
    own_prompt,
    own_prompt_id,
    suitable,
    text_sha256,
)
from arena_desktop.errors import ArenaError

KEY = bytes(range(32))


def prompts(count: int, category: str = "short", language: str = "en") -> list[Prompt]:
    return [Prompt(f"p{number}", f"Text {number}.", category, language, "") for number in range(count)]


@pytest.mark.parametrize(
    "raw", ["", "   \n\t ", "...!?", "—", "🙂", "\u200b\ufeff", "a" * (MAX_OWN_TEXT + 1), "a\0b", "\ud800x", "a\x07"]
)
def test_a_text_that_cannot_be_spoken_is_refused_in_one_clear_sentence(raw: str) -> None:
    with pytest.raises(TextRefused) as refusal:
        clean_text(raw)
    assert refusal.value.message.endswith(".")
    assert refusal.value.message.count(". ") == 0
    assert refusal.value.remedy.endswith(".")
    assert refusal.value.message.isprintable()


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("  Hello,\r\n  world!\t", "Hello, world!"),
        ("cafe\u0301", "caf\u00e9"),
        ("Nice 🙂👩‍👩‍👧", "Nice 🙂👩‍👩‍👧"),
        ("\ufeffHello\u00ad there", "Hello there"),
        ("42", "42"),
        ("你好。", "你好。"),
        ("a" * MAX_OWN_TEXT, "a" * MAX_OWN_TEXT),
    ],
)
def test_a_text_is_tidied_and_kept(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


@given(st.text())
def test_cleaning_ends_in_a_text_that_stays_as_it_is_or_in_a_refusal(raw: str) -> None:
    try:
        text = clean_text(raw)
    except TextRefused:
        return
    assert clean_text(text) == text
    assert unicodedata.is_normalized("NFC", text)
    assert 0 < len(text) <= MAX_OWN_TEXT
    assert any(char.isalnum() for char in text)


def test_a_huge_paste_is_refused_without_being_worked_through() -> None:
    with pytest.raises(TextRefused, match="1,000"):
        clean_text("word " * 2_000_000)


def test_own_prompt_carries_what_the_log_needs() -> None:
    prompt = own_prompt(" cafe\u0301 ", KEY, "fr")
    nfc = "caf\u00e9".encode()
    assert prompt == Prompt(
        id="own:" + hmac.new(KEY, nfc, hashlib.sha256).hexdigest()[:12],
        text="caf\u00e9",
        category="own",
        language="fr",
        sha256=hashlib.sha256(nfc).hexdigest(),
    )


def test_own_ids_hang_on_the_key_and_not_on_the_way_of_typing() -> None:
    assert own_prompt_id(KEY, "caf\u00e9") == own_prompt_id(KEY, "cafe\u0301")
    assert own_prompt_id(KEY, "tea") != own_prompt_id(bytes(32), "tea")
    assert text_sha256("caf\u00e9") == text_sha256("cafe\u0301")


def test_suitable_prompts_by_category_and_language() -> None:
    english, british, french, unknown = (
        Prompt("1", "x", "short", "en", ""),
        Prompt("2", "x", "long", "en-GB", ""),
        Prompt("3", "x", "short", "fr", ""),
        Prompt("4", "x", "own", "", ""),
    )
    everything = (english, british, french, unknown)
    assert suitable(everything) == everything
    assert suitable(everything, "short") == (english, french)
    assert suitable(everything, language="en-US") == (english, british, unknown)
    assert suitable(everything, "short", "fr") == (french,)


@given(count=st.integers(1, 12), rounds=st.integers(1, 4), seed=st.text(max_size=8))
def test_a_deck_deals_every_prompt_before_any_comes_back_and_none_twice_running(
    count: int, rounds: int, seed: str
) -> None:
    deck = PromptDeck(prompts(count))
    dealt = [deck.draw(f"{seed}{number}").id for number in range(count * rounds)]
    for start in range(0, len(dealt), count):
        assert len(set(dealt[start : start + count])) == count
    if count > 1:
        assert all(one != two for one, two in itertools.pairwise(dealt))


def test_a_draw_hangs_on_seed_and_history_alone() -> None:
    some = prompts(50)
    assert choose_prompt(some, ["p1"], "s") == choose_prompt(some, ["p1"], "s")
    assert len({choose_prompt(some, [], str(number)).id for number in range(200)}) > 30


def test_a_deck_goes_on_from_what_was_used_before() -> None:
    deck = PromptDeck(prompts(3), used=["p0", "gone", "p2"])
    assert deck.draw("any").id == "p1"


def test_an_empty_deck_says_so() -> None:
    with pytest.raises(ArenaError, match="no prompt"):
        PromptDeck([]).draw("s")
