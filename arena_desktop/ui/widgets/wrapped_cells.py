"""Paints the words of a table's cells over as many lines as they need; what has no gap is broken where it must be."""

import math

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.column_header import CELL_MARGIN, CELL_PADDING

_ROOM_EM = 0.5


class WrappedCells(QStyledItemDelegate):
    """No word of a cell is left out: :meth:`fit` makes the rows as high as their words need."""

    def __init__(self, theme: Theme, table: QTableView) -> None:
        super().__init__(table)
        self._theme, self._table = theme, table

    def fit(self, least: int) -> None:
        """Give every row the height of its highest cell, ``least`` pixels at least."""
        model, table = self._table.model(), self._table
        for row in range(model.rowCount()):
            high = max(self.height(model.index(row, place)) for place in range(model.columnCount()))
            table.setRowHeight(row, max(least, high))

    def height(self, index: QModelIndex | QPersistentModelIndex) -> int:
        """What a cell needs at its column's width."""
        wide = self._table.columnWidth(index.column()) - 2 * self._inset()
        layout = self._laid_out(str(index.data() or ""), wide, Qt.AlignmentFlag.AlignLeft)
        return math.ceil(layout.boundingRect().height()) + self._theme.px(_ROOM_EM)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: N802
        words = option.fontMetrics.horizontalAdvance(str(index.data() or ""))
        return QSize(words + 2 * self._inset() + 2, self.height(index))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        words, shown.text = shown.text, ""
        shown.state &= ~QStyle.StateFlag.State_HasFocus  # the whole row is chosen, no cell of it
        style = QApplication.style() if shown.widget is None else shown.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, shown, painter, shown.widget)
        box = option.rect.adjusted(self._inset(), 0, -self._inset(), 0)
        side = index.data(Qt.ItemDataRole.TextAlignmentRole) or Qt.AlignmentFlag.AlignLeft
        layout = self._laid_out(words, box.width(), side & Qt.AlignmentFlag.AlignHorizontal_Mask)
        painter.save()
        painter.setClipRect(option.rect)
        painter.setPen(QColor(self._theme.tokens.text))
        down = max(0.0, (box.height() - layout.boundingRect().height()) / 2)
        layout.draw(painter, QPointF(box.left(), box.top() + down))
        painter.restore()

    def _laid_out(self, words: str, wide: int, side: Qt.AlignmentFlag) -> QTextLayout:
        option = QTextOption(side)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout = QTextLayout(words, QFont(self._table.font()))
        layout.setTextOption(option)
        layout.beginLayout()
        down = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(1, wide))
            line.setPosition(QPointF(0, down))
            down += line.height()
        layout.endLayout()
        return layout

    def _inset(self) -> int:
        return self._theme.px(CELL_PADDING) + CELL_MARGIN
