"""One model on the Models page: whether it can speak here, what it lacks, and the switch for battles."""

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from arena_desktop.services.views import ModelRow
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words, restyle
from arena_desktop.ui.widgets.controls import Switch

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


class ModelCard(QFrame):
    """``switched`` carries whether the model shall take part in battles."""

    switched = Signal(bool)

    def __init__(self, row: ModelRow, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row: ModelRow | None = None
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._name = Words("", theme, scale=1.15, strong=True, wrap=True, selectable=True)
        self._pill = Words("", theme)
        self._pill.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._facts = Words("", theme, voice="muted", wrap=True, selectable=True)
        self._failures = Words("", theme, wrap=True, selectable=True)
        self._failures.setProperty("tone", "warning")
        self._use = Words("In battles", theme, voice="muted")
        self._switch = Switch(f"{row.name} takes part in battles", theme)
        self._remedies = QVBoxLayout()
        self._remedies.setContentsMargins(0, 0, 0, 0)
        self._lay_out()
        self._switch.toggled.connect(self.switched)
        theme.changed.connect(self._space)
        self.show_row(row)

    def show_row(self, row: ModelRow) -> None:
        """Draw ``row``, if it differs."""
        if row == self._row:
            return
        rebuild = self._row is None or row.missing != self._row.missing
        self._row = row
        self._name.say(row.name)
        self._facts.say(_facts(row))
        words, look = _state(row)
        self._pill.say(words)
        restyle(self._pill, "pill", look)
        self._failures.say(_failures(row))
        self._failures.setVisible(bool(row.failures))
        self._switch.show_state(row.enabled)
        self._switch.setEnabled(row.ready or not row.enabled)
        self._switch.setToolTip("Switch it out of battles, or back in. Its votes stay.")
        if rebuild:
            self._rebuild(row)

    def _rebuild(self, row: ModelRow) -> None:
        while (item := self._remedies.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        for what, how in row.missing:
            self._remedies.addWidget(Words(f"Missing: {what}", self._theme, strong=True, wrap=True, selectable=True))
            self._remedies.addWidget(Remedy(how, self._theme))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._name, 1)
        head.addWidget(self._pill)
        self._head = head
        foot = QHBoxLayout()
        foot.addWidget(self._facts, 1)
        foot.addWidget(self._use)
        foot.addWidget(self._switch)
        self._column = QVBoxLayout(self)
        self._column.addLayout(head)
        self._column.addLayout(foot)
        self._column.addWidget(self._failures)
        self._column.addLayout(self._remedies)
        self._space()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(1), px(0.7), px(1), px(0.7))
        self._column.setSpacing(px(0.4))
        self._head.setSpacing(px(0.5))
        self._remedies.setSpacing(px(0.3))


def _facts(row: ModelRow) -> str:
    parts = [
        row.repo_id,
        row.engine,
        "" if row.params in ("", "unknown") else f"{row.params} parameters",
        row.license,
        f"on {row.device}" if row.device else "",
    ]
    return "  ·  ".join(part for part in parts if part)


def _state(row: ModelRow) -> tuple[str, str]:
    if not row.ready:
        return "Not ready", "warning"
    if not row.enabled:
        return "Switched off", "plain"
    return "Ready", "good"


def _failures(row: ModelRow) -> str:
    if not row.failures:
        return ""
    counts = ", ".join(f"{reason} {number}×" for reason, number in row.failures)
    last = f" Last: {row.last_failure}" if row.last_failure else ""
    return f"Failed: {counts}.{last}"
