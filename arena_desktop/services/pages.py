"""The pages beside the Listen page stand still while a battle is open, and catch up when it closes."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Protocol

from arena_desktop.services.battle_maker import PreparedBattle
from arena_desktop.services.board_views import Lens
from arena_desktop.services.gone_arena import NoSuchArena, unless_gone
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.looking import Looking
from arena_desktop.services.views import BoardView

CAME_IN = "New votes came in. They are shown here after this battle: vote, or skip it (S)."
"""Said while a battle is open and votes from elsewhere wait."""
TAKEN_BACK = "A vote was taken back. It leaves this board after this battle: vote, or skip it (S)."
"""Said while a battle is open and a vote was retracted."""
CHANGED = "Votes came in, and others were taken back. This board shows it after this battle: vote, or skip it (S)."
"""Said while both wait."""


class Boards(Protocol):
    """The board; every call runs on the store's thread."""

    def hold_back(self, votes: frozenset[str]) -> None: ...
    def view(self, arena: str) -> BoardView: ...
    def stand_still(self, still: bool) -> None:
        """Whether every look sees the same votes, whoever writes to the log meanwhile."""

    def changed_elsewhere(self) -> bool:
        """Whether somebody else wrote to the log since it was last looked at."""

    def came_in(self) -> bool:
        """Whether records of somebody else wait in the log to be looked at."""


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

    What a person at this window does to the votes while a battle is open (an import, a synchronisation, a retraction)
    leaves the numbers as they are, but the board says at once that something waits: what stood there before would be
    false. It is shown when the battle is over, as it was read before the next one opened.
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
        self._last: BoardView | None = None
        self._told = ""
        self._ran: list[tuple[str, str]] = []
        self._beside: list[Beside] = []
        self._rerate: Callable[[], None] | None = None
        self.held_back: frozenset[str] = frozenset()
        """Votes whose names are not shown yet."""

    def stand_beside(self, page: Beside) -> None:
        """Have this page, too, stand still while a battle is open, and hear of changed votes."""
        self._beside.append(page)

    def roster_changed(self, rerate: Callable[[], None], arenas: Collection[str], chosen: str) -> None:
        """Models or arenas came or went: ``rerate``, run on the store's thread, has the board follow. Not while a
        battle is open: its vote is rated as it was begun. There are ``arenas`` now; ``chosen`` is looked at if the one
        that was has gone.
        """
        if self._open:
            self._rerate = lambda: self.roster_changed(rerate, arenas, chosen)
            return
        self._store.ask(rerate)
        if chosen in arenas and self._arena not in arenas:
            self.show_arena(chosen)
        else:
            arena = self._arena
            self._store.ask(lambda: self._boards.view(arena), self._deliver, self._gone)
        self._tell()

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
        rerate, self._rerate = self._rerate, None
        if rerate is not None:
            rerate()
        self._looking.release()
        for page in self._beside:
            page.release()
        view, self._waiting = self._waiting, None
        if self._told:
            self._show_what_waited()
        elif view is not None:
            self._draw(view)

    def vote_stored(self, prepared: PreparedBattle) -> None:
        """The clips of a battle that was voted on stay in the cache longest."""
        keys = (prepared.a.key, prepared.b.key)
        self._store.ask(lambda: [self._voted(key) for key in keys])
        self._ran += [
            (prepared.model_a.repo_id, prepared.a.spoken.device),
            (prepared.model_b.repo_id, prepared.b.spoken.device),
        ]

    def votes_changed(self, held_back: frozenset[str]) -> None:
        """A vote was cast or taken back; ``held_back`` are those whose names are not shown yet.

        While a battle is open votes are only taken back.
        """
        if self._open:
            self._say(TAKEN_BACK)
        self.held_back = held_back
        if not held_back:
            for repo_id, device in self._ran:
                self._models.note_device(repo_id, device)
            self._ran = []

        arena = self._arena  # another one that is chosen meanwhile may not be known there yet

        def look() -> BoardView:
            self._boards.hold_back(held_back)
            return self._boards.view(arena)

        self._store.ask(look, self._deliver, self._gone)
        self._tell()

    def brought_in(self) -> None:
        """The person at this window has imported or synchronised: show it, or say that it waits."""
        if self._open:
            self._say_if_waiting()
        else:
            self.look_around()

    def look_around(self) -> None:
        """Show the board anew if an import or another window has changed the votes."""
        arena = self._arena

        def look() -> BoardView | None:
            return self._boards.view(arena) if self._boards.changed_elsewhere() else None

        def seen(view: BoardView | None) -> None:
            if view is not None:
                self._deliver(view)
                self._tell()

        self._store.ask(look, seen, self._gone)

    def show_arena(self, arena: str) -> None:
        """The user looks at another arena's board: that is shown at once."""
        self._arena = arena
        self._store.ask(lambda: self._boards.view(arena), self._deliver_asked, self._gone)
        self._looking.look(arena, self._lens)
        self._say_if_waiting()

    def look(self, lens: Lens | None) -> None:
        """The user looks at the arena through a lens, or (None) at its ranking."""
        self._lens = lens
        self._looking.look(self._arena, lens)
        self._say_if_waiting()

    def export(self, form: str, path: str) -> None:
        """The user wants the board in a file."""
        self._write(self._arena, form, path)

    def _tell(self) -> None:
        self._looking.votes_changed()
        for page in self._beside:
            page.votes_changed()
        self._votes_differ()

    def _say_if_waiting(self) -> None:
        """Somebody looks: what is written there must not be taken for all there is."""
        if self._open:
            self._store.ask(self._boards.came_in, lambda waits: self._say(CAME_IN) if waits else None)

    def _say(self, told: str) -> None:
        if self._open and told != self._told:
            self._told = CHANGED if self._told else told
            if self._last is not None:
                self._draw(self._last)

    def _show_what_waited(self) -> None:
        """The look is taken between two battles, so what it shows can't hang on the one that may be open by then."""
        arena, told = self._arena, self._told

        def seen(view: BoardView) -> None:
            if self._told is told:
                self._told = ""
            if view.arena == self._arena:
                self._draw(view)

        self._store.ask(lambda: self._boards.view(arena), seen, self._gone)
        self._looking.look(arena, self._lens)
        self._tell()

    def _draw(self, view: BoardView) -> None:
        self._last = view
        if self._told:
            view = replace(view, waiting=self._told, sentence=view.sentence if view.votes else "")
        self._show(view)

    def _deliver(self, view: BoardView) -> None:
        if view.arena != self._arena:
            return
        if self._open:
            self._waiting = view
        else:
            self._draw(view)

    def _gone(self, error: Exception) -> None:
        """Raise ``error``, unless it is that the arena has gone: another one is shown by then, if there is one."""
        unless_gone(error)
        if isinstance(error, NoSuchArena) and not error.known:
            self._deliver(BoardView(self._arena, (), "", 0, (), sentence=str(error)))

    def _deliver_asked(self, view: BoardView) -> None:
        if view.arena == self._arena:
            self._waiting = None
            self._draw(view)
