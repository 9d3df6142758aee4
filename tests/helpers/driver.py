"""The window's services without a window: real voices, real log, a silent player on a fast clock."""

import contextlib
import queue
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from arena_desktop.app import Composition
from arena_desktop.domain.votes import Side, Vote
from arena_desktop.errors import ArenaError
from arena_desktop.paths import app_paths
from arena_desktop.services.board_views import LensView
from arena_desktop.services.download_views import DownloadsView
from arena_desktop.services.exchange_views import ExchangeView, HistoryView
from arena_desktop.services.found_views import FoundView
from arena_desktop.services.trace import Trace
from arena_desktop.services.views import BoardView, DeviceChoice, ListenView, ModelsView, Phase, PreparingView
from arena_desktop.window import BACKUP_DELAY_S
from arena_desktop.window_services import WindowServices

ROSTER = """\
schema: 1
models:
  - {repo_id: test/hibari, name: Alder, engine: hibari, language: [en], params_m: 6, params: 6M, tts_index: 84}
  - {repo_id: test/pico-us, name: Birch, engine: pico, voices: [en-US], language: [en]}
  - {repo_id: test/pico-gb, name: Cedar, engine: pico, voices: [en-GB], language: [en]}
arenas:
  - {id: english, title: English, language: en, models: [test/hibari, test/pico-us, test/pico-gb]}
  - {id: two, title: Two of them, language: en, models: [test/hibari, test/pico-us], question: Which is clearer?}
"""
NAMES = ("Alder", "Birch", "Cedar", "test/hibari", "test/pico", "en-US", "en-GB")
"""Everything by which a model of this roster could be known."""


def write_roster(folder: Path) -> Path:
    """A roster of quick voices that need nothing but their packages."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "quick.yaml"
    path.write_text(ROSTER, encoding="utf-8")
    return path


class Driver:
    """Builds :class:`WindowServices`, is their screen, and plays the part of the event loop."""

    def __init__(
        self, folder: Path, roster: Path | None = None, speed: float = 500.0, *, own_roster: bool = False
    ) -> None:
        """``own_roster``: the quick voices stand in the user's own roster, which the program may write to."""
        self.folder = folder
        if own_roster:
            (write_roster(folder)).rename(folder / "models.yaml")
        self._posted: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.listen_views: list[ListenView] = []
        self.preparing_views: list[PreparingView] = []
        self.boards: list[BoardView] = []
        self.lens_views: list[LensView] = []
        self.models_views: list[ModelsView] = []
        self.found_views: list[FoundView] = []
        self.downloads_views: list[DownloadsView] = []
        self.history_views: list[HistoryView] = []
        self.exchange_views: list[ExchangeView] = []
        self.errors: list[ArenaError] = []
        self.notes: list[str] = []
        self.exported: list[str] = []
        self.trace_file = folder / "trace.jsonl"
        self._trace = Trace(None)
        self.composition = composition = Composition(
            app_paths(folder),
            roster_file=None if own_roster else roster or write_roster(folder),
            silent=True,
            backup_delay_s=BACKUP_DELAY_S,
        )
        self.services = WindowServices(composition, self, self._posted.put, self._trace, speed)

    @property
    def view(self) -> ListenView:
        """The Listen page as it stands."""
        return self.listen_views[-1] if self.listen_views else ListenView()

    def show_listen(self, view: ListenView) -> None:
        self.listen_views.append(view)

    def show_preparing(self, view: PreparingView) -> None:
        self.preparing_views.append(view)

    def show_board(self, view: BoardView) -> None:
        self.boards.append(view)

    def show_lens(self, view: LensView) -> None:
        self.lens_views.append(view)

    def show_exported(self, path: str) -> None:
        self.exported.append(path)

    def show_history(self, view: HistoryView) -> None:
        self.history_views.append(view)

    def show_exchange(self, view: ExchangeView) -> None:
        self.exchange_views.append(view)

    def show_found(self, view: FoundView) -> None:
        self.found_views.append(view)

    def show_downloads(self, view: DownloadsView) -> None:
        self.downloads_views.append(view)

    def show_models(self, view: ModelsView) -> None:
        self.models_views.append(view)

    def show_note(self, note: str) -> None:
        self.notes.append(note)

    def show_error(self, error: ArenaError) -> None:
        self.errors.append(error)

    def show_devices(self, devices: tuple[DeviceChoice, ...]) -> None:
        pass

    def clips_spoken(self) -> int:
        """How many clips were spoken since the start, those from the cache left out."""
        return self.composition.clips.counts().spoken

    def until(self, wanted: Callable[[], object], what: str, within: float = 60.0) -> None:
        """Turn the loop until ``wanted()`` holds."""
        deadline = time.monotonic() + within
        while not wanted():
            assert time.monotonic() < deadline, f"waited {within:.0f} s for {what}; the page shows {self.view}"
            self.turn()

    def rewrite_roster(self, text: str) -> None:
        """Write another roster to its file and press *Check again*."""
        assert self.composition.roster_file is not None
        self.composition.roster_file.write_text(text, encoding="utf-8")
        self.services.models.check_again()

    def hear_and_vote(self, vote: Vote = Vote.A) -> None:
        """Listen to both sides of the open battle to their ends, vote, and wait for the reveal."""
        for side in Side:
            self.services.listen.play(side)
            self.until(partial(self._heard, side), f"{side} is heard")
        self.services.listen.vote(vote)
        self.until(lambda: self.view.phase is Phase.REVEALED, "the reveal")

    def _heard(self, side: Side) -> bool:
        view = self.view
        return (view.heard_a if side is Side.A else view.heard_b) > 0.99 and view.playing is None

    def turn(self) -> None:
        """Deliver what was posted, then poll as the window's timer does."""
        with contextlib.suppress(queue.Empty):
            self._posted.get(timeout=0.01)()
        self.services.listen.poll()

    def close(self) -> None:
        """End everything, as the window does."""
        self.services.close()
