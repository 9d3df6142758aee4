"""Both clips in turn, without a key: who is to be started next."""

from arena_desktop.audio.types import PlayerState, PlayerStatus
from arena_desktop.domain.votes import Side

COMPLETE = 0.999
"""A clip counts as played to its end from this share of distinct frames on (the very last block may still be on its
way).
"""


class Autoplay:
    """Starts ``first``, and the other side when ``first`` has ended. :meth:`stop` hands over to the listener for
    good.
    """

    def __init__(self, first: Side) -> None:
        self._turns = [first, first.other]
        self._started: Side | None = None

    def stop(self) -> None:
        """The listener has taken over."""
        self._turns = []

    def due(self, status: PlayerStatus) -> Side | None:
        """The side to start now, None when there is nothing to do."""
        if not self._turns or status.state is not PlayerState.IDLE:
            return None
        if self._started is not None:
            heard = status.heard_a if self._started is Side.A else status.heard_b
            if heard < COMPLETE:
                return None
        self._started = self._turns.pop(0)
        return self._started
