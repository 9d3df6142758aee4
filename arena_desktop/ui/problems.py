"""What is shown when something goes wrong: a banner for an expected fault, a dialog for a bug."""

import traceback
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from arena_desktop import __version__
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words


def bug_report(kind: type[BaseException], tb: TracebackType | None) -> str:
    """Where a bug struck. The exception's own words are left out: they may name a model while a battle is open. The log
    has them.
    """
    frames = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in traceback.extract_tb(tb)]
    return "\n".join([f"Arena Desktop {__version__}", f"{kind.__module__}.{kind.__qualname__}", *frames])


class BugDialog(QDialog):
    """Says that the program has a fault; offers the report to copy and the folder of the logs. The program goes on."""

    def __init__(self, report: str, logs: Path, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Arena Desktop: a fault in the program")
        self._report, self._logs = report, logs
        what = Words("Something in the program went wrong.", theme, scale=1.2, strong=True, wrap=True)
        lost = "Confirmed votes are safe, and you can go on. If it happens again, restart and copy this report."
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.px(1.5), theme.px(1.2), theme.px(1.5), theme.px(1.2))
        column.setSpacing(theme.px(0.7))
        column.addWidget(what)
        column.addWidget(Words(lost, theme, wrap=True))
        self.details = QPlainTextEdit(report)
        self.details.setReadOnly(True)
        self.details.setTabChangesFocus(True)
        self.details.setAccessibleName("Report")
        column.addWidget(self.details, 1)
        column.addWidget(Words(f"Logs: {logs}", theme, voice="muted", wrap=True, selectable=True))
        copy = IconButton("Copy the report", "copy", theme)
        folder = IconButton("Open the log folder", "file", theme)
        close = IconButton("Close", "check", theme, primary=True)
        copy.clicked.connect(self._copy)
        folder.clicked.connect(self._open)
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addWidget(copy)
        row.addWidget(folder)
        row.addStretch(1)
        row.addWidget(close)
        column.addLayout(row)
        self.resize(theme.px(42), theme.px(26))
        self.setMinimumSize(theme.px(24), theme.px(16))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._report)

    def _open(self) -> None:
        self._logs.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._logs)))
