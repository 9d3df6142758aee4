"""What the window may ask of the services. Every call returns at once; what comes of it arrives as a new view.

All calls, and all deliveries of views, happen on one thread (the window's). Background work hands its results to
:class:`Inbox`.
"""

from dataclasses import dataclass
from typing import Protocol

from arena_desktop.domain.votes import Side, Vote
from arena_desktop.errors import ArenaError
from arena_desktop.services.board_views import Lens, LensView
from arena_desktop.services.views import BoardView, DeviceChoice, ListenView, ModelsView, PromptSource


@dataclass(frozen=True)
class BoardFormat:
    """A format in which the board can be written: its id, what it is, and the ending of its files."""

    id: str
    title: str
    ending: str


BOARD_FORMATS = (
    BoardFormat("html", "Web page with charts", "html"),
    BoardFormat("csv", "Table for a spreadsheet", "csv"),
    BoardFormat("json", "JSON", "json"),
    BoardFormat("md", "Markdown", "md"),
    BoardFormat("tex", "LaTeX table", "tex"),
    BoardFormat("methods", "Text for a methods section", "txt"),
    BoardFormat("table", "Plain text", "txt"),
)


class ListenActions(Protocol):
    """The Listen page's verbs."""

    def poll(self) -> None:
        """Look at the player and deliver what changed; called by a timer some 30 times a second."""

    def play(self, side: Side) -> None: ...
    def toggle_pause(self) -> None: ...
    def vote(self, vote: Vote) -> None: ...
    def next(self) -> None: ...
    def skip(self, reason: str = "") -> None: ...
    def undo(self) -> None: ...
    def set_volume(self, db: float) -> None: ...
    def choose_listener(self, pseudonym: str) -> None: ...
    def add_listener(self, name: str) -> None: ...
    def choose_arena(self, arena: str) -> None: ...
    def choose_prompts(self, source: PromptSource) -> None: ...
    def painted(self, view: ListenView) -> None:
        """The page has painted this view (for the trace file)."""


class BoardActions(Protocol):
    """The Leaderboard page's verbs."""

    def show_arena(self, arena: str) -> None: ...
    def look(self, lens: Lens | None) -> None:
        """From now on show this lens of the arena beside its ranking; its view arrives, again after every change of
        the votes. None: the ranking alone.
        """

    def export(self, form: str, path: str) -> None:
        """Write the arena's board to a file, in one of :data:`BOARD_FORMATS`."""


class ModelsActions(Protocol):
    """The Models page's verbs."""

    def check_again(self) -> None: ...
    def set_enabled(self, repo_id: str, enabled: bool) -> None: ...


class SettingsActions(Protocol):
    """The Settings page's verbs. A setting holds from the moment it is changed, and is kept."""

    def change(self, **values: object) -> None:
        """Change settings by name, see :class:`arena_desktop.domain.settings.Settings`."""

    def refresh_devices(self) -> None: ...


class Services(Protocol):
    """All verbs together, and the end of them."""

    @property
    def listen(self) -> ListenActions: ...
    @property
    def board(self) -> BoardActions: ...
    @property
    def models(self) -> ModelsActions: ...
    @property
    def settings(self) -> SettingsActions: ...
    def close(self) -> None:
        """End all background work and let go of files, sound and children.

        Called once, when nothing is delivered any more.
        """


class Screen(Protocol):
    """What the services need of the window: one slot a view. The window redraws from the view and keeps nothing
    else.
    """

    def show_listen(self, view: ListenView) -> None: ...
    def show_board(self, view: BoardView) -> None: ...
    def show_lens(self, view: LensView) -> None: ...
    def show_exported(self, path: str) -> None:
        """The board was written to this file."""

    def show_models(self, view: ModelsView) -> None: ...
    def show_devices(self, devices: tuple[DeviceChoice, ...]) -> None: ...
    def show_error(self, error: ArenaError) -> None:
        """Something to be read at leisure: it stays until it is closed."""
