"""What a recogniser made of a model is shown to those alone who have voted on it: a number beside a name would be in
their ears when they hear it.
"""

from collections.abc import Callable
from dataclasses import replace

from arena_desktop.domain.word_errors import WordErrors, WordTest
from arena_desktop.services.views import Examined

NOT_YET = "Heard and kept; it is shown once you have voted on this model."


def veiled(examined: Examined | None, voted: Callable[[], bool]) -> Examined | None:
    """``examined`` as it may be shown to somebody who has ``voted`` on the model, or hasn't (asked only if need be)."""
    return examined if examined is None or not examined.words or voted() else replace(examined, words=())


def with_words_of(shown: Examined | None, now: Examined | None) -> Examined | None:
    """``now``, of which a recogniser's part stays as it was ``shown``: a battle is open."""
    return None if now is None else replace(now, words=() if shown is None else shown.words)


def percent(errors: WordErrors) -> str:
    """The rate in words: "15.7 %"."""
    return f"{100 * errors.rate:.1f} %"


def counts(errors: WordErrors) -> str:
    """What makes up the rate."""
    return (
        f"{errors.substitutions} put wrong, {errors.deletions} left out, {errors.insertions} added,"
        f" of {errors.words} words"
    )


def sentence(test: WordTest) -> str:
    """A test in one sentence, without its day."""
    return f"Word error rate {percent(test.errors)} ({counts(test.errors)}; {test.language}), heard by {test.title}"


class VotedModels:
    """Which models the listener has voted on: a page beside the Listen page, which asks whenever that may have changed.

    ``ask`` finds them out and hands them to what it is given, on the thread that calls this; ``changed`` is called when
    others are ``known`` than before.
    """

    def __init__(
        self, ask: Callable[[Callable[[frozenset[str]], None]], None], changed: Callable[[], None] = lambda: None
    ) -> None:
        self._ask = ask
        self._changed = changed
        self.known: frozenset[str] = frozenset()

    def hold(self) -> None:
        """A battle is open: nothing new is shown."""

    def release(self) -> None:
        self.votes_changed()

    def votes_changed(self) -> None:
        self._ask(self._take)

    def _take(self, found: frozenset[str]) -> None:
        if found != self.known:
            self.known = found
            self._changed()
