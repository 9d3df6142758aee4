"""A list whose entries are switched on and off, each with how much stands behind it."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem

from arena_desktop.ui import text
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.check_delegate import CheckDelegate

_ID = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Entry:
    """One entry: ``told`` is what assistive technology and the tool tip say of it."""

    id: str
    title: str
    on: bool
    told: str = ""
    icon: QIcon | None = None


class CheckList(QListWidget):
    """``switched`` tells that a person switched something; space switches the entry that the arrows chose."""

    switched = Signal()

    def __init__(self, name: str, theme: Theme, *, most_lines: int = 6) -> None:
        super().__init__()
        self._theme, self._most_lines = theme, most_lines
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setUniformItemSizes(True)
        self.setItemDelegate(CheckDelegate(theme, self))
        self.itemChanged.connect(lambda _: self.switched.emit())
        theme.changed.connect(self._restyle)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Offer ``entries``; the one that the arrows chose stays chosen."""
        blocker = QSignalBlocker(self)
        here, down = self.currentRow(), self.verticalScrollBar().value()
        for row, entry in enumerate(entries):
            item = self.item(row)
            if item is None:
                item = QListWidgetItem()
                self.addItem(item)
            item.setText(text.undirected(entry.title))
            item.setData(_ID, entry.id)
            item.setToolTip(text.tip(entry.told or entry.title))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, entry.told or entry.title)
            item.setCheckState(Qt.CheckState.Checked if entry.on else Qt.CheckState.Unchecked)
            if entry.icon is not None:
                item.setIcon(entry.icon)
        while self.count() > len(entries):
            self.takeItem(self.count() - 1)
        if 0 <= here < self.count():
            self.setCurrentRow(here)
        self._space()
        self.verticalScrollBar().setValue(down)
        blocker.unblock()

    def switched_on(self) -> tuple[str, ...]:
        """The ids of the entries that are on, in order."""
        return self._ids(Qt.CheckState.Checked)

    def switched_off(self) -> tuple[str, ...]:
        """The ids of the entries that are off, in order."""
        return self._ids(Qt.CheckState.Unchecked)

    def _ids(self, state: Qt.CheckState) -> tuple[str, ...]:
        items = (self.item(row) for row in range(self.count()))
        return tuple(str(item.data(_ID)) for item in items if item is not None and item.checkState() == state)

    def _restyle(self) -> None:
        blocker = QSignalBlocker(self)
        self._space()
        blocker.unblock()

    def _space(self) -> None:
        high = self._theme.px(1.45)
        for row in range(self.count()):
            if (item := self.item(row)) is not None:
                item.setSizeHint(QSize(0, high))
        if self._most_lines:
            lines = min(max(1, self.count()), self._most_lines)
            self.setFixedHeight(lines * high + 2 * self.frameWidth() + self._theme.px(0.4))
