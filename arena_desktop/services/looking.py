"""The lens beside the ranking: computed on a thread of its own, from a snapshot, so that no vote ever waits for it."""

from collections.abc import Callable

from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board_views import Lens, LensView
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
        self._held = False
        self._waiting: LensView | None = None

    def look(self, arena: str, lens: Lens | None) -> None:
        """The user wants this lens of this arena: shown as soon as it is made."""
        self._arena, self._lens = arena, lens
        self._waiting = None
        self._ask(lambda view: self._show(view))

    def votes_changed(self) -> None:
        """Make the view anew."""
        self._ask(self._deliver)

    def hold(self) -> None:
        """Nothing changes on the page until :meth:`release`."""
        self._held = True

    def release(self) -> None:
        """Catch up."""
        self._held = False
        if self._waiting is not None:
            view, self._waiting = self._waiting, None
            self._show(view)

    def close(self) -> None:
        """End the thread, after what it is doing now."""
        self._wish += 1
        self._thread.close()

    def _ask(self, deliver: Callable[[LensView], None]) -> None:
        self._wish += 1
        wish, arena, lens = self._wish, self._arena, self._lens
        if lens is None:
            return

        def made(view: LensView | None) -> None:
            if view is not None and wish == self._wish:
                deliver(view)

        def make(votes: ArenaVotes) -> LensView | None:
            # Wishes that were overtaken while they waited for the thread are passed over.
            return self._look(votes, lens) if wish == self._wish else None

        def taken(votes: ArenaVotes) -> None:
            if wish == self._wish:
                self._thread.ask(lambda: make(votes), made)

        self._store.ask(lambda: self._snapshot(arena), taken)

    def _deliver(self, view: LensView) -> None:
        if self._held:
            self._waiting = view
        else:
            self._show(view)
