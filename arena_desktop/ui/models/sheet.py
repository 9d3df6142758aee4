"""A table of words: an item model that takes a whole new table at a time and tells the view the least it must."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from arena_desktop.ui import text

_Index = QModelIndex | QPersistentModelIndex
DRAWN_ROLE = Qt.ItemDataRole.UserRole
"""What a delegate draws a cell from."""


@dataclass(frozen=True)
class Heading:
    """A column's or a row's heading, what it means, and to which side it and its cells keep."""

    title: str
    meaning: str = ""
    left: bool = False
    middle: bool = False


@dataclass(frozen=True)
class SheetCell:
    """What a cell shows; ``told`` is the whole of it in words, for the tool tip and for assistive technology."""

    shown: str
    told: str = ""
    drawn: object = None


class Sheet(QAbstractTableModel):
    """Read only. Same size: cells change in place; another size: the model is reset."""

    def __init__(self) -> None:
        super().__init__()
        self._columns: tuple[Heading, ...] = ()
        self._rows: tuple[Heading, ...] = ()
        self._cells: tuple[tuple[SheetCell, ...], ...] = ()

    def show_sheet(
        self, columns: Sequence[Heading], cells: Sequence[Sequence[SheetCell]], rows: Sequence[Heading] = ()
    ) -> None:
        """Take over a table; ``rows`` are its row headings, if it has any."""
        new = (tuple(columns), tuple(rows), tuple(tuple(row) for row in cells))
        if new == (self._columns, self._rows, self._cells):
            return
        same_size = len(new[0]) == len(self._columns) and len(new[2]) == len(self._cells)
        if not same_size:
            self.beginResetModel()
        self._columns, self._rows, self._cells = new
        if not same_size:
            self.endResetModel()
        elif self._cells and self._columns:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._cells) - 1, len(self._columns) - 1))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._columns) - 1)
            if self._rows:
                self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, len(self._rows) - 1)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008, N802
        return 0 if parent.isValid() else len(self._cells)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008, N802
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:  # noqa: N802
        headings = self._columns if orientation is Qt.Orientation.Horizontal else self._rows
        if section >= len(headings):
            return None
        heading = headings[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return heading.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return text.tip(heading.meaning) or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(heading)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        cell = self._cells[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.shown
        if role == Qt.ItemDataRole.ToolTipRole:
            return text.tip(cell.told or cell.shown)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return cell.told or cell.shown
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(self._columns[index.column()])
        if role == DRAWN_ROLE:
            return cell.drawn
        return None


def _side(heading: Heading) -> Qt.AlignmentFlag:
    if heading.middle:
        return Qt.AlignmentFlag.AlignCenter
    side = Qt.AlignmentFlag.AlignLeft if heading.left else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
