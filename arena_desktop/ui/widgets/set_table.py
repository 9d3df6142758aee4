"""The battles of a set, told together once the set is complete."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from arena_desktop.domain.votes import Vote
from arena_desktop.services.views import SetLine
from arena_desktop.ui import text
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words
from arena_desktop.ui.widgets.column_header import ColumnHeader

_HEADS = ("No.", "Sentence", "Sample A", "Sample B", "Your vote")
_VOTES = {Vote.A: "A is better", Vote.B: "B is better", Vote.TIE: "Tie", Vote.BOTH_BAD: "Both bad"}
_SENTENCE = 1
_CUT = (1, 2, 3)
"""Columns whose words may not have room: a tool tip has them all."""
_SCROLLING = frozenset(
    {
        *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
        *(Qt.Key.Key_Home, Qt.Key.Key_End),
    }
)


class _Lines(QTableWidget):
    """Keeps the keys that scroll it; all others stay the page's."""

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and event.key() in _SCROLLING:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Home:
            self.selectRow(0)
        elif event.key() == Qt.Key.Key_End:
            self.selectRow(self.rowCount() - 1)
        else:
            super().keyPressEvent(event)


class SetTable(QWidget):
    """Empty of names until :meth:`show_lines`; :meth:`clear` takes every name out again."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._told = Words("", theme, strong=True, wrap=True)
        self._told.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.table = _Lines(0, len(_HEADS))
        self.table.setObjectName("revealedSet")
        self.table.setAccessibleName("The set, vote by vote")
        self.table.setHorizontalHeaderLabels(_HEADS)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.table.setCornerButtonEnabled(False)
        self.table.verticalHeader().hide()
        header = ColumnHeader(theme, self.table, lines=1.7)
        self.table.setHorizontalHeader(header)
        header.setAccessibleName("Columns")
        header.setSectionsClickable(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_SENTENCE, QHeaderView.ResizeMode.Stretch)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self._told)
        self._column.addWidget(self.table, 1)
        self._space()
        theme.changed.connect(self._space)

    @property
    def summary(self) -> str:
        """What a screen reader says of it."""
        return f"{self._told.text()} {text.counted(self.table.rowCount(), 'battle')} of this set in a table."

    def show_lines(self, lines: Sequence[SetLine], taken_back: str = "", verdict: str = "") -> None:
        """One row a battle, oldest first. ``taken_back``: what to say of the last of them, whose vote was undone;
        ``verdict``: where the votes stand now.
        """
        complete = f"The set of {text.counted(len(lines), 'vote')} is complete. {verdict}".rstrip()
        self._told.say(taken_back or complete)
        self.table.setRowCount(len(lines))
        for row, line in enumerate(lines):
            undone = bool(taken_back) and row == len(lines) - 1
            sentence = " ".join(text.undirected(line.prompt).split())
            vote = "Taken back" if undone else _VOTES[line.vote]
            for column, words in enumerate((str(row + 1), sentence, line.a, line.b, vote)):
                cell = QTableWidgetItem(words)
                if column in _CUT:
                    cell.setToolTip(text.tip(words))
                if undone:
                    cell.setFlags(Qt.ItemFlag.ItemIsSelectable)
                self.table.setItem(row, column, cell)
        if taken_back:
            self.table.scrollToBottom()
        else:
            self.table.scrollToTop()

    def clear(self) -> None:
        """Forget everything shown."""
        self._told.say("")
        self.table.setRowCount(0)

    def _space(self) -> None:
        px = self._theme.px
        self._column.setSpacing(px(0.3))
        self.table.verticalHeader().setMinimumSectionSize(px(1.4))
        self.table.verticalHeader().setDefaultSectionSize(px(1.6))
