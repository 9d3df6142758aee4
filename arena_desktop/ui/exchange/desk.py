"""Which dialog for votes in and out is open: one at a time, as there is one exchange at a time."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from arena_desktop.services.actions import ExchangeActions
from arena_desktop.services.exchange_views import ExchangeView, Step
from arena_desktop.services.views import Choice
from arena_desktop.ui.exchange.export_dialog import ExportDialog
from arena_desktop.ui.exchange.frame import ExchangeDialog
from arena_desktop.ui.exchange.import_dialog import ImportDialog
from arena_desktop.ui.exchange.progress import RUNNING
from arena_desktop.ui.exchange.sync_dialog import SyncDialog
from arena_desktop.ui.theme import Theme


class ExchangeDesk(QObject):
    """``ask_files``, ``ask_path`` and ``ask_folder`` put the questions that need a dialog of the system; an empty
    answer means never mind. ``aside``: whether a dialog is open that is hidden now.
    """

    aside = Signal(bool)

    def __init__(
        self,
        theme: Theme,
        window: QWidget,
        *,
        ask_files: Callable[[], list[str]],
        ask_path: Callable[[str, str], str],
        ask_folder: Callable[[], str],
    ) -> None:
        super().__init__(window)
        self._theme, self._window = theme, window
        self._ask_files, self._ask_path, self._ask_folder = ask_files, ask_path, ask_folder
        self._actions: ExchangeActions | None = None
        self._view = ExchangeView()
        self._next: Callable[[], None] | None = None
        self.dialog: ExchangeDialog | None = None

    def attach(self, actions: ExchangeActions) -> None:
        """From now on, forward to ``actions``."""
        self._actions = actions

    def show_view(self, view: ExchangeView) -> None:
        """Draw how far the exchange is."""
        self._view = view
        if self.dialog is not None:
            self.dialog.show_view(view)
        if self._next is not None and view.step not in RUNNING:
            begin, self._next = self._next, None
            begin()

    def ask_import(self) -> None:
        """Ask for files, and show what an import of them would do."""
        if not self._is_busy():
            files = self._ask_files()
            if files:
                self.read_files(files)

    def read_files(self, paths: Sequence[str]) -> None:
        """Show what an import of these files would do."""
        self._begin(lambda: self._read(paths))

    def ask_export(self, arenas: Sequence[Choice], listeners: Sequence[Choice]) -> None:
        """Ask what to write; ``arenas`` and ``listeners`` are those of the log."""
        self._begin(lambda: self._export(arenas, listeners))

    def ask_sync(self) -> None:
        """Show the shared folder."""
        if isinstance(self.dialog, SyncDialog):
            self._raise()
        else:
            self._begin(self._show_sync)

    def step_aside(self) -> None:
        """Give the window free; what goes on goes on."""
        if self.dialog is not None and self.dialog.isVisible():
            self.dialog.hide()
            self.aside.emit(True)

    def come_back(self) -> None:
        """Show what was hidden."""
        if self.dialog is not None and self.dialog.isHidden():
            self._raise()

    def _is_busy(self) -> bool:
        """Whether an exchange goes on that another has to wait for. If so, its dialog comes to the front."""
        if self.dialog is not None and (self.dialog.running or self._waits(self.dialog)):
            self._raise()
            return True
        if self._view.step is Step.SYNCING:
            self._show_sync()
            return True
        return False

    def _waits(self, dialog: ExchangeDialog) -> bool:
        """Whether it is hidden with something to be answered, which must not get lost."""
        return dialog.isHidden() and isinstance(dialog, ImportDialog) and self._view.step is Step.PREVIEW

    def _begin(self, begin: Callable[[], None]) -> None:
        """Put away what is only shown, then begin; what is still being stopped is waited for."""
        if self._actions is None or self._is_busy():
            return
        if self.dialog is not None:
            self.dialog.reject()
        if self._view.step in RUNNING:
            self._next = begin
        else:
            begin()

    def _read(self, paths: Sequence[str]) -> None:
        if self._actions:
            dialog = ImportDialog(paths, self._theme, self._window)
            dialog.read_wanted.connect(self._actions.read_files)
            dialog.store_wanted.connect(self._actions.store_files)
            self._open(dialog)
            dialog.read()

    def _export(self, arenas: Sequence[Choice], listeners: Sequence[Choice]) -> None:
        if self._actions:
            dialog = ExportDialog(arenas, listeners, self._ask_path, self._theme, self._window)
            dialog.share_wanted.connect(self._actions.ask_share)
            dialog.export_wanted.connect(self._actions.export)
            self._open(dialog)
            dialog.ask()

    def _show_sync(self) -> None:
        if isinstance(self.dialog, SyncDialog):
            self._raise()
        elif self._actions:
            dialog = SyncDialog(self._ask_folder, self._theme, self._window)
            dialog.folder_wanted.connect(self._actions.choose_sync_folder)
            dialog.sync_wanted.connect(self._actions.sync)
            self._open(dialog)
            dialog.show_view(self._view)

    def _open(self, dialog: ExchangeDialog) -> None:
        self.dialog = dialog
        if self._actions:
            dialog.stopped.connect(self._actions.cancel)
        dialog.put_aside.connect(lambda: self.aside.emit(True))
        dialog.finished.connect(lambda _: self._closed(dialog))
        dialog.show()

    def _closed(self, dialog: ExchangeDialog) -> None:
        dialog.deleteLater()
        if self.dialog is dialog:
            self.dialog = None
            self.aside.emit(False)

    def _raise(self) -> None:
        if self.dialog is not None:
            self.dialog.show()
            self.dialog.raise_()
            self.dialog.activateWindow()
            self.aside.emit(False)
