"""The lens beside the ranking: computed on a thread of its own, from a snapshot, so that no vote ever waits for it."""

from collections.abc import Callable

from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board_views import Lens, LensView
from arena_desktop.services.gone_arena import unless_gone
from arena_desktop.services.jobs import JobThread


class Looking:
    """Publishes the view of the lens that was asked for last.

    ``snapshot`` gives an arena's votes and runs on ``store``; ``look`` makes a lens's view of them and runs on
    ``thread``. While held, nothing is shown but what the user has just asked for.
    """

    def __init__(
        self,
        *,
        store: JobThread,
        thread: JobThread,
        snapshot: Callable[[str], ArenaVotes],
        look: Callable[[ArenaVotes, Lens], LensView],
        show: Callable[[LensView], None],
    ) -> None:
        self._store = store
        self._thread = thread
        self._snapshot = snapshot
        self._look = look
        self._show = show
        self._lens: Lens | None = None
        self._arena = ""
        self._wish = 0
        self._working = False
        self._again = False
        self._held = False
        self._waiting: LensView | None = None

    def look(self, arena: str, lens: Lens | None) -> None:
        """The user wants this lens of this arena: shown as soon as it is made."""
        self._arena, self._lens = arena, lens
        self._waiting = None
        self._wish += 1
        self._again = False
        self._make(self._show)

    def votes_changed(self) -> None:
        """Make the view anew; while one is being made, once more after it."""
        if self._working:
            self._again = True
        else:
            self._make(self._deliver)

    def hold(self) -> None:
        """Nothing changes on the page until :meth:`release`."""
        self._held = True

    def release(self) -> None:
        """Catch up."""
        self._held = False
        if self._waiting is not None:
            view, self._waiting = self._waiting, None
            self._show(view)

    @property
    def is_working(self) -> bool:
        """Whether a view is being made."""
        return self._working

    def close(self) -> None:
        """End the thread, after what it is doing now."""
        self._wish += 1
        self._thread.close()

    def _make(self, deliver: Callable[[LensView], None]) -> None:
        wish, arena, lens = self._wish, self._arena, self._lens
        self._working = lens is not None
        if lens is None:
            return

        def made(view: LensView | None) -> None:
            if view is None or wish != self._wish:
                return
            self._working = False
            deliver(view)
            if self._again:
                self._again = False
                self._make(self._deliver)

        def failed(error: Exception) -> None:
            if wish == self._wish:
                self._working = self._again = False
            unless_gone(error)

        def make(votes: ArenaVotes) -> LensView | None:
            # What nobody wants to see any more is passed over.
            return self._look(votes, lens) if wish == self._wish else None

        def taken(votes: ArenaVotes) -> None:
            if wish == self._wish:
                self._thread.ask(lambda: make(votes), made, failed)

        self._store.ask(lambda: self._snapshot(arena), taken, failed)

    def _deliver(self, view: LensView) -> None:
        if self._held:
            self._waiting = view
        else:
            self._show(view)
