"""The pages beside the Listen page stand still while a battle is open, and catch up when it closes."""

from collections.abc import Callable
from typing import Protocol

from arena_desktop.services.jobs import StoreThread
from arena_desktop.services.preparation import PreparedBattle
from arena_desktop.services.views import BoardView


class Boards(Protocol):
    """The board; every call runs on the store's thread."""

    def hold_back(self, votes: frozenset[str]) -> None: ...
    def view(self, arena: str) -> BoardView: ...


class Holding(Protocol):
    """A page whose changes can be held."""

    def hold(self) -> None: ...
    def release(self) -> None: ...


class Pages:
    """Publishes the board, and holds it and the Models page while a battle is open."""

    def __init__(
        self,
        *,
        store: StoreThread,
        boards: Boards,
        models: Holding,
        take: Callable[[], PreparedBattle | None],
        voted: Callable[[str], None],
        show: Callable[[BoardView], None],
        arena: str,
    ) -> None:
        self._store = store
        self._boards = boards
        self._models = models
        self._take = take
        self._voted = voted
        self._show = show
        self._arena = arena
        self._open = False
        self._waiting: BoardView | None = None

    def take(self) -> PreparedBattle | None:
        """The next prepared battle."""
        return self._take()

    def battle_opened(self) -> None:
        """From now on nothing changes but the Listen page."""
        self._open = True
        self._models.hold()

    def battle_closed(self) -> None:
        """Catch up."""
        self._open = False
        self._models.release()
        if self._waiting is not None:
            view, self._waiting = self._waiting, None
            self._show(view)

    def vote_stored(self, prepared: PreparedBattle) -> None:
        """The clips of a battle that was voted on stay in the cache longest."""
        self._voted(prepared.a.key)
        self._voted(prepared.b.key)

    def votes_changed(self, held_back: frozenset[str]) -> None:
        """A vote was cast or taken back; ``held_back`` are those whose names are not shown yet."""

        def look() -> BoardView:
            self._boards.hold_back(held_back)
            return self._boards.view(self._arena)

        self._store.ask(look, self._deliver)

    def show_arena(self, arena: str) -> None:
        """The user looks at another arena's board: that is shown at once."""
        self._arena = arena
        self._store.ask(lambda: self._boards.view(arena), self._deliver_asked)

    def _deliver(self, view: BoardView) -> None:
        if view.arena != self._arena:
            return
        if self._open:
            self._waiting = view
        else:
            self._show(view)

    def _deliver_asked(self, view: BoardView) -> None:
        if view.arena == self._arena:
            self._waiting = None
            self._show(view)
