"""How long the listener still waits for the next battle, in words that don't tell which one it is."""

from collections.abc import Callable

from arena_desktop.services.waiting_words import within

WORTH_SAYING_S = 3.0
"""A wait that is sure to be shorter is not put into words."""
LONGER = "It takes longer than was measured before."


class NextWait:
    """``bound`` gives the seconds that no battle of the arena takes more than, None where nothing was measured: the
    words hang on it and on the time gone by, never on the pair that is being prepared.
    """

    def __init__(self, bound: Callable[[], float | None]) -> None:
        self._bound = bound
        self._since: float | None = None
        self._end: float | None = None

    def words(self, waiting: bool, now_ms: float) -> str:
        """What is said of it now; "" while nobody waits."""
        if not waiting:
            self._since = self._end = None
            return ""
        if self._since is None:
            self._since = now_ms
        if self._end is None:
            bound = self._bound()
            if bound is None:
                return ""
            self._end = self._since + 1000 * bound
        if self._end - self._since < 1000 * WORTH_SAYING_S:
            return ""
        left = (self._end - now_ms) / 1000
        return f"It is ready {within(left)}." if left > 0 else LONGER
