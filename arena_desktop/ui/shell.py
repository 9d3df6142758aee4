"""What the window holds: navigation, pages, banner. It shows views, forwards verbs, and keeps nothing else."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from arena_desktop.domain.settings import Settings
from arena_desktop.errors import ArenaError
from arena_desktop.services.actions import ExchangeActions, Services
from arena_desktop.services.download_views import DownloadsView
from arena_desktop.services.exchange_views import ExchangeView
from arena_desktop.services.found_views import FoundView
from arena_desktop.services.views import Line, Tone
from arena_desktop.ui.drops import FileDrops
from arena_desktop.ui.fault_list import line_of
from arena_desktop.ui.held import HeldKey
from arena_desktop.ui.keys import ListenKeys
from arena_desktop.ui.pages.listen import ListenPage
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.notice import Notice
from arena_desktop.ui.widgets.rail import Place, Rail

if TYPE_CHECKING:
    from arena_desktop.services.exchange_views import HistoryView
    from arena_desktop.ui.downloads.dialog import DownloadDialog
    from arena_desktop.ui.exchange.desk import ExchangeDesk
    from arena_desktop.ui.pages.history import HistoryPage
    from arena_desktop.ui.pages.leaderboard import LeaderboardPage
    from arena_desktop.ui.pages.models import ModelsPage
    from arena_desktop.ui.pages.settings import SettingsPage

PLACES = (
    Place("listenPage", "Listen", "listen", "1"),
    Place("leaderboardPage", "Leaderboard", "board", "2"),
    Place("historyPage", "History", "history", "3"),
    Place("modelsPage", "Models", "models", "4"),
    Place("settingsPage", "Settings", "settings", "6"),
)
FAST_MS, SLOW_MS = 33, 250
NARROW_EM = 52


class Shell(QWidget):
    """The Listen page is built with it, the other pages by :meth:`complete`; what has to do with votes cast before when
    it is first looked at.

    ``ask_name``, ``ask_file``, ``ask_path``, ``ask_files`` and ``ask_folder`` put the questions that need a dialog; an
    empty answer means never mind. ``start_wanted``: the services could not start, and are to try again.
    """

    start_wanted = Signal()

    def __init__(
        self,
        theme: Theme,
        settings: Settings,
        *,
        ask_name: Callable[[], str],
        ask_file: Callable[[], str],
        ask_path: Callable[[str, str], str],
        ask_files: Callable[[], list[str]],
        ask_folder: Callable[[], str],
    ) -> None:
        super().__init__()
        self.theme, self._start_settings = theme, settings
        self._ask_path, self._ask_files, self._ask_folder = ask_path, ask_files, ask_folder
        self._minimized = False
        self._services: Services | None = None
        self._exchange: ExchangeActions | None = None
        self._exchanged = ExchangeView()
        self.listen = ListenPage(theme, ask_name, ask_file)
        self.banner = Notice(theme, dismissable=True)
        self.banner.setObjectName("banner")
        self._rail = Rail(PLACES, theme)
        self._pages = QStackedWidget()
        self._pages.setObjectName("pages")
        held = HeldKey(self)
        self._keys = ListenKeys(self, self.listen, held)
        self._lay_out()
        self._drops = FileDrops(
            self, theme, self._read_dropped, self._look_dropped, self._speak_dropped, self._refuse_dropped
        )
        self.poll_timer = QTimer(self)
        self.poll_timer.timeout.connect(self.listen.poll)
        self._rail.wanted.connect(self.show_page)
        for place in PLACES:
            shortcut = QShortcut(QKeySequence(f"Ctrl+{place.key}"), self)
            shortcut.setContext(Qt.ShortcutContext.ApplicationShortcut)  # from the dialogs beside the window, too
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(lambda place=place: self._go(place.id, held))
        self.show_page("listenPage")

    @cached_property
    def leaderboard(self) -> "LeaderboardPage":
        """The Leaderboard page."""
        from arena_desktop.ui.pages.leaderboard import LeaderboardPage

        return LeaderboardPage(self.theme, self._ask_path)

    @cached_property
    def history(self) -> "HistoryPage":
        """The History page."""
        from arena_desktop.ui.pages.history import HistoryPage

        page = HistoryPage(self.theme)
        page.import_wanted.connect(lambda: self.exchange.ask_import())
        page.export_wanted.connect(lambda: self.exchange.ask_export(*page.choices))
        page.sync_wanted.connect(lambda: self.exchange.ask_sync())
        page.dialog_wanted.connect(lambda: self.exchange.come_back())
        page.show_exchange(self._exchanged)
        self._pages.addWidget(page)
        self._drops.pass_through_fields()
        if self._services is not None:
            page.attach(self._services.history)
        return page

    @cached_property
    def exchange(self) -> "ExchangeDesk":
        """The dialogs for votes in and out."""
        from arena_desktop.ui.exchange.desk import ExchangeDesk

        desk = ExchangeDesk(
            self.theme, self, ask_files=self._ask_files, ask_path=self._ask_path, ask_folder=self._ask_folder
        )
        desk.show_view(self._exchanged)
        if self._exchange is not None:
            desk.attach(self._exchange)
        desk.aside.connect(lambda aside: self.history.show_aside(aside))
        return desk

    @cached_property
    def models(self) -> "ModelsPage":
        """The Models page."""
        from arena_desktop.ui.pages.models import ModelsPage

        return ModelsPage(self.theme, self._ask_folder)

    @cached_property
    def downloads(self) -> "DownloadDialog":
        """The dialog for downloads."""
        from arena_desktop.ui.downloads.dialog import DownloadDialog

        dialog = DownloadDialog(self.theme, self)
        dialog.add_wanted.connect(lambda place: self.models.find_in((place,)))
        if self._services is not None:
            dialog.attach(self._services.downloads)
        return dialog

    @cached_property
    def settings(self) -> "SettingsPage":
        """The Settings page."""
        from arena_desktop.ui.pages.settings import SettingsPage

        return SettingsPage(self.theme, self._start_settings)

    def complete(self) -> None:
        """Build the pages that were left for later."""
        if self._pages.count() == 1:
            for page in (self.leaderboard, self.models, self.settings):
                self._pages.addWidget(page)
            self.leaderboard.meetings_wanted.connect(self._show_meetings)
            self.models.download_wanted.connect(lambda: self.downloads.open_beside())
            self._drops.pass_through_fields()

    def attach(self, services: Services) -> None:
        """The services are up: forward to them, and look at the player regularly."""
        self.complete()
        self.listen.attach(services.listen)
        self.leaderboard.attach(services.board)
        self.models.attach(services.models)
        self.settings.attach(services.settings)
        if not self.listen.isEnabled():
            self._let_pages_be_used(True)
            shown = self._pages.currentWidget()
            if shown is not None:
                shown.setFocus(Qt.FocusReason.OtherFocusReason)  # a page that can't be used loses it
        self._services = services
        if "downloads" in self.__dict__:
            self.downloads.attach(services.downloads)
        if "history" in self.__dict__:
            self.history.attach(services.history)
        self.attach_exchange(services.exchange)
        self.poll_timer.start()
        self._pace()

    def attach_exchange(self, exchange: ExchangeActions) -> None:
        """Votes can come in and go out."""
        self._exchange = exchange
        if "exchange" in self.__dict__:
            self.exchange.attach(exchange)

    def detach(self) -> None:
        """Stop looking; part of taking the window down."""
        self.poll_timer.stop()
        self.listen.detach()

    def show_error(self, error: ArenaError) -> None:
        """An expected fault: what happened and what to do, until it is closed."""
        self.banner.show_line(line_of(error))
        self.show_fault()
        self._space()

    def show_failed_start(self, error: ArenaError) -> None:
        """The services could not start, and why: the pages wait until a person has them try again."""
        self.complete()
        self.listen.show_failed_start()
        self.history.show_failed_start()
        self._let_pages_be_used(False)
        self.banner.show_line(line_of(error), "Try again")
        self._space()

    def _start_again(self) -> None:
        self.banner.show_line(Line())
        self.listen.show_starting()
        self._space()
        self.start_wanted.emit()

    def _let_pages_be_used(self, used: bool) -> None:
        """All but the Settings page, which knows by itself that it is of no use without the services."""
        built = [self.history] if "history" in self.__dict__ else []
        for page in (self.listen, self.leaderboard, self.models, *built):
            page.setEnabled(used)

    def show_note(self, note: str) -> None:
        """What the user must know and nothing hangs on, until it is closed."""
        self.banner.show_line(Line(note, Tone.WARNING))
        self._space()

    def show_fault(self) -> None:
        """Something went wrong: no page goes on promising what may never come."""
        if self._pages.count() > 1:
            self.leaderboard.show_fault()

    def show_history(self, view: "HistoryView") -> None:
        """Draw the History page."""
        self.history.show_view(view)

    def show_exchange(self, view: ExchangeView) -> None:
        """Draw what goes on with votes in and out."""
        self._exchanged = view
        if "history" in self.__dict__:
            self.history.show_exchange(view)
        if "exchange" in self.__dict__:
            self.exchange.show_view(view)

    def show_found(self, view: FoundView) -> None:
        """Draw what was found on the disk."""
        self.models.show_found(view)

    def show_downloads(self, view: DownloadsView) -> None:
        """Draw what is downloaded."""
        self.downloads.show_view(view)

    def show_page(self, name: str) -> None:
        """Bring a page to the front, by its objectName."""
        if name != self.listen.objectName():
            self.complete()
        page = self.history if name == "historyPage" else self.findChild(QWidget, name)
        if page is None:
            return
        self._pages.setCurrentWidget(page)
        self._rail.show_place(name)
        self._keys.set_active(page is self.listen)
        page.setFocus(Qt.FocusReason.OtherFocusReason)
        self._pace()
        self._make_room(name)

    def _go(self, name: str, held: HeldKey) -> None:
        """A person asked for a page by its key, in the window or in a dialog beside it."""
        if QApplication.activeWindow() is not self.window():  # isActiveWindow() counts the dialogs in
            self.activateWindow()
        elif held.repeating:
            return
        self.show_page(name)

    def _make_room(self, name: str) -> None:
        """A dialog for votes in and out covers no other page, and is there again on its own."""
        if "downloads" in self.__dict__:
            self.downloads.make_room(name == "modelsPage")
        if "models" in self.__dict__ and "find_dialog" in self.models.__dict__:
            self.models.find_dialog.make_room(name == "modelsPage")
        if "exchange" in self.__dict__:
            if name == "historyPage":
                self.exchange.come_back()
            else:
                self.exchange.step_aside()

    def _read_dropped(self, paths: tuple[str, ...]) -> None:
        self.exchange.read_files(paths)

    def _look_dropped(self, places: tuple[str, ...]) -> None:
        self.show_page("modelsPage")
        self.models.find_in(places)

    def _speak_dropped(self, path: str) -> None:
        self.show_page("listenPage")
        self.listen.use_file(path)

    def _refuse_dropped(self, reason: ArenaError) -> None:
        self.banner.show_line(Line(reason.message, Tone.WARNING, reason.remedy))
        self._space()

    def _show_meetings(self, arena: str, one: str, other: str) -> None:
        self.show_page("historyPage")
        self.history.list_meetings(arena, one, other)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._space()

    def set_minimized(self, minimized: bool) -> None:
        """Look at the player less often while nobody sees the window."""
        self._minimized = minimized
        self._pace()

    def _pace(self) -> None:
        seen = self._pages.currentWidget() is self.listen and not self._minimized
        self.poll_timer.setInterval(FAST_MS if seen else SLOW_MS)

    def _lay_out(self) -> None:
        self._pages.addWidget(self.listen)
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        self._margin = QHBoxLayout()
        self._margin.addWidget(self.banner)
        right.addLayout(self._margin)
        right.addWidget(self._pages, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._rail)
        row.addLayout(right, 1)
        self._space()
        self.theme.changed.connect(self._space)
        self.banner.dismissed.connect(self._space)
        self.banner.taken.connect(self._start_again)

    def _space(self) -> None:
        px = self.theme.px
        self._margin.setContentsMargins(px(1.5), 0 if self.banner.isHidden() else px(0.9), px(1.5), 0)
        self._rail.set_narrow(self.width() < self.theme.em * NARROW_EM)
