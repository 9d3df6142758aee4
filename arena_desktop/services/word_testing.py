"""Has a recogniser listen to the clips of an examination."""

from typing import TYPE_CHECKING, Protocol

from arena_desktop.audio.resample import to_rate
from arena_desktop.audio.types import Clip
from arena_desktop.domain.fixed_set import FixedText, base_of
from arena_desktop.domain.word_errors import UNSPACED, Recogniser, WordErrors, WordTest, together
from arena_desktop.engines.hearing import RATE, DeafError
from arena_desktop.services.words_heard import word_errors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Ear(Protocol):
    """What is needed of a recogniser in its process."""

    @property
    def recogniser(self) -> Recogniser: ...
    def hear(self, sound: "NDArray[np.float32]", language: str) -> str: ...


class WordTesting:
    """The test of one model: :meth:`overhear` every clip, then ask for :attr:`test`.

    A recogniser that fails, or doesn't know the language, ends the test and not the examination: then ``test`` is None
    and :attr:`why_none` says why, one or two sentences.
    """

    def __init__(self, ear: Ear) -> None:
        self._ear = ear
        self._language = ""
        self._errors: list[WordErrors] = []
        self._over = False
        self.why_none = "It spoke nothing that could be compared."

    def overhear(self, text: FixedText, clip: Clip, language: str) -> None:
        """Hear one clip of ``text``. Raises :class:`DeafError` only where the recogniser was closed."""
        if self._over:
            return
        self._language = base_of(language)
        try:
            self._end(_why_not(self._language, self._ear.recogniser))
            if not self._over:
                self._compare(text, self._ear.hear(to_rate(clip.samples, clip.rate, RATE), self._language))
        except DeafError as error:
            if error.cancelled:
                raise
            self._end(str(error))

    def _compare(self, text: FixedText, heard: str) -> None:
        found = word_errors([text.text, text.read or text.text], heard, self._language)
        self._errors += [] if found is None else [found]

    def _end(self, why: str) -> None:
        """No other clip would fare better."""
        if why:
            self._over, self._errors, self.why_none = True, [], why

    @property
    def test(self) -> WordTest | None:
        """What came of it, over all clips."""
        if not self._errors:
            return None
        who = self._ear.recogniser
        return WordTest(who.id, who.title, self._language, together(tuple(self._errors)), len(self._errors))


def _why_not(language: str, who: Recogniser) -> str:
    if language in UNSPACED:
        return f"The language {language} is written without spaces between words: it has no word error rate here."
    if language not in who.languages:
        return f"{who.title} doesn't know the language {language}: no word error rate."
    return ""
