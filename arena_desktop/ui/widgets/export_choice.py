"""The button that writes the board to a file, in one of the formats of the ``leaderboard`` command."""

from pathlib import Path

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QMenu

from arena_desktop.services.actions import BOARD_FORMATS, BoardFormat
from arena_desktop.ui.lenses.panel import AskPath
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton


class ExportChoice(IconButton):
    """``wanted``: (format, path) that a person chose."""

    wanted = Signal(str, str)

    def __init__(self, theme: Theme, ask_path: AskPath) -> None:
        super().__init__("Export…", "file", theme, tip="Write the board to a file")
        self.setObjectName("boardExport")
        self._ask_path = ask_path
        self.formats = QMenu(self)
        for format_ in BOARD_FORMATS:
            self.formats.addAction(format_.title).triggered.connect(lambda _=False, f=format_: self._ask(f))
        self.clicked.connect(self._open)

    def _open(self) -> None:
        """Below the button, ending where it ends: it stands at the right edge of the window."""
        wide = self.formats.sizeHint().width()
        self.formats.popup(self.mapToGlobal(self.rect().bottomRight() - QPoint(wide - 1, -1)))

    def _ask(self, format_: BoardFormat) -> None:
        path = self._ask_path(f"leaderboard.{format_.ending}", f"{format_.title} (*.{format_.ending})")
        if path:
            if not Path(path).suffix:
                path = f"{path}.{format_.ending}"
            self.wanted.emit(format_.id, path)
