"""The window itself. It opens at once, with its name on its own ground; what it holds is built right after."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from arena_desktop.domain.settings import Settings
from arena_desktop.errors import ArenaError
from arena_desktop.ui.tokens import DARK, LIGHT, Tokens

_SENTENCES = "Text and tables (*.txt *.csv *.tsv);;Text files (*.txt);;Tables (*.csv *.tsv);;All files (*)"

if TYPE_CHECKING:
    from arena_desktop.services.actions import Services
    from arena_desktop.services.board_views import LensView
    from arena_desktop.services.download_views import DownloadsView
    from arena_desktop.services.exchange_views import ExchangeView, HistoryView
    from arena_desktop.services.found_views import FoundView
    from arena_desktop.services.views import BoardView, DeviceChoice, ListenView, ModelsView, PreparingView
    from arena_desktop.ui.shell import Shell
    from arena_desktop.ui.theme import Theme

RAIL_EM = 11
FRAME_EM = 2
"""What the window manager's frame takes of the screen's height, before there is one to measure."""
LONGEST_NAME = 60
"""Of a listener, in characters: a longer name would be refused."""


class MainWindow(QMainWindow):
    """Implements :class:`arena_desktop.services.actions.Screen`. ``ask_name``, ``ask_file``, ``ask_path`` (where to
    save: from a name and kinds of file), ``ask_files`` and ``ask_folder`` replace the dialogs.

    Only what the opening needs is loaded with this module: pages, theme and icons come with :meth:`build`.
    """

    first_painted = Signal()
    closing = Signal()
    start_wanted = Signal()

    def __init__(
        self,
        settings: Settings,
        *,
        ask_name: Callable[[], str] | None = None,
        ask_file: Callable[[], str] | None = None,
        ask_path: Callable[[str, str], str] | None = None,
        ask_files: Callable[[], list[str]] | None = None,
        ask_folder: Callable[[], str] | None = None,
    ) -> None:
        super().__init__()
        self.setWindowTitle("Arena Desktop")
        self._settings = settings
        self._ask_name = ask_name or self._ask_name_by_dialog
        self._ask_file = ask_file or self._ask_file_by_dialog
        self._ask_path = ask_path or self._ask_path_by_dialog
        self._ask_files = ask_files or self._ask_files_by_dialog
        self._ask_folder = ask_folder or self._ask_folder_by_dialog
        self._painted_once = False
        self._shell: Shell | None = None
        em = QFontMetricsF(QApplication.font()).height()
        self._em = em
        room = self.screen().availableSize()
        high = room.height() - round(em * FRAME_EM)
        self.resize(min(round(em * 80), room.width()), min(round(em * 54), high))
        self.setMinimumSize(min(round(em * 40), 800, room.width()), min(round(em * 30), 560, high))

    @property
    def shell(self) -> "Shell":
        """What the window holds."""
        if self._shell is None:
            raise RuntimeError("the window is not built yet")
        return self._shell

    def build(self, theme: "Theme") -> None:
        """Build the Listen page and its frame, then put the style sheet on, then build the other pages."""
        from PySide6.QtGui import QKeySequence, QShortcut

        from arena_desktop.ui.shell import Shell
        from arena_desktop.ui.widgets.icons import app_icon

        self.setWindowIcon(app_icon())
        self._shell = Shell(
            theme,
            self._settings,
            ask_name=self._ask_name,
            ask_file=self._ask_file,
            ask_path=self._ask_path,
            ask_files=self._ask_files,
            ask_folder=self._ask_folder,
        )
        self._shell.start_wanted.connect(self.start_wanted)
        quit_keys = QShortcut(QKeySequence("Ctrl+Q"), self)
        quit_keys.setContext(Qt.ShortcutContext.ApplicationShortcut)  # from the dialogs beside the window, too
        quit_keys.setAutoRepeat(False)
        quit_keys.activated.connect(self.close)
        theme.dress()
        self.setCentralWidget(self._shell)
        self._shell.listen.setFocus()
        self._shell.complete()

    def attach(self, services: "Services") -> None:
        """The services are up: forward to them, and look at the player regularly."""
        self.shell.attach(services)

    def detach(self) -> None:
        """Stop looking; part of taking the window down."""
        if self._shell is not None:
            self._shell.detach()

    def show_error(self, error: ArenaError) -> None:
        """An expected fault: what happened and what to do, until it is closed."""
        self.shell.show_error(error)

    def show_failed_start(self, error: ArenaError) -> None:
        """The services could not start, and why; ``start_wanted`` tells when they are to try again."""
        self.shell.show_failed_start(error)

    def show_note(self, note: str) -> None:
        """What the user must know and nothing hangs on, until it is closed."""
        self.shell.show_note(note)

    def show_fault(self) -> None:
        """A fault of the program: what was waited for may never come."""
        if self._shell is not None:
            self._shell.show_fault()

    def show_page(self, name: str) -> None:
        """Bring a page to the front, by its objectName."""
        self.shell.show_page(name)

    # the services' screen

    def show_listen(self, view: "ListenView") -> None:
        """Draw the Listen page."""
        self.shell.listen.show_view(view)

    def show_preparing(self, view: "PreparingView") -> None:
        """Draw what the Listen page tells about prepared battles."""
        self.shell.listen.show_preparing(view)

    def show_board(self, view: "BoardView") -> None:
        """Draw the leaderboard."""
        self.shell.leaderboard.show_view(view)

    def show_lens(self, view: "LensView") -> None:
        """Draw what stands beside the ranking."""
        self.shell.leaderboard.show_lens(view)

    def show_exported(self, path: str) -> None:
        """Say where the board was written."""
        self.shell.leaderboard.show_exported(path)

    def show_history(self, view: "HistoryView") -> None:
        """Draw the History page."""
        self.shell.show_history(view)

    def show_exchange(self, view: "ExchangeView") -> None:
        """Draw what goes on with votes in and out."""
        self.shell.show_exchange(view)

    def show_found(self, view: "FoundView") -> None:
        """Draw what was found on the disk."""
        self.shell.show_found(view)

    def show_downloads(self, view: "DownloadsView") -> None:
        """Draw what is downloaded."""
        self.shell.show_downloads(view)

    def show_models(self, view: "ModelsView") -> None:
        """Draw the Models page."""
        self.shell.models.show_view(view)

    def show_devices(self, devices: "tuple[DeviceChoice, ...]") -> None:
        """Offer these output devices on the Settings page."""
        self.shell.settings.show_devices(devices)

    # the window itself

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        if self._shell is None:
            self._paint_opening()
        if not self._painted_once:
            self._painted_once = True
            QTimer.singleShot(0, self.first_painted.emit)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange and self._shell is not None:
            self._shell.set_minimized(self.isMinimized())

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        event.accept()
        self.closing.emit()

    def _paint_opening(self) -> None:
        tokens, em = self._opening_tokens(), self._em
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(tokens.window))
        painter.fillRect(0, 0, round(em * RAIL_EM), self.height(), QColor(tokens.rail))
        painter.setPen(QColor(tokens.muted))
        painter.drawText(round(em * (RAIL_EM + 1.5)), round(em * 2.5), "Starting…")
        painter.end()

    def _opening_tokens(self) -> Tokens:
        if self._settings.theme == "system":
            return DARK if self.palette().window().color().lightness() < 128 else LIGHT
        return DARK if self._settings.theme == "dark" else LIGHT

    def _ask_name_by_dialog(self) -> str:
        from PySide6.QtWidgets import QInputDialog, QLineEdit

        dialog = QInputDialog(self)
        dialog.setWindowTitle("Add a listener")
        dialog.setLabelText(
            f"Name of the listener, at most {LONGEST_NAME} characters (kept on this machine, never in the vote log):"
        )
        dialog.setTextEchoMode(QLineEdit.EchoMode.Normal)  # makes the field
        field = dialog.findChild(QLineEdit)
        if isinstance(field, QLineEdit):
            field.setMaxLength(LONGEST_NAME)
        given = dialog.exec()
        dialog.deleteLater()
        return dialog.textValue() if given else ""

    def _ask_file_by_dialog(self) -> str:
        from PySide6.QtWidgets import QFileDialog

        path, _ = QFileDialog.getOpenFileName(
            self, "Sentences: a text file, or a table with a column text", str(Path.home()), _SENTENCES
        )
        return path

    def _ask_path_by_dialog(self, name: str, kinds: str) -> str:
        from arena_desktop.ui.widgets.ask import ask_where_to_save

        return ask_where_to_save(self._asking(), name, kinds)

    def _ask_files_by_dialog(self) -> list[str]:
        from arena_desktop.ui.widgets.ask import ask_which_files

        return ask_which_files(self._asking())

    def _ask_folder_by_dialog(self) -> str:
        from arena_desktop.ui.widgets.ask import ask_which_folder

        return ask_which_folder(self._asking())

    def _asking(self) -> QWidget:
        """The window or dialog that a question belongs to: the focus goes back there."""
        return QApplication.activeWindow() or self
