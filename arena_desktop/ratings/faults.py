"""What the ratings refuse, as errors that a person can read."""

from arena_desktop.errors import ArenaError

_LARGEST_SHOWN = 2**53


class RatingError(ArenaError):
    """Anything the ratings can't use. Whoever catches this catches all of them."""


class RegistryError(RatingError):
    """The models or arenas handed in contradict themselves."""


class VoteRefused(RatingError):
    """A vote that no rating can use. ``reason`` is the short text that a replay counts the same fault under."""

    def __init__(self, reason: str, message: str, remedy: str = "") -> None:
        self.reason = reason
        super().__init__(message, remedy)


class StateError(RatingError):
    """A saved state that can't be loaded, or numbers that can't be saved in that form."""


class NotConverged(RatingError):
    """A fit did not reach its optimum. No rating is returned."""


def shown(value: object) -> str:
    """``value`` for a message: never longer than a line, whatever it is."""
    if value is None or isinstance(value, bool | float):
        return repr(value)
    if isinstance(value, int):
        return repr(value) if abs(value) <= _LARGEST_SHOWN else "a huge number"
    return repr(value[:60]) if isinstance(value, str) else f"a {type(value).__name__}"
