"""How many words of a text a recogniser heard otherwise, and what is kept of a model's test by one."""

from dataclasses import dataclass
from functools import reduce

UNSPACED = frozenset({"ja", "zh", "yue", "th", "lo", "km", "my", "bo"})
"""Languages written without spaces between words: where a word ends is a guess, so there is no word error rate."""


@dataclass(frozen=True)
class WordErrors:
    """Of so many ``words`` of the text: put in place of others, left out, and added. The best alignment decides."""

    words: int
    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0

    @property
    def errors(self) -> int:
        """All three together; may be more than there are words."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def rate(self) -> float:
        """Errors a word, 0 or more. A text has words."""
        return self.errors / self.words

    def __add__(self, other: "WordErrors") -> "WordErrors":
        return WordErrors(
            self.words + other.words,
            self.substitutions + other.substitutions,
            self.deletions + other.deletions,
            self.insertions + other.insertions,
        )


def together(errors: tuple[WordErrors, ...]) -> WordErrors:
    """The errors of several texts as those of one long text, so that a word counts alike wherever it stands."""
    return reduce(lambda one, other: one + other, errors, WordErrors(0))


@dataclass(frozen=True)
class Recogniser:
    """Who listens. ``id`` tells it from every other (a library and its version, or the hash of weights); ``title`` for
    people; ``languages`` are the codes that it knows.
    """

    id: str
    title: str
    languages: frozenset[str]


@dataclass(frozen=True)
class WordTest:
    """What a recogniser made of a model's clips of the fixed set. ``texts``: how many clips it heard; ``when`` in UTC,
    ISO 8601, "" before it is kept.
    """

    recogniser: str
    title: str
    language: str
    errors: WordErrors
    texts: int
    when: str = ""
