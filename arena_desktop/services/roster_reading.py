"""The roster's file is read again because somebody has changed it, or a file that it speaks of."""

from collections.abc import Callable

from arena_desktop.domain.roster import Roster
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.rosters import Rosters


class RosterReading:
    """Reads it on ``thread``. While a battle is open nothing is read: arenas and models may have gone from it, and what
    the battle needs of them stays until it is over. A file that can't be read changes nothing; ``failed`` is told.
    """

    def __init__(self, rosters: Rosters, thread: JobThread, failed: Callable[[Exception], None]) -> None:
        self._rosters = rosters
        self._thread = thread
        self._failed = failed
        self._held = self._wanted = self._reading = False

    def read(self) -> None:
        """Read it now, or after the battle that is open."""
        self._wanted = True
        self._go_on()

    def hold(self) -> None:
        """A battle is open."""
        self._held = True

    def release(self) -> None:
        """It is over."""
        self._held = False
        self._go_on()

    def votes_changed(self) -> None:
        """Nothing to it."""

    def _go_on(self) -> None:
        if self._held or self._reading or not self._wanted:
            return
        self._wanted, self._reading = False, True

        def over() -> None:
            self._reading = False
            self._go_on()

        def read(roster: Roster) -> None:
            if self._held:
                self._wanted = True  # a battle was opened meanwhile
            else:
                self._rosters.use(roster)
            over()

        def failed(error: Exception) -> None:
            self._failed(error)
            over()

        self._thread.ask(self._rosters.load, read, failed)
