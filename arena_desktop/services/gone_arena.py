"""An arena that was asked for may have gone from the roster before the answer is made."""

from collections.abc import Collection

from arena_desktop.errors import ArenaError
from arena_desktop.ratings.faults import shown
from arena_desktop.services.views import Line, Tone

NO_ARENA = Line("The roster has no arena.", Tone.ERROR, "Add one to models.yaml.")


class NoSuchArena(ArenaError):
    """The roster in force has no arena of this name. ``known``: those that it has."""

    def __init__(self, arena: str, known: Collection[str]) -> None:
        self.known = tuple(known)
        what = f"There is no arena {shown(arena)} in the roster." if known else NO_ARENA.text
        super().__init__(what, f"Known arenas: {', '.join(known)}." if known else NO_ARENA.remedy)


def unless_gone(error: Exception) -> None:
    """Raise ``error``, unless it is only that the arena has gone: whoever took it away has another one shown."""
    if not isinstance(error, NoSuchArena):
        raise error
