"""A word now and then from work that takes long, for somebody who waits at a terminal."""

import time
from collections.abc import Callable
from typing import TextIO


class Progress:
    """Called with the number of things done so far, says it about once a second on ``stream``; says nothing to a file
    or a pipe, and nothing about work that is done within a second.

    ``words``: a sentence with a place for the number. ``clock`` gives seconds.
    """

    def __init__(self, stream: TextIO, words: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream if stream.isatty() else None
        self._words = words
        self._clock = clock
        self._said = clock()

    def __call__(self, done: int) -> None:
        """So many are done."""
        now = self._clock()
        if self._stream is not None and now - self._said >= 1.0:
            self._said = now
            print(self._words.format(done), file=self._stream, flush=True)
