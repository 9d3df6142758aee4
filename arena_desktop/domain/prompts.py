"""Texts to be spoken: the built-in prompts, a listener's own, and the order in which they come up."""

import hashlib
import hmac
import random
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from arena_desktop.errors import ArenaError

MAX_OWN_TEXT = 1_000
"""The longest own text, in characters after :func:`clean_text`."""

_INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u2060\u00ad"))
"""Marks that may be pasted along with a text and are neither seen nor spoken."""

OWN = "own"
"""The category of every text that is not built in."""

CATEGORIES: Mapping[str, str] = MappingProxyType(
    {
        "short": "Short",
        "long": "Long",
        "numbers": "Numbers and names",
        "questions": "Questions",
        "emotion": "Emotion",
        "dialogue": "Dialogue",
    }
)
"""The built-in categories: id to title, in the order in which they are offered."""


_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the direction of what follows: a text with them does not read as it will be spoken."""


class TextRefused(ArenaError):
    """A text that no voice should be asked to speak."""


@dataclass(frozen=True)
class Prompt:
    """One text. ``sha256`` is the lower-case hex SHA-256 of ``text`` (NFC) in UTF-8.

    ``id`` is ``en-short-001`` and the like for built-in prompts, ``own:`` + 12 hex digits for own text.
    ``language`` is a BCP 47 tag, "" if unknown.
    """

    id: str
    text: str
    category: str
    language: str
    sha256: str


def text_sha256(text: str) -> str:
    """Lower-case hex SHA-256 of the NFC form of ``text`` in UTF-8."""
    return hashlib.sha256(unicodedata.normalize("NFC", text).encode("utf-8")).hexdigest()


def clean_text(raw: str, limit: int = MAX_OWN_TEXT) -> str:
    """``raw`` in NFC, each run of blanks and line breaks as one space, none at the ends.

    Raises :class:`TextRefused` when nothing in it can be spoken, when it is longer than ``limit`` characters, or
    when it holds
    characters that are no text, or turn its direction.
    """
    # Bounded before any work: a pasted book must not stall the window.
    text = " ".join(unicodedata.normalize("NFC", raw[: limit * 8]).translate(_INVISIBLE).split())
    if len(raw) > limit * 8 or len(text) > limit:
        raise TextRefused(
            f"The text has more than {limit:,} characters.",
            "Shorten it, or put its sentences on separate lines of a text file.",
        )
    if not text:
        raise TextRefused("There is no text to speak.", "Type a sentence.")
    for char in text:
        # Unassigned code points pass: they may be letters or emoji that are newer than this Python.
        if unicodedata.category(char) in ("Cc", "Cs", "Co") or char in "\ufffd\ufffe\uffff":
            raise TextRefused(f"The text holds U+{ord(char):04X}, which is no readable character.", "Remove it.")
        if char in _TURNING:
            raise TextRefused(
                f"The text holds U+{ord(char):04X}, which turns its direction: it would not be read as it looks.",
                "Remove it.",
            )
    if not any(unicodedata.category(char)[0] in "LN" for char in text):
        raise TextRefused("The text has no letter and no digit, so nothing in it can be spoken.", "Add a word.")
    return text


def own_prompt_id(key: bytes, text: str) -> str:
    """``own:`` + the first 12 hex digits of HMAC-SHA-256 over ``text`` in NFC: the same here, telling nothing
    elsewhere.
    """
    digest = hmac.new(key, unicodedata.normalize("NFC", text).encode("utf-8"), hashlib.sha256)
    return "own:" + digest.hexdigest()[:12]


def own_prompt(raw: str, key: bytes, language: str = "") -> Prompt:
    """A listener's own text as a prompt. Raises :class:`TextRefused` with one sentence to show."""
    text = clean_text(raw)
    return Prompt(own_prompt_id(key, text), text, OWN, language, text_sha256(text))


def suitable(prompts: Iterable[Prompt], category: str = "", language: str | None = None) -> tuple[Prompt, ...]:
    """Those of ``category`` ("" for all) in ``language`` (None for all; ``en`` also takes ``en-GB``)."""
    base = (language or "").split("-")[0].casefold()
    return tuple(
        prompt
        for prompt in prompts
        if (not category or prompt.category == category)
        and (not base or not prompt.language or prompt.language.split("-")[0].casefold() == base)
    )


def choose_prompt(prompts: Sequence[Prompt], used: Sequence[str], seed: str) -> Prompt:
    """One of ``prompts``, each as likely as the next among those that came up least often in ``used`` (ids, oldest
    first).

    The last one used does not come up twice running while there is another. Raises :class:`ArenaError` when there
    is none.
    """
    if not prompts:
        raise ArenaError("There is no prompt to speak.", "Choose another source of prompts.")
    count = Counter(used)
    fewest = min(count[prompt.id] for prompt in prompts)
    left = [prompt for prompt in prompts if count[prompt.id] == fewest]
    if used:
        left = [prompt for prompt in left if prompt.id != used[-1]] or left
        if left[0].id == used[-1]:
            # only the last one is left: start the next round without it
            left = [prompt for prompt in prompts if prompt.id != used[-1]] or left
    return random.Random(seed).choice(left)  # noqa: S311 — reproducible, and nothing secret hangs on it


class PromptDeck:
    """Deals prompts so that none comes back while others are left; starts from what ``used`` (ids, oldest first)
    says.
    """

    def __init__(self, prompts: Sequence[Prompt], used: Iterable[str] = ()) -> None:
        self._prompts = tuple(prompts)
        self._used = list(used)

    def __len__(self) -> int:
        return len(self._prompts)

    def __iter__(self) -> Iterator[Prompt]:
        return iter(self._prompts)

    def count_as_used(self, prompt_ids: Iterable[str]) -> None:
        """These have come up elsewhere, oldest first."""
        self._used.extend(prompt_ids)

    def draw(self, seed: str) -> Prompt:
        """The next prompt; the same seed after the same history gives the same one."""
        prompt = choose_prompt(self._prompts, self._used, seed)
        self._used.append(prompt.id)
        return prompt
