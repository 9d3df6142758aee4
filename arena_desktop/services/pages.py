"""The pages beside the Listen page stand still while a battle is open, and catch up when it closes."""

from collections.abc import Callable
from typing import Protocol

from arena_desktop.services.board_views import Lens
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.looking import Looking
from arena_desktop.services.preparation import PreparedBattle
from arena_desktop.services.views import BoardView


class Boards(Protocol):
    """The board; every call runs on the store's thread."""

    def hold_back(self, votes: frozenset[str]) -> None: ...
    def view(self, arena: str) -> BoardView: ...
    def stand_still(self, still: bool) -> None:
        """Whether every look sees the same votes, whoever writes to the log meanwhile."""

    def changed_elsewhere(self) -> bool:
        """Whether somebody else wrote to the log since it was last looked at."""


class Models(Protocol):
    """The Models page, whose changes can be held."""

    def hold(self) -> None: ...
    def release(self) -> None: ...
    def note_device(self, repo_id: str, device: str) -> None:
        """Where the model was seen to run."""


class Beside(Protocol):
    """Another page of votes, which stands still as well."""

    def hold(self) -> None: ...
    def release(self) -> None: ...
    def votes_changed(self) -> None: ...


class Pages:
    """Publishes the board, and holds it and the Models page while a battle is open.

    ``votes_differ`` is called whenever the votes that are shown have changed.
    """

    def __init__(
        self,
        *,
        store: JobThread,
        boards: Boards,
        models: Models,
        take: Callable[[], PreparedBattle | None],
        voted: Callable[[str], None],
        looking: Looking,
        show: Callable[[BoardView], None],
        write: Callable[[str, str, str], None],
        votes_differ: Callable[[], None],
        arena: str,
    ) -> None:
        self._store = store
        self._boards = boards
        self._models = models
        self._take = take
        self._voted = voted
        self._looking = looking
        self._lens: Lens | None = None
        self._show = show
        self._write = write
        self._votes_differ = votes_differ
        self._arena = arena
        self._open = False
        self._waiting: BoardView | None = None
        self._ran: list[tuple[str, str]] = []
        self._beside: list[Beside] = []
        self.held_back: frozenset[str] = frozenset()
        """Votes whose names are not shown yet."""

    def stand_beside(self, page: Beside) -> None:
        """Have this page, too, stand still while a battle is open, and hear of changed votes."""
        self._beside.append(page)

    def take(self) -> PreparedBattle | None:
        """The next prepared battle."""
        return self._take()

    def battle_opened(self) -> None:
        """From now on nothing changes but the Listen page."""
        self._open = True
        self._store.ask(lambda: self._boards.stand_still(True))
        self._models.hold()
        self._looking.hold()
        for page in self._beside:
            page.hold()

    def battle_closed(self) -> None:
        """Catch up."""
        self._open = False
        self._store.ask(lambda: self._boards.stand_still(False))
        self._models.release()
        self._looking.release()
        for page in self._beside:
            page.release()
        if self._waiting is not None:
            view, self._waiting = self._waiting, None
            self._show(view)

    def vote_stored(self, prepared: PreparedBattle) -> None:
        """The clips of a battle that was voted on stay in the cache longest."""
        keys = (prepared.a.key, prepared.b.key)
        self._store.ask(lambda: [self._voted(key) for key in keys])
        self._ran += [
            (prepared.model_a.repo_id, prepared.a.spoken.device),
            (prepared.model_b.repo_id, prepared.b.spoken.device),
        ]

    def votes_changed(self, held_back: frozenset[str]) -> None:
        """A vote was cast or taken back; ``held_back`` are those whose names are not shown yet."""
        self.held_back = held_back
        if not held_back:
            for repo_id, device in self._ran:
                self._models.note_device(repo_id, device)
            self._ran = []

        def look() -> BoardView:
            self._boards.hold_back(held_back)
            return self._boards.view(self._arena)

        self._store.ask(look, self._deliver)
        self._tell()

    def look_around(self) -> None:
        """Show the board anew if an import or another window has changed the votes."""
        arena = self._arena

        def look() -> BoardView | None:
            return self._boards.view(arena) if self._boards.changed_elsewhere() else None

        def seen(view: BoardView | None) -> None:
            if view is not None:
                self._deliver(view)
                self._tell()

        self._store.ask(look, seen)

    def show_arena(self, arena: str) -> None:
        """The user looks at another arena's board: that is shown at once."""
        self._arena = arena
        self._store.ask(lambda: self._boards.view(arena), self._deliver_asked)
        self._looking.look(arena, self._lens)

    def look(self, lens: Lens | None) -> None:
        """The user looks at the arena through a lens."""
        self._lens = lens
        self._looking.look(self._arena, lens)

    def export(self, form: str, path: str) -> None:
        """The user wants the board in a file."""
        self._write(self._arena, form, path)

    def _tell(self) -> None:
        self._looking.votes_changed()
        for page in self._beside:
            page.votes_changed()
        self._votes_differ()

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
