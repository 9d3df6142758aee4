"""The roster in force, and word to everybody who works from it when it changes."""

from collections.abc import Callable

from arena_desktop.domain.roster import Roster


class Rosters:
    """Holds one roster. ``load`` reads it from its files, raising RosterError; it may be called from any thread. All
    else comes from one thread.
    """

    def __init__(self, load: Callable[[], Roster]) -> None:
        self.load = load
        self._current = load()
        self._told: list[Callable[[Roster], None]] = []

    @property
    def current(self) -> Roster:
        """The roster in force."""
        return self._current

    def subscribe(self, changed: Callable[[Roster], None]) -> None:
        """Have ``changed`` called with every new roster, after those that subscribed before."""
        self._told.append(changed)

    def use(self, roster: Roster) -> bool:
        """Put ``roster`` in force; whether anything differs."""
        if roster == self._current and list(roster.arenas) == list(self._current.arenas):
            return False
        self._current = roster
        for changed in self._told:
            changed(roster)
        return True
