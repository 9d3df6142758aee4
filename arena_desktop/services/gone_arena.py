"""An arena that was asked for may have gone from the roster before the answer is made."""

from arena_desktop.errors import ArenaError


class NoSuchArena(ArenaError):
    """The roster in force has no arena of this name."""


def unless_gone(error: Exception) -> None:
    """Raise ``error``, unless it is only that the arena has gone: whoever took it away has another one shown."""
    if not isinstance(error, NoSuchArena):
        raise error
