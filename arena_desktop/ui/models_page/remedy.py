"""What to do about something missing: a sentence, and each command in it ready to be copied."""

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words

_COMMAND = re.compile(r"`([^`]+)`")


class Remedy(QWidget):
    """A sentence that can be selected; each `command` in it has a line of its own with a button to copy it."""

    def __init__(self, words: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.px(0.3))
        column.addWidget(Words(words.replace("`", ""), theme, wrap=True, selectable=True))
        for command in _COMMAND.findall(words):
            row = QHBoxLayout()
            row.setSpacing(theme.px(0.4))
            code = Words(command, theme, wrap=True, selectable=True)
            code.setProperty("code", True)
            row.addWidget(code, 1)
            copy = IconButton(
                "Copy", "copy", theme, name=f"Copy the command {command}", tip="Copy the command", quiet=True
            )
            copy.clicked.connect(lambda _=False, command=command: QGuiApplication.clipboard().setText(command))
            row.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
            column.addLayout(row)
