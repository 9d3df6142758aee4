"""What the window may ask of the services. Every call returns at once; what comes of it arrives as a new view.

All calls, and all deliveries of views, happen on one thread (the window's). Background work hands its results to
:class:`Inbox`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from arena_desktop.domain.votes import Side, Vote
from arena_desktop.errors import ArenaError
from arena_desktop.services.board_views import Lens, LensView
from arena_desktop.services.download_views import DownloadsView
from arena_desktop.services.exchange_views import ExchangeView, ExportWish, HistoryFilter, HistoryView
from arena_desktop.services.found_views import FoundView
from arena_desktop.services.views import BoardView, DeviceChoice, ListenView, ModelsView, PreparingView, PromptSource


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
    def play_reference(self) -> None:
        """Play the clip that both sides clone, from its start."""

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
    def prepare(self) -> None:
        """Prepare many battles at once, so that nobody waits for them; how far it has come arrives as a
        :class:`PreparingView`.
        """

    def stop_preparing(self) -> None: ...
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


class HistoryActions(Protocol):
    """The History page's verbs."""

    def open(self) -> None:
        """The page is looked at: its view is sent, and again after every change of the votes, until it is left."""

    def leave(self) -> None:
        """The page is no longer looked at; what is played stops."""

    def choose(self, chosen: HistoryFilter) -> None:
        """List these votes."""

    def more(self) -> None:
        """List the next page of them, too."""

    def listen(self, vote_id: str, side: Side) -> None:
        """Play one side of a vote's very clips; the battle that is open starts over afterwards."""

    def stop(self) -> None: ...
    def retract(self, vote_id: str, reason: str, note: str) -> None:
        """Take a vote back, for good; ``reason`` is one of the log's reasons, an empty note is none."""


class ExchangeActions(Protocol):
    """Votes in and out. One exchange at a time; its progress arrives as an :class:`ExchangeView`."""

    def read_files(self, paths: Sequence[str], source: str = "") -> None:
        """Read files and show what an import of them would do; ``source`` names the log legacy votes come from."""

    def store_files(self, add_models: bool) -> None:
        """Import what the preview showed; with ``add_models`` unknown models enter the roster as rating-only."""

    def ask_share(self, wish: ExportWish) -> None:
        """Show exactly what this export would hand over."""

    def export(self, wish: ExportWish, path: str) -> None: ...
    def cancel(self) -> None:
        """Stop what is going on, as far as it can be; a preview or a result is put away."""

    def choose_sync_folder(self, folder: str, private: bool) -> None:
        """Synchronise with this folder from now on; "" with none."""

    def sync(self) -> None: ...


class ModelsActions(Protocol):
    """The Models page's verbs."""

    def check_again(self) -> None: ...
    def set_enabled(self, repo_id: str, enabled: bool) -> None: ...
    def set_up(self, repo_id: str) -> None:
        """Make the environment that this model needs; the person has seen and accepted what the offer says."""

    def cancel_set_up(self, repo_id: str) -> None:
        """End the making, or put its failure away."""

    def find(self, folders: Sequence[str]) -> None:
        """Look for models in these folders and files, none: where models usually lie; what is found arrives as a
        :class:`FoundView`, as does everything below.
        """

    def stop_finding(self) -> None: ...
    def try_found(self, found_id: str, voice: str) -> None:
        """Have a find speak a sentence in one of its voices ("" the first)."""

    def add(self, found_id: str, voice: str, arena: str) -> None:
        """Enter a find into the user's roster; ``arena`` "" for those of its languages."""

    def forget(self, repo_id: str) -> None:
        """Take a model out of the user's roster; its votes stay."""

    def listen(self, repo_id: str) -> None:
        """Hear a roster's model speak a sentence; nothing while a battle is open."""

    def stop_sample(self) -> None: ...
    def examine(self, repo_id: str) -> None:
        """Have the model speak the fixed set of texts; its card says how far that is, then what was found."""

    def stop_examining(self, repo_id: str) -> None: ...
    def clear_failures(self, repo_id: str) -> None:
        """Begin the model's count of failures anew."""

    def measure(self, repo_id: str) -> None:
        """Measure how fast the model is here; its card says how far that is, then what was found."""


class DownloadActions(Protocol):
    """Downloads from a model hub. What goes on arrives as a :class:`DownloadsView`. No connection is opened before
    somebody looks or starts.
    """

    def open(self) -> None:
        """The dialog is looked at: the view is sent, also with what was begun before and not ended."""

    def look(self, repo: str, revision: str = "", endpoint: str = "") -> None:
        """Ask the hub what there is of OWNER/NAME; nothing is brought."""

    def choose(self, id_: int, path: str, wanted: bool) -> None:
        """Want a file, or leave it out."""

    def narrow(self, id_: int, pattern: str) -> None:
        """Want the files whose names are like ``pattern`` alone; "" wants what is usually needed."""

    def start(self, id_: int) -> None:
        """Bring what is wanted, or go on with it."""

    def cancel(self, id_: int) -> None:
        """Stop it; what has arrived is kept."""

    def forget(self, id_: int) -> None:
        """Put it away; what has arrived of an unfinished one is removed."""


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
    def history(self) -> HistoryActions: ...
    @property
    def exchange(self) -> ExchangeActions: ...
    @property
    def models(self) -> ModelsActions: ...
    @property
    def downloads(self) -> DownloadActions: ...
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
    def show_preparing(self, view: PreparingView) -> None: ...
    def show_board(self, view: BoardView) -> None: ...
    def show_lens(self, view: LensView) -> None: ...
    def show_exported(self, path: str) -> None:
        """The board was written to this file."""

    def show_history(self, view: HistoryView) -> None: ...
    def show_exchange(self, view: ExchangeView) -> None: ...
    def show_models(self, view: ModelsView) -> None: ...
    def show_found(self, view: FoundView) -> None: ...
    def show_downloads(self, view: DownloadsView) -> None: ...
    def show_devices(self, devices: tuple[DeviceChoice, ...]) -> None: ...
    def show_note(self, note: str) -> None:
        """Sentences to be read at leisure about something that is done and over; every page goes on as it was."""

    def show_error(self, error: ArenaError) -> None:
        """Something to be read at leisure: it stays until it is closed."""
